package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
)

// multipart returns a message of parts, each with a media type, a line end and its text.
func multipart(kind string, parts ...string) []byte {
	var b strings.Builder
	b.WriteString("From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/" + kind + "; boundary=b\r\n\r\n")
	for _, part := range parts {
		header, body, _ := strings.Cut(part, "\n")
		b.WriteString("--b\r\nContent-Type: " + strings.ReplaceAll(header, "|", "\r\n") + "\r\n\r\n" + body + "\r\n")
	}
	return []byte(b.String() + "--b--\r\n")
}

// TestFlaggedLinkInAnotherText: if the rule defangs, no text of an edited message keeps a flagged
// link; otherwise the message is not edited, and if_not_editable acts. Other rules edit as before.
func TestFlaggedLinkInAnotherText(t *testing.T) {
	needTables(t)
	const (
		first   = "text/plain\nsee http://paypa1.com/a"
		hello   = "text/plain\nhello"
		second  = "text/plain\nand http://paypa1.com/b"
		honest  = "text/plain\nand https://example.org/b"
		page    = "text/html\n<p><a href=http://paypa1.com/c>x</a>"
		written = "text/html\n<p>http://paypa1.com/c"
	)
	defang := rule.Rule{Name: "r", Plain: rule.PlainReadable, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionQuarantine}
	always, both := defang, defang
	always.HTML = rule.HTMLAlways
	both.Edit = rule.EditFlagged
	for _, test := range []struct {
		name   string
		rule   rule.Rule
		raw    []byte
		reason report.Reason // "" if it is edited
	}{
		{"alone", defang, multipart("mixed", first), ""},
		{"inline", defang, multipart("mixed", first, second), "not-defanged"},
		{"inline, first honest", defang, multipart("mixed", hello, second), "not-defanged"},
		{"inline, first honest, with an alternative", always, multipart("mixed", hello, second), "not-defanged"},
		{"in an alternative", defang, multipart("alternative", first, "text/markdown\n[x](http://paypa1.com/b)"), "not-defanged"},
		{"in enriched text", defang, multipart("alternative", first, "text/enriched\nhttp://paypa1.com/b"), "not-defanged"},
		{"named", defang, multipart("mixed", first, "text/plain; name=b.txt\nhttp://paypa1.com/b"), "not-defanged"},
		{"attached", defang, multipart("mixed", first, "text/plain|Content-Disposition: attachment\nhttp://paypa1.com/b"), "not-defanged"},
		{"attached table", defang, multipart("mixed", first, "text/csv; name=b.csv\nhttp://paypa1.com/b"), "not-defanged"},
		{"in an attached message", defang, multipart("mixed", first, "message/rfc822\nSubject: x\r\n\r\nhttp://paypa1.com/b"), "not-defanged"},
		{"in an attached file", defang, multipart("mixed", first, "application/octet-stream; name=b.txt\nhttp://paypa1.com/b"), ""},
		{"in an attached document", defang, multipart("mixed", first, "application/json\n{\"x\": \"http://paypa1.com/b\"}"), ""},
		{"only in an attached file", defang, multipart("mixed", hello, "application/octet-stream; name=b.txt\nhttp://paypa1.com/b"), "nothing-to-change"},
		{"in a header", defang, multipart("mixed", first, "message/rfc822\nSubject: http://paypa1.com/\r\n\r\nx"), ""},
		{"honest", defang, multipart("mixed", first, honest), ""},
		{"beside HTML", defang, multipart("alternative", first, page), "html-sibling"},
		{"beside XHTML", defang, multipart("alternative", first, strings.Replace(page, "text/html", "application/xhtml+xml", 1)), "html-sibling"},
		{"beside a link of XHTML", both, multipart("alternative", first, strings.Replace(page, "text/html", "application/xhtml+xml", 1)), "flagged-stays"},
		{"beside a text of XHTML", both, multipart("alternative", first, strings.Replace(written, "text/html", "application/xhtml+xml", 1)), "not-defanged"},
		{"beside honest XHTML", both, multipart("alternative", first, "application/xhtml+xml\n<p>hello</p>"), ""},
		{"beside edited HTML", both, multipart("alternative", first, page), ""},
		{"beside edited HTML, and another", both, multipart("mixed", page, second), "not-defanged"},
		{"beside a text of HTML", both, multipart("alternative", first, written), ""},
		{"in a later text of HTML", both, multipart("mixed", first, written), ""},
		{"in a named text of HTML", both, multipart("mixed", first, "text/html; name=c.html\n<p>http://paypa1.com/c"), ""},
		{"in an attached text of HTML", both, multipart("mixed", first, "text/html; name=c.html|Content-Disposition: attachment\n<p>http://paypa1.com/c"), "not-defanged"},
		{"signed", defang, append([]byte("DKIM-Signature: v=1\r\n"), multipart("mixed", first, second)...), "dkim-signed"},
		{"signed, first honest", defang, append([]byte("DKIM-Signature: v=1\r\n"), multipart("mixed", hello, second)...), "not-defanged"},
	} {
		for _, flagged := range []rule.Flagged{rule.FlaggedDefang, rule.FlaggedUnlink, rule.FlaggedLink} {
			chosen := test.rule
			chosen.Flagged = flagged
			result := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}).Message(t.Context(), localUser(), test.raw)
			r := result.Report
			if flagged != rule.FlaggedDefang {
				if r.NotDone == "not-defanged" {
					t.Errorf("%s, without defanging: %s", test.name, r)
				}
				continue
			}
			if r.NotDone != test.reason || r.Edited != (test.reason == "") {
				t.Errorf("%s: %s, want %q", test.name, r, test.reason)
			}
			noAction := r.Edited || test.reason == "nothing-to-change" || test.reason == "html-sibling"
			if (result.Action == rule.ActionQuarantine) == noAction {
				t.Errorf("%s: %s", test.name, r)
			}
			if body := strings.ReplaceAll(string(result.Edited), "Subject: http://paypa1.com/", ""); r.Edited && !strings.Contains(test.name, "in an attached") && strings.Contains(body, "paypa1.com") {
				t.Errorf("%s: edited to %s", test.name, body)
			}
		}
	}
}

// TestGuessedLinksAreDefanged: if the rule defangs, a flagged link that only another reading of the
// text has must be gone after the edit, too.
func TestGuessedLinksAreDefanged(t *testing.T) {
	needTables(t)
	const flowed = "Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes\r\n\r\n"
	for _, test := range []struct {
		name, message string
		reason        report.Reason
	}{
		{"a flowed line", flowed + "abc \r\npaypa1.com\r\n", "not-defanged"},
		{"behind a flagged link", flowed + "http://goog1e.com/ and\r\nabc \r\npaypa1.com\r\n", "not-defanged"},
		{"behind its host", flowed + "http://paypa1.com/ and\r\nabc \r\npaypa1.com\r\n", "not-defanged"},
		{"before an address at its host", flowed + "example.org \r\npaypa1.com/x\r\nand bob@paypa1.com\r\n", "not-defanged"},
		{"a URL with white space", "\r\nsee <http://pay \r\npa1.com/x> x\r\n", "not-defanged"},
		{"nothing guessed", flowed + "http://paypa1.com/ and\r\nabc\r\n", ""},
		{"put in order by readers", "\r\nhttp://paypa1.com/ and goog1e[.]com\r\n", ""},
		{"only put in order by readers", "\r\ngoog1e[.]com\r\n", "nothing-to-change"},
	} {
		raw := []byte("From: anna@example.com\r\nMIME-Version: 1.0\r\n" + test.message)
		for _, html := range []rule.HTML{rule.HTMLNever, rule.HTMLNeeded} {
			chosen := rule.Rule{Name: "r", HTML: html, Plain: rule.PlainReadable, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionQuarantine}
			result := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}).Message(t.Context(), localUser(), raw)
			if r := result.Report; r.NotDone != test.reason || (result.Action == rule.ActionQuarantine) != (test.reason == "not-defanged") {
				t.Errorf("%s: %s, want %q, links %v", test.name, r, test.reason, r.Links)
			}
			chosen.Flagged = rule.FlaggedUnlink
			result = newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}).Message(t.Context(), localUser(), raw)
			if result.Action != rule.ActionNone {
				t.Errorf("%s, without defanging: %s", test.name, result.Report)
			}
		}
	}
}
