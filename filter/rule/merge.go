package rule

import (
	"cmp"
	"slices"
)

// merge returns the rule for a message whose recipients fall under several rules, since all of them get
// the same message. It has the least intrusive edit, the strictest treatment of flagged links and the
// strictest action. It has all protected domains and blocked hosts, but only the hosts that every rule
// allows. It is trusted if all rules are. A dry-run rule counts as doing nothing, unless all are
// dry-run. The name joins all names by plus signs.
func merge(rules []Rule) Rule {
	if slices.ContainsFunc(rules, func(r Rule) bool { return !r.DryRun }) {
		rules = slices.Clone(rules)
		for i, r := range rules {
			if r.DryRun {
				rules[i] = Rule{Name: r.Name, Trusted: r.Trusted}
			}
		}
	}
	merged := rules[0]
	for _, r := range rules[1:] {
		merged.Name += "+" + r.Name
		merged.Trusted = merged.Trusted && r.Trusted
		merged.SignRelayed = merged.SignRelayed && r.SignRelayed
		merged.Edit = max(merged.Edit, r.Edit)
		merged.ReadableHTML = merged.ReadableHTML && r.ReadableHTML
		merged.HTML = min(merged.HTML, r.HTML)
		merged.Plain = min(merged.Plain, r.Plain)
		merged.NeutralOnly = merged.NeutralOnly || r.NeutralOnly
		merged.EditSigned = merged.EditSigned && r.EditSigned
		merged.RemoveUnseen = merged.RemoveUnseen && r.RemoveUnseen
		merged.KeepLists = merged.KeepLists || r.KeepLists
		merged.Flagged = merged.Flagged.stricter(r.Flagged)
		merged.FlaggedSender = merged.FlaggedSender || r.FlaggedSender
		merged.Protected = union(merged.Protected, r.Protected)
		merged.Block = union(merged.Block, r.Block)
		merged.Allow = common(merged.Allow, r.Allow)
		merged.IfNotEditable = max(merged.IfNotEditable, r.IfNotEditable)
		merged.On = merged.On.stricter(r.On)
		merged.SubjectTag = cmp.Or(merged.SubjectTag, r.SubjectTag)
	}
	return merged
}

// union returns the lines that are in one of the lists.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, line := range b {
		if !slices.Contains(a, line) {
			all = append(all, line)
		}
	}
	return all
}

// common returns the lines that are in both lists.
func common(a, b []string) []string {
	var both []string
	for _, line := range a {
		if slices.Contains(b, line) {
			both = append(both, line)
		}
	}
	return both
}
