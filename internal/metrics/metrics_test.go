package metrics

import (
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

var update = flag.Bool("update", false, "write the golden again")

// now is the time of the tests.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newTest() *Metrics {
	return New(Options{
		Version: "v1.2.3",
		Node:    "mx1",
		Servers: map[string]func() mailserver.Stats{
			"milter": func() mailserver.Stats {
				return mailserver.Stats{Connections: 3, Served: 40, Denied: 2, AtLimit: 1, Overruns: 9, Broken: map[string]uint64{"timeout": 7, "dropped": 1}, Memory: 5000, MemoryLimit: 256 << 20}
			},
			"smtp": func() mailserver.Stats { return mailserver.Stats{Connections: 1} },
		},
		NextHop:     func() uint64 { return 6 },
		HistoryLost: func() uint64 { return 8 },
		Lists: func() []lists.State {
			s := lists.State{Source: lists.Source{Name: "openphish"}, Checked: now.Add(-2 * time.Hour), Hits: 5, Stale: true}
			s.Entries, s.Unread = 300, map[string]int{"not a host": 2}
			return []lists.State{s}
		},
		DNSLists: func() []dnslist.State {
			return []dnslist.State{{Name: "dbl", Paused: true, Counts: map[dnslist.Result]uint64{dnslist.ResultListed: 3, dnslist.ResultRefused: 1}}}
		},
		TLDs: func() (time.Time, int) { return now.Add(-36 * time.Hour), 1438 },
		Now:  func() time.Time { return now },
	})
}

// exposition returns what Prometheus would read.
func exposition(tb testing.TB, m *Metrics) string {
	tb.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		tb.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return regexp.MustCompile(`(goversion|idna_version)="[^"]*"`).ReplaceAllString(w.Body.String(), `$1="X"`)
}

// TestNames: names, units and help texts of the metrics follow the rules of Prometheus.
func TestNames(t *testing.T) {
	m := newTest()
	m.Warned(slog.LevelWarn, "accept")
	for _, e := range events() {
		m.Message(e)
	}
	problems, err := promlint.New(strings.NewReader(exposition(t, m))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s", problem.Metric, problem.Text)
	}
}

func events() []*mailserver.Event {
	finding := func(code policy.Code, severity policy.Severity) policy.Finding {
		return policy.Finding{Code: code, Severity: severity, Label: "xn--e1awd7f.example", Detail: "buy now"}
	}
	return []*mailserver.Event{
		{
			Edited: true, Signed: true, Size: 3000, Duration: 800 * time.Microsecond,
			Report: &report.Report{Rule: "authenticated", Outcome: report.OutcomeComplete, Edited: true, Signed: "example.com", Links: []report.Found{
				{Link: engine.Link{Kind: engine.KindURL, Text: "https://example.com/"}},
				{Link: engine.Link{Kind: engine.KindEmail, Text: "anna@example.com"}},
			}},
		},
		{
			Tagged: true, Size: 50_000, Duration: 3 * time.Millisecond, Action: rule.ActionQuarantine,
			Report: &report.Report{
				Rule: "others", Outcome: report.OutcomePartial, NotDone: "not-asked", Forged: 2,
				Reasons:  []report.Reason{"too-many-links", "unknown-charset"},
				Findings: []policy.Finding{finding(report.CodePartial, policy.SeverityInfo)},
				Links: []report.Found{{
					Link: engine.Link{Kind: engine.KindSuspect}, Flagged: true,
					Verdict: policy.Verdict{Findings: []policy.Finding{finding(policy.CodeMixedScript, policy.SeverityHigh)}},
				}},
			},
		},
		// A message that the filter did not get.
		{Reason: mailserver.ReasonTooLarge, Size: 26 << 20, Duration: time.Microsecond, Report: &report.Report{}},
		// A message with two reasons that name the same limit.
		{
			Size: 10, Duration: 5 * time.Second,
			Report: &report.Report{
				Rule: "others", Outcome: report.OutcomePartial, NotDone: "deadline", Reasons: []report.Reason{"deadline"},
				NotSigned: "dkim-signed", SignedBefore: "example.com",
			},
		},
		{
			ActionReason: "not-granted", Size: 10, Duration: time.Millisecond,
			Report: &report.Report{Rule: "others", Outcome: report.OutcomeComplete, NotDone: "dkim-signed"},
		},
	}
}

// What Prometheus reads after a few messages.
func TestExposition(t *testing.T) {
	m := newTest()
	m.Loaded(now)
	m.NotLoaded()
	m.Warned(slog.LevelError, "panic")
	for _, e := range events() {
		m.Message(e)
	}
	got := exposition(t, m)
	const golden = "testdata/metrics.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("go test ./internal/metrics -update writes it again:\n%s", diff)
	}
	for _, text := range []string{"example", "anna", "buy now"} {
		if strings.Contains(got, text) {
			t.Errorf("%q of a message is in the metrics", text)
		}
	}
}

// TestLabelsAreBounded: the number of series is limited, whatever the number of names.
func TestLabelsAreBounded(t *testing.T) {
	m := newTest()
	for i := range 3 * maxCodes {
		name := fmt.Sprintf("n%d", i)
		m.Message(&mailserver.Event{Report: &report.Report{
			Rule: name, NotDone: report.Reason(name), Reasons: []report.Reason{report.Reason(name + "r")},
			Findings: []policy.Finding{{Code: policy.Code(name)}},
		}})
	}
	got := exposition(t, m)
	for _, tt := range []struct {
		metric string
		most   int
	}{
		{"linkmilter_messages_total{", maxRules + 1},
		{"linkmilter_messages_not_edited_total{", maxCodes + 1},
		{"linkmilter_findings_total{", maxCodes + 1},
	} {
		if n := strings.Count(got, "\n"+tt.metric); n == 0 || n > tt.most {
			t.Errorf("%d series of %s, at most %d are allowed", n, tt.metric, tt.most)
		}
	}
	if !strings.Contains(got, fmt.Sprintf(`linkmilter_messages_total{outcome="unread",rule="other"} %d`, 3*maxCodes-maxRules)) {
		t.Error("rules beyond the bound are not counted as other")
	}
}

func TestUnknownAgeOfTheList(t *testing.T) {
	m := New(Options{NextHop: func() uint64 { return 0 }, HistoryLost: func() uint64 { return 0 }, TLDs: func() (time.Time, int) { return time.Time{}, 7 }})
	if got := exposition(t, m); !strings.Contains(got, "linkmilter_tlds_age_seconds NaN\n") || !strings.Contains(got, "linkmilter_tlds 7\n") {
		t.Errorf("got %s", got)
	}
}

func TestRuntime(t *testing.T) {
	m := newTest()
	m.AddRuntime()
	if got := exposition(t, m); !strings.Contains(got, "\ngo_goroutines ") {
		t.Error("no metrics of the Go runtime")
	}
}

// Messages are counted by many connections at once.
func TestConcurrently(t *testing.T) {
	m := newTest()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				for _, e := range events() {
					m.Message(e)
				}
			}
		})
	}
	group.Wait()
	if got := exposition(t, m); !strings.Contains(got, "linkmilter_messages_edited_total 400\n") {
		t.Error("messages were lost")
	}
}

func BenchmarkMessage(b *testing.B) {
	m, list := newTest(), events()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Message(list[i%len(list)])
	}
}

// TestDNSListMetrics: each result of the questions to a block list is counted, and a pause shows.
func TestDNSListMetrics(t *testing.T) {
	m := newTest()
	text := exposition(t, m)
	for _, want := range []string{
		`linkmilter_dns_list_questions_total{list="dbl",result="listed"} 3`,
		`linkmilter_dns_list_questions_total{list="dbl",result="refused"} 1`,
		`linkmilter_dns_list_paused{list="dbl"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
