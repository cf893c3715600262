package header

import (
	"slices"

	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// Fields are the fields of a message that concern this filter.
type Fields struct {
	message    *mime.Message
	signatures *mailauth.Signatures // that the message came with
	id         string               // of this filter
	trusted    bool                 // the message comes from the operator's users or machines
	own        []int                // fields that claim an id of the operator
	optOut     []int                // fields that ask to leave the message alone
	optOutName string
	optedOut   bool
}

// NewFields finds the fields of a message with these signatures. ids are those of the
// operator in lower case, that of this filter first. Only trusted messages, which come
// from the operator's users or machines, may opt out by the field called optOut.
func NewFields(m *mime.Message, signatures *mailauth.Signatures, ids []string, trusted bool, optOut string) *Fields {
	f := &Fields{message: m, signatures: signatures, id: ids[0], trusted: trusted, own: own(m, ids, trusted), optOutName: optOut}
	if trusted {
		f.optOut, f.optedOut = optOutFields(m, optOut)
	}
	return f
}

// OptedOut reports whether a trusted sender asks to leave the message alone.
func (f *Fields) OptedOut() bool { return f.optedOut }

// Edits are the planned edits of a header beside those that the body needs.
type Edits struct {
	List []mime.HeaderEdit
	// Forged is the number of fields on untrusted mail that claim the id of this
	// filter. They are removed, unless Kept says how many stay.
	Forged, Kept int
	Covered      bool // a signature covers the fields, so that some or all edits were left out
	Breaks       bool // the edits break a signature that covers the fields
}

// Plan plans the edits: it removes fields that claim one of our ids and the opt-out
// of trusted senders, and adds the tags. Together with those of body they are at
// most MaxEdits. listing returns what the tags list, nil where the action asks for no
// tags; kept is the number of fields with our id that stay.
//
// In trusted mail whose body is not edited, Plan leaves the fields that a signature
// covers. In other mail it removes and writes ours all the same: the sender has no
// reason to sign them.
func (f *Fields) Plan(body mime.Plan, listing func(kept int) *Listing) Edits {
	tags := func(kept int) []mime.HeaderEdit { return listing(kept).tags(f.id, kept) }
	var e Edits
	planned, kept := len(body.Header), body.Empty()
	switch {
	case len(f.optOut) > 0 && kept && f.covers(f.optOutName):
		e.Covered = true
	case planned+len(f.optOut) <= MaxOther:
		e.List = deletions(f.optOut)
	}
	own, written := f.own, tags(0)
	if f.trusted && len(written) == 0 {
		return e
	}
	if !f.trusted {
		e.Forged = len(own)
	}
	if kept && f.trusted && (f.covers(FieldSummary) || f.covers(fieldFinding)) {
		e.Covered = true
		return e
	}
	if planned+len(e.List)+len(own)+len(written) > MaxEdits {
		if e.Kept = f.written(tags); e.Kept > 0 {
			e.Forged = e.Kept
			return e
		}
		e.Kept = len(own)
		own, written = nil, tags(len(own))
	}
	if areTags(f.message, own, written) {
		return e
	}
	if kept {
		e.Breaks = f.place(written, own)
	}
	e.List = slices.Concat(e.List, deletions(own), written)
	return e
}

// covers reports whether a signature covers the field called name, or forbids to
// add one.
func (f *Fields) covers(name string) bool { return f.signatures.Covered(name) > 0 }

// place puts tags where they break no signature that covers fields of their names,
// if there is such a place. It reports whether the tags, or the removal of fields,
// break one.
//
// A signature takes the fields of a name from the bottom (RFC 6376 §5.4.2). So a
// signature that names as many as remain, such as those of other hosts, bears
// another one on top.
func (f *Fields) place(tags []mime.HeaderEdit, removed []int) (broken bool) {
	onTop := false
	for _, name := range []string{FieldSummary, fieldFinding} {
		signed := f.signatures.Covered(name)
		onTop = onTop || signed > 0
		written := slices.ContainsFunc(tags, func(e mime.HeaderEdit) bool { return e.Name == name })
		broken = broken || signed > 0 && breaks(f.message.Root.Fields, name, signed, removed, written)
	}
	for i := range tags {
		if onTop {
			tags[i].Op = mime.OpInsert
		}
	}
	return broken
}

// written returns how many fields with our id precede the tags that this filter
// would write about them, 0 where the last fields are not those tags. It decides
// whether a message with too many such fields was filtered before.
func (f *Fields) written(tags func(forged int) []mime.HeaderEdit) int {
	for last := 1; last <= min(1+maxFindings, len(f.own)-1); last++ {
		forged := len(f.own) - last
		if written := tags(forged); len(written) > 0 && areTags(f.message, f.own[forged:], written) {
			return forged
		}
	}
	return 0
}

// deletions returns the edits that remove fields.
func deletions(fields []int) []mime.HeaderEdit {
	edits := make([]mime.HeaderEdit, len(fields))
	for i, field := range fields {
		edits[i] = mime.HeaderEdit{Op: mime.OpDelete, Field: field}
	}
	return edits
}
