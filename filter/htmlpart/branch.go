package htmlpart

import (
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// costOfBranch is what beginning a branch costs, in bytes read.
const costOfBranch = 1 << 10

// mayBranch reports whether content is possible after the start tag that a parser may
// read as markup or not.
func mayBranch(a atom.Atom) bool {
	switch a {
	case atom.Svg, atom.Math, atom.Select, atom.Frameset, atom.Noscript, atom.Template, atom.Plaintext:
		return true
	}
	return false
}

// branch begins to note where tokens may be read in two ways.
func (r *reader) branch() {
	if r.branches == nil {
		r.branches = &branches{seen: make([]uint64, len(r.source)/64+1), budget: 2*len(r.source) + 1<<20}
	}
}

// rejoins notes that the pass is at a token, and reports whether a branch ends there
// because another pass was at that token. An open reference is read to its end.
func (p *pass) rejoins(kind html.TokenType) bool {
	b := p.branches
	word, bit := &b.seen[p.start/64], uint64(1)<<(p.start%64)
	known := *word&bit != 0
	if kind != html.TextToken || p.raw == 0 {
		*word |= bit
	}
	if !p.branch {
		return false
	}
	if b.budget -= p.pos - p.start + 64; b.budget < 0 {
		p.partial = true
		p.rejoined = true
	}
	if known && p.link == nil {
		p.rejoined = true
	}
	return p.rejoined
}

// either notes that the content of the element whose start tag was read last may be
// markup, or raw text up to its end tag.
func (p *pass) either(tag atom.Atom) {
	if p.branches == nil || p.conditional {
		return
	}
	p.odd = true
	end, ok := p.endOf(tag.String(), p.pos)
	if ok && end == p.pos {
		return // no content
	}
	if !p.inForeign() && tag != atom.Noscript { // else the pass goes on there
		p.pend(p.pos)
	}
	if ok {
		p.pend(end)
	}
}

// unended notes that a raw text without an end may be markup: some programs ignore the
// start tag.
func (p *pass) unended() {
	if p.conditional {
		p.conditions = true
		return
	}
	p.reader.branch()
	p.pend(p.start)
}

// cdata notes that the comment read last may be a CDATA section.
func (p *pass) cdata() {
	const start = "<![CDATA["
	if !strings.HasPrefix(p.source[p.start:p.pos], start) || p.conditional {
		return
	}
	if p.branches == nil {
		return
	}
	p.odd = true
	end, ok := p.endOf(cdataEnd, p.start+len(start))
	if !ok {
		end = len(p.source)
	} else {
		p.pend(end + len(cdataEnd))
	}
	if p.link != nil {
		l := *p.look()
		l.doubt = p.nextSerial()
		p.link.text.put(p.source[p.start+len(start):end], &l)
	}
}

const cdataEnd = "]]>"

// pend notes another way, which begins at an offset.
func (p *pass) pend(at int) {
	b := p.branches
	p.odd = true
	if at < len(p.source) && b.seen[at/64]&(1<<(at%64)) == 0 {
		b.pending = append(b.pending, at)
	}
}

// endOf returns the offset of the next end of raw text of an element, or of CDATA.
func (p *pass) endOf(name string, from int) (int, bool) {
	b := p.branches
	if b.ends == nil {
		b.ends = p.findEnds()
	}
	ends := b.ends[name]
	i := sort.SearchInts(ends, from)
	if i == len(ends) {
		return 0, false
	}
	return ends[i], true
}

// rawNames are the raw text elements, but for plaintext, which has no end.
var rawNames = [...]string{"iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"}

// findEnds returns the offsets of the end tags of raw text elements, and of the ends
// of CDATA sections.
func (r *reader) findEnds() map[string][]int {
	ends := make(map[string][]int)
	for at := 0; ; {
		i := strings.Index(r.source[at:], "</")
		if i < 0 || r.spend(i+1) != nil {
			break
		}
		at += i + len("</")
		rest := r.source[at:]
		for _, name := range rawNames {
			if ascii.HasPrefixFold(rest, name) && len(rest) > len(name) && strings.IndexByte(blanks+"/>", rest[len(name)]) >= 0 {
				ends[name] = append(ends[name], at-len("</"))
				break
			}
		}
	}
	for at := 0; ; at++ {
		i := strings.Index(r.source[at:], cdataEnd)
		if i < 0 || r.spend(i+1) != nil {
			break
		}
		at += i
		ends[cdataEnd] = append(ends[cdataEnd], at)
	}
	return ends
}
