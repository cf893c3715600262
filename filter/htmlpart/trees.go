package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// readTrees reads what only the trees of the source have, not its tokens: the tree of programs
// without scripts, and, if it may differ, the tree of programs with scripts. Where a tree would
// cost too much and may differ from the tokens, the reading is partial. Outlook, which alone reads
// conditional comments, builds no such tree.
func (r *reader) readTrees() error {
	if !r.irregular && !r.always || r.outlook {
		return nil
	}
	if r.hasOneTree() && r.readShort() {
		return r.endOfTrees(true)
	}
	source, ok := r.marked(nil)
	if ok = ok && r.err == nil; ok {
		ok = r.readTree(source, false)
		if ok && (r.noscript || r.hasNoscript() && r.ignoresNoscript()) {
			ok = r.readTree(source, true)
		}
		if ok && r.hasTemplates() {
			ok = r.readTree(withoutTemplates(source), false)
		}
		if ok && r.twoModes { // the document of a web mail program around it has a type
			ok = r.readTree("<!DOCTYPE html>"+source, false)
		}
		if ok && r.hasFrames() {
			ok = r.readInDocument(source)
		}
	}
	return r.endOfTrees(ok)
}

// endOfTrees returns the error of the reading, given whether all trees were read.
func (r *reader) endOfTrees(ok bool) error {
	if !ok && r.err == nil {
		r.partial = true
	}
	if r.stopped {
		return errStopped
	}
	return r.err
}

// maxShort is how often a tree is read with something short in it.
const maxShort = 3

// readShort reads the tree with something short in place of each settled piece. It reports whether nothing is
// left to read. A piece that is not in the tree where it may be, or is shown in another way than the pass saw it, is
// read after all. So is what is behind it, since a reference around the piece or beside it lacks the piece.
func (r *reader) readShort() bool {
	for range maxShort {
		if len(r.settled) == 0 {
			return false
		}
		source, ok := r.marked(r.settled)
		if !ok {
			return false
		}
		doc, err := html.ParseWithOptions(r.metered(source), html.ParseOptionEnableScripting(false))
		if err != nil {
			return false
		}
		counted, isPartial := r.counted, r.partial
		ok = !r.hasAllShort(doc) || r.readNodes(false, doc) && !r.noscript
		if r.muted || !ok { // what was read is read again
			r.muted, r.counted, r.partial = false, counted, isPartial || r.spentBases
		}
		if !ok {
			return false
		}
		n := len(r.settled)
		if r.settled = slices.DeleteFunc(r.settled, func(s settled) bool { return s.missed }); len(r.settled) == n {
			return true
		}
	}
	return false
}

// withoutTemplates returns the source with an unknown element in place of each template:
// in SVG the parser loses what follows a template.
func withoutTemplates(source string) string {
	const name = "templat" // up to the last letter
	var b strings.Builder
	for {
		start := strings.IndexByte(source, '<') + 1
		if start == 0 {
			return b.String() + source
		}
		if strings.HasPrefix(source[start:], "/") {
			start++
		}
		isTemplate := ascii.HasPrefixFold(source[start:], name)
		if isTemplate {
			start += len(name)
		}
		b.WriteString(source[:start])
		if isTemplate {
			b.WriteString("x-")
		}
		source = source[start:]
	}
}

// readTree reads a tree and reports whether there is one.
func (r *reader) readTree(source string, scripts bool) bool {
	doc, err := html.ParseWithOptions(r.metered(source), html.ParseOptionEnableScripting(scripts))
	return err == nil && r.readNodes(scripts, doc)
}

// readInDocument reads the tree that the source has within the document of a web mail
// program, where it cannot have frames, and reports whether there is one.
func (r *reader) readInDocument(source string) bool {
	around := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragmentWithOptions(r.metered(source), around, html.ParseOptionEnableScripting(true))
	return err == nil && r.readNodes(true, nodes...)
}
