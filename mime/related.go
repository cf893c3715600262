package mime

import (
	"slices"
	"strings"
)

// retypeRelated returns the change of the multipart/related around leaf, for a leaf that becomes a
// multipart/alternative. It returns nil if there is no such multipart, or if that has no type
// parameter. It returns an error unless all programs take leaf for the root part. For that it must come
// first, without a start parameter, and type must be text/plain. Some programs leave out type, although
// RFC 2387 requires it. The Content-ID of the leaf stays with the leaf.
func (m *Message) retypeRelated(leaf *Part) (*retype, error) {
	related := leaf.parent
	if related == nil || related.MediaType != "multipart/related" {
		return nil, nil
	}
	if _, ok := related.params.lookup("start"); ok || related.children[0] != leaf {
		return nil, refused(reasonRelated, "part %s may not be the root part", leaf.Number)
	}
	if _, ok := related.params.lookup("type"); !ok {
		return nil, nil
	}
	r, ok := m.findType(related)
	if !ok {
		return nil, refused(reasonRelated, "of type %q", related.params.get("type"))
	}
	if related == m.Root {
		e := r.headerEdit(m)
		if _, err := foldValue(e.Name, e.Value, m.eol()); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// findType finds the value text/plain of the type parameter in the Content-Type of p. It reports false
// unless p has exactly one type parameter, in its plain form.
func (m *Message) findType(p *Part) (*retype, bool) {
	i := slices.IndexFunc(p.Fields, func(f Field) bool { return f.named("Content-Type") })
	f := p.Fields[i] // a multipart/related has one
	value := lineEndsToSpaces.Replace(string(m.Raw[f.valueStart:f.end]))
	_, all := parseParams(value, nil)
	params := slices.DeleteFunc(all, func(q param) bool {
		base, _, _ := strings.Cut(q.name, "*")
		return base != "type"
	})
	if len(params) != 1 || !strings.EqualFold(value[params[0].start:params[0].end], `"text/plain"`) {
		return nil, false
	}
	start, end := f.valueStart+params[0].start+1, f.valueStart+params[0].end-1
	return &retype{part: p, field: i, edit: Edit{start, end, []byte("multipart/alternative")}}, true
}

// headerEdit returns the change of a field of the message's own header.
func (r *retype) headerEdit(m *Message) HeaderEdit {
	f := m.Root.Fields[r.field]
	return HeaderEdit{Op: OpChange, Field: r.field, Name: f.Name, Value: unfold(r.spliced(m, f.valueStart, f.end))}
}

// spliced returns Raw[start:end] after the edit, which must be inside that range.
func (r *retype) spliced(m *Message, start, end int) []byte {
	return r.edit.applied(m.Raw, start, end)
}
