package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// generateMessage returns message number i: the same for the same seed.
func generateMessage(seed uint64, i int) []byte {
	r := source("message", seed, i)
	message := header(r, i) + entity(r, 0)
	if !chance(r, 40) {
		message = strings.ReplaceAll(message, "\r\n", "\n")
	}
	raw := []byte(message)
	if odds(r, 35) {
		raw = broken(r, raw)
	}
	return raw
}

// header returns the fields before those of MIME.
func header(r *gen, i int) string {
	var b strings.Builder
	add := func(percent int, name string, values ...string) {
		if chance(r, percent) {
			fmt.Fprintf(&b, "%s: %s\r\n", name, pick(r, values))
		}
	}
	for range r.IntN(3) {
		add(70, "Received", "from a.example.com by mx.example.com with ESMTP; Tue, 03 Mar 2026 10:30:00 +0000")
	}
	add(4, "Authentication-Results", "mx.example.com; dkim=pass header.d=example.com", "mx.example.com; dmarc=pass header.from=paypal.com", "other.example; spf=fail")
	forged(r, &b)
	add(99, "From", "Anna <anna@example.com>", "Anna <anna@example.com>", "anna@example.com", sender(r), sender(r), sender(r))
	if odds(r, 5) {
		add(99, "From", sender(r))
	}
	add(10, "Sender", sender(r))
	add(15, "Reply-To", sender(r))
	add(95, "To", "Bert <bert@example.org>", "Bert <bert@example.org>", "undisclosed-recipients:;", calmly(r, "bert@example.org", "bert@lists.example.org"))
	add(95, "Subject", "Sample", link(r), mime.BEncoding.Encode("utf-8", pick(r, words)+" "+link(r)), mime.QEncoding.Encode("utf-8", link(r)), "=?utf-7?Q?+AGE?=", "=?x?B?!!?=", "a\r\n b")
	add(95, "Date", "Tue, 03 Mar 2026 10:30:00 +0000")
	fmt.Fprintf(&b, "Message-ID: <generated-%d@mail.example.com>\r\n", i)
	if !r.calm {
		add(5, "List-Unsubscribe", "<https://"+host(r)+"/u>", "<mailto:leave@example.org>")
		add(5, "List-Id", "<list.example.org>")
		add(4, "Precedence", "bulk", "list", "junk")
		add(4, "Auto-Submitted", "auto-replied", "no")
		add(4, "ARC-Seal", "i=1; a=rsa-sha256; d=example.com; s=s; cv=none; b=AAAA")
		add(5, "X-Linkmilter-Opt-Out", "yes", "no", "")
	}
	add(6, "DKIM-Signature", "v=1; a=rsa-sha256; d=example.com; s=s; h=from:subject:x-linkmilter; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n b=AAAA", "v=1; a=ed25519-sha256; d=example.org; s=s; h=from; l=3; bh=; b=")
	if version := pick(r, []string{"1.0", "1.0", "1.0", "1.0", "1.0", "1.0", "1.0 (x)", "2.0", ""}); r.calm || version != "" {
		fmt.Fprintf(&b, "MIME-Version: %s\r\n", calmly(r, "1.0", version))
	}
	return b.String()
}

// calmly returns the ordinary value for calm inputs.
func calmly[T any](r *gen, ordinary, odd T) T {
	if r.calm {
		return ordinary
	}
	return odd
}

// forged adds fields that claim to be linkmilter's, now and then.
func forged(r *gen, b *strings.Builder) {
	if !chance(r, 8) {
		return
	}
	n := 1 + r.IntN(3)
	if chance(r, 8) {
		n = 80
	}
	for range n {
		id := pick(r, []string{"mx.example.com", "MX.example.com.", "\"mx.example.com\"", "(c) mx.example.com", "mx2.example.com", "other.example", "mx.example.com\x00", "mx\\.example.com", "\"mx.exam\\ple.com\"", ""})
		fmt.Fprintf(b, "%s: %s; action=none; worst=none\r\n", pick(r, []string{"X-Linkmilter", "X-Linkmilter-Finding", "x-linkmilter"}), id)
	}
}

// sender returns a mailbox whose name may lie.
func sender(r *gen) string {
	name := pick(r, []string{"PayPal", "service@paypal.com", "Anna", pick(r, words), host(r), link(r), "", "a\u202eb", "a\u200bb", strings.Repeat("\u0301", 9)})
	address := pick(r, []string{"anna", "x", "почта", "\"a b\"", "аdmin", "a..b"}) + "@" + host(r)
	switch r.IntN(8) {
	case 0:
		return mime.BEncoding.Encode("utf-8", name) + " <" + address + ">"
	case 1:
		return "\"" + mime.BEncoding.Encode("utf-8", name) + "\" <" + address + ">"
	case 2:
		return "=?utf-8?Q?" + strings.ReplaceAll(name, " ", "_") + "?= <" + address + ">"
	case 3:
		return "Group: " + address + ", b@example.org;"
	case 4:
		return address + " (" + name + ")"
	case 5:
		return "=?iso-8859-1?B?" + strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(name)), "=") + "?= <" + address + ">"
	}
	return "\"" + name + "\" <" + address + ">"
}

// charsets of texts; the last few are unknown or lie.
var charsets = []string{
	"utf-8", "utf-8", "utf-8", "utf-8", "utf-8", "us-ascii", "iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-15", "windows-1251", "windows-1252",
	"windows-1256", "koi8-r", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "gbk", "big5", "euc-kr", "windows-874", "utf-16", "utf-16le", "utf-7", "ibm037", "x-unknown", "",
}

// leaf returns a part with its fields: a text in some charset and transfer encoding.
func leaf(r *gen, mediaType, parameters, text string) string {
	charset, raw := converted(r, text)
	kind := mediaType + parameters
	if charset != "" {
		kind += pick(r, []string{"; charset=", "; charset=", ";\r\n charset="}) + pick(r, []string{charset, charset, `"` + charset + `"`, strings.ToUpper(charset)})
	}
	if odds(r, 8) {
		kind += pick(r, []string{"; charset=utf-8", "; name=\"login.html\"", "; charset*=utf-8''utf-8", ";;", "; x"})
	}
	transfer, body := encoded(r, raw)
	fields := "Content-Type: " + kind + "\r\n"
	if transfer != "" {
		fields += "Content-Transfer-Encoding: " + transfer + "\r\n"
	}
	if odds(r, 8) {
		fields += "Content-Disposition: " + pick(r, []string{"inline", "attachment", "attachment; filename=a.txt", "inline; filename*=utf-8''%D0%B0.html"}) + "\r\n"
	}
	return fields + "\r\n" + body
}

// converted returns a charset and a text in it, mostly without loss.
func converted(r *gen, text string) (string, []byte) {
	charset := pick(r, charsets)
	e, err := htmlindex.Get(charset)
	if err == nil && !odds(r, 5) {
		if exact, err := e.NewEncoder().String(text); err == nil && (!r.calm || !strings.HasPrefix(charset, "utf-16")) {
			return charset, []byte(exact)
		}
	}
	if r.calm || chance(r, 40) {
		return "utf-8", []byte(strings.ToValidUTF8(text, "?"))
	}
	if err == nil {
		if lossy, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text); err == nil {
			return charset, []byte(strings.ReplaceAll(lossy, "\x1a", "?"))
		}
	}
	return charset, []byte(text)
}

// encoded writes a body in a transfer encoding, mostly in one that fits.
func encoded(r *gen, raw []byte) (transfer, body string) {
	switch n := r.IntN(calmly(r, 80, 100)); {
	case n < 25:
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		w.Write(raw) // a bytes.Buffer takes all
		w.Close()
		return "quoted-printable", b.String()
	case n < 45:
		return "base64", wrapped(base64.StdEncoding.EncodeToString(raw), pick(r, []int{76, 76, 60, 4, 998}))
	case n < 80:
		return pick(r, []string{"8bit", "8bit", "8BIT"}), string(raw)
	case n < 90:
		return pick(r, []string{"7bit", ""}), string(raw)
	case n < 95:
		return pick(r, []string{"binary", "x-uuencode", "base64;", "quoted-printable; x", "none"}), string(raw)
	case n < 98:
		return "base64", wrapped(base64.StdEncoding.EncodeToString(raw), 76)[:len(raw)/2] + "!*"
	}
	return "quoted-printable", string(raw) + "=ZZ =\r\n"
}

func wrapped(text string, width int) string {
	var b strings.Builder
	for len(text) > width {
		b.WriteString(text[:width] + "\r\n")
		text = text[width:]
	}
	return b.String() + text + "\r\n"
}

// broken damages a message in one place.
func broken(r *gen, raw []byte) []byte {
	at := r.IntN(len(raw))
	insert := func(text string) []byte { return append(raw[:at:at], append([]byte(text), raw[at:]...)...) }
	switch r.IntN(9) {
	case 0:
		return raw[:at]
	case 1:
		return append(raw[:at:at], raw[min(at+1+r.IntN(20), len(raw)):]...)
	case 2:
		return insert("\x00")
	case 3:
		return insert("\r")
	case 4:
		return insert("\n\n")
	case 5:
		return insert(string([]byte{byte(r.IntN(256)), byte(r.IntN(256))}))
	case 6:
		return insert("\r\nContent-Type: text/html\r\n")
	case 7:
		return append([]byte(pick(r, []string{"From a@b Tue\n", "\n", " x\n", "no field\n", bom, "Subject : x\n", ">From x\n"})), raw...)
	}
	return insert(strings.Repeat("x", 1200))
}
