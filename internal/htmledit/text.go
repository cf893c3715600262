package htmledit

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A Text is a text between tags: the range of the source, and what it shows.
type Text struct {
	Start, End int
	Shown      string
}

// Texts returns the texts in a range of the source that begins outside of tags.
func Texts(source string, start, end int) []Text {
	w := newWalk(source, start, end)
	var all []Text
	for w.next() {
		if text, ok := w.text(); ok {
			all = append(all, text)
		}
	}
	return all
}

// Language returns the language of the root element, "" where it does not say one.
func Language(source string) string {
	w := newWalk(source, 0, min(len(source), maxInside))
	for w.next() {
		if w.kind == html.StartTagToken && w.name == "html" {
			tag, _ := TagAt(source, w.start)
			return cmp.Or(tag.Value("lang"), tag.Value("xml:lang"))
		}
	}
	return ""
}

// maxInside is the number of bytes behind a start tag in which its end tag is looked for.
const maxInside = 64 << 10

// Inside returns the texts in the element of the tag, and the offset of its end tag. It
// reports false where the end tag is not found: it is far, or another element of the name
// comes first.
func (t *Tag) Inside() (texts []Text, end int, ok bool) {
	source, from, name := t.source, t.End, elementName(t.source, t.Start)
	if texts, end, ok = oneText(source, from, name); ok {
		return texts, end, true
	}
	w := newWalk(source, from, min(len(source), from+maxInside))
	for w.next() {
		switch w.kind {
		case html.TextToken:
			if text, ok := w.text(); ok {
				texts = append(texts, text)
			}
		case html.EndTagToken:
			if strings.EqualFold(w.name, name) {
				return texts, w.start, true
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if strings.EqualFold(w.name, name) {
				return nil, 0, false
			}
		}
	}
	return nil, 0, false
}

// oneText is Inside for an element with nothing but a text, or nothing at all.
func oneText(source string, from int, name string) (texts []Text, end int, ok bool) {
	rest := source[from:min(len(source), from+maxInside)]
	i := strings.IndexByte(rest, '<')
	if i < 0 || !endsElement(rest[i:], name) || isRawToken(atom.Lookup([]byte(strings.ToLower(name)))) {
		return nil, 0, false
	}
	if i > 0 {
		texts = []Text{{from, from + i, html.UnescapeString(rest[:i])}}
	}
	return texts, from + i, true
}

// text returns the text that was read last, and false where it is not one to read.
func (w *walk) text() (Text, bool) {
	if w.kind != html.TextToken || w.raw {
		return Text{}, false
	}
	return Text{w.start, w.end, html.UnescapeString(w.source[w.start:w.end])}, true
}

// Trimmed returns the text without white space around it, which may also be written as
// no-break spaces.
func (t Text) Trimmed(source string) Text {
	isInk := func(c byte) bool { return c > ' ' && c < utf8.RuneSelf }
	if t.Shown != "" && t.Shown == source[t.Start:t.End] && isInk(t.Shown[0]) && isInk(t.Shown[len(t.Shown)-1]) {
		return t
	}
	for changed := true; changed; {
		changed = false
		for _, space := range [...]string{" ", "\t", "\r", "\n", "\f", "\u00a0", "&nbsp;", "&#160;", "&#xa0;", "&#xA0;"} {
			if inner := source[t.Start:t.End]; strings.HasPrefix(inner, space) {
				t.Start, changed = t.Start+len(space), true
			} else if strings.HasSuffix(inner, space) {
				t.End, changed = t.End-len(space), true
			}
		}
	}
	t.Shown = strings.Trim(t.Shown, " \t\r\n\f\u00a0")
	return t
}
