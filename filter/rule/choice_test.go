package rule

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChoices: the names are those of configurations, in the order of the values.
func TestChoices(t *testing.T) {
	for _, test := range []struct {
		got  []string
		want string
	}{
		{HTML(0).Choices(), "never needed always"},
		{Plain(0).Choices(), "keep readable"},
		{Flagged(0).Choices(), "unlink link defang"},
		{Signed(0).Choices(), "keep edit"},
		{NotEditable(0).Choices(), "tag none quarantine reject"},
		{Action(0).Choices(), "none tag quarantine tempfail discard reject"},
	} {
		if diff := cmp.Diff(strings.Fields(test.want), test.got); diff != "" {
			t.Error(diff)
		}
	}
	if got := ActionQuarantine.String() + " " + HTMLAlways.String() + " " + FlaggedDefang.String(); got != "quarantine always defang" {
		t.Error(got)
	}
}
