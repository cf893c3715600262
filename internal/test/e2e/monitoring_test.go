//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// TestAlertRules lets Prometheus check the alerts, and run their tests.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	prometheus := unpackPackages(t, "prometheus")
	folder := filepath.Join(env.Root(t), "deploy", "prometheus")
	for _, args := range [][]string{
		{"check", "rules", "linkmilter.rules.yaml"},
		{"test", "rules", "linkmilter.rules.test.yaml"},
	} {
		cmd := exec.Command(prometheus.path("usr/bin/promtool"), args...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	rules, tests := read(t, "deploy/prometheus/linkmilter.rules.yaml"), read(t, "deploy/prometheus/linkmilter.rules.test.yaml")
	page := docs.Read(t, "docs/operation.md")
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(rules, -1)
	if len(alerts) < 10 {
		t.Errorf("%d alerts", len(alerts))
	}
	for _, alert := range alerts {
		if !strings.Contains(tests, "alertname: "+alert[1]+"\n") {
			t.Errorf("%s has no test", alert[1])
		}
		if !slices.ContainsFunc(page.Lines, func(line docs.Line) bool { return strings.HasPrefix(line.Text, "| `"+alert[1]+"` |") }) {
			t.Errorf("%s does not describe %s", page.Path, alert[1])
		}
	}
}

// TestMonitoringNamesMetrics: alerts and dashboards ask for metrics, recorded series and
// labels that exist.
func TestMonitoringNamesMetrics(t *testing.T) {
	known := map[string][]string{"up": {"instance", "job"}}
	row := regexp.MustCompile("^- `(linkmilter_\\w+)(?:\\{([\\w,]*)\\})?` \\(\\w+\\):")
	for _, line := range docs.Read(t, "docs/reference.md").Lines {
		if m := row.FindStringSubmatch(line.Text); m != nil {
			known[m[1]] = append(strings.Split(m[2], ","), "instance", "job", "le")
		}
	}
	if len(known) < 25 {
		t.Fatalf("%d metrics in the reference", len(known))
	}
	rules := read(t, "deploy/prometheus/linkmilter.rules.yaml")
	record := regexp.MustCompile(`- record: (node:[\w:]+)\n(?:\s+labels: \{(\w+): \w+\}\n)?\s+expr: >-\n.*?sum by \(([\w, ]+)\)`)
	records := record.FindAllStringSubmatch(rules, -1)
	if len(records) < 10 || len(records) != strings.Count(rules, "- record: ") {
		t.Fatalf("%d recorded series", len(records))
	}
	for _, m := range records {
		known[m[1]] = append(strings.Split(m[3], ", "), m[2])
	}
	used := regexp.MustCompile(`(node:linkmilter_[\w:]+|linkmilter_\w+?|\bup)(?:_bucket|_sum|_count)?(?:\{([^}]*)\}|\b)`)
	label := regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	named := map[string]bool{}
	texts := map[string]string{"rules": rules}
	for _, d := range dashboards(t) {
		texts[d.Title] = strings.Join(d.queries(), "\n")
	}
	for path, text := range texts {
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			labels, found := known[m[1]]
			if !found {
				t.Errorf("%s: no metric %s", path, m[1])
				continue
			}
			named[m[1]] = true
			for _, l := range label.FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(labels, l[1]) {
					t.Errorf("%s: %s has no label %s", path, m[1], l[1])
				}
			}
		}
	}
	if len(named) < 28 {
		t.Errorf("%d metrics are named", len(named))
	}
}

// dashboard is what the tests need of one of Grafana.
type dashboard struct {
	Title      string
	Templating struct {
		List []struct{ Name, Query string }
	}
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
}

func dashboards(t *testing.T) []dashboard {
	t.Helper()
	var all []dashboard
	for _, name := range []string{"linkmilter", "linkmilter-nodes"} {
		var d dashboard
		if err := json.Unmarshal([]byte(read(t, "deploy/grafana/"+name+".json")), &d); err != nil {
			t.Fatal(err)
		}
		if d.Title == "" || len(d.Panels) < 12 {
			t.Fatalf("%s: %d panels", name, len(d.Panels))
		}
		all = append(all, d)
	}
	return all
}

// queries returns the queries of all panels, with values in place of the variables.
func (d *dashboard) queries() []string {
	replace := []string{"$__rate_interval", "5m"}
	for _, variable := range d.Templating.List {
		replace = append(replace, "$"+variable.Name, "x")
	}
	var all []string
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			all = append(all, strings.NewReplacer(replace...).Replace(target.Expr))
		}
	}
	return all
}

// TestDashboardQueries lets Prometheus run the queries of the dashboards.
func TestDashboardQueries(t *testing.T) {
	t.Parallel()
	prometheus := unpackPackages(t, "prometheus")
	check := func(queries []string) error {
		file := filepath.Join(tempDir(t), "queries.yaml")
		text := "tests:\n  - interval: 1m\n    input_series: []\n    promql_expr_test:\n"
		for _, query := range queries {
			text += fmt.Sprintf("      - expr: %q\n        eval_time: 1m\n        exp_samples: []\n", query)
		}
		writeFile(t, file, text, 0o644)
		out, err := exec.Command(prometheus.path("usr/bin/promtool"), "test", "rules", file).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	for _, d := range dashboards(t) {
		queries := d.queries()
		if len(queries) < 12 || strings.Contains(strings.Join(queries, ""), "$") {
			t.Errorf("%s: queries %q", d.Title, queries)
		}
		if err := check(queries); err != nil {
			t.Errorf("%s: %v", d.Title, err)
		}
	}
	if check([]string{"sum by (node (up)"}) == nil {
		t.Error("promtool takes anything")
	}
}

// TestAppArmorProfile lets AppArmor's parser read the profile; the kernel does not get it.
func TestAppArmorProfile(t *testing.T) {
	t.Parallel()
	apparmor := unpackPackages(t, "apparmor")
	parser := func(file string) ([]byte, error) {
		cmd := exec.Command(apparmor.path("sbin/apparmor_parser"), "--skip-kernel-load", "--skip-cache", "--base", apparmor.path("etc/apparmor.d"), file)
		cmd.Env = []string{"LD_LIBRARY_PATH=" + apparmor.libraryPath()}
		return cmd.CombinedOutput()
	}
	profile := filepath.Join(env.Root(t), "deploy", "apparmor", "linkmilter")
	if out, err := parser(profile); err != nil {
		t.Errorf("apparmor_parser: %v\n%s", err, out)
	}
	broken := filepath.Join(tempDir(t), "broken")
	writeFile(t, broken, strings.Replace(read(t, "deploy/apparmor/linkmilter"), "stream,", "river,", 1), 0o644)
	if out, err := parser(broken); err == nil {
		t.Errorf("apparmor_parser takes anything:\n%s", out)
	}
}

// read returns a file of the project.
func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(env.Root(t), filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
