package mime

import (
	"slices"
	"strings"

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
		value := m.FieldValue(*f)
		if !strings.Contains(strings.ToLower(value), "name") {
			continue // nearly every text
		}
		var buf [4]param
		_, written := parseParams(value, buf[:0])
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
