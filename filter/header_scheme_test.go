package filter_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// TestOwnSchemesInFields: once, the mailbox of a mail program, imap://joe@mail.example.net/, was
// reported as https://joe@mail.example.net/, which is not in the message, with a deceptive user
// name.
func TestOwnSchemesInFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for field, text := range map[string]string{
		"X-Evolution-Source: imap://joe@mail.example.net/":         "",
		"X-Git-Url: ssh://git@git.example.org/x.git":               "",
		"X-Repository: <svn+ssh://joe@svn.example.org/a>":          "",
		"X-Source: pop3://joe@mail.example.net:110":                "",
		"X-Camera: rtsp://joe:x@192.0.2.1/":                        "",
		"List-Archive: <nntp://news@news.example.org/example.x>":   "",
		"X-Homepage: //joe@example.net/":                           "",
		"X-Homepage: feed://paypa1.com/":                           "paypa1.com/",
		"X-Source: imap://joe@xn--pypal-4ve.com/x":                 "xn--pypal-4ve.com/x",
		"X-Homepage: //paypa1.com/x":                               "paypa1.com/x",
		"X-Homepage: https://joe@paypa1.com/x":                     "https://joe@paypa1.com/x",
		"X-Homepage: microsoft-edge:https://www.paypa1.com/":       "https://www.paypa1.com/",
		"X-Homepage: intent://www.paypa1.com/#Intent;scheme=x;end": "www.paypa1.com/#Intent;scheme=x;end",
	} {
		r := check(t, field, f, localUser(), []byte(with(field))).Report
		flagged := ""
		for _, l := range r.Links {
			if l.Verdict.Worst() >= policy.SeverityMedium {
				flagged = l.Link.Text
			}
		}
		if flagged != text {
			t.Errorf("%s: flagged %q, want %q", field, flagged, text)
		}
	}
}

// TestGeneratedSchemesInFields: for a URL of a mail program's own scheme in a field, the report has
// only texts of the message, and no finding about a user name.
func TestGeneratedSchemesInFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	random := rand.New(rand.NewPCG(7, 8))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	listed := 0
	for range 500 {
		honest := random.IntN(2) == 0
		host := pick("mail.example.net", "git.example.org", "host", "192.0.2.7", "[2001:db8::7]")
		if !honest {
			host = pick("paypa1.com", "www.paypa1.com", "xn--pypal-4ve.com")
		}
		url := pick("imap", "imaps", "pop3", "smtp", "ssh", "git+ssh", "svn", "ldap", "nntp", "rtsp", "sftp", "nfs", "smb", "mailbox", "xmpp", "feed", "webcal", "account") +
			"://" + pick("", "joe@", "joe:x@", "joe;AUTH=*@", "joe%40example.org@") + host + pick("", ":143") + pick("", "/", "/a/b.git", "/INBOX#1", "?q=x")
		field := pick("X-Evolution-Source", "X-Source", "X-Url", "List-Archive", "Organization", "Archived-At") + ": " + pick("%s", "<%s>")
		field = fmt.Sprintf(field, url)
		r := check(t, field, f, localUser(), []byte(with(field))).Report
		for _, l := range r.Links {
			if honest && l.Verdict.Worst() >= policy.SeverityMedium {
				t.Errorf("%s: %v", field, l.Verdict.Findings)
			}
			if strings.HasPrefix(l.Part, "header:") && !strings.Contains(field, l.Link.Text) {
				t.Errorf("%s: reports %q", field, l.Link.Text)
			}
			if strings.HasPrefix(l.Part, "header:") {
				listed++
			}
		}
	}
	t.Logf("%d links listed", listed)
	if listed < 100 {
		t.Error("few links were listed")
	}
}

// TestForwardedAddresses: the hash of SRS has a slash in every sixteenth address. The domain behind
// it is not a path that names another site than the forwarder.
func TestForwardedAddresses(t *testing.T) {
	f := newFilter(t, filter.Options{Policy: policy.Options{Protected: []string{"web.de", "nordlichtwerke.de"}}})
	random := rand.New(rand.NewPCG(9, 10))
	hash := func() string {
		const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		b := make([]byte, 4)
		for i := range b {
			b[i] = digits[random.IntN(len(digits))]
		}
		b[random.IntN(4)] = '/'
		return string(b)
	}
	for range 200 {
		owner := []string{"web.de", "nordlichtwerke.de", "mail.nordlichtwerke.de"}[random.IntN(3)]
		for _, local := range []string{
			"SRS0=" + hash() + "=FT=" + owner + "=max.muster", "srs0+" + hash() + "=ft=" + owner + "=max", "ann+SRS=" + hash() + "=FT=" + owner + "=max.muster",
			"SRS1=" + hash() + "=mx.example.net==" + hash() + "=FT=" + owner + "=max", "bounces+12" + hash() + "-max.muster=" + owner, "btv1==0" + hash() + "==max=" + owner,
		} {
			address := local + "@forward.example.org"
			env := localUser()
			env.Sender = address
			raw := []byte("Return-Path: <" + address + ">\r\nFrom: Max <" + address + ">\r\nSubject: x\r\n\r\nhello\r\n")
			for _, l := range check(t, address, f, env, raw).Report.Links {
				if l.Verdict.Worst() >= policy.SeverityMedium {
					t.Errorf("%s: %v", address, l.Verdict.Findings)
				}
			}
		}
	}
	for _, local := range []string{`"www.web.de/login"`, `"max@web.de"`, `"https://web.de/=x"`, `"web.de/a=b"`, `"web.de/x=y.com"`} {
		raw := []byte("From: " + local + "@example.org\r\nSubject: x\r\n\r\nhello\r\n")
		if r := check(t, local, f, localUser(), raw).Report; worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %v", local, r)
		}
	}
}

// TestOwnSchemesInHTML: a repository's address, ssh://git@github.com/x, opens no browser, so its user
// name deceives nobody; a URL for a browser keeps it.
func TestOwnSchemesInHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for href, flagged := range map[string]bool{
		"imap://joe@mail.example.net/": false, "git+ssh://joe@git.example.org/a": false, "smb://joe:x@files.example.net/a": false,
		"imap://joe@paypa1.com/": true, "https://joe@mail.example.net/": true, "intent://joe@mail.example.net/": true, "microsoft-edge-https://joe@mail.example.net/": true,
	} {
		r := check(t, href, f, localUser(), htmlMessage(fmt.Sprintf("<a href=%q>x</a>", href))).Report
		if len(r.Links) != 1 || r.Links[0].Verdict.Worst() >= policy.SeverityMedium != flagged {
			t.Errorf("%s: %s, want flagged %t", href, r, flagged)
		}
	}
}
