package mime

import (
	"bytes"
	"slices"
	"strings"
)

// planFields plans the fields that describe a body in the charset and encoding of r. charset is the old
// one.
func (r *rewrite) planFields(m *Message, charset string) {
	if r.charset == charset && r.encoding == r.leaf.encoding && r.leaf.count("Content-MD5") == 0 {
		return
	}
	var added string
	typeField, encodingField := -1, -1
	for i, f := range r.leaf.Fields {
		switch {
		case f.named("Content-Type"):
			typeField = i
		case f.named("Content-Transfer-Encoding"):
			encodingField = i
		case f.named("Content-MD5"): // RFC 1864: describes the old body
			r.fields = append(r.fields, fieldEdit{i, Edit{f.start, f.end, nil}})
		}
	}
	switch {
	case r.charset == charset:
	case typeField < 0:
		added += "Content-Type: text/plain; charset=" + r.charset + m.eol()
	default:
		r.fields = append(r.fields, fieldEdit{typeField, m.setCharset(r.leaf.Fields[typeField], r.charset)})
	}
	switch {
	case r.encoding == r.leaf.encoding:
	case encodingField < 0:
		added += "Content-Transfer-Encoding: " + r.encoding + m.eol()
	default:
		f := r.leaf.Fields[encodingField]
		value := m.Raw[f.valueStart:f.end]
		start := f.valueStart + len(value) - len(bytes.TrimLeft(value, " \t\r\n"))
		end := f.valueStart + len(bytes.TrimRight(value, " \t\r\n"))
		r.fields = append(r.fields, fieldEdit{encodingField, Edit{start, end, []byte(r.encoding)}})
	}
	if added != "" {
		at := trimLineEndAt(m.Raw, r.leaf.bodyStart) // before the empty line
		r.fields = append(r.fields, fieldEdit{-1, Edit{at, at, []byte(added)}})
	}
}

// setCharset returns the edit that changes the charset in a Content-Type.
func (m *Message) setCharset(f Field, charset string) Edit {
	value, params := parseParams(lineEndsToSpaces.Replace(string(m.Raw[f.valueStart:f.end])), nil)
	for _, p := range params {
		if p.name == "charset" {
			return Edit{f.valueStart + p.start, f.valueStart + p.end, []byte(charset)}
		}
	}
	at := f.valueStart + value.end
	return Edit{at, at, []byte("; charset=" + charset)}
}

// headerEdits returns the edits of the message's own header that r needs if its leaf is
// the whole message.
func (r *rewrite) headerEdits(m *Message) ([]HeaderEdit, error) {
	var edits []HeaderEdit
	for _, e := range r.fields {
		if e.field < 0 {
			for line := range strings.Lines(string(e.edit.New)) {
				name, value, _ := strings.Cut(line, ":")
				edits = append(edits, HeaderEdit{Op: OpAdd, Name: name, Value: strings.TrimSpace(value)})
			}
			continue
		}
		f := r.leaf.Fields[e.field]
		if e.edit.Start == f.start {
			edits = append(edits, HeaderEdit{Op: OpDelete, Field: e.field, Name: f.Name})
			continue
		}
		value := unfold(e.edit.applied(m.Raw, f.valueStart, f.end))
		if _, err := foldValue(f.Name, value, m.eol()); err != nil {
			return nil, err
		}
		edits = append(edits, HeaderEdit{Op: OpChange, Field: e.field, Name: f.Name, Value: value})
	}
	for i, f := range m.Root.Fields {
		if f.named("Content-Length") { // describes the old body
			edits = append(edits, HeaderEdit{Op: OpDelete, Field: i, Name: f.Name})
		}
	}
	described := slices.ContainsFunc(edits, func(e HeaderEdit) bool { return e.Op != OpDelete })
	if described && m.Root.count("MIME-Version") == 0 {
		edits = append(edits, HeaderEdit{Op: OpAdd, Name: "MIME-Version", Value: "1.0"})
	}
	return edits, nil
}

// plans reports whether r planned an edit of the message's own header.
func (r *rewrite) plans(e HeaderEdit) bool { return r != nil && slices.Contains(r.header, e) }

// field returns field, the i-th of the leaf, after the edits of r, which may be nil.
func (r *rewrite) field(m *Message, i int, field []byte) []byte {
	if r != nil {
		for _, e := range r.fields {
			if e.field == i {
				f := r.leaf.Fields[i]
				return e.edit.applied(m.Raw, f.start, f.end)
			}
		}
	}
	return field
}

// added returns the fields that r adds; r may be nil.
func (r *rewrite) added() []byte {
	if r != nil {
		for _, e := range r.fields {
			if e.field < 0 {
				return e.edit.New
			}
		}
	}
	return nil
}

// partHeader returns the header of p, with its empty line, after the edits of r,
// which may be nil.
func (m *Message) partHeader(p *Part, r *rewrite) []byte {
	header := m.headerBytes(p)
	if r == nil || len(r.fields) == 0 {
		return header
	}
	var after []byte
	pos := p.start
	for i, f := range p.Fields {
		after = append(after, m.Raw[pos:f.start]...)
		after = append(after, r.field(m, i, m.Raw[f.start:f.end])...)
		pos = f.end
	}
	return slices.Concat(after, r.added(), m.Raw[pos:p.bodyStart])
}
