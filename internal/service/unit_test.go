package service

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// unitSettings returns the assignments of a unit file; a key may come often.
func unitSettings(tb testing.TB, name string) map[string][]string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(env.Root(tb), "systemd", name))
	if err != nil {
		tb.Fatal(err)
	}
	settings := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(key, "#") {
			settings[key] = append(settings[key], value)
		}
	}
	return settings
}

// TestUnitsFitTheProgram: the program keeps what the units promise systemd.
func TestUnitsFitTheProgram(t *testing.T) {
	settings := unitSettings(t, "linkmilter.service")
	want := map[string]string{
		"Type":                     "notify",
		"RestartPreventExitStatus": "2",
		"RestrictAddressFamilies":  "AF_UNIX AF_INET AF_INET6",
		"CacheDirectory":           "linkmilter", // where tlds.DefaultFile looks for it
		"StateDirectory":           "linkmilter", // for the quarantine of docs/content-filter.md
		"LimitCORE":                "0",          // SIGABRT of the watchdog would write one
	}
	for key, value := range want {
		if got := strings.Join(settings[key], ";"); got != value {
			t.Errorf("%s=%s, want %s", key, got, value)
		}
	}
	if got, err := time.ParseDuration(settings["TimeoutStopSec"][0]); err != nil || got <= finishTime {
		t.Errorf("TimeoutStopSec=%s leaves no time for open messages (%s): %v", got, finishTime, err)
	}
	if len(settings["WatchdogSec"]) != 1 {
		t.Error("no watchdog")
	}
}

// systemd understands the units.
func TestUnitsAreValid(t *testing.T) {
	analyze := env.Command(t, "systemd-analyze")
	folder := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, name := range []string{"linkmilter.service", "linkmilter.socket"} {
		unit, err := os.ReadFile(filepath.Join(env.Root(t), "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		// Programs must exist where the unit says.
		unit = bytes.ReplaceAll(unit, []byte("/usr/local/bin/linkmilter"), []byte(self))
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, unit, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	out, err := exec.Command(analyze, append([]string{"verify", "--man=no"}, paths...)...).CombinedOutput()
	if err != nil || strings.Contains(string(out), folder) {
		t.Errorf("%v\n%s", err, out)
	}
}

// systemd rates the exposure of the service, from 0 to 10, as 1.5 or better.
func TestUnitIsHardened(t *testing.T) {
	analyze := env.Command(t, "systemd-analyze")
	unit := filepath.Join(env.Root(t), "systemd", "linkmilter.service")
	out, err := exec.Command(analyze, "security", "--offline=yes", "--no-pager", unit).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	match := regexp.MustCompile(`exposure level[^0-9]*([0-9.]+)`).FindSubmatch(out)
	if match == nil {
		t.Fatalf("no exposure level in\n%s", out)
	}
	if level, err := strconv.ParseFloat(string(match[1]), 64); err != nil || level > 1.5 {
		t.Errorf("exposure %s\n%s", match[1], out)
	}
}
