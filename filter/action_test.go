package filter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
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
	chosenMessage = with("Content-Transfer-Encoding: x-none")
)

// filtered filters a message of a stranger under one rule.
func filtered(tb testing.TB, chosen rule.Rule, raw string) filter.Result {
	tb.Helper()
	chosen.Name = "r"
	f := newFilter(tb, filter.Options{Rules: []rule.Rule{chosen}})
	return f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, []byte(raw))
}

func TestActionOfSeverity(t *testing.T) {
	const none, tag, quarantine, tempfail, reject, discard = rule.ActionNone, rule.ActionTag, rule.ActionQuarantine, rule.ActionTempFail, rule.ActionReject, rule.ActionDiscard
	for _, test := range []struct {
		name    string
		on      rule.On
		message string
		want    rule.Action
		because string
	}{
		{"nothing asked", rule.On{}, highMessage, none, ""},
		{"nothing found", rule.On{Info: reject, Unreadable: reject, Partial: reject}, plain, none, ""},
		{"high", rule.On{High: reject}, highMessage, reject, "lookalike"},
		{"high, tempfail", rule.On{High: tempfail}, highMessage, tempfail, "lookalike"},
		{"high, discard", rule.On{High: discard}, highMessage, discard, "lookalike"},
		{"high, quarantine", rule.On{High: quarantine}, highMessage, quarantine, "lookalike"},
		{"high, tag", rule.On{High: tag}, highMessage, tag, "lookalike"},
		{"low is not medium", rule.On{Medium: reject, High: reject}, lowMessage, none, ""},
		{"low", rule.On{Low: tag, High: reject}, lowMessage, tag, "ip-host"},
		{"info holds for low", rule.On{Info: quarantine}, lowMessage, quarantine, "ip-host"},
		{"low holds for high", rule.On{Low: quarantine}, highMessage, quarantine, "lookalike"},
		{"low is stricter than high", rule.On{Low: reject, High: tag}, highMessage, reject, "lookalike"},
		{"unreadable", rule.On{Unreadable: quarantine, Partial: reject}, unreadableMessage, quarantine, "unreadable"},
		{"unreadable is low", rule.On{Low: reject}, unreadableMessage, reject, "unreadable"},
		{"unreadable is not medium", rule.On{Medium: reject}, unreadableMessage, none, ""},
		{"partial", rule.On{Partial: tempfail, Unreadable: reject}, partialMessage, tempfail, "partial"},
		{"partial is low", rule.On{Low: reject}, partialMessage, reject, "partial"},
		{"partial is not medium", rule.On{Medium: reject}, partialMessage, none, ""},
		{"a chosen reason is medium", rule.On{Medium: quarantine}, chosenMessage, quarantine, "unreadable"},
		{"unreadable is stricter than medium", rule.On{Medium: tag, Unreadable: quarantine}, chosenMessage, quarantine, "unreadable"},
		{"medium is stricter than unreadable", rule.On{Medium: quarantine, Unreadable: tag}, chosenMessage, quarantine, "unreadable"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := filtered(t, rule.Rule{On: test.on}, test.message)
			if result.Action != test.want || result.Report.Action != test.want || result.Report.Because != test.because {
				t.Errorf("action %s, want %s because of %q: %s", result.Action, test.want, test.because, result.Report)
			}
			if result.Report.Edited {
				t.Error("edited")
			}
		})
	}
}

// TestActionsAreOrdered: a stricter action is a greater number.
func TestActionsAreOrdered(t *testing.T) {
	order := []rule.Action{
		rule.ActionNone, rule.ActionTag, rule.ActionQuarantine, rule.ActionTempFail, rule.ActionDiscard, rule.ActionReject,
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
		rule    rule.Rule
		message string
		want    rule.Action
		because string
	}{
		{"edited", rule.Rule{HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionReject}, plain, rule.ActionNone, ""},
		{"tag", rule.Rule{HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionTag}, signed, rule.ActionTag, "dkim-signed"},
		{"none", rule.Rule{HTML: rule.HTMLNeeded}, signed, rule.ActionNone, ""},
		{"quarantine", rule.Rule{HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionQuarantine}, signed, rule.ActionQuarantine, "dkim-signed"},
		{"reject", rule.Rule{HTML: rule.HTMLAlways, IfNotEditable: rule.ActionReject}, signed, rule.ActionReject, "dkim-signed"},
		{"edited although signed", rule.Rule{HTML: rule.HTMLNeeded, EditSigned: true, IfNotEditable: rule.ActionReject}, signed, rule.ActionNone, ""},
		{"no edit asked for", rule.Rule{IfNotEditable: rule.ActionReject}, signed, rule.ActionNone, ""},
		{"no edit needed", rule.Rule{HTML: rule.HTMLNeeded, IfNotEditable: rule.ActionReject}, strings.Replace(signed, "/%C3%9Cbersicht", "/", 1), rule.ActionNone, ""},
		{"unreadable", rule.Rule{HTML: rule.HTMLAlways, IfNotEditable: rule.ActionQuarantine}, unreadableMessage, rule.ActionQuarantine, "unknown-charset"},
		{
			"a stricter action for a finding",
			rule.Rule{HTML: rule.HTMLAlways, IfNotEditable: rule.ActionTag, On: rule.On{High: rule.ActionReject}},
			"DKIM-Signature: v=1\r\n" + highMessage, rule.ActionReject, "lookalike",
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

// TestHTMLMessageIsNotUneditable: a message with an HTML text needs no edit, so if_not_editable
// does not act.
func TestHTMLMessageIsNotUneditable(t *testing.T) {
	for _, name := range []string{"guard-html-sibling", "guard-attachment-alone", "guard-named-alone", "guard-not-first", "keep-picture-only"} {
		result := filtered(t, rule.Rule{HTML: rule.HTMLAlways, IfNotEditable: rule.ActionReject}, string(readSample(t, name)))
		if result.Action != rule.ActionNone && !result.Report.Edited {
			t.Errorf("%s: %s", name, result.Report)
		}
	}
}

// TestActionWithoutReading: rules have actions for messages that were not read, too.
func TestActionWithoutReading(t *testing.T) {
	chosen := rule.Rule{Name: "r", On: rule.On{Unreadable: rule.ActionTempFail, Partial: rule.ActionTempFail}}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, Limits: filter.Limits{Message: 100}})
	result := f.Message(context.Background(), envelope.Envelope{}, []byte(plain))
	if result.Action != rule.ActionTempFail || result.Report.Because != "partial" || result.Edited != nil {
		t.Errorf("too large: %s", result.Report)
	}
	f = newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result := f.Message(ctx, envelope.Envelope{}, []byte(plain)); result.Action != rule.ActionTempFail {
		t.Errorf("no time left: %s", result.Report)
	}
	chosen.On = rule.On{Unreadable: rule.ActionTag}
	f = newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
	result = f.Message(ctx, envelope.Envelope{}, []byte(plain))
	if r := result.Report; !tagged(r) || r.HeaderNotDone != "" || !result.Plan.Empty() || r.NotDone != "deadline" {
		t.Errorf("not tagged without time: %+v", r)
	}
}

// TestDryRun: the report says what the rule would do, and the filter changes nothing.
func TestDryRun(t *testing.T) {
	chosen := rule.Rule{
		HTML: rule.HTMLAlways, DryRun: true,
		On: rule.On{Medium: rule.ActionReject, Partial: rule.ActionTag, Unreadable: rule.ActionTag},
	}
	real := chosen
	real.Name, real.DryRun = "r", false
	for _, raw := range []string{plain, highMessage, partialMessage, unreadableMessage, with(forgedField), string(readSample(t, "edit-table"))} {
		got, want := filtered(t, chosen, raw), filtered(t, real, raw)
		if got.Edited != nil || !got.Plan.Empty() || len(got.HeaderEdits) > 0 || got.Action != rule.ActionNone {
			t.Errorf("%s: something was done", got.Report)
		}
		if got := got.Report.String(); got != "dry run: "+want.Report.String() {
			t.Errorf("report %q, done was %q", got, want.Report)
		}
		if string(got.Message([]byte(raw))) != raw {
			t.Errorf("%s: another message", got.Report)
		}
		whole := newFilter(t, filter.Options{DryRun: true, Rules: []rule.Rule{real}}).Message(context.Background(), localUser(), []byte(raw))
		done := newFilter(t, filter.Options{Rules: []rule.Rule{real}}).Message(context.Background(), localUser(), []byte(raw))
		if whole.Edited != nil || len(whole.HeaderEdits) > 0 || whole.Action != rule.ActionNone || whole.Report.String() != "dry run: "+done.Report.String() {
			t.Errorf("service on trial: %s, done was %s", whole.Report, done.Report)
		}
	}
}

func TestReportNamesTheAction(t *testing.T) {
	result := filtered(t, rule.Rule{On: rule.On{High: rule.ActionQuarantine}}, highMessage)
	want := "not edited (not-asked): 1 link, worst finding high, action quarantine (lookalike), rule r"
	if got := result.Report.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestSeveritiesOfMessageFindings: operators set severities of findings about a message like those
// of links.
func TestSeveritiesOfMessageFindings(t *testing.T) {
	severities := func(s policy.Severity) filter.Options {
		return filter.Options{Policy: policy.Options{Severities: map[policy.Code]policy.Severity{
			report.CodeUnreadable: s, policy.CodeLookalike: policy.SeverityLow,
		}}}
	}
	r := newFilter(t, severities(policy.SeverityHigh)).Scan([]byte(unreadableMessage))
	if len(r.Findings) != 1 || r.Findings[0].Severity != policy.SeverityHigh || r.Findings[0].Detail != "unknown-charset" {
		t.Errorf("findings %+v", r.Findings)
	}
	if r := newFilter(t, severities(policy.SeverityNone)).Scan([]byte(unreadableMessage)); len(r.Findings) > 0 {
		t.Errorf("turned off: %+v", r.Findings)
	}
	if worst := newFilter(t, severities(policy.SeverityNone)).Scan([]byte(highMessage)).Worst(); worst != policy.SeverityLow {
		t.Errorf("worst %s, want low", worst)
	}
	if _, err := filter.New(severities(99)); err == nil {
		t.Error("a severity that does not exist is taken")
	}
	defaults := filter.MessageSeverities()
	for code, severity := range defaults {
		if severity == policy.SeverityNone || severity > policy.SeverityHigh {
			t.Errorf("%s: severity %s", code, severity)
		}
	}
	if _, ok := defaults[policy.CodeLookalike]; ok {
		t.Error("a finding about links is one about messages")
	}
}
