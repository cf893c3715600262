package htmlpart

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// text reads a text. raw is the element whose content is not markup, right after its
// start tag.
func (p *pass) text(raw atom.Atom) {
	source, at := p.source[p.start:p.pos], p.start
	p.checkText(source)
	if raw != 0 && raw != atom.Plaintext && p.pos == p.until {
		p.unended()
	}
	switch raw {
	case atom.Script:
		p.script(source, place{p.start, p.pos})
		p.settleToken(html.TextNode)
		return
	case atom.Style:
		p.settleToken(html.TextNode)
		return
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Xmp, atom.Plaintext:
		p.put(source, at, len(source), raw != atom.Xmp && raw != atom.Plaintext)
		return
	}
	if raw == 0 && p.top() == atom.Script { // of SVG
		p.script(html.UnescapeString(source), place{p.start, p.pos})
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

// put adds a text to the open reference, or to the text between references. Hidden
// text in a visible reference is added to both.
func (p *pass) put(s string, at, size int, hidden bool) {
	if p.link != nil {
		l := p.look()
		if hidden && !l.gone {
			inside := *l
			l, inside.gone = &inside, true
		}
		p.link.text.putAt(len(p.stack), s, p.inField(l))
		if !hidden || p.link.item.Hidden {
			return
		}
	}
	if hidden {
		p.divide(s)
	} else {
		p.showBeside(s)
	}
	if p.branch {
		return
	}
	if hidden {
		p.hidden.append(s, at, size)
		return
	}
	p.apart(s)
	// Hidden texts before and after a visible text do not belong together.
	if len(p.hidden.pieces) > 0 {
		p.emit(&p.hidden, true)
	}
	p.visible.append(s, at, size)
}
