package filter

import (
	"cmp"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// converted returns an edit with 7-bit forms of the other texts that readers see, since a
// server that converts them would break the signature. If that fails, the message is not
// edited at all. A message that needs no edit gets one, unless a guard, its sender or the
// operator wants it left alone.
func (p *planner) converted(r *reading, e edit) edit {
	switch {
	case e.planned():
		p.convert(r, &e)
	case p.mayConvert(r, &e):
		if only := e; p.convert(r, &only) {
			return only
		}
	}
	return e
}

// mayConvert reports whether the texts of a message may be encoded again that needs no
// other edit.
func (p *planner) mayConvert(r *reading, e *edit) bool {
	return p.signsAll && !e.optedOut && !p.flagged && p.rule.Edit != rule.EditNever &&
		failure(cmp.Or(e.reason, notEdited(e.notDone))) == "" && len(messageGuards(r, p.rule, true)) == 0
}

// convert adds 7-bit forms of texts to an edit. If one of them fails, it drops the edit and
// returns false.
func (p *planner) convert(r *reading, e *edit) bool {
	edited := make(map[string]bool)
	for i, part := range r.parts {
		edited[part.Number] = edited[part.Number] || e.notDone[i] == ""
	}
	e.plan.SevenBit = true
	for leaf := range r.message.Leaves() {
		if edited[leaf.Number] || leaf.MediaType != "text/plain" && leaf.MediaType != "text/html" || !isBody(r.message, leaf) {
			continue
		}
		if err := r.message.RewriteText(&e.plan, leaf, nil); err != nil {
			*e = e.dropped(reasonOf(err))
			return false
		}
	}
	return true
}
