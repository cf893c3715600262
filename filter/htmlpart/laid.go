package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

const (
	// maxAround is the number of bytes before and after a reference in which the text that it
	// may cover, or that may cover it, is looked for.
	maxAround = 16 << 10
	// maxLaidText is the length in bytes of a text that may lie over others.
	maxLaidText = 512
	// maxPicture is the number of bytes of a picture in SVG whose texts are read.
	maxPicture = 64 << 10
)

// lay reads the text of an element that begins at an offset and that a style moves. It may lie
// over the reference before and the next one.
func (r *reader) lay(at int) {
	t := &r.laid
	if at < t.end {
		return // it is in an element that was read
	}
	source := r.source[at:min(len(r.source), at+maxAround)]
	if r.spend(len(source)) != nil {
		return
	}
	text, size := textWithin(source, false)
	if t.text, t.end = "", at+size; len(text) > maxLaidText || !strings.Contains(text, ".") {
		return
	}
	t.text = text
	if len(t.urls) > 0 && at-t.ended <= maxAround {
		again := Item{Element: t.item.Element, Text: t.item.Text, Hidden: t.item.Hidden, Start: t.item.Start, End: t.item.End, Again: true}
		again.addLabel(text)
		for _, again.URL = range t.urls {
			r.send(&again)
		}
	}
}

// labelLaid gives a reference the text that may lie over it as a label.
func (r *reader) labelLaid(l *openLink) {
	if t := &r.laid; t.text != "" && l.item.Start >= t.end && l.item.Start-t.end <= maxAround {
		l.item.addLabel(t.text)
		t.text = ""
	}
}

// endBefore notes the reference that ends at an offset, over which the next text may lie.
func (r *reader) endBefore(l *openLink, end int) {
	r.laid.item, r.laid.urls, r.laid.ended = l.item, l.urls, end
}

// labelShape gives a reference in SVG without a text the texts of the picture, which is all in
// one place.
func (r *reader) labelShape(l *openLink) {
	if p := &r.picture; p.start >= p.end {
		source := r.source[p.start:min(len(r.source), p.start+maxPicture)]
		size, names := pictureAt(source)
		if p.end = p.start + size; r.spend(size) != nil {
			return
		}
		if names {
			p.text, _ = textWithin(source[:size], true)
		}
	}
	l.item.addLabel(r.picture.text)
}

// pictureAt returns about where the picture at the start of a source ends, and whether its texts
// may name a host.
func pictureAt(source string) (size int, names bool) {
	for at := 0; ; {
		tag := strings.IndexByte(source[at:], '<')
		if tag < 0 {
			return len(source), names || strings.Contains(source[at:], ".")
		}
		names = names || strings.Contains(source[at:at+tag], ".") || strings.Contains(source[at:at+tag], "&")
		at += tag
		if ascii.HasPrefixFold(source[at:], "</svg") || ascii.HasPrefixFold(source[at:], "</math") {
			return at, names
		}
		end := strings.IndexByte(source[at:], '>')
		if end < 0 {
			return len(source), true
		}
		at += end + 1
	}
}

// ignoresClicks reports whether the style of a tag lets clicks through to what is below its element.
func ignoresClicks(tag string) bool { return strings.Contains(strings.ToLower(tag), "pointer-events") }

// textWithin returns the text of the element that a source begins with, and where the element ends.
// The texts of references in it do not count. Unless references are asked for, an element that has
// one has no text.
func textWithin(source string, references bool) (text string, size int) {
	var b strings.Builder
	depth, inside := 0, atom.Atom(0) // the element whose text does not count
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		size += len(z.Raw())
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		switch kind {
		case html.ErrorToken:
			return squeezed(b.String()), size
		case html.TextToken:
			if inside == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			isReference := opens(tag) && !ignoresClicks(string(z.Raw()))
			if isReference && !references {
				return "", size
			}
			if inside == 0 && !htmltoken.IsVoid(tag) && (isReference || tag == atom.Style || tag == atom.Script) {
				inside = tag
			}
			if !htmltoken.IsVoid(tag) {
				depth++
			}
		case html.EndTagToken:
			if depth--; depth <= 0 {
				return squeezed(b.String()), size
			}
			if tag == inside {
				inside = 0
			}
		}
		if kind != html.TextToken && splits(tag) {
			b.WriteByte(' ')
		}
	}
}
