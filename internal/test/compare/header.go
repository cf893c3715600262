package main

import (
	"encoding/base64"
	"fmt"
	"mime"
	"strings"
)

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
