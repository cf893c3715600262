package mime

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// Names returns the file names of p that programs may read in Content-Disposition and Content-Type: in
// the forms of RFC 2231 and RFC 2047, and as written. It includes names from other fields that some
// programs use. It returns each name once.
func (m *Message) Names(p *Part) []string {
	n := names{ctx: m.ctx}
	n.add(p.Filename)
	for i := range p.Fields {
		f := &p.Fields[i]
		switch first := f.Name[0] | 0x20; {
		case first != 'c' && first != 'x': // most fields
		case !ascii.HasPrefixFold(f.Name, "Content-") && !f.named("X-Sun-Data-Name"):
		case f.named("Content-Disposition"), f.named("Content-Type"):
			if indexOfName(m.Raw[f.valueStart:f.end]) >= 0 { // text parts rarely have a name
				n.addParams(m.FieldValue(*f))
			}
		case f.named("Content-Name"), f.named("X-Sun-Data-Name"), f.named("Content-Description"), f.named("Content-Location"):
			n.addDecoded(m.FieldValue(*f))
		}
	}
	return n.all
}

// names are the names of a part.
type names struct {
	ctx   context.Context
	all   []string
	known map[string]bool // set of the names if they are many, otherwise nil
}

// fewNames is up to how many names a linear search is faster than a map.
const fewNames = 8

// add adds a name that is new, and its part before a NUL, where some programs end it.
func (n *names) add(name string) {
	if name == "" {
		return
	}
	if !n.has(name) {
		n.all = append(n.all, name)
		n.note()
	}
	if before, _, ok := strings.Cut(name, "\x00"); ok {
		n.add(before)
	}
}

// has reports whether a name is known.
func (n *names) has(name string) bool {
	if n.known != nil {
		return n.known[name]
	}
	return slices.Contains(n.all, name)
}

// note adds the last name to the set, which it creates once there are many names.
func (n *names) note() {
	added := n.all[len(n.all)-1:]
	if n.known == nil {
		if len(n.all) <= fewNames {
			return
		}
		n.known, added = make(map[string]bool), n.all
	}
	for _, name := range added {
		n.known[name] = true
	}
}

// addDecoded adds a name that may have encoded words or percent escapes.
func (n *names) addDecoded(value string) {
	for _, decoded := range charset.LooseWords(n.ctx, value) {
		n.add(decoded)
	}
	n.add(percent.Decode(value))
}

// addParams adds the names in the parameters of a field.
func (n *names) addParams(value string) {
	var buf [4]param
	field, written := parseParams(value, buf[:0])
	if i := indexOfName(field.value); i >= 0 { // it follows without a semicolon
		_, written = parseParams(";"+field.value[i:], written)
	}
	params, _ := combine(written)
	for _, name := range []string{"filename", "name"} {
		n.addDecoded(params.get(name))
		n.addDecoded(looseSections(written, name))
	}
	for _, q := range written[:min(len(written), manyParams)] {
		if q.name == "filename" || q.name == "name" {
			n.add(q.value)
		}
	}
}

// looseSections joins the sections of a parameter (RFC 2231 §3) in numeric order. The numbers may begin
// anywhere and have gaps.
func looseSections(params []param, base string) string {
	type section struct {
		number int
		value  string
	}
	var sections []section
	for _, p := range params {
		if name, number, ok := strings.Cut(p.name, "*"); ok && name == base {
			n, _ := strconv.Atoi(strings.TrimSuffix(number, "*"))
			sections = append(sections, section{n, p.value})
		}
	}
	slices.SortStableFunc(sections, func(a, b section) int { return cmp.Compare(a.number, b.number) })
	var b strings.Builder
	for _, s := range sections {
		b.WriteString(s.value)
	}
	_, text := cutCharset(b.String())
	return text
}

// indexOfName returns the index of "filename" or "name" in the value of a field, or -1. It first
// compares the third letter, which rules out most positions.
func indexOfName[T string | []byte](field T) int {
	const name, prefix = "name", "file"
	for i := range len(field) - len(name) {
		if field[i+2]|0x20 != name[2] || !ascii.EqualFold(string(field[i:i+len(name)]), name) {
			continue
		}
		if i >= len(prefix) && ascii.EqualFold(string(field[i-len(prefix):i]), prefix) {
			return i - len(prefix)
		}
		return i
	}
	return -1
}
