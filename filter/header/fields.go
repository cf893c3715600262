// Package header plans the edits of a message's header. It writes the fields that list the findings,
// removes forged fields, and removes the opt-out field.
//
// It is a part of the program linkmilter and exports only what its other packages use. It knows header
// fields, the signatures over them and reports. It must not know how links are found or judged,
// conditions of rules, or bodies.
package header

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// Fields are the fields of a message that concern this filter.
type Fields struct {
	message    *mime.Message
	signatures *mailauth.Signatures // signatures of the message as it came
	id, node   string               // id and machine name of this filter
	trusted    bool                 // the message comes from the operator's users or machines
	own        []int                // fields that claim an id of the operator
	optOut     []int                // fields that ask to leave the message alone
	optOutName string
	optedOut   bool
}

// NewFields finds the fields of a message that concern this filter. ids are those of the operator in
// lower case, this filter's own first. node tells apart machines with the same id, or is "". Only
// trusted messages, which come from the operator's users or machines, may opt out by the field called
// optOut.
//
// structure has the problems in the structure of the message. In untrusted messages, fields that claim
// one of ids do not count, because the filter removes them.
func NewFields(m *mime.Message, signatures *mailauth.Signatures, ids []string, node string, trusted bool, optOut string) (f Fields, structure []mime.Reason) {
	f = Fields{message: m, signatures: signatures, id: ids[0], node: node, trusted: trusted, own: own(m, ids, trusted), optOutName: optOut}
	if trusted {
		f.optOut, f.optedOut = optOutFields(m, optOut)
		return f, m.Problems
	}
	return f, problems(m, f.own)
}

// OptedOut reports whether a trusted sender asks to leave the message alone.
func (f *Fields) OptedOut() bool { return f.optedOut }

// edits are the planned edits of a header, apart from the edits that the body needs.
type edits struct {
	list []mime.HeaderEdit
	// forged is how many fields of untrusted mail claim an id of ours. They are removed; if they cannot
	// be, kept is how many stay.
	forged, kept int
	covered      bool // a signature covers some of the fields, so edits of these were left out
	breaks       bool // the edits break a signature that covers the fields
}

// Plan plans the edits: it removes fields that claim one of our ids, removes the opt-out of trusted
// senders, and adds the tags. With the edits of body they are at most MaxEdits. decide fills in the
// report r, which the tags list; kept is how many forged fields stay. notEdited is why a requested edit
// of the body was not made, or "". If the report has an action, subjectTag goes in front of the
// subject.
//
// Plan returns the edits, and adds to the report what becomes of the fields. If a signature keeps
// fields, or the edits break a signature, signed is the reason in the report.
//
// In trusted mail with an unedited body, Plan leaves the fields that a signature covers. In other mail
// it removes and writes our fields anyway, because a sender has no reason to sign them.
func (f *Fields) Plan(body mime.Plan, notEdited, signed report.Reason, subjectTag string, r *report.Report, decide func(kept int)) []mime.HeaderEdit {
	decide(0)
	decidedFor := 0
	decideFor := func(kept int) {
		if kept != decidedFor {
			decide(kept)
			decidedFor = kept
		}
	}
	e := f.plan(body, func(kept int) []mime.HeaderEdit {
		decideFor(kept)
		return tags(r, f.id, f.node, notEdited, kept)
	})
	decideFor(e.kept)
	if subjectTag != "" && r.Action >= rule.ActionTag {
		f.markSubject(&e, body, subjectTag)
	}
	r.Forged = e.forged
	if e.covered {
		r.HeaderNotDone = signed
	}
	if e.breaks {
		r.HeaderNote = signed
	}
	return e.list
}

// plan plans the edits. tags returns the tags for the case that kept forged fields stay.
func (f *Fields) plan(body mime.Plan, tags func(kept int) []mime.HeaderEdit) edits {
	var e edits
	planned, kept := len(body.Header), body.Empty()
	switch {
	case len(f.optOut) > 0 && kept && f.covers(f.optOutName):
		e.covered = true
	case planned+len(f.optOut) <= MaxOther:
		e.list = deletions(f.optOut)
	}
	own, written := f.own, tags(0)
	if f.trusted && len(written) == 0 {
		return e
	}
	if !f.trusted {
		e.forged = len(own)
	}
	if kept && f.trusted && (f.covers(fieldSummary) || f.covers(fieldFinding)) {
		e.covered = true
		return e
	}
	if planned+len(e.list)+len(own)+len(written) > MaxEdits {
		if e.kept = f.written(tags); e.kept > 0 {
			e.forged = e.kept
			return e
		}
		e.kept = len(own)
		own, written = nil, tags(len(own))
	}
	if areTags(f.message, own, written) {
		return e
	}
	if kept {
		e.breaks = f.place(written, own)
	}
	e.list = slices.Concat(e.list, deletions(own), written)
	return e
}

// markSubject adds the edits that put a text in front of the subject, if there is room for them. In
// trusted mail a subject that a signature covers stays.
func (f *Fields) markSubject(e *edits, body mime.Plan, text string) {
	marks := markedSubjects(f.message, text)
	if len(marks) == 0 || len(body.Header)+len(e.list)+len(marks) > MaxEdits {
		return
	}
	if body.Empty() && f.covers("Subject") {
		if f.trusted {
			e.covered = true
			return
		}
		e.breaks = true
	}
	e.list = append(e.list, marks...)
}

// covers reports whether a signature covers the field called name, or forbids adding one.
func (f *Fields) covers(name string) bool { return f.signatures.Covered(name) > 0 }

// place puts tags on top of the header if a signature covers fields with their names, because tags
// there can leave the signature valid. broken reports whether the tags, or the removal of fields, break
// a signature.
//
// A signature covers the fields of a name from the bottom up (RFC 6376 §5.4.2). If it names a field
// only as often as the message has it, one more on top does not break it.
func (f *Fields) place(tags []mime.HeaderEdit, removed []int) (broken bool) {
	onTop := false
	for _, name := range []string{fieldSummary, fieldFinding} {
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

// written returns how many fields with our id are in front of the tags that this filter would write
// about them. It returns 0 if the last fields are not such tags. So it tells whether a message with too
// many such fields was filtered before.
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
	removed := make([]mime.HeaderEdit, len(fields))
	for i, field := range fields {
		removed[i] = mime.HeaderEdit{Op: mime.OpDelete, Field: field}
	}
	return removed
}

// structured writes a structured field value (RFC 9651): an item with
// parameters, "mx.example.org; worst=high; findings=2".
type structured struct{ strings.Builder }

// newStructured begins with a token (§3.3.4).
func newStructured(token string) *structured {
	s := new(structured)
	s.WriteString(token)
	return s
}

func (s *structured) key(name string) {
	s.WriteString("; ")
	s.WriteString(name)
	s.WriteByte('=')
}

// integer adds an integer (§3.3.1).
func (s *structured) integer(name string, value int) {
	s.key(name)
	s.WriteString(strconv.Itoa(value))
}

// token adds a token (§3.3.4), or a string if value is no token.
func (s *structured) token(name, value string) {
	if !isToken(value) {
		s.text(name, value)
		return
	}
	s.key(name)
	s.WriteString(value)
}

// text adds a string (§3.3.3), or a display string (§3.3.8) if value has more than printable ASCII.
// Runs of white space become one space, and invalid UTF-8 becomes U+FFFD.
func (s *structured) text(name, value string) {
	value = strings.ToValidUTF8(strings.Join(strings.Fields(value), " "), "\ufffd")
	s.key(name)
	if strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		s.WriteByte('"')
		s.WriteString(quoted.Replace(value))
		s.WriteByte('"')
		return
	}
	s.WriteString(`%"`)
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' || c == '%' || c == '"' {
			fmt.Fprintf(s, "%%%02x", c)
		} else {
			s.WriteByte(c)
		}
	}
	s.WriteByte('"')
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// isToken reports whether s is a token (RFC 9651 §3.3.4).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := ascii.IsLetter(c) || c == '*'
		if !letter && (i == 0 || !ascii.IsDigit(c) && strings.IndexByte(":/!#$%&'+-.^_`|~", c) < 0) {
			return false
		}
	}
	return s != ""
}

// breaks reports whether a signature over the last fields called name breaks: one of them is removed,
// or another is written. signed is how often the signature names the field.
func breaks(fields []mime.Field, name string, signed int, removed []int, written bool) bool {
	for i := len(fields) - 1; i >= 0 && signed > 0; i-- {
		if !ascii.EqualFold(fields[i].Name, name) {
			continue
		}
		if slices.Contains(removed, i) {
			return true
		}
		signed--
	}
	return signed > 0 && written
}
