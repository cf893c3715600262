package mime

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
// that names it. A plan may hold alternatives for several leaves.
//
// The error is a [PlanError]; plan is unchanged then. Any [Problem] of the
// message is one: edits need ranges that everybody agrees on.
func (m *Message) AddAlternative(plan *Plan, leaf *Part, html string) error {
	if err := m.mayHaveAlternative(plan, leaf, html); err != nil {
		return err
	}
	eol := m.LineEnd()
	encoded, encoding := encodeText(normalised(html), eol)
	boundary, err := m.newBoundary(plan, leaf, html, encoded)
	if err != nil {
		return err
	}
	retype, err := m.retypeRelated(leaf)
	if err != nil {
		return err
	}
	s := splice{eol: eol, boundary: boundary, html: encoded, encoding: encoding, eightBit: leaf.Encoding == "8bit"}
	if leaf == m.Root {
		plan.Header = append(plan.Header, m.outerFields(s)...)
		s.open()
		s.header(m.movedFields())
		s.close()
		s.line("") // MTAs end a message in a line end
	} else {
		s.header([]byte(s.partFields()))
		s.open()
		s.close()
	}
	start := leaf.Start
	if leaf == m.Root {
		start = leaf.BodyStart
	}
	if retype != nil && leaf.Parent == m.Root {
		plan.Header = append(plan.Header, retype.headerEdit(m))
	} else if retype != nil {
		plan.Body = append(plan.Body, retype.edit)
	}
	plan.insert(start, s.before, leaf.End, s.after)
	plan.alternatives = append(plan.alternatives, alternative{leaf, html, retype})
	return nil
}

// mayHaveAlternative refuses leaves that cannot be wrapped without a change to
// what they or the parts around them mean.
func (m *Message) mayHaveAlternative(plan *Plan, leaf *Part, html string) error {
	top := leaf
	for top.Parent != nil {
		top = top.Parent
	}
	switch {
	case len(m.Problems) > 0:
		return refused(m.Problems[0].Code, "at %d", m.Problems[0].Offset)
	case top != m.Root, slices.ContainsFunc(plan.alternatives, func(a alternative) bool { return a.leaf == leaf }):
		return refused(ReasonInvalidPlan, "part %s", leaf.Number)
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
	case !utf8.ValidString(html):
		return refused(ReasonInvalidHTML, "")
	}
	return nil
}

// newBoundary returns a boundary that occurs neither in the message nor in what
// the plan adds to it, and that no boundary of the message begins. It depends on
// the leaf's body and the HTML alone, with their line ends normalised, so that a
// message gets the same one in a file and on the wire.
func (m *Message) newBoundary(plan *Plan, leaf *Part, html, encoded string) (string, error) {
	body := bytes.ReplaceAll(m.Raw[leaf.BodyStart:leaf.End], []byte("\r\n"), []byte("\n"))
	h := sha256.New()
	h.Write(bytes.TrimRight(body, "\n"))
	_, _ = io.WriteString(h, "\x00"+normalised(html)+"\x00"+leaf.Number)
	seed := h.Sum(nil)
	for try := range 64 {
		sum := sha256.Sum256(strconv.AppendInt(seed, int64(try), 10))
		// "=_" stands in no quoted-printable and in no base64 (RFC 2045 §6.7).
		boundary := hex.EncodeToString(sum[:12]) + "=_lm"
		if !m.holds(boundary) && !strings.Contains(encoded, boundary) && !plan.holds(boundary) {
			return boundary, nil
		}
	}
	return "", refused(ReasonNoBoundary, "")
}

// holds reports whether a boundary would be ambiguous in the message.
func (m *Message) holds(boundary string) bool {
	return bytes.Contains(m.Raw, []byte(boundary)) || m.Root.begins(boundary)
}

// begins reports whether boundary begins with that of p or of a part in p.
func (p *Part) begins(boundary string) bool {
	return p.boundary != "" && strings.HasPrefix(boundary, p.boundary) ||
		slices.ContainsFunc(p.Children, func(c *Part) bool { return c.begins(boundary) })
}

func (p *Plan) holds(text string) bool {
	return slices.ContainsFunc(p.Body, func(e Edit) bool { return bytes.Contains(e.New, []byte(text)) })
}

// insert adds two insertions to the body edits. They are one where they meet.
func (p *Plan) insert(start int, before []byte, end int, after []byte) {
	if start == end {
		p.Body = append(p.Body, Edit{start, start, append(before, after...)})
	} else {
		p.Body = append(p.Body, Edit{start, start, before}, Edit{end, end, after})
	}
	slices.SortStableFunc(p.Body, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
}

// movedFields returns the bytes of the root's fields that describe its body.
func (m *Message) movedFields() []byte {
	var fields []byte
	for _, f := range m.Root.Fields {
		if moves(f.Name) {
			fields = append(fields, m.Raw[f.Start:f.End]...)
		}
	}
	return fields
}

// outerFields returns the header edits that make the message a
// multipart/alternative. A Content-Length would be wrong afterwards and goes.
func (m *Message) outerFields(s splice) []HeaderEdit {
	var edits []HeaderEdit
	var typed, encoded, versioned bool
	for i, f := range m.Root.Fields {
		switch {
		case strings.EqualFold(f.Name, "Content-Type"):
			edits = append(edits, HeaderEdit{Op: OpChange, Field: i, Name: f.Name, Value: s.contentType()})
			typed = true
		case strings.EqualFold(f.Name, "Content-Transfer-Encoding") && s.eightBit:
			encoded = true
		case moves(f.Name), strings.EqualFold(f.Name, "Content-Length"):
			edits = append(edits, HeaderEdit{Op: OpDelete, Field: i, Name: f.Name})
		case strings.EqualFold(f.Name, "MIME-Version"):
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
	eol, boundary  string
	html, encoding string
	eightBit       bool
	before, after  []byte
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
func (s *splice) open() { s.before = append(s.before, "--"+s.boundary+s.eol...) }

// line ends a line of what stands behind the leaf.
func (s *splice) line(text string) { s.after = append(s.after, text+s.eol...) }

// close writes the second alternative and the close delimiter. The line end that begins it belongs to
// the delimiter, so the leaf's last line stays as it is.
func (s *splice) close() {
	s.line("")
	s.line("--" + s.boundary)
	s.line("Content-Type: text/html; charset=utf-8")
	s.line("Content-Transfer-Encoding: " + s.encoding)
	s.line("")
	s.line(s.html)
	s.after = append(s.after, "--"+s.boundary+"--"...)
}
