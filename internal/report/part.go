package report

// A Part says what was found in a leaf part and done with it.
type Part struct {
	Number    string // as in [mime.Part]; parts of an attached message follow its number
	MediaType string
	Outcome   Outcome
	Reason    Reason // why not all of it was read; empty when Outcome is OutcomeComplete
	NotDone   Reason // why it was not edited; empty where it was
	Locked    Reason // why its text cannot be edited although it was read; may be empty
}

// Cut notes that something of the part was left out. The first reason stays.
func (p *Part) Cut(reason Reason) {
	if p.Outcome == OutcomeComplete {
		p.Outcome, p.Reason = OutcomePartial, reason
	}
}
