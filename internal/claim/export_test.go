package claim

// Rules returns the names of the rules.
func Rules() []string {
	var names []string
	for _, rules := range [...][]rule{senderRules[:], textRules[:]} {
		for i := range rules {
			names = append(names, rules[i].name)
		}
	}
	return names
}

// Without switches off the rules with an index of Rules. Call the returned function to switch them
// on again.
func Without(index int) (restore func()) {
	rules := senderRules[:]
	if index >= len(rules) {
		index, rules = index-len(rules), textRules[:]
	}
	when := rules[index].when
	rules[index].when = func(*facts) bool { return false }
	return func() { rules[index].when = when }
}
