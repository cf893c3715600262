package htmlpart

import (
	"slices"
	"strings"
)

// endBeforeReference ends the open reference before another one. A shape of VML around that opens
// its text, too.
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
			l.around = &vmlLink{shape.urls, shape.item.Start, shape.item.End, shape.name, i}
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
