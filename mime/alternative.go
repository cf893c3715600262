package mime

import (
	"cmp"
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

// mayEdit refuses leaves that cannot be edited without a change to what they or
// the parts around them mean.
func (m *Message) mayEdit(leaf *Part) error {
	top := leaf
	for top.Parent != nil {
		top = top.Parent
	}
	switch {
	case len(m.Problems) > 0:
		return refused(m.Problems[0].Code, "at %d", m.Problems[0].Offset)
	case m.cut:
		return refused(ReasonCut, "")
	case top != m.Root:
		return refused(ReasonInvalidPlan, "part %s of another message", leaf.Number)
	case leaf.MediaType != "text/plain":
		return refused(ReasonNotPlainText, "%s", leaf.MediaType)
	case leaf.Encoding == "binary":
		return refused(ReasonBinaryEncoding, "")
	case !slices.Contains([]string{"7bit", "8bit", "quoted-printable", "base64"}, leaf.Encoding):
		return refused(ReasonUnknownEncoding, "%q", leaf.Encoding)
	case !leaf.blank:
		return refused(ReasonNoBody, "")
	case bareCR(m.body(leaf)) >= 0:
		// At the end of the body it would become part of the delimiter's line end.
		return refused(ReasonBareCR, "in part %s", leaf.Number)
	}
	return nil
}

// wrap inserts before and behind what stands between two offsets, and behind and
// before what the plan inserts there already.
func (p *Plan) wrap(start int, before []byte, end int, after []byte) {
	if start == end {
		before, after = append(before, after...), nil
	}
	if i := p.insertionAt(start); i >= 0 {
		p.Body[i].New = append(before, p.Body[i].New...)
	} else {
		p.insert(Edit{start, start, before})
	}
	if start == end {
		return
	}
	if i := p.insertionAt(end); i >= 0 {
		p.Body[i].New = append(slices.Clip(p.Body[i].New), after...)
	} else {
		p.insert(Edit{end, end, after})
	}
}

// insertionAt returns the index of the edit that inserts at an offset, or -1.
func (p *Plan) insertionAt(offset int) int {
	return slices.IndexFunc(p.Body, func(e Edit) bool { return e.Start == offset && e.End == offset })
}

// insert adds an edit to the body edits in its place.
func (p *Plan) insert(e Edit) {
	i, _ := slices.BinarySearchFunc(p.Body, e, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	p.Body = slices.Insert(p.Body, i, e)
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

// A splice writes what stands before and behind a leaf.
type splice struct {
	eol, boundary string
	eightBit      bool
	before, after []byte
}

func (s *splice) contentType() string {
	return `multipart/alternative; boundary="` + s.boundary + `"`
}

// partFields returns the fields of the multipart that takes the leaf's place in
// the multipart around it.
func (s *splice) partFields() string {
	fields := "Content-Type: " + s.contentType() + s.eol
	if s.eightBit {
		fields += "Content-Transfer-Encoding: 8bit" + s.eol
	}
	return fields
}

// header writes a header of the given fields, which may be none, before the
// leaf.
func (s *splice) header(fields []byte) {
	s.before = append(append(s.before, fields...), s.eol...)
}

// open writes the first delimiter.
func (s *splice) open() { s.before = s.line(s.before, "--", s.boundary) }

// line appends a line of the given texts.
func (s *splice) line(dst []byte, texts ...string) []byte {
	for _, text := range texts {
		dst = append(dst, text...)
	}
	return append(dst, s.eol...)
}

// close writes the second alternative and the close delimiter. The line end that
// begins it belongs to the delimiter, so the leaf's last line stays as it is. Where
// the leaf is the whole message a line end follows, as MTAs end messages.
//
// It returns the digest of the HTML.
func (s *splice) close(html Source, whole bool) (digest uint64, err error) {
	e := textEncoders.Get().(*textEncoder)
	defer textEncoders.Put(e)
	text, err := e.measure(html, s.eol)
	if err != nil {
		return 0, err
	}
	const fields = "Content-Type: text/html; charset=utf-8"
	s.after = make([]byte, 0, text.size+len(fields)+len("Content-Transfer-Encoding: ")+len(text.encoding)+2*len("--"+s.boundary)+len("--")+8*len(s.eol))
	s.after = s.line(s.after)
	s.after = s.line(s.after, "--", s.boundary)
	s.after = s.line(s.after, fields)
	s.after = s.line(s.after, "Content-Transfer-Encoding: ", text.encoding)
	s.after = s.line(s.after)
	if s.after, err = e.append(s.after, html, text, s.eol); err != nil {
		return 0, err
	}
	s.after = s.line(s.after)
	s.after = append(s.after, "--"+s.boundary+"--"...)
	if whole {
		s.after = s.line(s.after)
	}
	return text.digest, nil
}
