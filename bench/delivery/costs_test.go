//go:build linux

package main

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/e2e"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestEditsCostNothing measures a part of the messages: each form, in some language. With
// LINKMILTER_SUITE=sid, the filters of that suite of Debian score them.
func TestEditsCostNothing(t *testing.T) {
	on := installed
	if command := e2e.SuiteFilters(t); command != nil {
		on = host{command, "/usr/share/publicsuffix/effective_tld_names.dat"}
	} else {
		env.Command(t, "spamassassin")
		env.Command(t, "rspamd")
	}
	edit, err := editing(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ every, edited, alternatives int }{
		"text": {13, 12, 9}, "html": {13, 18, 0}, "combined": {25, 11, 3}, "own": {17, 18, 7},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := measure(t.Context(), on, sets[name](), edit, test.every)
			if err != nil {
				t.Fatal(err)
			}
			var tables strings.Builder
			r.print(&tables, true)
			t.Log(tables.String())
			if costly := r.costly(); len(costly) > 0 {
				t.Errorf("the edit of %s costs something", strings.Join(costly, ", "))
			}
			if r.edited < test.edited || r.alternatives < test.alternatives {
				t.Errorf("%d of %d messages edited, %d with an alternative", r.edited, r.messages, r.alternatives)
			}
		})
	}
}
