package htmlpart

import (
	"slices"
	"strings"
)

// vmlLink is a shape of VML that is a reference in Outlook and has other references in it.
type vmlLink struct {
	urls []string
	at   place
	open int // its element in the stack
}

// endBeforeReference ends the open reference before another one. A shape of VML goes on in that,
// whose text is also its own.
func (p *pass) endBeforeReference(l *openLink) {
	if p.link != nil && !p.link.vml {
		p.closeLink() // the shape around may go on
	}
	shape := p.link
	if shape == nil {
		return
	}
	for i := len(p.stack) - 1; i >= 0 && !l.vml && l.around == nil; i-- {
		if p.stack[i].name == shape.name {
			l.around = &vmlLink{shape.urls, place{shape.item.Start, shape.item.End}, i}
			l.urls = withHosts(l.urls, shape.urls)
		}
	}
	p.closeLink()
}

// withHosts appends to URLs those of a shape, but for "http://" alone: it opens nothing, and
// generators of mail write it where the URL of a button is not known.
func withHosts(urls, shape []string) []string {
	urls = slices.Clip(urls)
	for _, url := range shape {
		if !strings.HasSuffix(url, "://") {
			urls = append(urls, url)
		}
	}
	return urls
}

// goOn goes on with the shape around a reference that has ended, if it is still open. It may be nil.
func (p *pass) goOn(around *vmlLink) {
	if around == nil || around.open >= len(p.stack) || p.stack[around.open].atom != 0 {
		return
	}
	p.link = p.newLink(&p.stack[around.open], around.urls, around.at, &noAttributes, false)
	p.link.vml, p.link.scope = true, p.scope()
}
