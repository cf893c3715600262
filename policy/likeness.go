package policy

// A likeness is the worst finding about the names in a host. Of those that are as bad, the first
// counts. Names in that of a popular site do not.
type likeness struct {
	host  linkHost
	worst Finding
}

// note takes a finding if it is worse than those before.
func (like *likeness) note(f Finding) {
	if f.Severity > like.worst.Severity && !isNameOfKnownSite(f.Label, like.host) {
		like.worst = f
	}
}
