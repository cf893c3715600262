package htmltoken

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// tagName is the name of a tag in lower case, and its element.
type tagName struct {
	name string
	tag  atom.Atom
}

// frequent has the names of tags that mail has most, each at a place of its own.
var frequent = func() (names [256]tagName) {
	const list = "a p td tr br div span b i u font img table tbody th li ul ol h1 h2 h3 h4 strong em center style meta html head body " +
		"title hr small sup sub pre blockquote section link input button form label svg option select script dd dt dl nobr"
	for name := range strings.FieldsSeq(list) {
		names[placeOf(name)] = tagName{name, atom.Lookup([]byte(name))}
	}
	return names
}()

// placeOf returns the place of a name among those that are frequent.
func placeOf(name string) uint8 {
	n := len(name)
	return name[0] + 2*name[n/2] + 11*(name[n-1]+uint8(n))
}

// named returns the name of a tag in lower case and its element, given the name in the source.
func named(written string) tagName {
	if written == "" {
		return tagName{}
	}
	if n := frequent[placeOf(written)]; n.name == written {
		return n
	}
	name := Lower(written)
	return tagName{name, atom.Lookup([]byte(name))}
}
