package header

import (
	"slices"

	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// Fields are the fields of a message that concern this filter.
type Fields struct {
	Message    *mime.Message
	Signatures *mailauth.Signatures // that the message came with
	Trusted    bool                 // the message comes from the operator's users or machines
	Own        []int                // fields that claim the id of this filter
	OptOut     []int                // fields that ask to leave the message alone
	OptOutName string
}

// Edits are the planned edits of a header beside those that the body needs.
type Edits struct {
	List   []mime.HeaderEdit
	Tagged bool // the header lists the findings
	// Forged is the number of fields on untrusted mail that claim the id of this
	// filter. They are removed, unless Kept says how many stay.
	Forged, Kept int
	Covered      bool // a signature covers the fields, so that some or all edits were left out
	Breaks       bool // the edits break a signature that covers the fields
}

// Plan plans the edits: it removes fields that claim one of our ids and the opt-out
// of trusted senders, and adds the tags. Together with those of body they are at
// most MaxEdits. tags returns the tags, none where the action asks for none; forged
// is the number of fields with our id that stay.
//
// In trusted mail whose body is not edited, Plan leaves the fields that a signature
// covers. In other mail it removes and writes ours all the same: the sender has no
// reason to sign them.
func (f *Fields) Plan(body mime.Plan, tags func(forged int) []mime.HeaderEdit) Edits {
	var e Edits
	planned, kept := len(body.Header), body.Empty()
	switch {
	case len(f.OptOut) > 0 && kept && f.covers(f.OptOutName):
		e.Covered = true
	case planned+len(f.OptOut) <= MaxOther:
		e.List = deletions(f.OptOut)
	}
	own, written := f.Own, tags(0)
	if f.Trusted && len(written) == 0 {
		return e
	}
	if !f.Trusted {
		e.Forged = len(own)
	}
	if kept && f.Trusted && (f.covers(FieldSummary) || f.covers(FieldFinding)) {
		e.Covered = true
		return e
	}
	if planned+len(e.List)+len(own)+len(written) > MaxEdits {
		if e.Kept = f.written(tags); e.Kept > 0 {
			e.Forged, e.Tagged = e.Kept, true
			return e
		}
		e.Kept = len(own)
		own, written = nil, tags(len(own))
	}
	e.Tagged = len(written) > 0
	if areTags(f.Message, own, written) {
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
func (f *Fields) covers(name string) bool { return f.Signatures.Covered(name) > 0 }

// place puts tags where they break no signature that covers fields of their names,
// if there is such a place. It reports whether the tags, or the removal of fields,
// break one.
//
// A signature takes the fields of a name from the bottom (RFC 6376 §5.4.2). So a
// signature that names as many as remain, such as those of other hosts, bears
// another one on top.
func (f *Fields) place(tags []mime.HeaderEdit, removed []int) (broken bool) {
	onTop := false
	for _, name := range []string{FieldSummary, FieldFinding} {
		signed := f.Signatures.Covered(name)
		onTop = onTop || signed > 0
		written := slices.ContainsFunc(tags, func(e mime.HeaderEdit) bool { return e.Name == name })
		broken = broken || signed > 0 && breaks(f.Message.Root.Fields, name, signed, removed, written)
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
	for last := 1; last <= min(1+maxFindings, len(f.Own)-1); last++ {
		forged := len(f.Own) - last
		if written := tags(forged); len(written) > 0 && areTags(f.Message, f.Own[forged:], written) {
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
