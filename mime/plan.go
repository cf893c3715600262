package mime

import (
	"cmp"
	"slices"
	"strings"
)

// A HeaderOp is the operation of a [HeaderEdit]. A plan with the zero value is invalid.
type HeaderOp uint8

// The operations on a header.
const (
	OpChange HeaderOp = iota + 1 // replace the value of a field, which keeps its name and place
	OpDelete                     // remove a field
	OpAdd                        // add a field at the end of the header
	OpInsert                     // add a field on top of the header
)

// A HeaderEdit is one edit of the message's own header.
type HeaderEdit struct {
	Op    HeaderOp
	Field int    // index into Root.Fields; OpChange and OpDelete
	Name  string // OpAdd and OpInsert; else empty or the field's name, in any case
	Value string // ASCII in one line; folded when it is written; not for OpDelete
	// Folded says that Value is already folded, by CRLF in front of white space, and is written as it
	// is. Our own DKIM signatures are folded.
	Folded bool
}

// Text returns the value that e writes after "name: ". Its lines end in lineEnd, except
// for the last one. The error says that the name or the value is not valid.
func (e HeaderEdit) Text(lineEnd string) (string, error) {
	if !e.Folded {
		return foldValue(e.Name, e.Value, lineEnd)
	}
	return keepFolds(e.Name, e.Value, lineEnd)
}

// A Plan is a set of edits of one message. Body is sorted by offset, and its edits do not
// overlap. Added fields keep the order of Header, and so do inserted fields. The zero Plan
// changes nothing.
type Plan struct {
	Header []HeaderEdit
	Body   []Edit
	// SevenBit prepares the message for signing (RFC 6376 §5.3): texts that are
	// rewritten leave the transfer encoding 8bit.
	SevenBit bool

	alternatives []alternative
	rewrites     []*rewrite
}

// Empty reports whether the plan changes nothing.
func (p Plan) Empty() bool { return len(p.Header) == 0 && len(p.Body) == 0 }

// wrap inserts before at start and after at end, around existing insertions at these
// offsets.
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

// insert adds an edit to Body in sorted order.
func (p *Plan) insert(e Edit) {
	i, _ := slices.BinarySearchFunc(p.Body, e, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	p.Body = slices.Insert(p.Body, i, e)
}

// rewriteOf returns the rewrite of a leaf, or nil.
func (p *Plan) rewriteOf(leaf *Part) *rewrite {
	for _, r := range p.rewrites {
		if r.leaf == leaf {
			return r
		}
	}
	return nil
}

// An alternative records a call of AddAlternative, for Verify.
type alternative struct {
	leaf   *Part
	html   uint64  // its digest
	retype *retype // nil unless the leaf is the root of a multipart/related
}

// A rewrite records a call of RewriteText, for Verify and for an alternative to the same
// leaf.
type rewrite struct {
	leaf     *Part
	header   []HeaderEdit // the header edits if the leaf is the whole message
	fields   []fieldEdit  // edits of the leaf's header
	charset  string       // charset after the edit
	encoding string       // transfer encoding after the edit
	digest   uint64       // digest of the text after the edit
}

// A fieldEdit edits the header of a leaf whose text is rewritten.
type fieldEdit struct {
	field int  // index into the leaf's Fields; -1 for fields that are added
	edit  Edit // edit of Raw: it changes a value, deletes a field or inserts fields
}

// A retype changes the type parameter of a multipart/related whose root part becomes a
// multipart/alternative (RFC 2387 §3.1).
type retype struct {
	part  *Part // the multipart/related
	field int   // its Content-Type
	edit  Edit  // edit of the parameter's value, without the quotation marks
}

// mayEdit returns an error if an edit of leaf could change the meaning of the leaf or of
// the parts around it. types are the media types that the leaf may have.
func (m *Message) mayEdit(leaf *Part, types ...string) error {
	top := leaf
	for top.parent != nil {
		top = top.parent
	}
	switch {
	case len(m.Problems) > 0:
		return refused(m.Problems[0], "at %d", m.offsets[0])
	case m.cut:
		return refused(reasonCut, "")
	case top != m.Root:
		return refused(reasonInvalidPlan, "part %s of another message", leaf.Number)
	case !slices.Contains(types, leaf.MediaType):
		return refused(reasonInvalidPlan, "part %s is %s, not %s", leaf.Number, leaf.MediaType, strings.Join(types, " or "))
	case leaf.encoding == "binary":
		return refused(reasonBinaryEncoding, "")
	case !slices.Contains([]string{"7bit", "8bit", "quoted-printable", "base64"}, leaf.encoding):
		return refused(reasonUnknownEncoding, "%q", leaf.encoding)
	case !leaf.blank:
		return refused(reasonNoBody, "")
	case bareCR(m.Body(leaf)) >= 0:
		// At the end of the body it would become part of the delimiter's line end.
		return refused(reasonBareCR, "in part %s", leaf.Number)
	}
	return nil
}
