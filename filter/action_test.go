package filter_test

import (
	"context"
	"encoding"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// Messages from bad to good. The lookalike is a high finding, the address in
// place of a name a low one.
var (
	highMessage = text("See https://paypa1.com/ please.\r\n")
	lowMessage  = text("See http://192.0.2.1/ please.\r\n")
	// The charset of partialMessage's second text and of unreadableMessage does
	// not exist.
	unreadableMessage = strings.Replace(plain, "us-ascii", "x-none", 1)
	partialMessage    = strings.Replace(text("--b\r\n\r\nSee https://example.com/\r\n--b\r\nContent-Type: text/plain; charset=x-none\r\n\r\nHi\r\n--b--\r\n"),
		"text/plain; charset=us-ascii", "multipart/mixed; boundary=b", 1)
	// An attacker chooses the transfer encoding of chosenMessage.
	chosenMessage = with("Content-Transfer-Encoding: base64;")
)

// filtered takes a message of a stranger through a filter of one rule.
func filtered(tb testing.TB, rule filter.Rule, raw string) filter.Result {
	tb.Helper()
	rule.Name = "r"
	f := newFilter(tb, filter.Options{Rules: []filter.Rule{rule}})
	return f.Message(context.Background(), filter.Envelope{Sender: "a@example.com"}, []byte(raw))
}

func TestActionOfSeverity(t *testing.T) {
	const none, tag, quarantine, tempfail, reject, discard = filter.ActionNone, filter.ActionTag, filter.ActionQuarantine, filter.ActionTempFail, filter.ActionReject, filter.ActionDiscard
	for _, test := range []struct {
		name    string
		on      filter.On
		message string
		want    filter.Action
		because string
	}{
		{"nothing asked", filter.On{}, highMessage, none, ""},
		{"nothing found", filter.On{Info: reject, Unreadable: reject, Partial: reject}, plain, none, ""},
		{"high", filter.On{High: reject}, highMessage, reject, "lookalike"},
		{"high, tempfail", filter.On{High: tempfail}, highMessage, tempfail, "lookalike"},
		{"high, discard", filter.On{High: discard}, highMessage, discard, "lookalike"},
		{"high, quarantine", filter.On{High: quarantine}, highMessage, quarantine, "lookalike"},
		{"high, tag", filter.On{High: tag}, highMessage, tag, "lookalike"},
		{"low is not medium", filter.On{Medium: reject, High: reject}, lowMessage, none, ""},
		{"low", filter.On{Low: tag, High: reject}, lowMessage, tag, "ip-host"},
		{"info holds for low", filter.On{Info: quarantine}, lowMessage, quarantine, "ip-host"},
		{"low holds for high", filter.On{Low: quarantine}, highMessage, quarantine, "lookalike"},
		{"low is stricter than high", filter.On{Low: reject, High: tag}, highMessage, reject, "lookalike"},
		{"unreadable", filter.On{Unreadable: quarantine, Partial: reject}, unreadableMessage, quarantine, "unreadable"},
		{"unreadable is low", filter.On{Low: reject}, unreadableMessage, reject, "unreadable"},
		{"unreadable is not medium", filter.On{Medium: reject}, unreadableMessage, none, ""},
		{"partial", filter.On{Partial: tempfail, Unreadable: reject}, partialMessage, tempfail, "partial"},
		{"partial is low", filter.On{Low: reject}, partialMessage, reject, "partial"},
		{"partial is not medium", filter.On{Medium: reject}, partialMessage, none, ""},
		{"a chosen reason is medium", filter.On{Medium: quarantine}, chosenMessage, quarantine, "unreadable"},
		{"unreadable is stricter than medium", filter.On{Medium: tag, Unreadable: quarantine}, chosenMessage, quarantine, "unreadable"},
		{"medium is stricter than unreadable", filter.On{Medium: quarantine, Unreadable: tag}, chosenMessage, quarantine, "unreadable"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := filtered(t, filter.Rule{On: test.on}, test.message)
			if result.Action != test.want || result.Report.Action != test.want || result.Report.Because != test.because {
				t.Errorf("action %s, want %s because of %q: %s", result.Action, test.want, test.because, result.Report)
			}
			if result.Report.Edited {
				t.Error("edited")
			}
		})
	}
}

// TestActionsAreOrdered: the strictest is the greatest.
func TestActionsAreOrdered(t *testing.T) {
	order := []filter.Action{
		filter.ActionNone, filter.ActionTag, filter.ActionQuarantine, filter.ActionTempFail, filter.ActionDiscard, filter.ActionReject,
	}
	for i, action := range order[1:] {
		if action <= order[i] {
			t.Errorf("%s is not stricter than %s", action, order[i])
		}
	}
}

func TestIfNotEditable(t *testing.T) {
	signed := with("DKIM-Signature: v=1")
	for _, test := range []struct {
		name    string
		rule    filter.Rule
		message string
		want    filter.Action
		because string
	}{
		{"edited", filter.Rule{HTML: filter.HTMLNeeded, IfNotEditable: filter.NotEditableReject}, plain, filter.ActionNone, ""},
		{"tag by default", filter.Rule{HTML: filter.HTMLNeeded}, signed, filter.ActionTag, "dkim-signed"},
		{"none", filter.Rule{HTML: filter.HTMLNeeded, IfNotEditable: filter.NotEditableNone}, signed, filter.ActionNone, ""},
		{"quarantine", filter.Rule{HTML: filter.HTMLNeeded, IfNotEditable: filter.NotEditableQuarantine}, signed, filter.ActionQuarantine, "dkim-signed"},
		{"reject", filter.Rule{HTML: filter.HTMLAlways, IfNotEditable: filter.NotEditableReject}, signed, filter.ActionReject, "dkim-signed"},
		{"edited although signed", filter.Rule{HTML: filter.HTMLNeeded, Signed: filter.SignedEdit, IfNotEditable: filter.NotEditableReject}, signed, filter.ActionNone, ""},
		{"no edit asked for", filter.Rule{IfNotEditable: filter.NotEditableReject}, signed, filter.ActionNone, ""},
		{"no edit needed", filter.Rule{HTML: filter.HTMLNeeded, IfNotEditable: filter.NotEditableReject}, strings.Replace(signed, "/%C3%9Cbersicht", "/", 1), filter.ActionNone, ""},
		{"unreadable", filter.Rule{HTML: filter.HTMLAlways, IfNotEditable: filter.NotEditableQuarantine}, unreadableMessage, filter.ActionQuarantine, "unknown-charset"},
		{
			"a stricter action for a finding",
			filter.Rule{HTML: filter.HTMLAlways, On: filter.On{High: filter.ActionReject}},
			"DKIM-Signature: v=1\r\n" + highMessage, filter.ActionReject, "lookalike",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := filtered(t, test.rule, test.message)
			if result.Action != test.want || result.Report.Because != test.because {
				t.Errorf("action %s, want %s because of %q: %s", result.Action, test.want, test.because, result.Report)
			}
		})
	}
}

// TestHTMLMessageIsNotUneditable: what has an HTML text of its own needs none.
func TestHTMLMessageIsNotUneditable(t *testing.T) {
	for _, name := range []string{"guard-html-sibling", "guard-attachment-alone", "guard-named-alone", "guard-not-first", "keep-picture-only"} {
		result := filtered(t, filter.Rule{HTML: filter.HTMLAlways, IfNotEditable: filter.NotEditableReject}, string(readSample(t, name)))
		if result.Action != filter.ActionNone && !result.Report.Edited {
			t.Errorf("%s: %s", name, result.Report)
		}
	}
}

// TestActionWithoutReading: what becomes of messages that were not read is the
// rule's to say too.
func TestActionWithoutReading(t *testing.T) {
	rule := filter.Rule{Name: "r", On: filter.On{Unreadable: filter.ActionTempFail, Partial: filter.ActionTempFail}}
	f := newFilter(t, filter.Options{Rules: []filter.Rule{rule}, Limits: filter.Limits{Message: 100}})
	result := f.Message(context.Background(), filter.Envelope{}, []byte(plain))
	if result.Action != filter.ActionTempFail || result.Report.Because != "partial" || result.Edited != nil {
		t.Errorf("too large: %s", result.Report)
	}
	f = newFilter(t, filter.Options{Rules: []filter.Rule{rule}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result := f.Message(ctx, filter.Envelope{}, []byte(plain)); result.Action != filter.ActionTempFail {
		t.Errorf("no time left: %s", result.Report)
	}
	rule.On = filter.On{Unreadable: filter.ActionTag}
	f = newFilter(t, filter.Options{Rules: []filter.Rule{rule}})
	result = f.Message(ctx, filter.Envelope{}, []byte(plain))
	if r := result.Report; result.Edited != nil || r.Tagged || r.HeaderNotDone != filter.ReasonDeadline {
		t.Errorf("tagged without time: %+v", r)
	}
}

// TestDryRun: the report says what would have been done, and nothing is.
func TestDryRun(t *testing.T) {
	rule := filter.Rule{
		HTML: filter.HTMLAlways, DryRun: true,
		On: filter.On{Medium: filter.ActionReject, Partial: filter.ActionTag, Unreadable: filter.ActionTag},
	}
	real := rule
	real.DryRun = false
	for _, raw := range []string{plain, highMessage, partialMessage, unreadableMessage, with(forgedField), string(readSample(t, "edit-table"))} {
		got, want := filtered(t, rule, raw), filtered(t, real, raw)
		if got.Edited != nil || !got.Plan.Empty() || len(got.HeaderEdits) > 0 || got.Action != filter.ActionNone {
			t.Errorf("%s: something was done", got.Report)
		}
		if got := got.Report.String(); got != "dry run: "+want.Report.String() {
			t.Errorf("report %q, done was %q", got, want.Report)
		}
		if string(got.Message([]byte(raw))) != raw {
			t.Errorf("%s: another message", got.Report)
		}
	}
}

func TestReportNamesTheAction(t *testing.T) {
	result := filtered(t, filter.Rule{On: filter.On{High: filter.ActionQuarantine}}, highMessage)
	want := "not edited (not-asked): 1 link, worst finding high, action quarantine (lookalike), rule r"
	if got := result.Report.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSeveritiesOfMessageFindings: they are configured like those of links.
func TestSeveritiesOfMessageFindings(t *testing.T) {
	severities := func(s policy.Severity) filter.Options {
		return filter.Options{Policy: policy.Options{Severities: map[policy.Code]policy.Severity{
			filter.CodeUnreadable: s, policy.CodeLookalike: policy.SeverityLow,
		}}}
	}
	report := newFilter(t, severities(policy.SeverityHigh)).Scan([]byte(unreadableMessage))
	if len(report.Findings) != 1 || report.Findings[0].Severity != policy.SeverityHigh || report.Findings[0].Detail != "unknown-charset" {
		t.Errorf("findings %+v", report.Findings)
	}
	if report := newFilter(t, severities(policy.SeverityNone)).Scan([]byte(unreadableMessage)); len(report.Findings) > 0 {
		t.Errorf("turned off: %+v", report.Findings)
	}
	if worst := newFilter(t, severities(policy.SeverityNone)).Scan([]byte(highMessage)).Worst(); worst != policy.SeverityLow {
		t.Errorf("worst %s, want low", worst)
	}
	if _, err := filter.New(severities(99)); err == nil {
		t.Error("a severity that does not exist is taken")
	}
	for _, code := range filter.MessageCodes() {
		if _, err := filter.MessageSeverity(code); err != nil {
			t.Error(err)
		}
	}
	if _, err := filter.MessageSeverity(policy.CodeLookalike); err == nil {
		t.Error("a finding about links is one about messages")
	}
}

type textValue interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// TestChoicesAreText: configurations read and write the names, and nothing else.
func TestChoicesAreText(t *testing.T) {
	for _, test := range []struct {
		value textValue
		names string
	}{
		{new(filter.HTML), "never needed always"},
		{new(filter.Plain), "keep readable"},
		{new(filter.Flagged), "link unlink defang"},
		{new(filter.Signed), "keep edit"},
		{new(filter.NotEditable), "tag none quarantine reject"},
		{new(filter.Action), "none tag quarantine tempfail discard reject"},
	} {
		for name := range strings.FieldsSeq(test.names) {
			if err := test.value.UnmarshalText([]byte(name)); err != nil {
				t.Errorf("%T: %v", test.value, err)
			}
			if got, err := test.value.MarshalText(); err != nil || string(got) != name {
				t.Errorf("%T: %q became %q, %v", test.value, name, got, err)
			}
		}
		before, _ := test.value.MarshalText()
		for _, wrong := range []string{"", "nope", "None ", "ALWAYS"} {
			if err := test.value.UnmarshalText([]byte(wrong)); err == nil || !strings.Contains(err.Error(), strings.Fields(test.names)[0]) {
				t.Errorf("%T: %q gives %v", test.value, wrong, err)
			}
		}
		if after, _ := test.value.MarshalText(); string(after) != string(before) {
			t.Errorf("%T: an error changed it", test.value)
		}
	}
}
