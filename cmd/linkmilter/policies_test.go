package main

import (
	"context"
	"net/netip"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/test/manual"
)

// TestPolicies: each complete configuration of the manual treats mail as its text says.
func TestPolicies(t *testing.T) {
	const (
		head      = "To: b@example.org\r\nDate: Mon, 16 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@python.org>\r\nSubject: x\r\n"
		escaped   = head + "From: a@example.net\r\n\r\nPlease read this page of the encyclopedia before we meet on Monday:\r\nhttps://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC\r\n"
		deceptive = head + "From: a@example.net\r\n\r\nPlease log in at https://xn--pypal-4ve.com/ today.\r\n"
		numeric   = head + "From: a@example.net\r\n\r\nPlease look at http://192.0.2.1/ today.\r\n"
		honest    = head + "From: a@python.org\r\n\r\nThe page https://www.python.org/ is new and has the agenda.\r\n"
		forged    = "Authentication-Results: mx.example.com; dmarc=fail header.from=example.com\r\n" + head + "From: a@example.com\r\n\r\nPlease look at http://192.0.2.1/ today.\r\n"
		html      = head + "From: a@example.net\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Please <a href=\"https://xn--pypal-4ve.com/\">log in</a> today.</p>\r\n"
	)
	outside := envelope.Envelope{Client: netip.MustParseAddr("203.0.113.9"), Sender: "a@python.org", Recipients: []string{"b@example.org"}}
	user := outside
	user.Authenticated = true
	from := func(address string) envelope.Envelope {
		e := outside
		e.Client = netip.MustParseAddr(address)
		return e
	}
	us := outside
	us.Sender = "a@example.com"
	for _, test := range []struct {
		heading, what, message string
		envelope               envelope.Envelope
		rule, action           string
		edited                 bool
	}{
		{"## A university", "a user's link becomes readable", escaped, user, "authenticated", "none", true},
		{"## A university", "an account that was taken over", deceptive, user, "authenticated", "quarantine", false},
		{"## A university", "a machine on the campus", escaped, from("192.0.2.77"), "campus", "none", true},
		{"## A university", "the list server", escaped, from("192.0.2.25"), "lists", "none", false},
		{"## A university", "the local program", escaped, from("127.0.0.1"), "local", "none", true},
		{"## A university", "phishing from outside", deceptive, outside, "others", "quarantine", false},
		{"## A university", "honest mail from outside", honest, outside, "others", "none", false},
		{"## A company", "a user's link becomes readable", escaped, user, "authenticated", "none", true},
		{"## A company", "phishing is held, without its link", html, outside, "others", "quarantine", true},
		{"## A company", "mail in the company's name", forged, us, "pretends-to-be-us", "quarantine", false},
		{"## A company", "honest mail from outside", honest, outside, "others", "none", false},
		{"## A provider", "a customer's mail stays", escaped, user, "customers", "none", false},
		{"## A provider", "phishing is tagged only", html, outside, "others", "tag", false},
		{"## A provider", "also what is only unusual", numeric, outside, "others", "tag", false},
	} {
		t.Run(test.heading[3:]+"/"+test.what, func(t *testing.T) {
			block := manual.Read(t, "docs/policies.md").Below(t, test.heading, "toml")
			file, err := config.Parse("policy", []byte(block.Text))
			if err != nil {
				t.Fatal(err)
			}
			if warnings := file.Warnings(); len(warnings) > 0 {
				t.Errorf("%v", warnings)
			}
			f, err := filter.New(file.Filter(nil))
			if err != nil {
				t.Fatal(err)
			}
			r := f.Message(context.Background(), test.envelope, []byte(test.message)).Report
			if r.Rule != test.rule || r.Action.String() != test.action || r.Edited != test.edited {
				t.Errorf("rule %s, action %s, edited %t (%s, because of %s); want %s, %s, %t", r.Rule, r.Action, r.Edited, r.NotDone, r.Because, test.rule, test.action, test.edited)
			}
		})
	}
}
