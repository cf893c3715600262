package htmledit

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// compareTrees compares the trees, for readers without scripts and with them.
func (d *direct) compareTrees() bool {
	d.texts = make(map[string]*changes)
	for _, t := range d.changed {
		c, _ := d.planned(t.start, t.end, d.splices[t.from:t.to], nil) // it was compared
		if d.texts[c.before] == nil {
			d.texts[c.before] = new(changes)
		}
		d.texts[c.before].all = append(d.texts[c.before].all, &c)
	}
	scripted, ok := d.compareTree(false)
	if ok && scripted {
		_, ok = d.compareTree(true)
	}
	return ok
}

// compareTree compares the trees for readers with or without scripts. It reports whether
// these may differ, and whether the trees are the same but for planned changes.
func (d *direct) compareTree(scripts bool) (differ, ok bool) {
	option := html.ParseOptionEnableScripting(scripts)
	before, err := html.ParseWithOptions(strings.NewReader(d.source), option)
	if err != nil {
		return false, false
	}
	after, err := html.ParseWithOptions(strings.NewReader(d.after), option)
	if err != nil {
		return false, false
	}
	t := treeComparison{direct: d}
	for _, changes := range d.texts {
		changes.unused = 0
		for _, c := range changes.all {
			c.used = false
		}
	}
	return t.noscript, t.children(before, after) && d.allUsed()
}

// allUsed reports whether each text with Sure splices changed in the tree.
func (d *direct) allUsed() bool {
	for _, changes := range d.texts {
		for _, c := range changes.all {
			if !c.used && slices.ContainsFunc(c.splices, func(s Splice) bool { return s.Sure }) {
				return false
			}
		}
	}
	return true
}

// treeComparison walks through two trees.
type treeComparison struct {
	*direct
	quoted   bool // what follows is a message that is quoted
	noscript bool // the tree has an element that depends on scripts
}

// children compares what is in two nodes.
func (t *treeComparison) children(before, after *html.Node) bool {
	b, a := before.FirstChild, after.FirstChild
	for b != nil || a != nil {
		if b != nil && a != nil && b.Type == a.Type && (b.Type != html.TextNode || b.Data == a.Data) {
			if !t.node(b, a) {
				return false
			}
			b, a = b.NextSibling, a.NextSibling
			continue
		}
		text := ""
		if b != nil && b.Type == html.TextNode {
			text, b = b.Data, b.NextSibling
		}
		var ok bool
		if a, ok = t.changed(text, after, a); !ok {
			return false
		}
	}
	return true
}

// node compares two nodes of one type, of which texts are equal.
func (t *treeComparison) node(before, after *html.Node) bool {
	switch before.Type {
	case html.TextNode:
		return true
	case html.CommentNode:
		return before.Data == after.Data || t.comments[[2]string{before.Data, after.Data}]
	case html.ElementNode:
		t.noscript = t.noscript || before.DataAtom == atom.Noscript
		t.quoted = t.quoted || t.sure && beginsQuotes(before.DataAtom, before.Attr)
	}
	return before.Data == after.Data && before.Namespace == after.Namespace &&
		(slices.Equal(before.Attr, after.Attr) || before.Type == html.ElementNode && t.without(before.Data, before.Attr, after.Attr)) &&
		t.children(before, after)
}

// changed finds the planned change of a text in an element to what is at a node, and returns
// the node behind that.
func (t *treeComparison) changed(text string, in, at *html.Node) (behind *html.Node, ok bool) {
	changes := t.texts[text]
	if changes == nil {
		return nil, false
	}
	for ; changes.unused < len(changes.all) && changes.all[changes.unused].used; changes.unused++ {
	}
	for _, c := range changes.all[changes.unused:] {
		if c.used {
			continue
		}
		if _, behind, ok := follow(c.after, at); ok && t.fit(c, in) {
			c.used = true
			return behind, true
		}
	}
	return nil, false
}

// follow reports whether events, up to the end of an element around them, are at a node and
// those behind it. It returns the events and the node behind them.
func follow(events []event, n *html.Node) (rest []event, behind *html.Node, ok bool) {
	for len(events) > 0 {
		e := &events[0]
		if events = events[1:]; e.kind == ended {
			return events, n, true
		}
		if n == nil {
			return nil, nil, false
		}
		switch e.kind {
		case html.TextNode:
			if n.Type != html.TextNode || n.Data != e.text {
				return nil, nil, false
			}
		case html.ElementNode:
			if n.Type != html.ElementNode || n.Data != e.name || n.Namespace != "" || !slices.Equal(n.Attr, e.attributes) {
				return nil, nil, false
			}
			var inner *html.Node
			if events, inner, ok = follow(events, n.FirstChild); !ok || inner != nil {
				return nil, nil, false
			}
		}
		n = n.NextSibling
	}
	return nil, n, true
}

// fit reports whether a text in an element may be changed.
func (t *treeComparison) fit(c *change, in *html.Node) bool {
	if !t.sure || !slices.ContainsFunc(c.splices, func(s Splice) bool { return s.Sure }) {
		return true
	}
	p := places{quoted: t.quoted}
	for n := in; n != nil && n.Type == html.ElementNode; n = n.Parent {
		o := openElementOf(n.Data, n.DataAtom, n.Attr)
		o.stays = o.stays || n.Namespace != ""
		p.add(o)
	}
	return !slices.ContainsFunc(c.splices, func(s Splice) bool { return s.Sure && !p.fits(&s) })
}
