//go:build linux

package e2e

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// short are the tests that run without LINKMILTER_LONG=1: one message through each mail
// server, by milter and by SMTP, and what clients get from the HTTP API. Each of the others
// runs if -run names it.
var short = []string{"TestReadableLink", "TestActions", "TestExim", "TestPassageActions", "TestCurlRecipes", "TestPostfixSettingsOfManual"}

func TestMain(m *testing.M) {
	flag.Parse()
	if run := flag.Lookup("test.run"); !long.Is() && run.Value.String() == "" {
		fmt.Println("of the tests with mail servers only a few: `make test-long` runs all")
		if err := run.Value.Set("^(" + strings.Join(short, "|") + ")$"); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if err := RemoveBinary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}
