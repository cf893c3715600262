package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// compareTokens compares the tokens and notes the planned changes. What a tokenizer reads
// depends on the bytes and on the raw text element that began right before. So tokens without
// splices, which have the same bytes in the result, need no comparison.
func (d *direct) compareTokens() bool {
	before := newRawWalk(d.source, 0)
	var after *walk // of the result
	shift := 0      // of the result
	last := -1      // the start tag right before
	open := false   // a comment right before may have no end
	for done := 0; ; {
		more := before.next()
		inserted := d.insertedAt(done, before)
		n := inserted + d.splicesIn(done+inserted, before)
		if n > 0 {
			if !more && open || last >= 0 && isRawToken(atom.Lookup([]byte(strings.ToLower(elementName(d.source, last))))) {
				return false
			}
			if after = d.at(after, before.start+shift); after == nil {
				return false
			}
			if inserted > 0 && !d.compareText(before.start, before.start, done, done+inserted, after) ||
				n > inserted && !d.compareChanged(before, done+inserted, done+n, after) {
				return false
			}
			shift += added(d.splices[done : done+n])
			if behind := before.end; n == inserted && after.end != before.start+shift || n > inserted && after.end != behind+shift {
				return false
			}
		}
		if done += n; !more {
			return done == len(d.splices)
		}
		last = -1
		if before.kind == html.StartTagToken {
			last = before.start
		}
		open = before.kind == html.CommentToken || before.kind == html.DoctypeToken
		d.follow(before)
		if done == len(d.splices) && d.nesting.lost {
			return true // what follows has the same bytes
		}
	}
}

// follow notes a token for the places behind it.
func (d *direct) follow(w *walk) {
	switch w.kind {
	case html.TextToken:
		d.nesting.text(w.source[w.start:w.end])
	case html.StartTagToken, html.SelfClosingTagToken:
		name, tag, attributes := d.tag(w)
		o := openElementOf(name, tag, attributes)
		quoted := beginsQuotes(tag, attributes)
		d.nesting.start(o, quoted)
		if d.sure {
			d.places.start(o, quoted)
		}
	case html.EndTagToken:
		name, tag := w.tagName()
		d.nesting.end(tag, name)
		if d.sure {
			d.places.end(name)
		}
	}
}

// tag returns the name of a start tag, and those of its attributes that matter for places.
func (d *direct) tag(w *walk) (string, atom.Atom, []html.Attribute) {
	if w.isRead {
		return w.token.Data, w.token.DataAtom, w.token.Attr
	}
	name, tag := w.tagName()
	if d.known = d.known[:0]; d.sure {
		d.known = w.appendAttributes(d.known, sayPlace)
	}
	return name, tag, d.known
}

// sayPlace reports whether attributes with a name may say that a text stays.
func sayPlace(name string) bool {
	switch name {
	case "href", "class", "id", "name", "style":
		return true
	}
	return false
}

// insertedAt returns the number of splices that insert a text right before a token which is
// not a text.
func (d *direct) insertedAt(from int, w *walk) (n int) {
	if w.kind == html.TextToken {
		return 0
	}
	for from+n < len(d.splices) && d.splices[from+n].Start == w.start && d.splices[from+n].End == w.start {
		n++
	}
	return n
}

// splicesIn returns the number of splices in a token. A text has those at its end, too.
func (d *direct) splicesIn(from int, w *walk) (n int) {
	for ; from+n < len(d.splices); n++ {
		if s := &d.splices[from+n]; s.Start >= w.end && (s.End > w.end || w.kind != html.TextToken) {
			break
		}
	}
	return n
}

// compareChanged compares a token with splices before and after them.
func (d *direct) compareChanged(before *walk, from, to int, after *walk) bool {
	if d.splices[to-1].End > before.end {
		return false
	}
	switch before.kind {
	case html.TextToken:
		return d.compareText(before.start, before.end, from, to, after)
	case html.StartTagToken, html.SelfClosingTagToken:
		return d.compareTag(before, from, to, after)
	case html.CommentToken:
		return d.compareComment(before, from, to, after)
	}
	return false
}

// compareComment compares a comment before and after its splices, which leave its first and
// last bytes.
func (d *direct) compareComment(before *walk, from, to int, after *walk) bool {
	const begin, end = "<!--", "-->"
	d.refuse(from, to)
	source := d.source[before.start:before.end]
	if !strings.HasPrefix(source, begin) || !strings.HasSuffix(source, end) ||
		d.splices[from].Start < before.start+len(begin) || d.splices[to-1].End > before.end-len(end) {
		return false
	}
	after.next()
	d.comments[[2]string{before.read().Data, after.read().Data}] = true
	return after.kind == before.kind
}

// compareText compares a text, or the place between two tags, before and after its splices.
func (d *direct) compareText(start, end, from, to int, after *walk) bool {
	c, ok := d.planned(start, end, d.splices[from:to], d.events[:0])
	if !ok {
		return false
	}
	d.events = c.after
	for i := range c.after {
		if after.next(); !isEvent(after, &c.after[i]) {
			return false
		}
	}
	d.nesting.lost = !d.nesting.holds(c.after)
	for i := from; i < to; i++ {
		if s := &d.splices[i]; s.Sure && !d.places.fits(s) {
			d.refuse(i, i+1)
		} else if s.Sure && !d.nesting.fits(s) {
			d.nesting.lost = true
		}
	}
	if d.changed == nil {
		d.changed = make([]changedText, 0, len(d.splices)-from)
	}
	d.changed = append(d.changed, changedText{start, end, from, to})
	return true
}

// planned returns how splices change a text, and false where the bytes around them show
// something else with them than without. It appends the events to room.
func (d *direct) planned(start, end int, splices []Splice, room []event) (change, bool) {
	source := d.source[start:end]
	c := change{before: shown(source), splices: splices}
	r := reading{events: room}
	var pieces []string // of the text before; nil where they surely show the whole
	divided := strings.ContainsAny(source, "&\r")
	text := func(s string) { r.add(event{kind: html.TextNode, text: s}) }
	for i := range splices {
		s := &splices[i]
		if s.Attribute != "" {
			return change{}, false
		}
		piece := shown(d.source[start:s.Start])
		if divided {
			pieces = append(pieces, piece, shown(d.source[s.Start:s.End]))
		}
		text(piece)
		for _, e := range s.events() {
			r.add(e)
		}
		start = s.End
	}
	piece := shown(d.source[start:end])
	text(piece)
	c.after = r.events
	if divided && strings.Join(pieces, "")+piece != c.before {
		return change{}, false
	}
	return c, strings.IndexByte(c.before, 0) < 0
}

// isEvent reports whether a token is an event.
func isEvent(w *walk, e *event) bool {
	token := w.read()
	switch e.kind {
	case html.TextNode:
		return w.kind == html.TextToken && token.Data == e.text
	case html.ElementNode:
		return w.kind == html.StartTagToken && token.Data == e.name && sameAttributes(token.Attr, e.attributes)
	case ended:
		return w.kind == html.EndTagToken && token.Data == e.name
	}
	return false
}

// compareTag compares a tag before and after its splices, which remove attributes.
func (d *direct) compareTag(before *walk, from, to int, after *walk) bool {
	d.refuse(from, to)
	after.next()
	old, now := before.read(), after.read()
	for i := from; i < to; i++ {
		s := &d.splices[i]
		if s.Attribute == "" {
			return false
		}
		d.tags[removedAttribute{old.Data, s.Attribute, s.value}] = true
	}
	// A parser compares the attributes of formatting elements with those of others.
	d.nesting.lost = d.nesting.lost || old.DataAtom != atom.A && htmltoken.IsFormatting(old.DataAtom) || old.DataAtom == atom.Html || old.DataAtom == atom.Body
	same := before.kind == after.kind && old.Data == now.Data && d.without(old.Data, old.Attr, now.Attr)
	before.token = now // for the content of the element
	return same
}

// at returns a walk through the result that is at an offset, where a token begins: the one before
// where a Tokenizer is near. It returns nil where that has another token there.
func (d *direct) at(w *walk, offset int) *walk {
	const near = 4 << 10 // what a tokenizer reads at a time
	switch {
	case w == nil:
		return newRawWalk(d.after, offset)
	case offset > w.end && (w.tokens == nil || offset-w.end > near):
		w.jump(offset)
	}
	for w.end < offset && w.next() {
	}
	if w.end != offset {
		return nil
	}
	return w
}

// added returns how many bytes splices add.
func added(splices []Splice) (n int) {
	for i := range splices {
		n += len(splices[i].written()) - (splices[i].End - splices[i].Start)
	}
	return n
}
