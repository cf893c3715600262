package filter

import "slices"

// rule returns the rule for a message. Each recipient falls under the first
// rule that matches the message and this recipient; where these are several
// rules, the result is what they agree on (see merge).
func (f *Filter) rule(w *work) Rule {
	s := newSubject(w)
	// What does not depend on the recipient is asked once for each rule.
	var candidates []int
	for i := range f.rules {
		r := &f.rules[i]
		if !r.when.matches(&s) {
			continue
		}
		candidates = append(candidates, i)
		if r.when.recipient == nil {
			break // no recipient gets past it
		}
	}
	if len(candidates) == 0 {
		return strangers
	}
	if r := &f.rules[candidates[0]]; r.when.recipient == nil {
		return r.Rule // all recipients fall under it
	}
	first := func(a *address) int {
		for _, i := range candidates {
			if f.rules[i].when.matchesRecipient(a) {
				return i
			}
		}
		return len(f.rules)
	}
	var hit []int
	recipients := s.recipients()
	for i := range recipients {
		if n := first(&recipients[i]); !slices.Contains(hit, n) {
			hit = append(hit, n)
		}
	}
	if len(hit) == 0 {
		hit = []int{first(nil)}
	}
	slices.Sort(hit)
	rules := make([]Rule, len(hit))
	for i, n := range hit {
		if n == len(f.rules) {
			rules[i] = strangers
		} else {
			rules[i] = f.rules[n].Rule
		}
	}
	return merge(rules)
}

// merge returns what is done with a message whose recipients fall under several
// rules, since all of them get the same message: the least intrusive edit, the
// strictest treatment of flagged links, the strictest action. It is trusted if
// all rules trust it. A rule on trial counts as one that does nothing, unless
// all are on trial. The name is that of all rules, joined by plus signs.
func merge(rules []Rule) Rule {
	if slices.ContainsFunc(rules, func(r Rule) bool { return !r.DryRun }) {
		rules = slices.Clone(rules)
		for i, r := range rules {
			if r.DryRun {
				rules[i] = Rule{Name: r.Name, Trusted: r.Trusted, IfNotEditable: NotEditableNone}
			}
		}
	}
	merged := rules[0]
	for _, r := range rules[1:] {
		merged.Name += "+" + r.Name
		merged.Trusted = merged.Trusted && r.Trusted
		merged.SignRelayed = merged.SignRelayed && r.SignRelayed
		merged.HTML = min(merged.HTML, r.HTML)
		merged.Plain = min(merged.Plain, r.Plain)
		merged.Signed = min(merged.Signed, r.Signed)
		merged.Flagged = stricterFlagged(merged.Flagged, r.Flagged)
		if r.IfNotEditable.action() > merged.IfNotEditable.action() {
			merged.IfNotEditable = r.IfNotEditable
		}
		merged.On = merged.On.stricter(r.On)
	}
	return merged
}

// stricterFlagged returns the one of two ways to show flagged links that keeps
// more readers from opening them.
func stricterFlagged(a, b Flagged) Flagged {
	strictness := [...]int{FlaggedLink: 0, FlaggedUnlink: 1, FlaggedDefang: 2}
	if strictness[b] > strictness[a] {
		return b
	}
	return a
}

// stricter returns the stricter action for each finding.
func (on On) stricter(other On) On {
	return On{
		Info: max(on.Info, other.Info), Low: max(on.Low, other.Low),
		Medium: max(on.Medium, other.Medium), High: max(on.High, other.High),
		Unreadable: max(on.Unreadable, other.Unreadable), Partial: max(on.Partial, other.Partial),
	}
}
