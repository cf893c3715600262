package filter_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

const forgedField = "X-Linkmilter: mx.example.org; action=none; worst=none; findings=0"

// stranger is the envelope of a message from outside.
var stranger = envelope.Envelope{Sender: "eve@example.net", Recipients: []string{"bert@example.org"}}

// signedAs returns a filter with the id mx.example.org, which also takes fields of mx2 for its own.
func signedAs(tb testing.TB) *filter.Filter {
	tb.Helper()
	return newFilter(tb, filter.Options{ID: "mx.example.org", OtherIDs: []string{"mx2.example.org"}})
}

// fieldsOf returns the fields of a message that have the names of our fields, unfolded.
func fieldsOf(raw []byte) []string {
	var all []string
	m := mime.Parse(context.Background(), raw, mime.Limits{HeaderBytes: len(raw) + 1})
	for _, f := range m.Root.Fields {
		if strings.HasPrefix(strings.ToLower(f.Name), "x-linkmilter") {
			all = append(all, f.Name+": "+m.FieldValue(f))
		}
	}
	return all
}

// TestClaims: fields that claim one of our ids are removed; others stay.
func TestClaims(t *testing.T) {
	f := signedAs(t)
	for field, forged := range map[string]bool{
		forgedField: true,
		"X-Linkmilter-Finding: mx.example.org; code=ip-host":       true,
		"x-LINKMILTER: MX.example.ORG; x":                          true,
		"X-Linkmilter: mx2.example.org; worst=none":                true,
		"X-Linkmilter: mx.example.org":                             true,
		"X-Linkmilter: mx.example.org. ; x":                        true,
		"X-Linkmilter:\r\n mx.example.org;\r\n x=1":                true,
		"X-Linkmilter: (a comment) mx.example.org; x":              true,
		"X-Linkmilter: (a)(b) \"mx.example.org\"; x":               true,
		"X-Linkmilter: mx.example.org(comment); x":                 true,
		"X-Linkmilter: =?us-ascii?q?mx.example.org?=; x":           true,
		"X-Linkmilter : mx.example.org; x":                         true,
		"X-Linkmilter: mx3.example.org; worst=none":                false,
		"X-Linkmilter: mx.example.org.evil.example; x":             false,
		"X-Linkmilter: evil; mx.example.org":                       false,
		"X-Linkmilter: ":                                           false,
		"X-Linkmilter: (mx.example.org; a":                         true,
		"X-Linkmilter: (evil.example; mx.example.org":              false,
		"X-Linkmilter: linkmilter; worst=none":                     false,
		"X-Linkmilter-Other: mx.example.org; x":                    false,
		"X-Other: mx.example.org; x":                               false,
		"X-Linkmilter-Opt-Out: yes":                                false,
		"Authentication-Results: mx.example.org; dkim=pass (fake)": false,
	} {
		raw := with(field)
		result := check(t, field, f, stranger, []byte(raw))
		want := raw
		if forged {
			want = plain
		}
		if got := string(result.Message([]byte(raw))); got != want {
			t.Errorf("%s: became\n%s", field, got)
		}
		if (result.Report.Forged == 1) != forged || tagged(result.Report) {
			t.Errorf("%s: %d forged, tagged %v", field, result.Report.Forged, tagged(result.Report))
		}
	}
}

// TestNode: the summary names the machine. Fields with the same id of another machine, or forged as
// such, are removed like those of this one.
func TestNode(t *testing.T) {
	onNode := func(node string) *filter.Filter {
		return newFilter(t, filter.Options{ID: "mx.example.org", Node: node})
	}
	first, second := onNode("mx1"), onNode("mx2")
	edited := check(t, "first", first, stranger, []byte(highMessage)).Edited
	if got := fieldsOf(edited); len(got) != 2 || !strings.HasSuffix(got[0], "; rule=others; node=mx1") || strings.Contains(got[1], "node") {
		t.Errorf("fields %q", got)
	}
	again := check(t, "second", second, stranger, edited)
	if got := fieldsOf(again.Edited); len(got) != 2 || !strings.HasSuffix(got[0], "; rule=others; node=mx2") {
		t.Errorf("fields %q after another node", got)
	}
	forged := check(t, "forged", second, stranger, []byte(with(forgedField+"; rule=others; node=mx1")))
	if got := string(forged.Message([]byte(with(forgedField)))); got != plain || forged.Report.Forged != 1 {
		t.Errorf("%d forged, became\n%s", forged.Report.Forged, got)
	}
	for _, node := range []string{"mx 1", "mx1;x=1", "mx1\r\nX: y", "größe", strings.Repeat("a", 254)} {
		if _, err := filter.New(filter.Options{Node: node}); err == nil || !strings.Contains(err.Error(), "node ") {
			t.Errorf("node %q: %v", node, err)
		}
	}
}

// TestFieldsOfTrustedClients: the filter keeps such fields in mail of trusted clients, since they
// are its own.
func TestFieldsOfTrustedClients(t *testing.T) {
	f := signedAs(t)
	raw := strings.Replace(with(forgedField), "%C3%9Cbersicht", "x", 1)
	for _, env := range []envelope.Envelope{localUser(), {Sender: "a@example.com", Authenticated: true}} {
		if result := check(t, "trusted", f, env, []byte(raw)); result.Edited != nil || result.Report.Forged != 0 {
			t.Errorf("%s: %v", result.Report, result.HeaderEdits)
		}
	}
	// In a message that is tagged, new fields replace the old ones.
	chosen := rule.Rule{Name: "out", When: rule.When{Authenticated: new(true)}, Trusted: true, On: rule.On{Low: rule.ActionTag}}
	f = newFilter(t, filter.Options{ID: "mx.example.org", Rules: []rule.Rule{chosen}})
	result := check(t, "tagged", f, localUser(), []byte(forgedField+"\r\n"+lowMessage))
	if got := fieldsOf(result.Edited); len(got) != 2 || !strings.Contains(got[0], "worst=low") || result.Report.Forged != 0 {
		t.Errorf("fields %q, %d forged", got, result.Report.Forged)
	}
}

// TestManyForgedFields: the filter makes at most 64 edits, tags included. If it would take more, it
// removes no field, and reports that.
func TestManyForgedFields(t *testing.T) {
	f := signedAs(t)
	for _, test := range []struct {
		forged  int
		message string
		removed bool
		fields  int // number of our fields in the result
	}{
		{1, plain, true, 0},
		{63, plain, true, 0},
		{64, plain, true, 0},
		{65, plain, false, 65 + 2},
		{62, highMessage, true, 2},
		{63, highMessage, false, 63 + 3},
		{20_000, plain, false, 20_000 + 2},
		{20_000, highMessage, false, 20_000 + 3},
	} {
		t.Run(fmt.Sprintf("%d fields", test.forged), func(t *testing.T) {
			raw := []byte(strings.Repeat(forgedField+"\r\n", test.forged) + test.message)
			start := time.Now()
			f := f
			if test.forged > 10_000 {
				f = newFilter(t, filter.Options{ID: "mx.example.org", Limits: filter.Limits{Limits: mime.Limits{HeaderBytes: 4 << 20}}})
			}
			result := check(t, "forged", f, stranger, raw)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			got := fieldsOf(result.Message(raw))
			if len(got) != test.fields || result.Report.Forged != test.forged {
				t.Fatalf("%d fields, want %d; %d forged", len(got), test.fields, result.Report.Forged)
			}
			flagged := false
			for _, finding := range result.Report.Findings {
				flagged = flagged || finding.Code == report.CodeForgedField
			}
			summary := ""
			for _, field := range got {
				if strings.Contains(field, fmt.Sprintf("; forged=%d;", test.forged)) {
					summary = field
				}
			}
			if flagged == test.removed || (summary == "") != test.removed {
				t.Errorf("flagged %v, summary %q", flagged, summary)
			}
			if flagged && (result.Action != rule.ActionTag || !strings.Contains(strings.Join(got, "\n"), "code=forged-field; severity=high")) {
				t.Errorf("action %s, fields %q", result.Action, got[test.forged:])
			}
		})
	}
}

// TestForgedFieldsBeyondTheLimitOfHeaders: forged fields beyond the limit are not seen, but then
// the message is partial.
func TestForgedFieldsBeyondTheLimitOfHeaders(t *testing.T) {
	raw := []byte(strings.Repeat(forgedField+"\r\n", 20_000) + plain)
	result := signedAs(t).Message(context.Background(), stranger, raw)
	if result.Report.Outcome == report.OutcomeComplete || result.Report.Forged == 0 {
		t.Errorf("%s, %d forged", result.Report, result.Report.Forged)
	}
	for _, e := range result.HeaderEdits {
		if e.Op != mime.OpAdd {
			t.Errorf("edit %+v", e)
		}
	}
}

// TestForgedFieldsAndEdits: edits of the content, deletions and tags make one message. All edits of
// the header together are limited.
func TestForgedFieldsAndEdits(t *testing.T) {
	chosen := rule.Rule{Name: "r", HTML: rule.HTMLNeeded, On: rule.On{High: rule.ActionTag}}
	f := newFilter(t, filter.Options{ID: "mx.example.org", Rules: []rule.Rule{chosen}})
	text := strings.Replace(highMessage, "please", "and https://de.wikipedia.org/wiki/%C3%9Cbersicht", 1)
	for forged := range 70 {
		raw := []byte(strings.Repeat(forgedField+"\r\n", forged) + text)
		result := check(t, fmt.Sprint(forged), f, stranger, raw)
		if !result.Report.Edited || !tagged(result.Report) {
			t.Fatalf("%d forged: %s", forged, result.Report)
		}
		got := fieldsOf(result.Edited)
		if removed := len(got) == 2; removed != (forged+2+len(result.Plan.Header) <= 64) {
			t.Errorf("%d forged: %d fields left, plan of %d", forged, len(got), len(result.Plan.Header))
		}
	}
}

// TestTagsAreWrittenAgain: if an attacker adds fields to a message that we filtered before, the
// second pass writes true ones.
func TestTagsAreWrittenAgain(t *testing.T) {
	f := signedAs(t)
	first := check(t, "first", f, stranger, []byte(highMessage)).Edited
	again := f.Message(context.Background(), stranger, first)
	if again.Edited != nil || !tagged(again.Report) {
		t.Errorf("filtered again: %v", again.HeaderEdits)
	}
	for name, change := range map[string]func([]byte) []byte{
		"a field more":  func(b []byte) []byte { return append([]byte(forgedField+"\r\n"), b...) },
		"another value": func(b []byte) []byte { return bytes.Replace(b, []byte("worst=high"), []byte("worst=none"), 1) },
	} {
		result := check(t, name, f, stranger, change(bytes.Clone(first)))
		if !bytes.Equal(result.Edited, first) {
			t.Errorf("%s:\n%s\nwant\n%s", name, result.Edited, first)
		}
	}
}
