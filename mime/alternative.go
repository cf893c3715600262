package mime

import (
	"io"
	"slices"
	"strings"
)

// moving lists the fields that describe a body. They move with it into the first
// alternative if the leaf is the whole message. Content-Length describes the message and
// is not in the list.
var moving = []string{
	"Content-Description", "Content-Disposition", "Content-ID", "Content-Language",
	"Content-Location", "Content-MD5", "Content-Transfer-Encoding", "Content-Type",
}

// moves reports whether a field with this name moves with the body.
func moves(name string) bool {
	return slices.ContainsFunc(moving, func(m string) bool { return strings.EqualFold(m, name) })
}

// AddAlternative plans to replace leaf, a text/plain leaf of m, by a
// multipart/alternative (RFC 2046 §5.1.4) of two parts: the unchanged leaf with its
// fields, and text/html in UTF-8.
//
// The function html writes the HTML, with LF or CRLF line ends. AddAlternative calls it twice if the
// HTML is long or is shorter in base64; so it never holds both the HTML and its encoded form. Both
// calls must write the same bytes.
//
// The plan inserts bytes before and after the leaf. If the leaf is the whole message,
// the plan also moves the fields that describe the body. If the leaf is the root part
// of a multipart/related, the plan changes the type parameter that names it. A plan
// may add alternatives to several leaves. Call [Message.RewriteText] for a leaf before
// AddAlternative.
//
// The error wraps a [Reason] or is the error of html; plan is then unchanged. Every problem
// of the message is an error, because mail programs must agree on the parts.
func (m *Message) AddAlternative(plan *Plan, leaf *Part, html func(w io.Writer) error) error {
	if err := m.mayEdit(leaf, "text/plain"); err != nil {
		return err
	}
	if slices.ContainsFunc(plan.alternatives, func(a alternative) bool { return a.leaf == leaf }) {
		return refused(reasonInvalidPlan, "second alternative to part %s", leaf.Number)
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
	s := splice{eol: m.eol(), boundary: boundary, eightBit: leaf.encoding == "8bit", before: make([]byte, 0, 256)}
	if rewrite != nil {
		s.eightBit = rewrite.encoding == "8bit"
	}
	digest, err := s.close(html, len(m.Body(leaf)), leaf == m.Root)
	if err != nil {
		return err
	}
	start := leaf.start
	if leaf == m.Root {
		start = leaf.bodyStart
		plan.Header = slices.DeleteFunc(plan.Header, func(e HeaderEdit) bool { return rewrite != nil && rewrite.plans(e) })
		plan.Header = append(plan.Header, m.outerFields(s)...)
		s.open()
		s.header(m.movedFields(rewrite))
	} else {
		s.header([]byte(s.partFields()))
		s.open()
	}
	if retype != nil && leaf.parent == m.Root {
		plan.Header = append(plan.Header, retype.headerEdit(m))
	} else if retype != nil {
		plan.insert(retype.edit)
	}
	plan.wrap(start, s.before, leaf.end, s.after)
	plan.alternatives = append(plan.alternatives, alternative{leaf, digest, retype})
	return nil
}

// movedFields returns the root's fields that describe its body, after the rewrite of its
// text; r may be nil.
func (m *Message) movedFields(r *rewrite) []byte {
	var fields []byte
	for i, f := range m.Root.Fields {
		if moves(f.Name) {
			fields = append(fields, r.field(m, i, m.Raw[f.start:f.end])...)
		}
	}
	return append(fields, r.added()...)
}

// outerFields returns the header edits that turn the message into a
// multipart/alternative. They delete Content-Length, which would then be wrong.
func (m *Message) outerFields(s splice) []HeaderEdit {
	edits := make([]HeaderEdit, 0, 4)
	var typed, encoded, versioned bool
	for i, f := range m.Root.Fields {
		switch {
		case f.named("Content-Type"):
			edits = append(edits, HeaderEdit{Op: OpChange, Field: i, Name: f.Name, Value: s.contentType()})
			typed = true
		case f.named("Content-Transfer-Encoding") && s.eightBit:
			encoded = true
			if !strings.EqualFold(m.FieldValue(f), "8bit") { // some programs do not read comments
				edits = append(edits, HeaderEdit{Op: OpChange, Field: i, Name: f.Name, Value: "8bit"})
			}
		case moves(f.Name), f.named("Content-Length"):
			edits = append(edits, HeaderEdit{Op: OpDelete, Field: i, Name: f.Name})
		case f.named("MIME-Version"):
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
