package manual

import (
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/metrics"
)

// description is what the text of a prometheus.Desc says.
var description = regexp.MustCompile(`^Desc\{fqName: "([^"]+)", help: "(.*?)"(?:, unit: "[^"]*")?, constLabels: \{([^}]*)\}, variableLabels: \{([^}]*)\}\}$`)

func writeMetrics(tb testing.TB, b *strings.Builder) {
	tb.Helper()
	stats := func() mailserver.Stats { return mailserver.Stats{} }
	m := metrics.New(metrics.Options{
		Servers:     map[string]func() mailserver.Stats{"milter": stats, "smtp": stats},
		NextHop:     func() uint64 { return 0 },
		HistoryLost: func() uint64 { return 0 },
		Lists:       func() []lists.State { return []lists.State{{Checked: time.Now()}} },
		DNSLists:    func() []dnslist.State { return []dnslist.State{{}} },
		TLDs:        func() (time.Time, int) { return time.Now(), 1 },
	})
	kinds := kindsOf(m)
	rows := make(map[string][]string)
	for _, text := range describe(m) {
		match := description.FindStringSubmatch(text)
		if match == nil {
			tb.Fatalf("a description that cannot be read: %s", text)
		}
		name, labels := match[1], labelsOf(match[3], match[4])
		kind := kinds[name]
		if kind == "" {
			if !strings.HasSuffix(name, "_total") {
				tb.Errorf("%s: no kind", name)
			}
			kind = "counter" // that begins with the first event
		}
		rows[name] = []string{name + labels, kind, match[2]}
	}
	if len(rows) < 30 {
		tb.Errorf("only %d metrics", len(rows))
	}
	b.WriteString(`
## Metrics

At /metrics of the admin listener. The values of labels are codes, such as those of
findings, and names in the configuration, such as those of rules, so the number of series is bounded. The
Go runtime and the process have the usual metrics go_ and process_ beside these.

`)
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		item(b, rows[name][0], rows[name][1], rows[name][2])
	}
}

func describe(m *metrics.Metrics) []string {
	to := make(chan *prometheus.Desc)
	go func() {
		m.Describe(to)
		close(to)
	}()
	var texts []string
	for d := range to {
		texts = append(texts, d.String())
	}
	return texts
}

// kindsOf returns the kinds of the metrics that have a value at the start.
func kindsOf(m *metrics.Metrics) map[string]string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	kinds := make(map[string]string)
	for line := range strings.Lines(w.Body.String()) {
		if fields := strings.Fields(line); len(fields) == 4 && fields[1] == "TYPE" {
			kinds[fields[2]] = fields[3]
		}
	}
	return kinds
}

// labelsOf joins the names of labels as in {server,reason}.
func labelsOf(constant, variable string) string {
	var names []string
	for _, label := range strings.Split(constant, ",") {
		if name, _, found := strings.Cut(label, "="); found {
			names = append(names, name)
		}
	}
	if variable != "" {
		names = append(names, strings.Split(variable, ",")...)
	}
	if len(names) == 0 {
		return ""
	}
	return "{" + strings.Join(names, ",") + "}"
}
