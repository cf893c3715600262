package main

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

// entity returns the fields of MIME and the body of a message or a part.
func entity(r *gen, depth int) string {
	n := r.IntN(100)
	if r.calm && chance(r, 75) {
		return calmEntity(r, depth)
	}
	if depth > 3 {
		n %= 60
	}
	switch {
	case n < 38:
		return leaf(r, "text/plain", "", text(r))
	case n < 46:
		return leaf(r, "text/plain", pick(r, []string{"; format=flowed", "; format=flowed; delsp=yes", "; delsp=yes"}), flowed(r))
	case n < 56:
		return leaf(r, "text/html", "", htmlText(r))
	case n < 60:
		return oddLeaf(r)
	case n < 70:
		return multipart(r, "alternative", "", leaf(r, "text/plain", "", text(r)), leaf(r, "text/html", "", htmlText(r)))
	case n < 80:
		parts := []string{entity(r, depth+1), attachment(r)}
		if chance(r, 30) {
			parts = append(parts, entity(r, depth+1))
		}
		return multipart(r, "mixed", "", parts...)
	case n < 83:
		return multipart(r, "related", pick(r, []string{"", `; type="text/html"`}), leaf(r, "text/html", "", htmlText(r)), attachment(r))
	case n < 88:
		return "Content-Type: " + pick(r, []string{"message/rfc822", "message/rfc822", "message/global", "message/news", "message/partial; id=a; number=1; total=2", "message/external-body; access-type=url"}) +
			"\r\n\r\n" + header(r, depth) + entity(r, depth+1)
	case n < 90:
		return multipart(r, "digest", "", "\r\n"+header(r, 1)+entity(r, depth+1), "Content-Type: message/rfc822\r\n\r\n"+header(r, 2)+entity(r, depth+1))
	case n < 92:
		return multipart(r, "report", "; report-type=delivery-status", leaf(r, "text/plain", "", text(r)), "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; "+host(r)+"\r\n")
	case n < 95:
		return multipart(r, "signed", pick(r, []string{`; protocol="application/pgp-signature"; micalg=pgp-sha256`, `; protocol="application/pkcs7-signature"`}),
			entity(r, depth+1), "Content-Type: application/pgp-signature; name=signature.asc\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\nAAAA\r\n-----END PGP SIGNATURE-----\r\n")
	case n < 96:
		return multipart(r, "encrypted", `; protocol="application/pgp-encrypted"`, "Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n", "Content-Type: application/octet-stream\r\n\r\nAAAA\r\n")
	case n < 98:
		return deep(r)
	}
	return hostileMultipart(r)
}

// calmEntity is text as people send it.
func calmEntity(r *gen, depth int) string {
	switch n := r.IntN(10); {
	case n < 2:
		return leaf(r, "text/plain", pick(r, []string{"; format=flowed", "; format=flowed; delsp=yes"}), flowed(r))
	case n < 3 && depth < 3:
		return multipart(r, "mixed", "", calmEntity(r, depth+1), attachment(r))
	case n < 4 && depth < 3:
		return multipart(r, pick(r, []string{"mixed", "alternative"}), "", calmEntity(r, depth+1))
	}
	return leaf(r, "text/plain", "", text(r))
}

// multipart joins parts, usually as RFC 2046 says.
func multipart(r *gen, kind, parameters string, parts ...string) string {
	boundary := fmt.Sprintf("b%d", r.Uint32())
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=\"%s\"%s\r\n", kind, boundary, parameters)
	if odds(r, 5) {
		b.WriteString("Content-Transfer-Encoding: " + pick(r, []string{"base64", "8bit", "quoted-printable"}) + "\r\n")
	}
	b.WriteString("\r\n")
	if chance(r, 15) {
		b.WriteString("This is a message in several parts. " + link(r) + "\r\n")
	}
	for _, part := range parts {
		b.WriteString("--" + boundary + pick(r, []string{"", "", "", "", "", "", "", "", "", "  "}) + "\r\n" + part + "\r\n")
	}
	if !odds(r, 6) {
		b.WriteString("--" + boundary + "--\r\n")
	}
	if chance(r, 5) {
		b.WriteString("After the end: " + link(r) + "\r\n")
	}
	return b.String()
}

// deep nests a text in many multiparts.
func deep(r *gen) string {
	part := leaf(r, "text/plain", "", text(r))
	for range 2 + r.IntN(24) {
		part = multipart(r, pick(r, []string{"mixed", "alternative", "related"}), "", part)
	}
	return part
}

// hostileMultipart is one that programs read differently.
func hostileMultipart(r *gen) string {
	a, b := leaf(r, "text/plain", "", text(r)), leaf(r, "text/html", "", htmlText(r))
	kind := pick(r, []string{
		`multipart/mixed`, `multipart/mixed; boundary=""`, `multipart/mixed; boundary=x; boundary=y`, `multipart/mixed; boundary*0=x; boundary*1=y`, `multipart/mixed; boundary="x "`,
		`multipart/mixed; boundary=` + strings.Repeat("x", 80), `multipart/alternative; boundary=never`, `multipart`, `multipart/mixed; boundary="x`, "multipart/mixed;\r\n boundary=x\r\nContent-Type: text/plain",
	})
	return "Content-Type: " + kind + "\r\n\r\n--x\r\n" + a + "\r\n--xy\r\n" + b + "\r\n--x--\r\n--x\r\n" + a + "\r\n--xy--\r\n"
}

// oddLeaf is a part that is not just text or HTML to programs.
func oddLeaf(r *gen) string {
	l := link(r)
	switch r.IntN(7) {
	case 0:
		return leaf(r, "text/calendar", "; method=REQUEST", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:"+l+"\\n"+pick(r, words)+"\r\nURL:"+l+"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	case 1:
		return leaf(r, "text/vcard", "", "BEGIN:VCARD\r\nFN:"+pick(r, words)+"\r\nURL:"+l+"\r\nEND:VCARD\r\n")
	case 2:
		return leaf(r, pick(r, []string{"text/enriched", "text/richtext", "text/markdown", "text/x-amp-html", "text/css", "text/rtf", "text", "application/xhtml+xml", "image/svg+xml"}), "", text(r))
	case 3:
		return leaf(r, "text/plain", "", "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n"+text(r)+"-----BEGIN PGP SIGNATURE-----\r\nAAAA\r\n-----END PGP SIGNATURE-----\r\n")
	case 4:
		return leaf(r, "text/plain", "", text(r)+"begin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\n")
	case 5:
		return leaf(r, "text/plain", "", "diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-"+l+"\r\n+"+l+"\r\n")
	}
	return "Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\neJ8+IgAAAAA=\r\n"
}

func attachment(r *gen) string {
	kind := pick(r, []string{"application/pdf", "application/octet-stream", "image/png", "application/force-download", "application/html", "text/html", "text/plain", "application/ms-tnef"})
	name := pick(r, []string{"a.pdf", "login.html", "x.htm", "note.txt", "m.eml", "x.svg", "Größe.pdf", "x.url"})
	return "Content-Type: " + kind + "; name=\"" + name + "\"\r\nContent-Disposition: " + pick(r, []string{"attachment", "inline"}) + "; filename=\"" + name +
		"\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + wrapped(base64.StdEncoding.EncodeToString([]byte(htmlText(r))), 76)
}

// text returns a plain text with a few links.
func text(r *gen) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		switch r.IntN(12) {
		case 0:
			b.WriteString(pick(r, []string{"> ", ">> ", "> > ", "- ", "* ", "-- \r\n", "  ", "\t"}))
		case 1:
			b.WriteString("<" + link(r) + ">, (" + link(r) + ") „" + link(r) + "“\r\n")
			continue
		case 2:
			b.WriteString("report.zip, notes.md and setup.py are attached.Thanks.It\r\n")
			continue
		case 3:
			b.WriteString("<https://example.com/" + escape(r, pick(r, words)) + "\r\n  " + escape(r, pick(r, words)) + ">\r\n")
			continue
		}
		b.WriteString(pick(r, []string{"See ", "Hello ", "資料は", "Смотри ", "اقرأ ", "Besuche ", ""}) + mutated(r, link(r)) + pick(r, []string{".", " now.", "をご覧ください。", "?", "!)", ",", "", "’s", ":"}) + "\r\n")
		if chance(r, 20) {
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

// flowed returns a text with soft line breaks, some inside links.
func flowed(r *gen) string {
	t := strings.ReplaceAll(text(r), "\r\n", pick(r, []string{" \r\n", "\r\n"}))
	if at := strings.Index(t, "/wiki"); at >= 0 && chance(r, 50) {
		t = t[:at] + " \r\n" + t[at:]
	}
	return t
}

// htmlText returns HTML with links in many shapes, some of which hide.
func htmlText(r *gen) string {
	var b strings.Builder
	b.WriteString(pick(r, []string{"", "<!DOCTYPE html><html><body>", "<html><head><base href=\"https://" + host(r) + "/\"></head>", "<html><meta charset=utf-8>"}))
	for range 1 + r.IntN(4) {
		l, t := html.EscapeString(link(r)), html.EscapeString(link(r))
		fmt.Fprintf(&b, pick(r, htmlShapes), l, t)
		b.WriteString(pick(r, []string{"\r\n", " ", "<br>\r\n", "</p><p>", "</td></table>"}))
	}
	return b.String() + pick(r, []string{"", "</body></html>\r\n", "</html>", "<!-- " + link(r) + " -->", "<a href=\"x"})
}

// htmlShapes take a target and a text.
var htmlShapes = []string{
	`<a href="%s">%s</a>`, `<a href='%s'>%s</a>`, `<A HREF="%s" title=x><b>%s</b></A>`, `<a href="%[1]s">%[1]s</a>`, `<p>%s and %s`, `<a href="%s"><img src=x alt="%s"></a>`, `<area href="%s" alt="%s">`,
	`<form action="%s"><button formaction="%s">Go</button></form>`, `<meta http-equiv=refresh content="0;url=%s">%s`, `<svg><a xlink:href="%s"><text>%s</text></a></svg>`, `<math><a href="%s">%s</a></math>`,
	`<iframe srcdoc="&lt;a href=&quot;%s&quot;&gt;%s&lt;/a&gt;"></iframe>`, `<a href="%s"><span style="display:none">x</span>%s</a>`, `<a href="%s"><span hidden>%s</span>Click</a>`, `<style>a{b:url(%s)}</style>%s`,
	`<script>location="%s"</script>%s`, `<title>%s</title>%s`, `<textarea><a href="%s">%s</a></textarea>`, `<!-- <a href="%s"> --> %s`, `<svg><![CDATA[</svg><style>]]></svg><a href="%s">%s</a>`, `<table><td><svg><td><style></svg><a href="%s">%s</a>`,
	`<template><a href="%s">%s</a></template>`, `<noscript><a href="%s">%s</a></noscript>`, `<a href="&#104;ttps://e.example/%s">%s</a>`, "<a href=\" \n%s\">%s</a>", `<a href="%s">%s`, `<a href="%s" href="%s">twice</a>`, `<base href="%s"><a href="/x">%s</a>`,
	`<blockquote>%s <a href="%s">q</a></blockquote>`, `<plaintext><a href="%s">%s</a>`, `<a ping="%s" href="#">%s</a>`, `<link rel=stylesheet href="%s">%s`, `<img src="%s">%s`, `<xmp>%s</xmp>%s`,
}
