package adminpage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// happened has the page see what became of a message.
func happened(p *Page, change func(*mailserver.Event)) {
	env := strangers("4XqB")
	e := &mailserver.Event{
		Report: &report.Report{Rule: "others", Because: "lookalike", Findings: []policy.Finding{{Code: policy.CodeLookalike, Severity: policy.SeverityHigh, Detail: "looks like paypal.com but is another site"}}},
		Action: rule.ActionTag, QueueID: env.QueueID, Envelope: &env, Details: mailserver.Details{Addresses: mailserver.AddressesFull},
	}
	change(e)
	p.Observe(e)
}

// has fails the test if a page lacks some of the texts, which a bar separates.
func has(tb testing.TB, p *Page, path, want string) {
	tb.Helper()
	w := get(p, path)
	if w.Code != http.StatusOK {
		tb.Errorf("%s: %d", path, w.Code)
	}
	for text := range strings.SplitSeq(want, "|") {
		if !strings.Contains(w.Body.String(), text) {
			tb.Errorf("%s has no %q:\n%s", path, text, w.Body)
		}
	}
}

// A summary counts the messages of each day, and names who is imitated, who sends and who receives; the
// links lead to these messages.
func TestWeek(t *testing.T) {
	p, f := newTestPage(t, 1000)
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.Local)
	for _, c := range [][2]int{{20, 1}, {7, 5}, {6, 1}, {1, 2}, {0, 3}} { // days ago, messages
		p.now = func() time.Time { return now.AddDate(0, 0, -c[0]) }
		for range c[1] {
			observe(p, f, strangers("4Xq"), spoof)
		}
	}
	p.now = func() time.Time { return now }
	env := strangers("4Xq")
	env.Sender = "y@example.org"
	observe(p, f, env, "Subject: x\r\n\r\n1: http://paypa1.com/\r\n")
	has(t, p, "/week", "7 flagged messages of the last 7 days|Sat 28 Nov</a></th><td class=\"number\">4</td>|Sun 22 Nov</a></th><td class=\"number\">1</td>|"+
		"<bdi>paypal.com</bdi></a></td><td class=\"number\">7</td>|<bdi>x@example.net</bdi></a></td><td class=\"number\">6</td>|<bdi>bob@example.com</bdi></a></td><td class=\"number\">7</td>|<bdi>mixed-script</bdi>")
	body := get(p, "/week").Body.String()
	has(t, p, addressIn(body, "<bdi>y@example.org</bdi>"), "1 flagged messages")
	has(t, p, addressIn(body, "Sun 22 Nov"), "1 flagged messages")
	has(t, p, addressIn(body, "<bdi>paypal.com</bdi>"), "7 flagged messages")
	has(t, p, "/week?days=31", "13 flagged messages of the last 31 days")
	has(t, p, "/week?days=1", "4 flagged messages of today")
	has(t, p, "/week?days=x", "7 flagged messages")
	if w := get(p, "/week"); w.Header().Get("Refresh") != "60" {
		t.Errorf("%v", w.Header())
	}
}

// What became of a message is said in plain words, not in those of the configuration.
func TestWhatHappenedInPlainWords(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*mailserver.Event)
		want   string
	}{
		"tag":        {func(*mailserver.Event) {}, "Delivered with a tag, because of lookalike.|<strong>1</strong> delivered with a tag"},
		"edited":     {func(e *mailserver.Event) { e.Edited = true }, "Its links were edited."},
		"none":       {func(e *mailserver.Event) { e.Action = rule.ActionNone; e.Report.Because = "" }, "Delivered without a tag."},
		"reject":     {func(e *mailserver.Event) { e.Action = rule.ActionReject }, "Refused: nobody got it, and the sender&#39;s server was told, because"},
		"discard":    {func(e *mailserver.Event) { e.Action = rule.ActionDiscard }, "Dropped: nobody got it"},
		"tempfail":   {func(e *mailserver.Event) { e.Action = rule.ActionTempFail }, "Put off: "},
		"quarantine": {func(e *mailserver.Event) { e.Action = rule.ActionQuarantine }, "Put into quarantine, because"},
		"on trial": {func(e *mailserver.Event) {
			e.Action, e.Report.DryRun, e.Report.Action = rule.ActionNone, true, rule.ActionReject
		}, "Delivered as it came: the rule is on trial and would have refused it"},
		"not granted": {func(e *mailserver.Event) { e.Action, e.ActionReason = rule.ActionNone, "not-granted" }, "did not grant the right"},
		"no folder":   {func(e *mailserver.Event) { e.Action, e.ActionReason = rule.ActionNone, "no-quarantine" }, "no quarantine is configured"},
		"full disk":   {func(e *mailserver.Event) { e.Action, e.ActionReason = rule.ActionNone, "quarantine-failed" }, "could not be written into quarantine"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := newTestPage(t, 10)
			happened(p, c.change)
			has(t, p, "/findings", c.want)
			sentence, _, _ := strings.Cut(c.want, "|")
			has(t, p, "/findings/"+all(t, p)[0].ID.String(), sentence)
		})
	}
}

// TestWhoGotALinkThatLooksLikeOurBank: one search says who got it, what happened, and whether it is in
// quarantine; a release on the page is told.
func TestWhoGotALinkThatLooksLikeOurBank(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "history.db")} {
		p, f := newTestPage(t, 100)
		d := useMaildir(t, p)
		p.options.History.Use(path, history.Retention{})
		t.Cleanup(p.options.History.Close)
		observe(p, f, strangers("4XqA"), "Subject: x\r\n\r\nhttp://paypa1.com/\r\n")
		for _, id := range []string{"4XqB", "4XqC"} {
			env := envelope.Envelope{Sender: "x@example.net", Recipients: []string{"carol@example.com"}, QueueID: id}
			result := f.Message(context.Background(), env, []byte("Subject: x\r\n\r\nhttp://paypa1.com/\r\n"))
			p.Observe(&mailserver.Event{Report: &result.Report, Action: rule.ActionQuarantine, QueueID: id, Envelope: &env, Details: mailserver.Details{Addresses: mailserver.AddressesFull}})
		}
		d.hold(t, "1.b", "4XqB", "x@example.net", "x", "carol@example.com", time.Now())
		d.hold(t, "1.old", "4XqC", "x@example.net", "x", "carol@example.com", time.Now().AddDate(0, 0, -1)) // another one with this queue id
		for end := time.Now().Add(10 * time.Second); path != "" && len(all(t, p)) < 3 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		has(t, p, "/findings?q=paypal.com", "3 flagged messages|<strong>1</strong> in quarantine now|<strong>1</strong> no longer in quarantine|bob@example.com|carol@example.com|Delivered with a tag|In quarantine now|<a href=\"/quarantine/1.b\">Look at it</a>")
		if w := post(p, "/quarantine", url.Values{"token": {p.token}, "do": {"release"}, "name": {"1.b"}, "sure": {"yes"}}); !strings.Contains(w.Body.String(), ": released.") {
			t.Errorf("%s", w.Body)
		}
		has(t, p, "/findings?q=paypal.com&action=quarantine", "Put into quarantine, then released by anna, 20|<strong>2</strong> no longer in quarantine")
	}
}

// What is to be mended is on every page.
func TestTroublesAreOnEveryPage(t *testing.T) {
	p, _ := newTestPage(t, 10)
	p.options.Troubles = func() []Trouble {
		return []Trouble{{"The configuration on disk is not in use", "line 1: \u202e", "correct it"}}
	}
	p.options.Lists = func() []lists.State {
		stale := lists.State{Stale: true, Problem: errors.New("404 Not Found")}
		stale.Name = "bad hosts"
		return []lists.State{stale, {}}
	}
	happened(p, func(e *mailserver.Event) { e.Action, e.ActionReason = rule.ActionNone, "quarantine-failed" })
	for _, path := range []string{"/", "/week", "/findings", "/quarantine", "/lists", "/try", "/edited", "/received"} {
		has(t, p, path, "The configuration on disk is not in use</bdi></strong>: <bdi>line 1: <mark|To mend it: correct it.|The list bad hosts is stale|404 Not Found|The quarantine is not written")
		if n := strings.Count(get(p, path).Body.String(), `<div class="problem" role="alert">`); n != 3 {
			t.Errorf("%s: %d troubles", path, n)
		}
	}
	then := p.now().Add(2 * time.Hour)
	p.now = func() time.Time { return then }
	if w := get(p, "/"); strings.Contains(w.Body.String(), "The quarantine is not written") {
		t.Error("the page tells of troubles that are over")
	}
}

// A page loads again by itself, without a script, until its reader ends that.
func TestRefresh(t *testing.T) {
	p, _ := newTestPage(t, 10)
	for path, want := range map[string]string{
		"/": "60", "/?refresh=off": "", "/week": "60", "/findings": "", "/findings?q=x&refresh=on": "60", "/quarantine": "", "/try": "",
	} {
		w := get(p, path)
		if got := w.Header().Get("Refresh"); got != want {
			t.Errorf("%s: %q", path, got)
		}
		if strings.Contains(w.Body.String(), "<script") || strings.Contains(w.Body.String(), "http-equiv") {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	if at := addressIn(get(p, "/findings?q=x&refresh=on").Body.String(), "Stop that"); at != "/findings?q=x&refresh=off" {
		t.Error(at)
	}
}

// Subjects are on the pages where the operator wants them.
func TestSubjects(t *testing.T) {
	p, f := newTestPage(t, 10)
	observe(p, f, strangers("1"), "Subject: First\r\n\r\nhttp://paypa1.com/\r\n")
	p.options.History.KeepSubjects(true)
	observe(p, f, strangers("2"), "Subject: P\u0430yment\r\n\r\nhttp://paypa1.com/\r\n")
	has(t, p, "/findings", "“<bdi>P<mark")
	has(t, p, "/findings?q=p\u0430yment", "1 flagged messages")
	has(t, p, "/findings/"+all(t, p)[0].ID.String(), "<dt>Subject</dt><dd><bdi>P<mark")
	if strings.Contains(get(p, "/findings").Body.String(), "First") {
		t.Error("a subject is kept without being wanted")
	}
}

// What is wrong about no host gives the line for all mail, which the configuration takes.
func TestMarksWithoutHost(t *testing.T) {
	p, _ := newTestPage(t, 10)
	happened(p, func(e *mailserver.Event) {
		e.Report.Findings = []policy.Finding{{Code: report.CodeUnseen, Severity: policy.SeverityMedium}}
	})
	at := "/findings/" + all(t, p)[0].ID.String()
	if w := get(p, at); strings.Contains(w.Body.String(), "<pre>") {
		t.Errorf("%s", w.Body)
	}
	post(p, at, url.Values{"token": {p.token}, "code": {string(report.CodeUnseen)}, "mark": {"wrong"}})
	has(t, p, at, "Lines to paste|for all mail|severity = { unseen-text = &#34;low&#34; }")
}

// A finding is marked as right or wrong. What is wrong gives the lines to paste, and counts.
func TestMarks(t *testing.T) {
	p, f := newTestPage(t, 10)
	d := useMaildir(t, p)
	var counted []string
	p.options.Marked = func(code policy.Code, mark string) { counted = append(counted, string(code)+" "+mark) }
	observe(p, f, strangers("4XqA"), "Subject: x\r\n\r\nhttp://paypa1.com/ http://example.com@192.0.2.1/\r\n")
	m := all(t, p)[0]
	at := "/findings/" + m.ID.String()
	mark := func(code, mark, token string) int {
		return post(p, at, url.Values{"token": {token}, "code": {code}, "mark": {mark}}).Code
	}
	has(t, p, at, "If it is honest|allow = [&#34;paypa1.com&#34;, &#34;192.0.2.1&#34;]|Mark lookalike as wrong")
	for _, c := range []struct {
		code, mark, token string
		want              int
	}{
		{"lookalike", "wrong", p.token, 303},
		{"lookalike", "wrong", p.token, 303}, // counts once
		{"userinfo", "right", p.token, 303},
		{"shortener", "wrong", p.token, 303}, // not a finding of this message
		{"lookalike", "maybe", p.token, 404},
		{"lookalike", "right", "", 403},
	} {
		if got := mark(c.code, c.mark, c.token); got != c.want {
			t.Errorf("%v: %d", c, got)
		}
	}
	has(t, p, at, "Lines to paste|allow = [&#34;paypa1.com&#34;]|marked as <strong>wrong</strong>|marked as <strong>right</strong>|Take it away")
	has(t, p, "/findings?mark=wrong", "1 flagged messages|allow = [&#34;paypa1.com&#34;]")
	if got := fmt.Sprint(counted); got != "[lookalike wrong userinfo right]" {
		t.Error(got)
	}
	if want := `level=INFO msg="finding marked" id=` + m.ID.String() + ` queue_id=4XqA code=lookalike mark=wrong user=anna client=192.0.2.1`; !strings.Contains(d.logged.String(), want) {
		t.Errorf("no %s in %s", want, d.logged.String())
	}
	if got := mark("lookalike", "", p.token); got != 303 {
		t.Error(got)
	}
	has(t, p, "/findings?mark=wrong", "0 flagged messages")
	if w := post(p, "/findings/0000000000000001", url.Values{"token": {p.token}, "code": {"lookalike"}, "mark": {"wrong"}}); w.Code != 404 {
		t.Error(w.Code)
	}
}
