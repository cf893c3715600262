package mime

import (
	"bytes"
	"context"
	"slices"
)

// Verify parses edited as an independent reader would and compares it with m. It requires:
//
//   - Every byte outside the plan is unchanged and in its place.
//   - The header has the fields that the plan keeps, byte for byte and in order, the
//     fields that it writes, and no others.
//   - All parts have the same bytes, except for those in the plan.
//   - A rewritten text decodes to the planned text, and its header differs only in charset
//     and encoding.
//   - An added alternative is a multipart/alternative of two parts: the leaf, unchanged or
//     rewritten, and HTML that decodes to the given one.
//   - The message has no new ambiguity.
//   - No edit adds a bare CR or, to a message with CRLF line ends, a bare LF.
//
// The error has the reason "verify", or is the error of [Message.Apply] for the
// plan, or the error of the context. The caller then sends the original message.
func (m *Message) Verify(plan Plan, edited []byte) error {
	pieces, bodyStart, err := m.pieces(plan)
	if err != nil {
		return err
	}
	rest := edited
	for _, piece := range pieces {
		if !bytes.HasPrefix(rest, piece) {
			return refused(reasonVerify, "not the planned bytes at %d", len(edited)-len(rest))
		}
		rest = rest[len(piece):]
	}
	if len(rest) > 0 {
		return refused(reasonVerify, "%d bytes more than planned", len(rest))
	}
	if err := m.verifyLineEnds(plan, edited, bodyStart); err != nil {
		return err
	}
	if m.headerOnly(plan) {
		return m.verifyHeader(plan, edited, bodyStart)
	}
	return m.verifyStructure(plan, edited, bodyStart)
}

// verifyLineEnds requires that the edited header, and each place that an edit changes, has no more bare
// CRs and LFs than before. Servers refuse or change them, and programs differ in how they read them.
func (m *Message) verifyLineEnds(plan Plan, edited []byte, bodyStart int) error {
	eol := m.eol()
	if bareEnds(edited[:bodyStart], eol) > bareEnds(m.Raw[:m.Root.bodyStart], eol) {
		return refused(reasonVerify, "the header got a bare CR or LF")
	}
	at, pos := bodyStart, m.Root.bodyStart // offsets of the same byte, in edited and in Raw
	for _, e := range joined(plan.Body) {
		at += e.Start - pos
		// An edit can part a CRLF, so the bytes around it count.
		after := edited[max(0, at-1):min(len(edited), at+len(e.New)+1)]
		before := m.Raw[max(0, e.Start-1):min(len(m.Raw), e.End+1)]
		if bareEnds(after, eol) > bareEnds(before, eol) {
			return refused(reasonVerify, "the edit at %d adds a bare CR or LF", e.Start)
		}
		at, pos = at+len(e.New), e.End
	}
	return nil
}

// headerOnly reports whether a plan edits only fields of the message's header that do not
// describe its parts. If so, the parts do not change.
func (m *Message) headerOnly(plan Plan) bool {
	if len(plan.Body)+len(plan.alternatives)+len(plan.rewrites) > 0 {
		return false
	}
	for _, e := range plan.Header {
		name := e.Name
		if e.Op == OpChange || e.Op == OpDelete {
			name = m.Root.Fields[e.Field].Name
		}
		if decisive(name) {
			return false
		}
	}
	return true
}

// verifyHeader parses only the header of edited and compares its fields. Its cost does not
// depend on the body.
func (m *Message) verifyHeader(plan Plan, edited []byte, bodyStart int) error {
	lim := m.limits
	lim.HeaderBytes += bodyStart - m.Root.bodyStart // at least as many fields are read as before
	header := parseCut(context.Background(), edited[:lineEnd(edited, bodyStart)], lim, m.depth, true)
	v := verifier{m: m, got: header, plan: plan}
	return v.header(bodyStart)
}

// verifyStructure parses edited and compares the two messages part by part.
func (m *Message) verifyStructure(plan Plan, edited []byte, bodyStart int) error {
	lim := m.limits
	if len(plan.alternatives) > 0 { // an edited message was within its limits
		lim.Depth++
		lim.Parts += 2 * len(plan.alternatives)
	}
	lim.HeaderBytes += max(0, len(edited)-len(m.Raw))
	v := verifier{m: m, got: parseCut(m.ctx, edited, lim, m.depth, m.cut), plan: plan}
	if err := m.ctx.Err(); err != nil {
		return refused(reasonVerify, "%v", err) // edited was not parsed to its end
	}
	if err := v.header(bodyStart); err != nil {
		return err
	}
	return v.part(m.Root, v.got.Root)
}

// A verifier compares a message with the edited one.
type verifier struct {
	m, got *Message
	plan   Plan
}

// header compares the header of the edited message with the plan. The message must have no
// new ambiguity.
func (v verifier) header(bodyStart int) error {
	if v.got.Root.bodyStart != bodyStart {
		return refused(reasonVerify, "the body begins at %d, not at %d", v.got.Root.bodyStart, bodyStart)
	}
	for _, reason := range v.got.Problems {
		if !v.m.doubtful(reason) {
			return refused(reasonVerify, "became ambiguous: %s", reason)
		}
	}
	return v.rootFields()
}

// rootFields compares the fields of the edited message with the fields that the plan keeps
// and writes.
func (v verifier) rootFields() error {
	edits, err := v.m.sortHeaderEdits(v.plan)
	if err != nil {
		return err
	}
	left := v.got.Root.Fields
	take := func() (f Field, ok bool) {
		if len(left) == 0 {
			return f, false
		}
		f, left = left[0], left[1:]
		return f, true
	}
	written := func(e HeaderEdit) error {
		f, ok := take()
		if !ok || !f.named(e.Name) || v.got.FieldValue(f) != unfold([]byte(e.Value)) {
			return refused(reasonVerify, "field %s is not as planned", e.Name)
		}
		return nil
	}
	for _, e := range edits.top {
		if err := written(e); err != nil {
			return err
		}
	}
	edited := edits.fields
	for i, f := range v.m.Root.Fields {
		if len(edited) > 0 && edited[0].Field == i {
			if edited[0].Op == OpChange {
				if err := written(edited[0]); err != nil {
					return err
				}
			}
			edited = edited[1:]
			continue
		}
		g, ok := take()
		after, before := trimLineEnd(v.got.Raw[g.start:g.end]), trimLineEnd(v.m.Raw[f.start:f.end])
		if !ok || !bytes.Equal(after, before) && (!v.m.cutShort(f) || !bytes.HasPrefix(after, before)) {
			return refused(reasonVerify, "field %d, %s, changed", i, f.Name)
		}
	}
	if v.m.doubtful(reasonHeaderTooLarge) {
		return nil // after the limit, Verify compares only bytes
	}
	for _, e := range edits.end {
		if err := written(e); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return refused(reasonVerify, "unplanned field %s", left[0].Name)
	}
	return nil
}

// part compares a part of the message with the edited one.
func (v verifier) part(want, got *Part) error {
	for _, a := range v.plan.alternatives {
		if a.leaf == want {
			return v.alternative(a, got)
		}
	}
	r := v.plan.rewriteOf(want)
	header, params := v.m.partHeader(want, r), want.params
	if rt := v.retyped(want); rt != nil {
		header, params = rt.spliced(v.m, want.start, want.bodyStart), params.with("type", "multipart/alternative")
	}
	switch {
	case r != nil:
		if err := v.rewritten(r, got); err != nil {
			return err
		}
	case got.MediaType != want.MediaType, got.encoding != want.encoding, !slices.Equal(got.params, params):
		return refused(reasonVerify, "part %s became %s", want.Number, got.MediaType)
	case len(want.children) == 0 && !v.touched(want) && !bytes.Equal(v.got.Body(got), v.m.Body(want)):
		return refused(reasonVerify, "body of part %s changed", want.Number)
	}
	switch {
	case len(got.children) != len(want.children):
		return refused(reasonVerify, "part %s has %d parts, not %d", want.Number, len(got.children), len(want.children))
	case want.parent != nil && !bytes.Equal(v.got.headerBytes(got), header):
		return refused(reasonVerify, "header of part %s changed", want.Number)
	}
	for i, child := range want.children {
		if err := v.part(child, got.children[i]); err != nil {
			return err
		}
	}
	return nil
}

// retyped returns the change of the header of p, a multipart/related, or nil.
func (v verifier) retyped(p *Part) *retype {
	for _, a := range v.plan.alternatives {
		if a.retype != nil && a.retype.part == p {
			return a.retype
		}
	}
	return nil
}

// touched reports whether the plan edits the body of p.
func (v verifier) touched(p *Part) bool {
	for _, e := range v.plan.Body {
		if e.Start <= p.end && e.End >= p.bodyStart {
			return true
		}
	}
	return false
}

// alternative compares a leaf that got an alternative with the new multipart.
func (v verifier) alternative(a alternative, got *Part) error {
	if got.MediaType != "multipart/alternative" || len(got.children) != 2 {
		return refused(reasonVerify, "part %s became %s of %d", a.leaf.Number, got.MediaType, len(got.children))
	}
	first, second := got.children[0], got.children[1]
	r := v.plan.rewriteOf(a.leaf)
	fields := v.m.movedFields(r)
	if a.leaf != v.m.Root {
		fields = trimLineEnd(v.m.partHeader(a.leaf, r)) // without its empty line
	}
	switch {
	case !bytes.Equal(v.got.fieldBytes(first), fields):
		return refused(reasonVerify, "fields of part %s changed", a.leaf.Number)
	case second.MediaType != "text/html" || second.params.get("charset") != "utf-8" || len(second.children) > 0:
		return refused(reasonVerify, "alternative to part %s is %s", a.leaf.Number, second.MediaType)
	case r != nil:
		if err := v.rewritten(r, first); err != nil {
			return err
		}
	case first.MediaType != a.leaf.MediaType, first.encoding != a.leaf.encoding, !slices.Equal(first.params, a.leaf.params):
		return refused(reasonVerify, "part %s is described as %s", a.leaf.Number, first.MediaType)
	case !bytes.Equal(v.got.Body(first), v.m.Body(a.leaf)):
		return refused(reasonVerify, "body of part %s changed", a.leaf.Number)
	}
	digest := newDigest()
	err := v.got.decode(second, func(piece []byte) error {
		digest.normalised(piece)
		return nil
	})
	if err != nil {
		return refused(reasonVerify, "alternative to part %s: %v", a.leaf.Number, err)
	}
	if digest.sum() != a.html {
		return refused(reasonVerify, "alternative to part %s decodes to another text", a.leaf.Number)
	}
	return nil
}

// rewritten compares the text of got with the planned text of r.
func (v verifier) rewritten(r *rewrite, got *Part) error {
	want := r.leaf
	text, err := v.got.leafText(got)
	if err != nil {
		return refused(reasonVerify, "text of part %s: %v", want.Number, err)
	}
	isCharset := func(p parameter) bool { return p.name == "charset" }
	before := slices.DeleteFunc(slices.Clone(want.params), isCharset)
	after := slices.DeleteFunc(slices.Clone(got.params), isCharset)
	switch {
	case got.MediaType != want.MediaType, got.encoding != r.encoding, text.charset != r.charset,
		!slices.Equal(before, after), got.disposition != want.disposition, got.Filename != want.Filename:
		return refused(reasonVerify, "part %s is described as %s", want.Number, got.MediaType)
	case digestOf(text.content) != r.digest:
		return refused(reasonVerify, "text of part %s is not as planned", want.Number)
	}
	return nil
}
