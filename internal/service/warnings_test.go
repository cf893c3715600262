package service

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/config"
)

// TestServeWarnsAsCheckConfigDoes: at a start and a reload, serve logs the warnings of
// check-config, and counts the rules in the same way.
func TestServeWarnsAsCheckConfigDoes(t *testing.T) {
	const document = "builtin_rules = true\n[dkim]\nexpire = \"24h\"\n[[rule]]\nname = \"all\"\n[[rule]]\nname = \"late\"\n"
	r := run(t, document)
	r.reload(t, document+"[log]\nurls = true\n")
	if err := r.stop(t); err != nil {
		t.Fatal(err)
	}
	review, err := config.Check(r.config)
	if err != nil || len(review.Warnings) < 3 {
		t.Fatal(err, review.Warnings)
	}
	all := r.logs.String()
	for _, w := range review.Warnings {
		if got := strings.Count(all, fmt.Sprintf("problem=%q", w.String())); got != 2 {
			t.Errorf("%s: logged %d times, want at the start and at the reload\n%s", w, got, all)
		}
	}
	if count := fmt.Sprintf(" rules=%d\n", len(review.File.RulesInForce())); strings.Count(all, count) != 2 {
		t.Errorf("%q is not at both\n%s", count, all)
	}
}

// TestGivenAddressNeedsNoWarning: keys for a listener have an effect if the command line gives its
// address, so there is no warning.
func TestGivenAddressNeedsNoWarning(t *testing.T) {
	r := run(t, "[milter]\nlisten = []\nmax_connections = 7\n[http]\nmax_connections = 7\n")
	if err := r.stop(t); err != nil {
		t.Fatal(err)
	}
	if all := r.logs.String(); strings.Contains(all, "milter.max_connections") || !strings.Contains(all, "http.max_connections: no effect") {
		t.Error(all)
	}
}
