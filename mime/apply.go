package mime

import (
	"bytes"
	"slices"
	"strings"
)

// Apply carries out the plan and changes nothing else. It returns the edited message in new memory and
// the byte offset of its body. An error wraps a [Reason]; the results are then zero.
func (m *Message) Apply(plan Plan) (edited []byte, bodyStart int, err error) {
	pieces, bodyStart, err := m.pieces(plan)
	if err != nil {
		return nil, 0, err
	}
	return bytes.Join(pieces, nil), bodyStart, nil
}

// pieces returns the edited message as slices of Raw and of new bytes, and the byte
// offset of its body.
func (m *Message) pieces(plan Plan) (pieces [][]byte, bodyStart int, err error) {
	pieces = make([][]byte, 0, 2*len(plan.Header)+2*len(plan.Body)+2)
	if pieces, err = m.appendHeader(pieces, plan); err != nil {
		return nil, 0, err
	}
	bodyStart = size(pieces)
	pieces, err = m.appendBody(pieces, plan)
	return pieces, bodyStart, err
}

// size returns how many bytes pieces have.
func size(pieces [][]byte) int {
	n := 0
	for _, piece := range pieces {
		n += len(piece)
	}
	return n
}

// appendBody appends the edited body.
func (m *Message) appendBody(pieces [][]byte, plan Plan) ([][]byte, error) {
	pos := m.Root.bodyStart
	last := -1 // offset of the previous insertion, else -1
	for i, e := range plan.Body {
		switch {
		case e.Start < pos, e.End < e.Start, e.End > len(m.Raw):
			return nil, refused(reasonInvalidPlan, "body edit %d: [%d,%d) after %d of %d", i, e.Start, e.End, pos, len(m.Raw))
		case e.Start == last && e.End == last:
			return nil, refused(reasonInvalidPlan, "body edit %d: second insertion at %d", i, last)
		}
		last = -1
		if e.Start == e.End {
			last = e.Start
		}
		pieces = append(pieces, m.Raw[pos:e.Start], e.New)
		pos = e.End
	}
	return append(pieces, m.Raw[pos:]), nil
}

// headerEdits groups the header edits of a plan by operation.
type headerEdits struct {
	top, end []HeaderEdit
	fields   []HeaderEdit // changes and deletions, in the order of the fields
}

// sortHeaderEdits validates the header edits of a plan and groups them.
func (m *Message) sortHeaderEdits(plan Plan) (headerEdits, error) {
	var edits headerEdits
	for i, e := range plan.Header {
		switch e.Op {
		case OpAdd:
			edits.end = append(edits.end, e)
			continue
		case OpInsert:
			edits.top = append(edits.top, e)
			continue
		case OpChange, OpDelete:
		default:
			return edits, refused(reasonInvalidPlan, "header edit %d: no such operation", i)
		}
		if e.Field < 0 || e.Field >= len(m.Root.Fields) {
			return edits, refused(reasonInvalidPlan, "header edit %d: no field %d", i, e.Field)
		}
		name := m.Root.Fields[e.Field].Name
		if e.Name != "" && !strings.EqualFold(e.Name, name) {
			return edits, refused(reasonInvalidPlan, "header edit %d: field %d is not %s", i, e.Field, e.Name)
		}
		e.Name = name
		edits.fields = append(edits.fields, e)
	}
	slices.SortStableFunc(edits.fields, func(a, b HeaderEdit) int { return a.Field - b.Field })
	for i := 1; i < len(edits.fields); i++ {
		if field := edits.fields[i].Field; field == edits.fields[i-1].Field {
			return edits, refused(reasonInvalidPlan, "two header edits of field %d", field)
		}
	}
	return edits, nil
}

// appendHeader appends the edited header to pieces, which must be empty.
func (m *Message) appendHeader(pieces [][]byte, plan Plan) ([][]byte, error) {
	header := m.Raw[:m.Root.bodyStart]
	if len(plan.Header) == 0 {
		return append(pieces, header), nil
	}
	edits, err := m.sortHeaderEdits(plan)
	if err != nil {
		return nil, err
	}
	w := headerWriter{eol: m.eol(), pieces: pieces}
	pos := m.fieldsStart()
	w.keep(header[:pos])
	w.write(edits.top)
	for _, e := range edits.fields {
		f := m.Root.Fields[e.Field]
		if m.cutShort(f) {
			return nil, refused(reasonHeaderTooLarge, "field %d goes on beyond the limit", e.Field)
		}
		w.keep(header[pos:f.start])
		if e.Op == OpChange {
			w.write([]HeaderEdit{e})
		}
		pos = f.end
	}
	end := len(header)
	if m.Root.blank {
		end = trimLineEndAt(header, end)
	}
	w.keep(header[pos:end])
	w.write(edits.end)
	w.keep(header[end:])
	// A body that begins without an empty line must not become the continuation
	// of a field.
	if rest := m.Raw[len(header):]; w.wrote && !m.Root.blank && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		w.keep([]byte(w.eol))
	}
	if w.err == nil && !m.doubtful(reasonMboxFrom) && w.beginsAsMbox(m.Raw[len(header):]) {
		return nil, refused(reasonMboxFrom, "below the deleted fields")
	}
	return w.pieces, w.err
}

// fieldsStart returns the offset of the first field: after the line that begins an mbox file, unless
// that line is a field itself (RFC 5322 §4.5: "From :").
func (m *Message) fieldsStart() int {
	fields := m.Root.Fields
	if !m.doubtful(reasonMboxFrom) || len(fields) > 0 && fields[0].start == 0 {
		return 0
	}
	return min(lineEnd(m.Raw, 0), m.Root.bodyStart)
}

// cutShort reports whether a field of the root goes on after the part of the header that
// the parser read. An edit of such a field would make its rest a part of the field above.
func (m *Message) cutShort(f Field) bool {
	return f.end < m.Root.bodyStart && (m.Raw[f.end] == ' ' || m.Raw[f.end] == '\t')
}

// A headerWriter collects the pieces of an edited header.
type headerWriter struct {
	eol    string
	pieces [][]byte
	wrote  bool // a field was written
	err    error
}

// beginsAsMbox reports whether programs would take the first line of the edited message
// for the From_ line of an mbox file; rest is the body. Such a line can be the obsolete
// "From :" (RFC 5322 §4.5) or a malformed line that ends the header. It comes first when
// the plan deletes the fields above it.
func (w *headerWriter) beginsAsMbox(rest []byte) bool {
	if len(w.pieces) > 0 {
		rest = w.pieces[0]
	}
	return bytes.HasPrefix(rest, mboxFrom)
}

func (w *headerWriter) keep(piece []byte) {
	if len(piece) > 0 {
		w.pieces = append(w.pieces, piece)
	}
}

// write writes fields. It first completes the line above, which may lack its line end if
// the message is only a header.
func (w *headerWriter) write(edits []HeaderEdit) {
	for _, e := range edits {
		if w.err != nil {
			return
		}
		if n := len(w.pieces); n > 0 && !bytes.HasSuffix(w.pieces[n-1], []byte("\n")) {
			if bytes.HasSuffix(w.pieces[n-1], []byte("\r")) {
				// The CR and the new line end would become one line end.
				w.err = refused(reasonBareCR, "at the end of the header")
				return
			}
			w.keep([]byte(w.eol))
		}
		var value string
		if value, w.err = e.Text(w.eol); w.err != nil {
			return
		}
		w.keep(slices.Concat([]byte(e.Name), []byte(": "), []byte(value), []byte(w.eol)))
		w.wrote = true
	}
}
