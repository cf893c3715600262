package mime

import (
	"slices"
	"strings"
)

// moving are the fields that describe a body and go with it into the first
// alternative when the leaf is the whole message. Content-Length is of the
// message and not among them.
var moving = []string{
	"Content-Description", "Content-Disposition", "Content-ID", "Content-Language",
	"Content-Location", "Content-MD5", "Content-Transfer-Encoding", "Content-Type",
}

// moves reports whether a field called name goes with the body.
func moves(name string) bool {
	return slices.ContainsFunc(moving, func(m string) bool { return strings.EqualFold(m, name) })
}

// AddAlternative plans to replace leaf, a text/plain leaf of m, by a
// multipart/alternative of two parts: the leaf, with its fields and bytes as they
// are, and html as text/html in UTF-8. Line ends in html may be LF or CRLF. Nothing
// in the message is written again: the plan inserts before and behind the leaf.
// Where the leaf is the whole message it also moves the fields that describe the
// body, and where it is the root part of a multipart/related it changes the type
// that names it. A plan may hold alternatives for several leaves; a text that is
// rewritten too must be before (see [Message.RewriteText]).
//
// The error is a [PlanError]; plan is unchanged then. Any [Problem] of the
// message is one: edits need ranges that everybody agrees on.
func (m *Message) AddAlternative(plan *Plan, leaf *Part, html string) error {
	return m.AddAlternativeFrom(plan, leaf, sourceOf(html))
}

// AddAlternativeFrom is [Message.AddAlternative] with HTML that is written when it
// is needed, which is twice where it is long or shorter in base64. The error may be
// that of html.
func (m *Message) AddAlternativeFrom(plan *Plan, leaf *Part, html Source) error {
	if err := m.mayEdit(leaf); err != nil {
		return err
	}
	if slices.ContainsFunc(plan.alternatives, func(a alternative) bool { return a.leaf == leaf }) {
		return refused(ReasonInvalidPlan, "second alternative to part %s", leaf.Number)
	}
	retype, err := m.retypeRelated(leaf)
	if err != nil {
		return err
	}
	boundary, err := m.newBoundary(plan, leaf)
	if err != nil {
		return err
	}
	rewrite := plan.rewriteOf(leaf)
	s := splice{eol: m.LineEnd(), boundary: boundary, eightBit: leaf.Encoding == "8bit", before: make([]byte, 0, 256)}
	if rewrite != nil {
		s.eightBit = rewrite.encoding == "8bit"
	}
	digest, err := s.close(html, leaf == m.Root)
	if err != nil {
		return err
	}
	start := leaf.Start
	if leaf == m.Root {
		start = leaf.BodyStart
		plan.Header = slices.DeleteFunc(plan.Header, func(e HeaderEdit) bool { return rewrite != nil && rewrite.plans(e) })
		plan.Header = append(plan.Header, m.outerFields(s)...)
		s.open()
		s.header(m.movedFields(rewrite))
	} else {
		s.header([]byte(s.partFields()))
		s.open()
	}
	if retype != nil && leaf.Parent == m.Root {
		plan.Header = append(plan.Header, retype.headerEdit(m))
	} else if retype != nil {
		plan.insert(retype.edit)
	}
	plan.wrap(start, s.before, leaf.End, s.after)
	plan.alternatives = append(plan.alternatives, alternative{leaf, digest, retype})
	return nil
}

// movedFields returns the root's fields that describe its body, after the rewrite
// of its text, which may be nil.
func (m *Message) movedFields(r *rewrite) []byte {
	var fields []byte
	for i, f := range m.Root.Fields {
		if moves(f.Name) {
			fields = append(fields, r.field(m, i, m.Raw[f.Start:f.End])...)
		}
	}
	return append(fields, r.added()...)
}

// outerFields returns the header edits that make the message a
// multipart/alternative. A Content-Length would be wrong afterwards and goes.
func (m *Message) outerFields(s splice) []HeaderEdit {
	edits := make([]HeaderEdit, 0, 4)
	var typed, encoded, versioned bool
	for i, f := range m.Root.Fields {
		switch {
		case f.Named("Content-Type"):
			edits = append(edits, HeaderEdit{Op: OpChange, Field: i, Name: f.Name, Value: s.contentType()})
			typed = true
		case f.Named("Content-Transfer-Encoding") && s.eightBit:
			encoded = true
			if !strings.EqualFold(m.FieldValue(f), "8bit") { // some programs do not read comments
				edits = append(edits, HeaderEdit{Op: OpChange, Field: i, Name: f.Name, Value: "8bit"})
			}
		case moves(f.Name), f.Named("Content-Length"):
			edits = append(edits, HeaderEdit{Op: OpDelete, Field: i, Name: f.Name})
		case f.Named("MIME-Version"):
			versioned = true
		}
	}
	if !versioned {
		edits = append(edits, HeaderEdit{Op: OpAdd, Name: "MIME-Version", Value: "1.0"})
	}
	if !typed {
		edits = append(edits, HeaderEdit{Op: OpAdd, Name: "Content-Type", Value: s.contentType()})
	}
	if s.eightBit && !encoded {
		edits = append(edits, HeaderEdit{Op: OpAdd, Name: "Content-Transfer-Encoding", Value: "8bit"})
	}
	return edits
}
