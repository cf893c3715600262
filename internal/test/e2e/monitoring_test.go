//go:build linux

package e2e

import (
	"encoding/json"
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

// TestMonitoringNamesMetrics: alerts and dashboard ask for metrics and labels that exist.
func TestMonitoringNamesMetrics(t *testing.T) {
	known := map[string][]string{}
	row := regexp.MustCompile("^- `(linkmilter_\\w+)(?:\\{([\\w,]*)\\})?` \\(\\w+\\):")
	for _, line := range docs.Read(t, "docs/reference.md").Lines {
		if m := row.FindStringSubmatch(line.Text); m != nil {
			known[m[1]] = append(strings.Split(m[2], ","), "instance", "job", "le")
		}
	}
	if len(known) < 25 {
		t.Fatalf("%d metrics in the reference", len(known))
	}
	dashboard := read(t, "deploy/grafana/linkmilter.json")
	if !json.Valid([]byte(dashboard)) {
		t.Error("the dashboard is not JSON")
	}
	dashboard = strings.ReplaceAll(dashboard, `\"`, `"`)
	used := regexp.MustCompile(`(linkmilter_\w+?)(?:_bucket|_sum|_count)?(?:\{([^}]*)\}|\b)`)
	label := regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	named := map[string]bool{}
	for path, text := range map[string]string{"rules": read(t, "deploy/prometheus/linkmilter.rules.yaml"), "dashboard": dashboard} {
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
	if len(named) < 18 {
		t.Errorf("%d metrics are named", len(named))
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
