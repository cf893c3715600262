package main

import (
	"bytes"
	"encoding/base64"
	"mime/quotedprintable"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

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
