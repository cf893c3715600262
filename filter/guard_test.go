package filter_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// plain is a message that the filter edits unless a guard applies.
const plain = "From: anna@example.com\r\nTo: bert@example.org\r\nSubject: Sample\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: text/plain; charset=us-ascii\r\n\r\n" +
	"See https://de.wikipedia.org/wiki/%C3%9Cbersicht please.\r\n"

// with returns plain with one more field.
func with(field string) string { return field + "\r\n" + plain }

// text returns plain with another text.
func text(content string) string {
	header, _, _ := strings.Cut(plain, "\r\n\r\n")
	return header + "\r\n\r\n" + content
}

// notEdited fails unless the message stays unchanged for the given reason.
func notEdited(t *testing.T, f *filter.Filter, env envelope.Envelope, raw []byte, want report.Reason) report.Report {
	t.Helper()
	result := check(t, t.Name(), f, env, raw)
	if result.Edited != nil || !result.Plan.Empty() || len(result.HeaderEdits) > 0 {
		t.Error("the message was edited")
	}
	if result.Report.NotDone != want {
		t.Errorf("not done because of %q, want %q", result.Report.NotDone, want)
	}
	for _, p := range result.Report.Parts {
		if p.NotDone == "" {
			t.Errorf("part %s: edited", p.Number)
		}
	}
	return result.Report
}

func TestNothingStandsAgainstPlainMessage(t *testing.T) {
	if result := check(t, "plain", newFilter(t, filter.Options{}), localUser(), []byte(plain)); result.Edited == nil {
		t.Errorf("not edited: %s", result.Report)
	}
}

// TestGuards has a case for every guard, and for some more than one.
func TestGuards(t *testing.T) {
	f := newFilter(t, filter.Options{})
	covered := make(map[report.Reason]bool)
	for _, test := range []struct {
		reason   report.Reason
		message  string   // a message, or else
		samples  []string // the names of samples
		envelope func(*envelope.Envelope)
		options  filter.Options
	}{
		{reason: "null-sender", message: plain, envelope: func(e *envelope.Envelope) { e.Sender = "" }},
		{reason: "null-sender", message: plain, envelope: func(e *envelope.Envelope) { e.Sender = "<>" }},
		{reason: "binarymime", message: plain, envelope: func(e *envelope.Envelope) { e.BodyType = "binarymime" }},
		{reason: "in-message", samples: []string{"guard-message-rfc822", "guard-message-global", "guard-digest"}},
		{reason: "signed", samples: []string{"guard-signed-pgp", "guard-signed-smime", "guard-signed-inside-mixed"}},
		{reason: "encrypted", samples: []string{"guard-encrypted-pgp", "guard-encrypted-smime", "guard-pkcs7-beside-text"}},
		{reason: "pgp-armor", samples: []string{"guard-pgp-clearsigned", "guard-pgp-message"}},
		{reason: "dkim-signed", samples: []string{"guard-dkim"}},
		{reason: "dkim-signed", message: with("dkim-signature: v=1")},
		{reason: "arc-sealed", samples: []string{"guard-arc"}},
		{reason: "arc-sealed", message: with("arc-authentication-results: i=1; example.com; none")},
		{reason: "report", samples: []string{"guard-report-dsn", "guard-report-mdn", "guard-report-arf"}},
		{reason: "auto-submitted", samples: []string{"guard-auto-submitted"}},
		{reason: "auto-submitted", message: with("Auto-Submitted: auto-generated; cause=x")},
		{reason: "auto-submitted", message: with("Auto-Submitted: no\r\nAuto-Submitted: auto-notified")},
		{reason: "list", samples: []string{"guard-list-id", "guard-list-unsubscribe"}},
		{reason: "bulk", samples: []string{"guard-precedence-bulk", "guard-precedence-list", "guard-precedence-junk"}},
		{reason: "to-list", samples: []string{"guard-to-list"}},
		{reason: "to-list", message: plain, envelope: func(e *envelope.Envelope) { e.Recipients = []string{"a@example.com", "linux-kernel@vger.kernel.org"} }},
		{reason: "to-list", message: with("Cc: Bert <bert@example.org>, \"x, y\" <dev@lists.Example.org.> (the list)")},
		{reason: "calendar", samples: []string{"guard-calendar"}},
		{reason: "tnef", samples: []string{"guard-tnef"}},
		{reason: "patch", samples: []string{"guard-git-send-email", "guard-diff", "guard-diff-git", "guard-x-patch"}},
		{reason: "patch", message: with("X-Mailer: git-send-email 2.43.0")},
		{reason: "patch", message: text("> diff --git a/x b/x\r\n\r\nSee https://example.com/%C3%9C\r\n")},
		{reason: "uuencoded", samples: []string{"guard-uuencode", "guard-yenc"}},
		{reason: "html-sibling", samples: []string{"guard-html-sibling", "guard-html-in-related-sibling", "guard-html-beside"}},
		{reason: "attachment", samples: []string{"guard-attachment-alone"}},
		{reason: "named", samples: []string{"guard-named-alone"}},
		{reason: "not-first", samples: []string{"guard-not-first", "guard-not-first-of-nested"}},
		{reason: "robot", message: plain, envelope: func(e *envelope.Envelope) { e.Recipients = []string{"ann@example.com", "NoReply@example.com"} }},
		{reason: "robot", message: with("Cc: Tickets <rt-general@example.org>, Bob <bob@example.org>")},
		{reason: "robot", message: plain, options: filter.Options{Robots: []string{"bob@*"}}, envelope: func(e *envelope.Envelope) { e.Recipients = []string{"<bob@example.com>"} }},
		{reason: "text-too-large", message: plain, options: filter.Options{Limits: filter.Limits{Text: 40}}},

		// Reasons that are not guards of the table.
		{reason: "message-too-large", message: plain, options: filter.Options{Limits: filter.Limits{Message: 100}}},
		{reason: "growth-too-large", message: plain, options: filter.Options{Limits: filter.Limits{Growth: 100}}},
		{reason: "growth-too-large", message: plain, options: filter.Options{Limits: filter.Limits{Growth: 600}}},
		{reason: "result-too-large", message: plain, options: filter.Options{Limits: filter.Limits{Result: 600}}},
		{reason: "too-many-links", samples: []string{"edit-many-links"}, options: filter.Options{Engine: engine.Options{MaxLinks: 59}}},
		{reason: "nothing-to-change", samples: []string{"keep-plain-links", "keep-escapes-that-must-stay", "keep-empty-body"}},
		{reason: "not-plain-text", samples: []string{"keep-html-only", "broken-boundary-never-used"}},
		{reason: "no-text", samples: []string{"keep-picture-only"}},
		{reason: "message-partial", samples: []string{"guard-message-partial"}},
		{reason: "external-body", samples: []string{"guard-message-external-body"}},
		{reason: "related-part", samples: []string{"guard-related-start"}},
		{reason: "unknown-charset", samples: []string{"broken-unknown-charset"}},
		{reason: "undecodable", samples: []string{"broken-not-utf-8", "broken-iso-2022-jp", "broken-shift_jis", "broken-gb18030"}},
		{reason: "utf-7", samples: []string{"broken-utf-7"}},
		{reason: "utf-16-without-bom", samples: []string{"broken-utf-16-without-bom", "broken-utf-16-by-another-name"}},
		{reason: "undeclared-8bit", samples: []string{"broken-undeclared-8bit", "broken-8bit-in-us-ascii", "broken-8bit-declared-7bit"}},
		{reason: "c1-control", samples: []string{"broken-c1-controls"}},
		{reason: "invalid-base64", samples: []string{"broken-base64", "broken-base64-cut-short"}},
		{reason: "invalid-quoted-printable", samples: []string{"broken-quoted-printable"}},
		{reason: "malformed-content-type", samples: []string{"broken-content-type-garbage"}},
		{reason: "duplicate-transfer-encoding", samples: []string{"broken-duplicate-encoding"}},
		{reason: "duplicate-boundary", samples: []string{"broken-two-boundaries"}},
		{reason: "reused-boundary", samples: []string{"broken-same-boundary-nested"}},
		{reason: "ambiguous-delimiter", samples: []string{"broken-delimiter-with-a-tail"}},
		{reason: "alike-delimiter", samples: []string{"broken-boundary-that-is-a-prefix"}},
		{reason: "missing-close-delimiter", samples: []string{"broken-no-closing-delimiter"}},
		{reason: "malformed-header", samples: []string{"broken-header-line", "broken-no-separator"}},
		{reason: "c0-control", samples: []string{"broken-escape-character"}},
		{reason: "bare-cr", samples: []string{"broken-bare-cr"}},
		{reason: "nul", samples: []string{"broken-nul"}},
		{reason: "misspelt-encoding", samples: []string{"broken-unknown-encoding"}},
		{reason: "unknown-encoding", message: with("Content-Transfer-Encoding: x-none")},
		{reason: "binary-encoding", samples: []string{"broken-binary-encoding"}},
		{reason: "duplicate-content-type", samples: []string{"broken-duplicate-content-type"}},
		{reason: "duplicate-content-disposition", samples: []string{"broken-duplicate-disposition"}},
		{reason: "duplicate-parameter", samples: []string{"broken-duplicate-charset"}},
		{reason: "extended-parameter", samples: []string{"broken-boundary-in-rfc-2231", "broken-charset-in-rfc-2231"}},
		{reason: "missing-boundary", samples: []string{"broken-missing-boundary", "broken-empty-boundary"}},
		{reason: "invalid-boundary", samples: []string{"broken-long-boundary"}},
		{reason: "delimiter-after-close", samples: []string{"broken-delimiter-after-close"}},
		{reason: "encoded-multipart", samples: []string{"broken-multipart-encoded"}},
		{reason: "too-deep", samples: []string{"broken-too-deep"}},
		{reason: "blank-header-line", samples: []string{"broken-blank-header-line"}},
		{reason: "space-before-colon", message: strings.Replace(plain, "Content-Type:", "Content-Type :", 1)},
		{reason: "mbox-from-line", message: with("From anna@example.com Tue Mar  3 10:30:00 2026")},
		{reason: "mime-version", samples: []string{"broken-mime-version"}},
		{reason: "repeated-field", samples: []string{"broken-mime-version-twice"}},
	} {
		covered[test.reason] = true
		f := f
		if test.options.Limits != (filter.Limits{}) || test.options.Engine.MaxLinks > 0 || test.options.Robots != nil {
			f = newFilter(t, test.options)
		}
		env := localUser()
		if test.envelope != nil {
			test.envelope(&env)
		}
		if test.message != "" {
			t.Run(string(test.reason), func(t *testing.T) { notEdited(t, f, env, []byte(test.message), test.reason) })
		}
		for _, name := range test.samples {
			t.Run(string(test.reason)+"/"+name, func(t *testing.T) { notEdited(t, f, env, readSample(t, name), test.reason) })
		}
	}
	for _, reason := range filter.GuardReasons() {
		if !covered[reason] {
			t.Errorf("guard %s has no test", reason)
		}
	}
}

// TestRobots: a person whose address looks like that of a program gets an alternative. A message
// without recipients has no robot among them.
func TestRobots(t *testing.T) {
	for address, robots := range map[string][]string{"request@example.com": nil, "noreply@example.com": {}, "anna-requests@example.com": nil} {
		env := localUser()
		env.Recipients = []string{address}
		if r := newFilter(t, filter.Options{Robots: robots}).Message(t.Context(), env, []byte(plain)).Report; !r.Edited {
			t.Errorf("%s: %s", address, r)
		}
	}
	if _, err := filter.New(filter.Options{Robots: []string{"*@*"}}); err == nil {
		t.Error("a pattern for all addresses is taken")
	}
}

// TestAmbiguousMessages: the filter never edits a message that can be read in several ways, and
// reports a finding.
func TestAmbiguousMessages(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: always()})
	for _, s := range samples(t) {
		problems := mime.Parse(context.Background(), s.raw, mime.Limits{}).Problems
		if len(problems) == 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			result := check(t, s.name, f, localUser(), s.raw)
			if result.Report.Edited {
				t.Error("edited")
			}
			says := func(f policy.Finding) bool { return strings.Contains(f.Detail, string(problems[0])) }
			if r := result.Report; !slices.ContainsFunc(r.Findings, says) {
				t.Errorf("outcome %s, findings %v, problems %v", r.Outcome, r.Findings, problems)
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	f := newFilter(t, filter.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result := f.Message(ctx, localUser(), []byte(plain))
	if r := result.Report; result.Edited != nil || r.NotDone != "deadline" || r.Outcome != report.OutcomeUnread {
		t.Errorf("edited %v, report %s", result.Edited != nil, r)
	}
}

// A deadlineAfter is a context that ends when it has been asked n times.
type deadlineAfter struct {
	context.Context
	n *int
}

func (c deadlineAfter) Err() error {
	if *c.n--; *c.n < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestDeadlineAtAnyStep lets the context end at each point where the filter asks it.
func TestDeadlineAtAnyStep(t *testing.T) {
	f := newFilter(t, filter.Options{})
	raw := readSample(t, "edit-many-links")
	for step := range 100 {
		n := step
		result := f.Message(deadlineAfter{context.Background(), &n}, localUser(), raw)
		if result.Edited != nil {
			if step < 4 {
				t.Errorf("the deadline was looked at %d times only", step)
			}
			return
		}
		if !result.Plan.Empty() || result.Report.NotDone != "deadline" {
			t.Errorf("after %d steps: plan %v, report %s", step, result.Plan, result.Report)
		}
	}
	t.Error("never edited")
}

func TestPanicLeavesTheOriginal(t *testing.T) {
	result := filter.PanicOnRead().Message(context.Background(), localUser(), []byte(plain))
	r := result.Report
	if result.Edited != nil || !result.Plan.Empty() || result.Action != rule.ActionNone {
		t.Errorf("result %+v", result)
	}
	if r.NotDone != "panic" || r.Failure != "panic" || r.Outcome != report.OutcomeUnread || !slices.Contains(r.Reasons, "panic") {
		t.Errorf("report %+v", r)
	}
}

// TestTextIsJudgedWhateverStandsAgainstEditing: guards prevent edits, not reading.
func TestTextIsJudgedWhateverStandsAgainstEditing(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, s := range samples(t) {
		if !strings.HasPrefix(s.name, "guard-") || bytes.Contains(s.raw, []byte("/encrypted")) {
			continue
		}
		r := f.Scan(s.raw)
		if mail := bytes.Contains(s.raw, []byte("\r\nSee ")) || bytes.Contains(s.raw, []byte("please read ")); mail && len(r.Links) == 0 && r.Outcome == report.OutcomeComplete {
			t.Errorf("%s: no links: %s", s.name, r)
		}
	}
}
