package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
)

// spoofText is a plain text with a flagged link, and another link that could become readable.
const spoofText = "See http://paypa1.com/login and " + escapedURL + " please.\r\n"

// entity is the fields of a part and its content.
func entity(fields, content string) string {
	if fields != "" {
		fields += "\r\n"
	}
	return fields + "\r\n" + content + "\r\n"
}

// inMultipart puts parts into a multipart of a type.
func inMultipart(contentType string, parts ...string) string {
	return "Content-Type: multipart/" + contentType + "; boundary=b\r\n\r\n--b\r\n" + strings.Join(parts, "\r\n--b\r\n") + "\r\n--b--\r\n"
}

// A guardedMail is a way in which a sender makes a guard apply to a text of HTML or plain text.
type guardedMail struct {
	reason   report.Reason
	field    string                   // field of the header
	envelope func(*envelope.Envelope) // changes the envelope; may be nil
	put      func(text string) string // returns the entity with a text and its Content-Type; nil: the text alone
	content  string                   // stands before the text
	html     bool                     // flagged links of HTML are still unlinked
	plain    bool                     // flagged links of plain text are still defanged
	lists    bool                     // lists = "keep" prevents both
}

// guardedMails has each guard that a sender can choose.
func guardedMails() []guardedMail {
	beside := func(contentType string, part string) func(string) string {
		return func(text string) string { return inMultipart(contentType, text, part) }
	}
	behind := func(text string) string { return inMultipart("mixed", entity("Content-Type: text/plain", "Hi"), text) }
	return []guardedMail{
		{reason: "list", field: "List-Unsubscribe: <https://example.net/>", html: true, plain: true, lists: true},
		{reason: "list", field: "List-Id: <a.example.net>", html: true, plain: true, lists: true},
		{reason: "bulk", field: "Precedence: bulk", html: true, plain: true, lists: true},
		{reason: "auto-submitted", field: "Auto-Submitted: auto-generated", html: true, plain: true, lists: true},
		{reason: "null-sender", envelope: func(e *envelope.Envelope) { e.Sender = "" }, html: true, plain: true, lists: true},
		{reason: "to-list", field: "Cc: dev@lists.example.org", html: true, plain: true, lists: true},
		{reason: "robot", field: "Cc: noreply@example.org", html: true, plain: true, lists: true},
		{reason: "report", put: beside("report; report-type=delivery-status", entity("Content-Type: message/delivery-status", "Reporting-MTA: dns; example.net")), html: true, plain: true, lists: true},
		{reason: "calendar", put: beside("mixed", entity("Content-Type: text/calendar", "BEGIN:VCALENDAR\r\nEND:VCALENDAR")), html: true, plain: true, lists: true},

		{reason: "patch", field: "X-Mailer: git-send-email 2.43.0", html: true},
		{reason: "patch", put: beside("mixed", entity("Content-Type: text/x-patch", "x")), html: true},
		{reason: "patch", content: "diff --git a/x b/x\r\n", html: true},
		{reason: "uuencoded", content: "begin 644 x\r\n", html: true},
		{reason: "pgp-armor", content: "-----BEGIN PGP SIGNED MESSAGE-----\r\n", html: true},
		{reason: "named", put: func(text string) string { return strings.Replace(text, "charset", "name=a; charset", 1) }, html: true},
		{reason: "not-first", put: behind, html: true},
		{reason: "html-sibling", put: func(text string) string {
			return inMultipart("alternative", entity("Content-Type: text/plain", "Hi"), text)
		}, html: true},

		{reason: "dkim-signed", field: "DKIM-Signature: v=1"},
		{reason: "arc-sealed", field: "ARC-Seal: i=1"},
		{reason: "signed", put: beside("signed; protocol=x", entity("Content-Type: application/pgp-signature", "x"))},
		{reason: "encrypted", put: beside("mixed", entity("Content-Type: application/pgp-encrypted", "x"))},
		{reason: "tnef", put: beside("mixed", entity("Content-Type: application/ms-tnef", "x"))},
		{reason: "binarymime", envelope: func(e *envelope.Envelope) { e.BodyType = "BINARYMIME" }},
		{reason: "attachment", put: func(text string) string { return "Content-Disposition: attachment\r\n" + text }},
		{reason: "in-message", put: func(text string) string {
			return entity("Content-Type: message/rfc822", strings.TrimSuffix(text, "\r\n"))
		}},
		{reason: "text-too-large", content: strings.Repeat("x ", 5000)},
	}
}

// raw returns the message with a text of a type.
func (g *guardedMail) raw(contentType, text string) []byte {
	text = "Content-Type: " + contentType + "; charset=us-ascii\r\n\r\n" + g.content + text
	if g.put != nil {
		text = g.put(text)
	}
	field := g.field
	if field != "" {
		field += "\r\n"
	}
	return []byte(field + "From: mallory@example.net\r\nTo: anna@example.com\r\nSubject: Sample\r\nMIME-Version: 1.0\r\n" + text)
}

// filtered filters the message as mail from outside.
func (g *guardedMail) filtered(t *testing.T, u rule.Rule, raw []byte) (report.Report, string) {
	t.Helper()
	env := stranger
	if g.envelope != nil {
		g.envelope(&env)
	}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{u}, Limits: filter.Limits{Text: 9000}})
	result := f.Message(t.Context(), env, raw)
	return result.Report, string(result.Message(raw))
}

// TestNoGuardKeepsFlaggedLinks: behind a guard that the sender chooses, flagged links are still
// unlinked in HTML and defanged in plain text, or if_not_editable acts. Once, a field
// List-Unsubscribe was enough to prevent that. Other links stay as they are.
func TestNoGuardKeepsFlaggedLinks(t *testing.T) {
	needTables(t)
	covered := make(map[report.Reason]bool)
	unlink := rule.Rule{Name: "inbound", ReadableHTML: true, HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionQuarantine}
	defang := unlink
	defang.Flagged, defang.Plain = rule.FlaggedDefang, rule.PlainReadable
	keep := func(u rule.Rule) rule.Rule {
		u.KeepLists = true
		return u
	}
	for _, g := range guardedMails() {
		covered[g.reason] = true
		page, text := g.raw("text/html", spoofHTML+honestHTML+"\r\n"), g.raw("text/plain", spoofText)
		for _, test := range []struct {
			name   string
			rule   rule.Rule
			raw    []byte
			edited bool
			live   string // text that shows that a flagged link still opens
		}{
			{"unlink", unlink, page, g.html, `href="http://paypa1`},
			{"defang HTML", defang, page, g.html, `href="http://paypa1`},
			{"defang", defang, text, g.plain, "paypa1.com"},
			{"unlink, lists kept", keep(unlink), page, g.html && !g.lists, `href="http://paypa1`},
			{"defang, lists kept", keep(defang), text, g.plain && !g.lists, "paypa1.com"},
		} {
			t.Run(string(g.reason)+"/"+test.name, func(t *testing.T) {
				if !strings.Contains(string(test.raw), test.live) {
					t.Fatalf("no %s in:\n%s", test.live, test.raw)
				}
				r, after := g.filtered(t, test.rule, test.raw)
				switch {
				case r.Edited != test.edited:
					t.Errorf("%s", r)
				case !r.Edited && r.Action != rule.ActionQuarantine:
					t.Errorf("neither edited nor quarantined: %s", r)
				case r.Edited && strings.Contains(after, test.live):
					t.Errorf("still opens:\n%s", after)
				case r.Edited && g.reason != "html-sibling" && !strings.Contains(after, escapedURL):
					t.Errorf("the honest link was edited, too:\n%s", after)
				}
			})
		}
	}
	for _, reason := range filter.GuardReasons() {
		if !covered[reason] {
			t.Errorf("guard %s has no test", reason)
		}
	}
}

// TestListsStayUnreadable: a guard keeps links from becoming readable, whatever the rule allows for
// flagged links.
func TestListsStayUnreadable(t *testing.T) {
	needTables(t)
	u := rule.Rule{Name: "inbound", ReadableHTML: true, HTML: rule.HTMLNeeded, Plain: rule.PlainReadable, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionTag}
	for _, g := range guardedMails() {
		if g.reason == "html-sibling" {
			continue
		}
		for contentType, text := range map[string]string{"text/html": honestHTML + "\r\n", "text/plain": "See " + escapedURL + "\r\n"} {
			if r, _ := g.filtered(t, u, g.raw(contentType, text)); r.Edited {
				t.Errorf("%s, %s: %s", g.reason, contentType, r)
			}
		}
	}
}

// TestGuardedTextBesideHTML: if a guard protects the plain text, flagged links in the HTML beside
// it are still unlinked.
func TestGuardedTextBesideHTML(t *testing.T) {
	needTables(t)
	g := guardedMail{put: func(text string) string {
		return inMultipart("alternative", entity("Content-Type: text/plain", "diff --git a/x b/x\r\nSee "+escapedURL), text)
	}}
	raw := g.raw("text/html", spoofHTML+"\r\n")
	u := rule.Rule{Name: "inbound", ReadableHTML: true, HTML: rule.HTMLNeeded, Plain: rule.PlainReadable, IfNotEditable: rule.ActionQuarantine}
	if r, after := g.filtered(t, u, raw); !r.Edited || strings.Contains(after, "href") || !strings.Contains(after, escapedURL) {
		t.Errorf("%s\n%s", r, after)
	}
}
