package filter_test

import (
	"html"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
)

// spoofHTML has a flagged link, honestHTML one that may become readable.
const (
	spoofHTML  = `<p>See <a href="http://paypa1.com/login">this</a>.</p>`
	honestHTML = `<p><a href="` + escapedURL + `">` + escapedURL + `</a></p>`
)

// editAny is the zero value: a rule edits whatever it asks for.
const editAny rule.Edit = 0

// TestWhichHTMLIsEdited: the rule, guards and the service decide together which HTML is edited.
func TestWhichHTMLIsEdited(t *testing.T) {
	needTables(t)
	readable := rule.Rule{Name: "all", ReadableHTML: true, IfNotEditable: rule.ActionTag}
	flagged := rule.Rule{Name: "all", Edit: rule.EditFlagged, IfNotEditable: rule.ActionTag}
	with := func(u rule.Rule, change func(*rule.Rule)) rule.Rule {
		change(&u)
		return u
	}
	never := with(readable, func(u *rule.Rule) { u.Edit = rule.EditNever })
	part := func(fields, source string) string {
		return "--b\r\nContent-Type: text/" + fields + "\r\n\r\n" + source + "\r\n"
	}
	in := func(multipart string, parts ...string) []byte {
		return []byte("From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/" + multipart + "; boundary=b\r\n\r\n" + strings.Join(parts, "") + "--b--\r\n")
	}
	signed := func(source string) []byte {
		return append([]byte("DKIM-Signature: v=1; d=example.com\r\n"), htmlMessage(source)...)
	}
	for _, test := range []struct {
		name    string
		rule    rule.Rule
		service rule.Edit
		raw     []byte
		reason  report.Reason // "" if it is edited
		tagged  bool
	}{
		{"honest", readable, editAny, htmlMessage(honestHTML), "", false},
		{"spoof", readable, editAny, htmlMessage(spoofHTML), "", false},
		{"nothing to do", readable, editAny, htmlMessage("<p>x"), "nothing-to-change", false},
		{"honest, only flagged", flagged, editAny, htmlMessage(honestHTML), "nothing-to-change", false},
		{"spoof, only flagged", flagged, editAny, htmlMessage(spoofHTML), "", false},
		{"spoof as link", with(flagged, func(u *rule.Rule) { u.Flagged = rule.FlaggedLink }), editAny, htmlMessage(spoofHTML), "nothing-to-change", false},
		{"never", never, editAny, htmlMessage(spoofHTML), "not-asked", false},
		{"the service never", readable, rule.EditNever, htmlMessage(spoofHTML), "not-asked", false},
		{"the service only flagged", readable, rule.EditFlagged, htmlMessage(honestHTML), "nothing-to-change", false},
		{"the service only flagged, spoof", readable, rule.EditFlagged, htmlMessage(spoofHTML), "", false},
		{"signed", readable, editAny, signed(spoofHTML), "dkim-signed", true},
		{"signed, nothing to do", readable, editAny, signed("<p>x"), "nothing-to-change", false},
		{"signed, edited", with(flagged, func(u *rule.Rule) { u.EditSigned = true }), editAny, signed(spoofHTML), "", false},
		{"a list", readable, editAny, append([]byte("List-Id: <a.example.com>\r\n"), htmlMessage(spoofHTML)...), "", false},
		{"a list, kept", with(readable, func(u *rule.Rule) { u.KeepLists = true }), editAny, append([]byte("List-Id: <a.example.com>\r\n"), htmlMessage(spoofHTML)...), "list", true},
		{"in an alternative", readable, editAny, in("alternative", part("plain", "x"), part("html", spoofHTML)), "", false},
		{"in a related", readable, editAny, in("related", part("html", spoofHTML), part("css", "x")), "", false},
		{"an attachment", readable, editAny, in("mixed", part("plain", "x"), part("html\r\nContent-Disposition: attachment", spoofHTML)), "flagged-stays", true},
		{"an honest attachment", readable, editAny, in("mixed", part("plain", "x"), part("html; name=x.html", honestHTML)), "named", false},
		{"a later part", readable, editAny, in("mixed", part("plain", "x"), part("html", spoofHTML)), "", false},
		{"a calendar", readable, editAny, in("alternative", part("html", spoofHTML), part("calendar", "BEGIN:VCALENDAR")), "", false},
		{"a calendar, kept", with(readable, func(u *rule.Rule) { u.KeepLists = true }), editAny, in("alternative", part("html", spoofHTML), part("calendar", "BEGIN:VCALENDAR")), "calendar", true},
		{"AMP beside it", readable, editAny, in("alternative", part("x-amp-html", spoofHTML), part("html", spoofHTML)), "flagged-stays", true},
		{"broken charset", readable, editAny, in("alternative", part("html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit", spoofHTML+"\xff")), "undecodable", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFilter(t, filter.Options{Edit: test.service, Rules: []rule.Rule{test.rule}})
			r := check(t, test.name, f, localUser(), test.raw).Report
			if r.NotDone != test.reason || r.Edited != (test.reason == "") {
				t.Errorf("%s, want %q", r, test.reason)
			}
			if tagged(r) != test.tagged {
				t.Errorf("tagged: %t, %s", tagged(r), r)
			}
		})
	}
}

// TestPlainTextFollowsHTML: if the message has HTML, the rule's key plain decides about the plain
// text, which gets no alternative.
func TestPlainTextFollowsHTML(t *testing.T) {
	needTables(t)
	raw := []byte("From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\n\r\n" + escapedURL + "\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + honestHTML + "\r\n--b--\r\n")
	for plain, want := range map[rule.Plain]string{rule.PlainKeep: escapedURL, rule.PlainReadable: "https://" + readableURL} {
		f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "all", HTML: rule.HTMLAlways, Plain: plain, ReadableHTML: true}}})
		result := f.Message(t.Context(), localUser(), raw)
		edited := result.Message(raw)
		if got := strings.TrimSpace(textOf(t, edited)); got != want {
			t.Errorf("plain text %q, want %q", got, want)
		}
		if got := html.UnescapeString(htmlLeaf(t, edited)); !strings.Contains(got, ">"+readableURL+"<") || strings.Count(string(edited), "text/html") != 1 {
			t.Errorf("HTML %q", got)
		}
	}
}

// TestDefangedHTML: if the rule defangs, the texts in HTML have no flagged link either.
func TestDefangedHTML(t *testing.T) {
	needTables(t)
	for before, after := range map[string]string{
		"<p>http://paypa1.com/ x":                                   "<p>hxxp[:]//paypa1[.]com/ [link removed: looks like paypal.com] x",
		"<p>http://pay<b>pa1</b>.com/ x":                            "<p>hxxp[:]//paypa1[.]com/ [link removed: looks like paypal.com]<b></b> x",
		"<a href=http://paypa1.com/>http://paypa1.com/</a>":         "<a>hxxp[:]//paypa1[.]com/ [link removed: looks like paypal.com]</a>",
		`<html lang=de><a href="https://paypа1.com/">Konto</a>`:     `<html lang=de><a>Konto [Link entfernt: sieht aus wie paypal.com]</a>`,
		`<p>Срочно! <a href="http://paypa1.com/">Вход</a>`:          `<p>Срочно! <a>Вход [ссылка удалена: похожа на paypal.com]</a>`,
		`<a href=` + evil + `>` + shownAs + `</a>`:                  `<a>` + shownAs + ` [link removed: leads to another address]</a>`,
		`<a href=` + evil + `>x</a> <a href=` + evil + `>y</a>`:     "",
		`<a href=` + evil + `>x</a><a href=` + evil + `>` + shownAs: `<a>x [link removed: leads to another address]</a><a>` + shownAs,
	} {
		got, result := htmlOf(t, editing(t, rule.FlaggedDefang), before)
		if after == "" {
			after = before
		}
		if strings.TrimSpace(got) != after {
			t.Errorf("%s\ngot  %s\nwant %s\n%s", before, got, after, result.Report)
		}
	}
}

// TestReasonsOfRemovedLinks: each of ten languages has a text for each cause.
func TestReasonsOfRemovedLinks(t *testing.T) {
	languages := filter.RemovedLinkLanguages()
	if len(languages) != 10 {
		t.Errorf("%d languages: %q", len(languages), languages)
	}
	for language, causes := range languages {
		for cause, text := range causes {
			if (cause == "lookalike") != strings.Contains(text, "%s") || text == "" {
				t.Errorf("%s/%s: %q", language, cause, text)
			}
		}
		if len(causes) != 5 {
			t.Errorf("%s has %d causes", language, len(causes))
		}
	}
}
