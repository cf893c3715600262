package filter

import (
	"fmt"
	"slices"

	"github.com/linkmilter/linkmilter/mime"
)

// headerEdits returns what is to be done to the header beside the plan: fields
// with one of our ids that others wrote are removed, and so is the opt-out of
// one's own users, and tags are written where the action says so. Together with
// those of the plan they are at most [MaxHeaderEdits]. In trusted mail whose content is not edited, no field is touched
// that a signature covers. In mail of strangers ours are removed and written all
// the same: nobody else has a reason to sign them.
func (w *work) headerEdits(plan mime.Plan) []mime.HeaderEdit {
	var edits []mime.HeaderEdit
	w.report.HeaderNotDone, w.report.HeaderNote = "", ""
	planned, kept := len(plan.Header), plan.Empty()
	switch {
	case len(w.optOut) > 0 && kept && w.covered(w.filter.optOut):
		w.report.HeaderNotDone = ReasonFieldSigned
	case planned+len(w.optOut) <= maxOtherEdits:
		edits = deletions(w.optOut)
	}
	own, trusted := w.ownFields(), w.trusted()
	if trusted && w.report.Action < ActionTag {
		return edits
	}
	if !trusted {
		w.report.Forged = len(own)
	}
	if kept && trusted && (w.covered(FieldSummary) || w.covered(FieldFinding)) {
		w.report.Tagged, w.report.HeaderNotDone = false, ReasonFieldSigned
		return edits
	}
	tags := w.tags(0)
	if planned+len(edits)+len(own)+len(tags) > MaxHeaderEdits {
		if w.alreadyWritten(own) {
			return edits
		}
		w.noteForged(len(own))
		tags, own = w.tags(len(own)), nil
	}
	w.report.Tagged = len(tags) > 0
	if w.areTags(own, tags) {
		return edits
	}
	if kept {
		w.place(tags, own)
	}
	return slices.Concat(edits, deletions(own), tags)
}

// place puts tags where they break no signature that covers fields of their names,
// if there is such a place, and notes it if one breaks, by them or by the removal of
// fields.
//
// A signature takes the fields of a name from the bottom (RFC 6376 §5.4.2). So one
// that names as many as remain, say those of other hosts, bears another on top.
func (w *work) place(tags []mime.HeaderEdit, removed []int) {
	onTop := false
	for _, name := range []string{FieldSummary, FieldFinding} {
		signed := w.signedTimes(name)
		onTop = onTop || signed > 0
		written := slices.ContainsFunc(tags, func(e mime.HeaderEdit) bool { return e.Name == name })
		if signed > 0 && w.breaks(name, signed, removed, written) {
			w.report.HeaderNote = ReasonFieldSigned
		}
	}
	for i := range tags {
		if onTop {
			tags[i].Op = mime.OpInsert
		}
	}
}

// breaks reports whether a signature over the last fields called name, so many,
// is broken by the removal of fields, or by another one on top.
func (w *work) breaks(name string, signed int, removed []int, written bool) bool {
	fields := w.message.Root.Fields
	for i := len(fields) - 1; i >= 0 && signed > 0; i-- {
		if !fields[i].Named(name) {
			continue
		}
		if slices.Contains(removed, i) {
			return true
		}
		signed--
	}
	return signed > 0 && written
}

// trusted reports whether the message comes from one's own users and machines.
func (w *work) trusted() bool { return w.env.Authenticated || w.rule.Trusted }

// noteForged raises the finding that there are too many forged fields, which
// may change the action.
func (w *work) noteForged(n int) {
	w.note(CodeForgedField, fmt.Sprintf("%d fields claim to be of this filter", n))
	w.decide()
}

// ownFields returns the indices of the fields that claim one of our ids. In mail
// of strangers what any reader may take for ours counts; in trusted mail only
// what we write does.
func (w *work) ownFields() []int {
	claimed := claims
	if w.trusted() {
		claimed = wrote
	}
	var own []int
	for i, f := range w.message.Root.Fields {
		if (f.Named(FieldSummary) || f.Named(FieldFinding)) && claimed(w.message.FieldValue(f), w.filter.ids) {
			own = append(own, i)
		}
	}
	return own
}

// problems returns what makes the structure of m doubtful once forged fields are
// removed: those alone say nothing about what is read of the message.
func (w *work) problems(m *mime.Message) []mime.Problem {
	if m != w.message || len(m.Problems) == 0 || w.trusted() {
		return m.Problems
	}
	forged := w.ownFields()
	if len(forged) == 0 || len(forged) > maxOtherEdits {
		return m.Problems
	}
	rest := make([]byte, 0, len(m.Raw))
	kept := 0
	for _, i := range forged {
		f := m.Root.Fields[i]
		rest, kept = append(rest, m.Raw[kept:f.Start]...), f.End
	}
	rest = append(rest, m.Raw[kept:]...)
	if w.cut {
		return mime.ParsePrefix(rest, w.filter.limits.MIME).Problems
	}
	return mime.Parse(rest, w.filter.limits.MIME).Problems
}

// areTags reports whether the fields are those that shall be written, so that a
// message that is filtered again stays as it is.
func (w *work) areTags(fields []int, tags []mime.HeaderEdit) bool {
	if len(fields) != len(tags) {
		return false
	}
	for i, index := range fields {
		f := w.message.Root.Fields[index]
		if f.Name != tags[i].Name || w.message.FieldValue(f) != tags[i].Value {
			return false
		}
	}
	return true
}

// alreadyWritten reports whether the last of too many forged fields are those
// that we would write about the others.
func (w *work) alreadyWritten(own []int) bool {
	before := w.report
	before.Findings = slices.Clone(before.Findings)
	for written := 1; written <= min(1+maxFindingFields, len(own)); written++ {
		forged := len(own) - written
		w.noteForged(forged)
		if tags := w.tags(forged); len(tags) > 0 && w.areTags(own[forged:], tags) {
			w.report.Forged, w.report.Tagged = forged, true
			return true
		}
		w.report = before
		w.report.Findings = slices.Clone(before.Findings)
	}
	return false
}

// deletions returns the edits that remove fields.
func deletions(fields []int) []mime.HeaderEdit {
	edits := make([]mime.HeaderEdit, len(fields))
	for i, field := range fields {
		edits[i] = mime.HeaderEdit{Op: mime.OpDelete, Field: field}
	}
	return edits
}
