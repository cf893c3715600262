package htmledit

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// A Text is a text between tags: source[Start:End], and what it shows.
type Text struct {
	Start, End int
	Shown      string
}

// Texts returns the texts in a range of the source. The range must begin outside of tags.
func Texts(source string, start, end int) []Text {
	t := newTokens(source, start, end)
	var all []Text
	for t.next() {
		if t.kind == html.TextToken && !t.raw {
			all = append(all, textAt(source, t.start, t.end))
		}
	}
	return all
}

// textAt returns the Text for a range between tags.
func textAt(source string, start, end int) Text {
	return Text{start, end, html.UnescapeString(source[start:end])}
}

// Language returns the language of the root element, or "".
func Language(source string) string {
	t := newTokens(source, 0, min(len(source), maxInside))
	for t.next() {
		if t.kind == html.StartTagToken && t.name == "html" {
			tag, _ := TagAt(source, t.start)
			return cmp.Or(tag.Value("lang"), tag.Value("xml:lang"))
		}
	}
	return ""
}

// maxInside is how many bytes after a start tag are searched for its end tag.
const maxInside = 64 << 10

// Inside returns the texts inside the element of the tag, and the offset of its end tag. ok is false if
// the end tag is too far away, or another element of the same name begins before it.
func (t *Tag) Inside() (texts []Text, end int, ok bool) {
	name := strings.ToLower(elementName(t.source, t.Start))
	inside := newTokens(t.source, t.End, min(len(t.source), t.End+maxInside))
	for inside.next() {
		switch inside.kind {
		case html.TextToken:
			if !inside.raw {
				texts = append(texts, textAt(t.source, inside.start, inside.end))
			}
		case html.EndTagToken:
			if inside.name == name {
				return texts, inside.start, true
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if inside.name == name {
				return nil, 0, false
			}
		}
	}
	return nil, 0, false
}

// Trimmed returns the text without white space at its ends, including no-break spaces in any spelling.
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
