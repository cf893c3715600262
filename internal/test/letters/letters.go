// Package letters writes mail in ten languages as mail programs send it: 8-bit text,
// UTF-8 in header fields, HTML, attachments. Tests of signatures use it.
package letters

import (
	"mime"
	"strings"
	"testing"
)

// A Letter is a message from an address of a domain.
type Letter struct {
	Name    string // kind and language
	Kind    string
	Message []byte
	// UTF8 says that the header has UTF-8 that SMTP allows with SMTPUTF8 only.
	UTF8 bool
	// UTF8Address says that an address has it, which Sendmail changes.
	UTF8Address bool
}

// All returns each kind of message in each language, from addresses of a domain.
func All(tb testing.TB, domain string) []Letter {
	tb.Helper()
	var all []Letter
	for _, k := range kinds {
		for _, l := range languages {
			all = append(all, k.write(tb, l, domain))
		}
	}
	return all
}

// Rotation returns each kind of message in one language, and each language several
// times.
func Rotation(tb testing.TB, domain string) []Letter {
	tb.Helper()
	var rotation []Letter
	for i, k := range kinds {
		rotation = append(rotation, k.write(tb, languages[i%len(languages)], domain))
	}
	return rotation
}

// write writes a message of the kind.
func (k kind) write(tb testing.TB, l language, domain string) Letter {
	tb.Helper()
	d := draft{tb: tb, language: l}
	d.set("From: " + mime.BEncoding.Encode("utf-8", l.person) + " <anna@" + domain + ">")
	d.set("To: bert@example.org")
	d.set("Subject: " + mime.BEncoding.Encode("utf-8", l.subject))
	d.set("Date: Fri, 20 Nov 2026 10:00:00 +0000")
	d.set("Message-ID: <" + strings.ReplaceAll(k.name, " ", ".") + "@" + domain + ">")
	d.set("MIME-Version: 1.0")
	d.domain = domain
	k.fill(&d)
	name := k.name + " in " + l.name
	return Letter{Name: name, Kind: k.name, Message: d.bytes(), UTF8: k.utf8, UTF8Address: k.utf8Address}
}
