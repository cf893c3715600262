package history

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// Marks are kept in memory and in the file, are found, and survive a restart.
func TestMarks(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "history.db")} {
		h, _ := newTest(t)
		h.Use(path, Retention{})
		list := newMessages(3)
		for _, m := range list {
			h.keep(m)
		}
		if path != "" {
			settle(t, h)
		}
		ctx := context.Background()
		id := list[1].ID
		for _, mark := range []string{MarkRight, MarkWrong} {
			m, ok, err := h.Change(ctx, id, func(m *Message) { m.Marks[policy.CodeMixedScript], m.Later = mark, "released by anna" })
			if !ok || err != nil || m.Marks[policy.CodeMixedScript] != mark {
				t.Fatal(m, ok, err)
			}
		}
		if _, ok, err := h.Change(ctx, 1, func(*Message) { t.Error("called") }); ok || err != nil {
			t.Error(ok, err)
		}
		check := func(h *History) {
			t.Helper()
			for mark, want := range map[string]int{MarkRight: 0, MarkWrong: 1, "": 3} {
				found, err := h.Find(ctx, &Query{Mark: mark, Text: "paypal"}, 10)
				if err != nil || len(found) != want {
					t.Errorf("%q, mark %q: %d messages, %v", path, mark, len(found), err)
				}
				if mark == MarkWrong && len(found) == 1 && (found[0].ID != id || found[0].Later != "released by anna") {
					t.Errorf("%+v", found[0])
				}
			}
		}
		check(h)
		if path != "" {
			h.Close()
			again, _ := newTest(t)
			again.Use(path, Retention{})
			settle(t, again)
			m, ok, err := again.Get(ctx, id)
			if !ok || err != nil || m.Marks[policy.CodeMixedScript] != MarkWrong {
				t.Error(m, ok, err)
			}
			check(again)
		}
	}
}

// Messages have their subjects only where the operator wants it, and are found by them.
func TestSubjectsByChoice(t *testing.T) {
	h, _ := newTest(t)
	e := &mailserver.Event{Report: &report.Report{
		Header:   report.Header{Subject: "Your bill\u202e"},
		Findings: []policy.Finding{{Code: report.CodeClaim, Severity: policy.SeverityHigh, Detail: "calls itself Ledger"}},
	}, Envelope: new(envelope.Envelope)}
	for _, keep := range []bool{false, true} {
		h.KeepSubjects(keep)
		h.Add(e, start)
	}
	for text, want := range map[string]int{"bill": 1, "ledger": 2, "x": 0} {
		found, err := h.Find(context.Background(), &Query{Text: text}, 10)
		if err != nil || len(found) != want {
			t.Errorf("%q: %+v, %v", text, found, err)
		}
		if text == "bill" && len(found) == 1 && found[0].Subject != `Your bill\u{202E}` {
			t.Errorf("%q", found[0].Subject)
		}
	}
}
