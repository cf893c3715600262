package filter_test

import (
	"context"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/mime"
)

var update = flag.Bool("update", false, "write the goldens again")

// sample is a message of testdata/messages; its name says what it shows.
type sample struct {
	name string
	raw  []byte
}

// madeForEditing reports whether the name of the sample says that the filter edits it.
func (s sample) madeForEditing() bool { return strings.HasPrefix(s.name, "edit-") }

// samples reads all sample messages.
func samples(tb testing.TB) []sample {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(env.Root(tb), "testdata", "messages", "*.eml"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no sample messages: %v", err)
	}
	var all []sample
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, sample{strings.TrimSuffix(filepath.Base(path), ".eml"), raw})
	}
	return all
}

// readSample reads one sample message.
func readSample(tb testing.TB, name string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join(env.Root(tb), "testdata", "messages", name+".eml"))
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// localUser returns the envelope of a message whose rule asks for edits.
func localUser() envelope.Envelope {
	return envelope.Envelope{Sender: "anna@example.com", Client: netip.MustParseAddr("127.0.0.1"), Authenticated: true}
}

// newFilter returns a filter that also finds suspects. Without rules in the options, it has the
// built-in ones, changed so that they only add alternatives, whatever spam filters score.
func newFilter(tb testing.TB, options filter.Options) *filter.Filter {
	tb.Helper()
	if len(options.Rules) == 0 {
		options.Rules = rule.Builtin()
		for i := range options.Rules {
			options.Rules[i].NeutralOnly, options.Rules[i].Plain, options.Rules[i].ReadableHTML = false, rule.PlainKeep, false
		}
	}
	options.Engine.Suspects = true
	f, err := filter.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// tagged reports whether header fields list the findings.
func tagged(r report.Report) bool { return r.Action >= rule.ActionTag && r.HeaderNotDone == "" }

// optedOut reports whether a trusted sender asked to leave the message alone.
func optedOut(r report.Report) bool { return r.NotDone == "opted-out" }

// always is a rule that asks for an alternative of every text.
func always() []rule.Rule { return []rule.Rule{{Name: "always", HTML: rule.HTMLAlways}} }

// countKinds counts links and suspects of a part.
func countKinds(r report.Report, part string) (links, suspects int) {
	for _, l := range r.Links {
		switch {
		case l.Part != part:
		case l.Link.Kind == engine.KindSuspect:
			suspects++
		default:
			links++
		}
	}
	return links, suspects
}

// alternativeOf returns the HTML of an edited message.
func alternativeOf(tb testing.TB, edited []byte) string {
	tb.Helper()
	m := mime.Parse(context.Background(), edited, mime.Limits{})
	for leaf := range m.Leaves() {
		if leaf.MediaType == "text/html" {
			html, err := m.Text(leaf)
			if err != nil {
				tb.Fatal(err)
			}
			return html
		}
	}
	tb.Fatal("no HTML alternative")
	return ""
}

// needTables skips a test of links with a host beyond ASCII if Go's tables have an older Unicode
// version: the filter does not edit such links then.
func needTables(t *testing.T) {
	t.Helper()
	if !engine.TablesAgree() {
		t.Skip("SKIPPED: Go's tables are of another Unicode version; set GOTOOLCHAIN=auto")
	}
}
