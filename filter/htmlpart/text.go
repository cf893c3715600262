package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// text reads a text. raw is the element whose content is not markup, right after its
// start tag.
func (p *pass) text(raw atom.Atom) {
	source, at := p.source[p.start:p.pos], p.start
	switch raw {
	case atom.Script, atom.Style:
		return
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
		p.put(source, at, len(source), raw != atom.Xmp && raw != atom.Plaintext)
		return
	}
	hidden := raw == atom.Title || p.isHidden()
	for source != "" {
		i := strings.IndexByte(source, '&')
		if i < 0 {
			i = len(source)
		}
		if i > 0 {
			p.put(source[:i], at, i, hidden)
		}
		source, at = source[i:], at+i
		if source != "" {
			n := referenceLength(source)
			p.put(character(source[:n]), at, n, hidden)
			if p.spend(n) != nil {
				return
			}
			source, at = source[n:], at+n
		}
	}
}

// referenceLength returns the length of a possible character reference at the start of
// s.
func referenceLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case ascii.IsAlphanumeric(c), c == '#' && i == 1:
		case c == ';':
			return i + 1
		default:
			return i
		}
	}
	return len(s)
}

// character returns the character of a character reference.
func character(reference string) string {
	if reference == "&nbsp;" { // by far the most common
		return "\u00a0"
	}
	return html.UnescapeString(reference)
}

// put adds a text to the open reference, as far as there is room, or to the
// text between references. Hidden text in a visible reference is added to both.
func (p *pass) put(s string, at, size int, hidden bool) {
	if p.link != nil && p.link.put(s, hidden) && (!hidden || p.link.item.Hidden) {
		return
	}
	if hidden {
		p.hidden.append(s, at, size)
		return
	}
	// Hidden texts before and after a visible text do not belong together.
	if len(p.hidden.pieces) > 0 {
		p.emit(&p.hidden, true)
	}
	p.visible.append(s, at, size)
}
