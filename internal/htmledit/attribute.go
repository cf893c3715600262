package htmledit

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// attribute is the place of an attribute in a start tag.
type attribute struct {
	name       string // in lower case
	start, end int
}

// WithoutAttributes returns the splices that remove attributes of the start tag at an offset. drop gets
// each name in lower case and says which attributes go. It returns nil if there is no tag.
func WithoutAttributes(source string, tag int, drop func(name string) bool) []Splice {
	if !isStartTag(source, tag) {
		return nil
	}
	var splices []Splice
	attributes, _ := attributesOf(source, tag)
	for _, a := range attributes {
		if drop(a.name) {
			start, end := removal(source, a)
			splices = append(splices, Splice{Start: start, End: end, Attribute: a.name, value: valueOf(source[a.start:a.end])})
		}
	}
	return splices
}

// valueOf returns the decoded value of an attribute.
func valueOf(attribute string) string {
	if name, value, ok := strings.Cut(attribute, "="); ok && name != "" && !strings.ContainsAny(value, "&\r\x00") {
		if inner, quoted := strings.CutPrefix(value, `"`); quoted {
			return strings.TrimSuffix(inner, `"`)
		}
	}
	z := html.NewTokenizer(strings.NewReader("<a " + attribute + ">"))
	z.Next()
	z.TagName()
	_, value, _ := z.TagAttr()
	return string(value)
}

// Tag is a complete start tag: source[Start:End].
type Tag struct {
	Start, End int
	source     string
	attributes []attribute
}

// TagAt returns the start tag at an offset, or false if there is no complete one.
func TagAt(source string, offset int) (Tag, bool) {
	if !isStartTag(source, offset) {
		return Tag{}, false
	}
	attributes, end := attributesOf(source, offset)
	return Tag{offset, end, source, attributes}, end > 0
}

// Value returns the value of the first attribute called name, which is in lower case.
func (t *Tag) Value(name string) string {
	for _, a := range t.attributes {
		if a.name == name {
			return valueOf(t.source[a.start:a.end])
		}
	}
	return ""
}

// elementName returns the name of the start tag at an offset, as written.
func elementName(source string, tag int) string {
	name := source[tag+1:]
	if i := strings.IndexAny(name, "/>"+blanks); i >= 0 {
		name = name[:i]
	}
	return name
}

// isStartTag reports whether a start tag may begin at an offset.
func isStartTag(source string, tag int) bool {
	return tag >= 0 && tag+1 < len(source) && source[tag] == '<' && ascii.IsLetter(source[tag+1])
}

// removal returns the range of an attribute, with the white space in front of it if the rest of the tag
// then reads the same.
func removal(source string, a attribute) (start, end int) {
	start, end = a.start, a.end
	if end == len(source) {
		return start, end
	}
	before := len(strings.TrimRight(source[:start], blanks))
	switch {
	case before == start, before > 0 && source[before-1] == '/':
		// A "/" must not end up in front of ">", nor at the end of a value.
	case source[end] == '/' && source[before-1] != '"' && source[before-1] != '\'':
		// The same holds for a "/" after the attribute.
	case source[end] == '>', source[end] == '/', strings.IndexByte(blanks, source[end]) >= 0:
		start = before
	}
	return start, end
}

// blanks is the white space of HTML.
const blanks = " \t\r\n\f"

// attributesOf returns the attributes of the start tag at an offset, and the offset after it; 0 for a
// tag without an end (HTML §13.2.5.32 to §13.2.5.39).
func attributesOf(source string, tag int) (all []attribute, end int) {
	i := tag + 1
	for i < len(source) && source[i] != '/' && source[i] != '>' && strings.IndexByte(blanks, source[i]) < 0 {
		i++
	}
	for {
		for i < len(source) && (source[i] == '/' || strings.IndexByte(blanks, source[i]) >= 0) {
			i++
		}
		if i >= len(source) {
			return all, 0
		}
		if source[i] == '>' {
			return all, i + 1
		}
		a, ok := attributeAt(source, i)
		if !ok {
			return all, 0
		}
		all = append(all, a)
		i = a.end
	}
}

// attributeAt returns the attribute at an offset, and false if the source ends in it.
func attributeAt(source string, i int) (attribute, bool) {
	a := attribute{start: i}
	i++ // an equals sign may begin a name
	for i < len(source) && strings.IndexByte("/>="+blanks, source[i]) < 0 {
		i++
	}
	a.name, a.end = strings.ToLower(source[a.start:i]), i
	for i < len(source) && strings.IndexByte(blanks, source[i]) >= 0 {
		i++
	}
	if i >= len(source) || source[i] != '=' {
		return a, a.end < len(source)
	}
	for i++; i < len(source) && strings.IndexByte(blanks, source[i]) >= 0; i++ {
	}
	if i >= len(source) {
		return a, false
	}
	switch c := source[i]; c {
	case '>':
		a.end = i
		return a, true
	case '"', '\'':
		n := strings.IndexByte(source[i+1:], c)
		a.end = i + n + 2
		return a, n >= 0
	}
	for i < len(source) && source[i] != '>' && strings.IndexByte(blanks, source[i]) < 0 {
		i++
	}
	a.end = i
	return a, i < len(source)
}
