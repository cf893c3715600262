package mime

import (
	"slices"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// Names returns the file names of p as programs may read them in Content-Disposition and
// Content-Type: in the forms of RFC 2231 and RFC 2047, and as written. It returns each
// name once.
func (m *Message) Names(p *Part) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(p.Filename)
	for i := range p.Fields {
		f := &p.Fields[i]
		if !f.named("Content-Disposition") && !f.named("Content-Type") {
			continue
		}
		if !hasName(m.RawField(*f)) {
			continue // nearly every text
		}
		var buf [4]param
		_, written := parseParams(m.FieldValue(*f), buf[:0])
		params, _ := combine(written)
		for _, name := range []string{"filename", "name"} {
			value := params.get(name)
			for _, decoded := range charset.LooseWords(value) {
				add(decoded)
			}
			add(percent.Decode(value))
		}
		for _, q := range written[:min(len(written), manyParams)] {
			if q.name == "filename" || q.name == "name" {
				add(q.value)
			}
		}
	}
	return names
}

// hasName reports whether a field may have a parameter with a file name: filename or name.
func hasName(field []byte) bool {
	const name = "name"
	for i := range len(field) - len(name) {
		if field[i]|0x20 == name[0] && ascii.EqualFold(string(field[i:i+len(name)]), name) {
			return true
		}
	}
	return false
}
