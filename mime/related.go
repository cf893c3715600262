package mime

import (
	"slices"
	"strings"
)

// retypeRelated returns what changes in the multipart/related around leaf when
// the leaf becomes a multipart/alternative: nil when nothing does, because leaf is
// in no multipart/related or no type is given. It is a [PlanError] if leaf is not
// the root part for everybody: it must come first, without a start parameter, and
// the type, which RFC 2387 demands and some programs leave out, must be its own.
// A Content-ID of the leaf stays with it.
func (m *Message) retypeRelated(leaf *Part) (*retype, error) {
	related := leaf.parent
	if related == nil || related.MediaType != "multipart/related" {
		return nil, nil
	}
	if _, ok := related.params.lookup("start"); ok || related.Children[0] != leaf {
		return nil, refused(ReasonRelated, "part %s may not be the root part", leaf.Number)
	}
	if _, ok := related.params.lookup("type"); !ok {
		return nil, nil
	}
	r, ok := m.findType(related)
	if !ok {
		return nil, refused(ReasonRelated, "of type %q", related.params.get("type"))
	}
	if related == m.Root {
		e := r.headerEdit(m)
		if _, err := FoldValue(e.Name, e.Value, m.eol()); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// findType finds the value text/plain of the type parameter in the Content-Type of
// p, where it stands once and is written plainly.
func (m *Message) findType(p *Part) (*retype, bool) {
	i := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Named("Content-Type") })
	f := p.Fields[i] // there is one, or p were no multipart/related
	value := lineEndsToSpaces.Replace(string(m.Raw[f.ValueStart:f.End]))
	_, all := parseParams(value, nil)
	params := slices.DeleteFunc(all, func(q param) bool {
		base, _, _ := strings.Cut(q.name, "*")
		return base != "type"
	})
	if len(params) != 1 || !strings.EqualFold(value[params[0].start:params[0].end], `"text/plain"`) {
		return nil, false
	}
	start, end := f.ValueStart+params[0].start+1, f.ValueStart+params[0].end-1
	return &retype{part: p, field: i, edit: Edit{start, end, []byte("multipart/alternative")}}, true
}

// headerEdit returns the change of a field of the message's own header.
func (r *retype) headerEdit(m *Message) HeaderEdit {
	f := m.Root.Fields[r.field]
	return HeaderEdit{Op: OpChange, Field: r.field, Name: f.Name, Value: unfold(r.spliced(m, f.ValueStart, f.End))}
}

// spliced returns Raw[start:end], which holds the value, after the edit.
func (r *retype) spliced(m *Message, start, end int) []byte {
	return r.edit.applied(m.Raw, start, end)
}
