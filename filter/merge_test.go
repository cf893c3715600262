package filter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
)

// TestMerge: the least intrusive edit and the strictest action win.
func TestMerge(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules []filter.Rule
		want  filter.Rule
	}{
		{"one rule", []filter.Rule{{Name: "a", HTML: filter.HTMLAlways, DryRun: true}}, filter.Rule{Name: "a", HTML: filter.HTMLAlways, DryRun: true}},
		{
			"edits",
			[]filter.Rule{
				{Name: "a", HTML: filter.HTMLAlways, Plain: filter.PlainReadable, Signed: filter.SignedKeep},
				{Name: "b", HTML: filter.HTMLNeeded, Plain: filter.PlainKeep, Signed: filter.SignedEdit},
			},
			filter.Rule{Name: "a+b", HTML: filter.HTMLNeeded},
		},
		{
			"flagged links",
			[]filter.Rule{{Name: "a", Flagged: filter.FlaggedLink}, {Name: "b", Flagged: filter.FlaggedUnlink}},
			filter.Rule{Name: "a+b", Flagged: filter.FlaggedUnlink},
		},
		{
			"flagged links, three rules",
			[]filter.Rule{{Name: "a", Flagged: filter.FlaggedLink}, {Name: "b", Flagged: filter.FlaggedDefang}, {Name: "c"}},
			filter.Rule{Name: "a+b+c", Flagged: filter.FlaggedDefang},
		},
		{
			"actions",
			[]filter.Rule{
				{Name: "a", On: filter.On{Info: filter.ActionTag, High: filter.ActionDiscard, Partial: filter.ActionTempFail}},
				{Name: "b", On: filter.On{Medium: filter.ActionQuarantine, High: filter.ActionReject, Unreadable: filter.ActionTag}},
			},
			filter.Rule{Name: "a+b", On: filter.On{
				Info: filter.ActionTag, Medium: filter.ActionQuarantine, High: filter.ActionReject,
				Unreadable: filter.ActionTag, Partial: filter.ActionTempFail,
			}},
		},
		{
			"not editable",
			[]filter.Rule{{Name: "a", IfNotEditable: filter.NotEditableNone}, {Name: "b", IfNotEditable: filter.NotEditableTag}},
			filter.Rule{Name: "a+b", IfNotEditable: filter.NotEditableTag},
		},
		{
			"not editable, the other way",
			[]filter.Rule{{Name: "a", IfNotEditable: filter.NotEditableReject}, {Name: "b", IfNotEditable: filter.NotEditableQuarantine}},
			filter.Rule{Name: "a+b", IfNotEditable: filter.NotEditableReject},
		},
		{
			"trust",
			[]filter.Rule{{Name: "a", Trusted: true}, {Name: "b"}},
			filter.Rule{Name: "a+b"},
		},
		{
			"a rule on trial does nothing",
			[]filter.Rule{
				{Name: "a", DryRun: true, HTML: filter.HTMLAlways, Flagged: filter.FlaggedDefang, On: filter.On{Low: filter.ActionReject}},
				{Name: "b", HTML: filter.HTMLNeeded, IfNotEditable: filter.NotEditableNone, On: filter.On{Low: filter.ActionTag}},
			},
			filter.Rule{Name: "a+b", IfNotEditable: filter.NotEditableNone, On: filter.On{Low: filter.ActionTag}},
		},
		{
			"all on trial",
			[]filter.Rule{{Name: "a", DryRun: true, On: filter.On{Low: filter.ActionReject}}, {Name: "b", DryRun: true}},
			filter.Rule{Name: "a+b", DryRun: true, On: filter.On{Low: filter.ActionReject}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := make([]filter.Rule, len(test.rules))
			copy(before, test.rules)
			if diff := cmp.Diff(test.want, filter.Merge(test.rules)); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, test.rules); diff != "" {
				t.Errorf("merging changed the rules:\n%s", diff)
			}
		})
	}
}
