package rule

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMerge: of several rules, the smallest edit and the strictest action win.
func TestMerge(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules []Rule
		want  Rule
	}{
		{"one rule", []Rule{{Name: "a", HTML: HTMLAlways, DryRun: true}}, Rule{Name: "a", HTML: HTMLAlways, DryRun: true}},
		{
			"edits",
			[]Rule{
				{Name: "a", HTML: HTMLAlways, Plain: PlainReadable},
				{Name: "b", HTML: HTMLNeeded, EditSigned: true},
			},
			Rule{Name: "a+b", HTML: HTMLNeeded},
		},
		{
			"flagged links",
			[]Rule{{Name: "a", Flagged: FlaggedLink}, {Name: "b", Flagged: FlaggedUnlink}},
			Rule{Name: "a+b", Flagged: FlaggedUnlink},
		},
		{
			"flagged links, three rules",
			[]Rule{{Name: "a", Flagged: FlaggedLink}, {Name: "b", Flagged: FlaggedDefang}, {Name: "c"}},
			Rule{Name: "a+b+c", Flagged: FlaggedDefang},
		},
		{
			"actions",
			[]Rule{
				{Name: "a", On: On{Info: ActionTag, High: ActionDiscard, Partial: ActionTempFail}},
				{Name: "b", On: On{Medium: ActionQuarantine, High: ActionReject, Unreadable: ActionTag}},
			},
			Rule{Name: "a+b", On: On{
				Info: ActionTag, Medium: ActionQuarantine, High: ActionReject,
				Unreadable: ActionTag, Partial: ActionTempFail,
			}},
		},
		{
			"not editable",
			[]Rule{{Name: "a"}, {Name: "b", IfNotEditable: ActionTag}},
			Rule{Name: "a+b", IfNotEditable: ActionTag},
		},
		{
			"not editable, the other way",
			[]Rule{{Name: "a", IfNotEditable: ActionReject}, {Name: "b", IfNotEditable: ActionQuarantine}},
			Rule{Name: "a+b", IfNotEditable: ActionReject},
		},
		{
			"trust",
			[]Rule{{Name: "a", Trusted: true}, {Name: "b"}},
			Rule{Name: "a+b"},
		},
		{
			"lists",
			[]Rule{
				{Name: "a", Protected: []string{"a.example"}, Block: []string{"x.example"}, Allow: []string{"l.example", "m.example"}},
				{Name: "b", Protected: []string{"b.example"}, Block: []string{"x.example", "y.example"}, Allow: []string{"m.example"}},
			},
			Rule{
				Name: "a+b", Protected: []string{"a.example", "b.example"},
				Block: []string{"x.example", "y.example"}, Allow: []string{"m.example"},
			},
		},
		{
			"a rule on trial does nothing",
			[]Rule{
				{Name: "a", DryRun: true, HTML: HTMLAlways, Flagged: FlaggedDefang, On: On{Low: ActionReject}},
				{Name: "b", HTML: HTMLNeeded, On: On{Low: ActionTag}},
			},
			Rule{Name: "a+b", On: On{Low: ActionTag}},
		},
		{
			"all on trial",
			[]Rule{{Name: "a", DryRun: true, On: On{Low: ActionReject}}, {Name: "b", DryRun: true}},
			Rule{Name: "a+b", DryRun: true, On: On{Low: ActionReject}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := make([]Rule, len(test.rules))
			copy(before, test.rules)
			if diff := cmp.Diff(test.want, merge(test.rules)); diff != "" {
				t.Errorf("merged (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, test.rules); diff != "" {
				t.Errorf("merging changed the rules:\n%s", diff)
			}
		})
	}
}
