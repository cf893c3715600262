package main

import (
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"strings"
)

// A message is a message as its sender's program wrote it.
type message struct {
	name  string // language and form: "ja-reply"
	raw   []byte
	wants bool // an edit that costs nothing should be possible
}

// escaped returns the URL of a page as programs send it.
func escaped(page string) string {
	host, path, _ := strings.Cut(page, "/")
	return "https://" + host + "/" + (&url.URL{Path: path}).EscapedPath()
}

// forms are the forms of texts that are written in every language.
var forms = []struct {
	name string
	text func(l language, other []string) string // other has links in other languages
}{
	{"short", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(l.page) + "\n\n-- \nM. Novak\n"
	}},
	{"reply", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(l.page) + "\n\n> " + l.sentence + "\n> " + l.sentence + "\n"
	}},
	{"quoting-reply", func(l language, other []string) string {
		return l.greeting + "\n\n" + l.thanks + "\n\n> " + l.sentence + "\n> " + escaped(l.page) + "\n> > " + l.sentence + "\n> > " + other[0] + "\n"
	}},
	{"long", func(l language, _ []string) string {
		return l.greeting + "\n\n" + strings.Repeat(l.sentence+"\n", 12) + "\n" + escaped(l.page) + "\n\n" + strings.Repeat(l.sentence+"\n", 4) + l.thanks + "\n"
	}},
	{"sentence", func(l language, _ []string) string { return l.sentence + "\n" + escaped(l.page) + "\n" }},
	{"inline", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + " (" + escaped(l.page) + ") " + l.sentence + "\n\n" + l.thanks + "\n"
	}},
	{"link-alone", func(l language, _ []string) string { return escaped(l.page) + "\n" }},
	{"greeting-and-link", func(l language, _ []string) string { return l.greeting + "\n" + escaped(l.page) + "\n" }},
	{"links-alone", func(l language, other []string) string {
		return escaped(l.page) + "\n" + strings.Join(other, "\n") + "\n"
	}},
	{"list", func(l language, other []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n\n* " + escaped(l.page) + "\n* " + strings.Join(other, "\n* ") + "\n\n" + l.thanks + "\n"
	}},
	{"beside-ascii", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\nhttps://www.example.com/schedule.html\n" + escaped(l.page) + "\n\n" + l.thanks + "\n"
	}},
	{"www", func(l language, _ []string) string {
		_, path, _ := strings.Cut(l.page, "/")
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped("www.example.de/"+path) + "?q=1\n\n" + l.thanks + "\n"
	}},
	{"idn", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\nhttps://" + l.host + "/\n\n" + l.thanks + "\n"
	}},
	{"idn-a-label", func(l language, _ []string) string {
		return l.greeting + "\n\n" + l.sentence + "\n" + escaped(aLabels(l.host)+"/"+l.page) + "\n\n" + l.thanks + "\n"
	}},
}

// textMessages returns every form of a plain text in every language, and those with an HTML
// sibling.
func textMessages() []message {
	var all []message
	for i, l := range languages {
		other := otherLinks(i)
		for _, form := range forms {
			n := len(all)
			all = append(all, message{l.code + "-" + form.name, []byte(head(n, form.name) + encoded("plain", "utf-8", form.text(l, other), n)), false})
		}
	}
	return all
}

// otherLinks returns three links in other languages than the ith one.
func otherLinks(i int) []string {
	var other []string
	for n := 1; n <= 3; n++ {
		other = append(other, escaped(languages[(i+3*n)%len(languages)].page))
	}
	return other
}

// head returns the header of the nth message, without the fields of its content.
func head(n int, form string) string {
	subject, thread := "Notes for Monday", ""
	if strings.Contains(form, "reply") {
		subject = "Re: " + subject
		thread = "In-Reply-To: <20261121090000.77@example.com>\r\nReferences: <20261121090000.77@example.com>\r\n"
	}
	return fmt.Sprintf("Received: from client.example.org (client.example.org [192.0.2.7]) by mx.example.com with ESMTPSA id Q%d; Sun, 22 Nov 2026 10:00:00 +0000\r\n"+
		"Date: Sun, 22 Nov 2026 10:00:00 +0000\r\nFrom: Marek Novak <marek.novak@example.org>\r\nTo: Anna Berg <anna.berg@example.com>\r\n"+
		"Subject: %s\r\nMessage-ID: <20261122100000.%d.abcdef%04d@client.example.org>\r\n%sMIME-Version: 1.0\r\n", n, subject, n, n, thread)
}

// encoded returns a part with its fields. The transfer encoding changes with n.
func encoded(subtype, charset, text string, n int) string {
	text = inCharset(subtype, charset, strings.ReplaceAll(text, "\n", "\r\n"))
	fields := "Content-Type: text/" + subtype + "; charset=" + charset + "\r\nContent-Transfer-Encoding: "
	switch n % 3 {
	case 0:
		return fields + "8bit\r\n\r\n" + text
	case 1:
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(text)) // a strings.Builder does not fail
		_ = w.Close()
		return fields + "quoted-printable\r\n\r\n" + b.String()
	}
	const width = 76
	body := base64.StdEncoding.EncodeToString([]byte(text))
	var b strings.Builder
	for len(body) > width {
		b.WriteString(body[:width] + "\r\n")
		body = body[width:]
	}
	return fields + "base64\r\n\r\n" + b.String() + body + "\r\n"
}
