package letters

import (
	"mime"
	"strings"
)

// A kind is a way to write a message.
type kind struct {
	name              string
	utf8, utf8Address bool
	fill              func(d *draft)
}

const (
	utf8Text = "text/plain; charset=utf-8"
	utf8HTML = "text/html; charset=utf-8"
	picture  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
)

var kinds = []kind{
	{name: "plain text", fill: (*draft).plain},
	{name: "plain text in an older charset", fill: func(d *draft) {
		d.content(part("text/plain; charset="+d.charset, "8bit", d.encoded(d.tb, d.text())))
	}},
	{name: "quoted-printable", fill: func(d *draft) { d.content(part(utf8Text, "quoted-printable", d.text())) }},
	{name: "base64", fill: func(d *draft) { d.content(part(utf8Text, "base64", d.text())) }},
	{name: "flowed text", fill: func(d *draft) {
		d.content(part(utf8Text+"; format=flowed", "8bit", d.sentence+" \r\n"+d.sentence+"\r\n"+d.text()))
	}},
	{name: "flowed text with DelSp", fill: func(d *draft) {
		d.content(part(utf8Text+"; format=flowed; delsp=yes", "8bit", d.sentence+"  \r\n"+d.text()))
	}},
	{name: "HTML", fill: func(d *draft) { d.content(part(utf8HTML, "8bit", d.html())) }},
	{name: "HTML in an older charset", fill: func(d *draft) {
		d.content(part("text/html; charset="+d.charset, "8bit", d.encoded(d.tb, d.html())))
	}},
	{name: "text and HTML", fill: func(d *draft) {
		d.multipart("alternative", part(utf8Text, "8bit", d.text()), part(utf8HTML, "8bit", d.html()))
	}},
	{name: "text in base64 and HTML in 8-bit", fill: func(d *draft) {
		d.multipart("alternative", part(utf8Text, "base64", d.text()), part(utf8HTML, "8bit", d.html()))
	}},
	{name: "text with an attachment", fill: func(d *draft) {
		d.multipart("mixed", part(utf8Text, "8bit", d.text()), part("application/pdf", "base64", "%PDF-1.7\n\x00\xFF", "Content-Disposition: attachment; filename=a.pdf"))
	}},
	{name: "text with an attached text", fill: func(d *draft) {
		d.multipart("mixed", part(utf8Text, "8bit", d.text()), part(utf8Text, "8bit", d.sentence+"\r\n", "Content-Disposition: attachment; filename=a.txt"))
	}},
	{name: "HTML with a picture", fill: func(d *draft) {
		d.multipart("related", part(utf8HTML, "8bit", d.html()), part("image/png", "base64", picture, "Content-ID: <1@example.com>"))
	}},
	{name: "forwarded message", fill: func(d *draft) {
		forwarded := "From: carl@example.net\r\nSubject: " + d.subject + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + d.text()
		d.multipart("mixed", part(utf8Text, "8bit", d.text()), part("message/rfc822", "8bit", forwarded))
	}},
	{name: "reply", fill: func(d *draft) {
		d.set("In-Reply-To: <0@example.org>")
		d.set("References: <0@example.org>")
		d.content(part(utf8Text, "8bit", d.sentence+"\r\n\r\n> "+d.sentence+"\r\n> "+d.link+"\r\n"))
	}},
	{name: "several links", fill: func(d *draft) { d.content(part(utf8Text, "8bit", strings.Repeat(d.text(), 5))) }},
	{name: "no link", fill: func(d *draft) { d.content(part(utf8Text, "8bit", d.sentence+"\r\n")) }},
	{name: "folded subject", fill: func(d *draft) {
		d.plain()
		d.set("Subject: " + strings.ReplaceAll(mime.QEncoding.Encode("utf-8", strings.Repeat(d.subject+" ", 4)), "?= =?", "?=\r\n =?"))
	}},
	{name: "UTF-8 subject", utf8: true, fill: func(d *draft) {
		d.plain()
		d.set("Subject: " + d.subject)
	}},
	{name: "folded UTF-8 subject", utf8: true, fill: func(d *draft) {
		d.plain()
		d.set("Subject: " + d.subject + "\r\n\t" + d.sentence + "  " + d.subject)
	}},
	{name: "UTF-8 name of the sender", utf8: true, fill: func(d *draft) {
		d.plain()
		d.set("From: \"" + d.person + "\" <anna@" + d.domain + ">")
	}},
	{name: "UTF-8 address of the sender", utf8: true, utf8Address: true, fill: func(d *draft) {
		d.plain()
		d.set("From: " + d.person + " <" + d.local + "@" + d.domain + ">")
	}},
	{name: "UTF-8 names of the recipients", utf8: true, fill: func(d *draft) {
		d.plain()
		d.set("To: " + d.person + " <bert@example.org>, \"" + d.person + "\" <carl@example.org>")
		d.set("Cc: " + d.person + " <dora@example.net>")
	}},
	{name: "UTF-8 name of a file", utf8: true, fill: func(d *draft) {
		d.multipart("mixed", part(utf8Text, "8bit", d.text()), part("application/pdf", "base64", "%PDF-1.7\n", "Content-Disposition: attachment; filename=\""+d.subject+".pdf\""))
	}},
	{name: "encoded name of a file", fill: func(d *draft) {
		disposition := mime.FormatMediaType("attachment", map[string]string{"filename": d.subject + ".pdf"})
		d.multipart("mixed", part(utf8Text, "8bit", d.text()), part("application/pdf", "base64", "%PDF-1.7\n", "Content-Disposition: "+disposition))
	}},
	{name: "invitation", fill: func(d *draft) {
		event := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:" + d.subject + "\r\nURL:" + d.link + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		d.multipart("alternative", part(utf8Text, "8bit", d.text()), part("text/calendar; charset=utf-8; method=REQUEST", "8bit", event))
	}},
	{name: "mail to a list", fill: func(d *draft) {
		d.plain()
		d.set("List-Id: <friends.example.com>")
	}},
	{name: "automatic reply", fill: func(d *draft) {
		d.plain()
		d.set("Auto-Submitted: auto-replied")
	}},
	{name: "undeclared 8-bit", fill: func(d *draft) {
		d.plain()
		d.remove("Content-Transfer-Encoding")
	}},
	{name: "no MIME fields", fill: func(d *draft) {
		d.plain()
		for _, name := range []string{"MIME-Version", "Content-Type", "Content-Transfer-Encoding"} {
			d.remove(name)
		}
	}},
	{name: "white space at the ends", fill: func(d *draft) {
		d.content(part(utf8Text, "8bit", d.sentence+" \t\r\n"+d.text()+"\r\n\r\n\r\n"))
	}},
}
