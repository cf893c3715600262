package htmledit

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unsure returns which Sure splices must not be made according to the readings with marks, or nil.
func (m *marks) unsure(readings [][]event) []bool {
	var unsure []bool
	for _, marked := range readings {
		p := markedPlaces{marks: m, agreed: make([]int, len(m.splices))}
		for i := range marked {
			p.event(&marked[i])
		}
		for i := range m.splices {
			if m.splices[i].Sure && p.agreed[i] != 1 {
				if unsure == nil {
					unsure = make([]bool, len(m.splices))
				}
				unsure[i] = true
			}
		}
	}
	return unsure
}

// markedPlaces follows a reading and counts for each splice the places with its mark. A place where the
// text may not be edited counts as many.
type markedPlaces struct {
	places
	*marks
	agreed []int
}

func (p *markedPlaces) event(e *event) {
	switch e.kind {
	case html.ElementNode:
		tag := atom.Lookup([]byte(e.name))
		p.start(openElementOf(e.name, tag, e.attributes), beginsQuotes(tag, e.attributes))
	case ended:
		p.end(e.name)
	case html.TextNode:
		rest := e.text
		for {
			_, i, after, ok := p.cut(rest)
			if !ok {
				return
			}
			rest = after
			const many = 2
			if p.fits(&p.splices[i]) && !e.raw {
				p.agreed[i]++
			} else {
				p.agreed[i] += many
			}
		}
	}
}
