// Package page reads foreign HTML: what its elements open, the texts shown for them, and the texts
// outside of links.
//
// It is a part of the program linkmilter and exports only what its other packages use. It knows HTML
// and byte ranges in it. The caller finds and judges the links.
//
// The way of a page, file by file:
//
//	tree.go     bytes → the tree of browsers, whose start tags have their offsets
//	sheet.go    its style sheets → rules
//	walk.go     one walk over the tree: opening_attributes.go says what an element opens, style.go
//	            what its style does to the text, link.go what a reader may see of a link, text.go
//	            where a text is
//	outlook.go  conditional comments and fields of Word, as Outlook reads them: the same way again
//	frame.go    documents in frames, data URLs and scripts: the same way for each
//	sweep.go    tags that the tree lacks
package page

import (
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

var (
	// ErrTokenTooLong says that a token is longer than the limit.
	ErrTokenTooLong = errors.New("a tag or text of the HTML is too long")
	// ErrTooComplex says that some style, frame or script was not read.
	ErrTooComplex = errors.New("the HTML is too complex for all of its readings")
)

// reader is a document that is being read.
type reader struct {
	ctx     context.Context
	source  string
	limit   int // largest length of a token in bytes
	yield   func(Item, error) bool
	stopped bool  // the caller has stopped the iteration
	err     error // error of the context
	partial bool
	cut     bool  // a token was too long
	depth   int   // how many documents are around this one
	at      *span // in a document in an attribute: the place of the attribute, which all items have
	offset  int   // offset of the source in the caller's source
	again   bool  // this is not the reading of browsers
	outlook bool  // Outlook may read the source in another way
	defines bool  // a document type defines entities or attributes, which linkmilter does not expand
	opened  bool  // an item with a URL was sent

	bases    []base
	resolved int // bytes of the URLs that were resolved
	sheet    *sheet
	large    *Large          // what readers see large or first; nil: nobody asks
	about    about           // what its elements say about others
	scripted int             // how many URLs of scripts were sent
	known    map[uint64]bool // items that were sent
	useTexts func(*Text)
}

// Read iterates over what a page opens and over its texts, in the order of its tree. The page may
// be HTML, SVG, XHTML or anything else. A tag or text longer than limit bytes is an error. The
// table openingAttributes lists what opens something:
//
//   - href of a, area, base and link, and with a prefix: of SVG, and of VML shapes, which Outlook
//     shows as buttons;
//   - action of form, formaction of button and input, and buttons that submit a form;
//   - src of iframe, frame and embed, data of object;
//   - refresh of meta;
//   - animations in SVG that set href;
//   - absolute URLs in scripts and in attributes with scripts, element "script".
//
// Relative URLs are resolved against base elements, xml:base and bases. Conditional comments are read
// as Outlook reads them, other comments not at all. Hidden text is read and marked.
//
// If Read did not reach the end, or not in all readings, the last pair has an error: that of ctx,
// [ErrTokenTooLong] or [ErrTooComplex]. Time and memory grow no faster than the source.
func Read(ctx context.Context, source string, limit int, bases ...string) iter.Seq2[Item, error] {
	return ReadWith(ctx, source, limit, Also{}, bases...)
}

// Also says which other texts of a page a caller wants.
type Also struct {
	// Large gets the texts that readers notice first; nil if the caller does not want them.
	Large *Large
	// Texts is called for each text of the page, as browsers without scripts read it; nil if the
	// caller does not want them.
	Texts func(*Text)
}

// ReadWith is [Read] for a caller who wants other texts of the page, too.
func ReadWith(ctx context.Context, source string, limit int, also Also, bases ...string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := &reader{ctx: ctx, source: source, limit: limit, yield: yield, large: also.Large, known: make(map[uint64]bool), useTexts: also.Texts}
		for _, b := range bases {
			r.addBase(b)
		}
		r.read()
		switch {
		case r.stopped:
		case r.err != nil:
			yield(Item{}, r.err)
		case r.cut:
			yield(Item{}, ErrTokenTooLong)
		case r.partial:
			yield(Item{}, ErrTooComplex)
		}
	}
}

// read reads the source as browsers do, and as Outlook does if that may differ.
func (r *reader) read() {
	r.defines = definesEntities(r.source)
	r.outlook = strings.Contains(r.source, "field-begin") // a Word field
	r.readAs(r.source, false)
	if ascii.IndexFold(r.source, "<noscript") >= 0 && !r.done() {
		r.again = true
		r.readAs(r.source, true)
	}
	if r.outlook && !r.done() {
		r.again = true
		source, partial := outlookSource(r.ctx, r.source)
		r.partial = r.partial || partial
		r.readAs(source, false)
	}
	r.partial = r.partial || r.defines && !r.opened // an item with a URL reports it already
}

// definesEntities reports whether a document type may define entities or attributes (XML §3.3, §4.2).
// Honest mail has no such document type.
func definesEntities(source string) bool {
	start := strings.TrimLeft(strings.TrimPrefix(source, "\ufeff"), blanks)
	if !strings.HasPrefix(start, "<?") && !ascii.HasPrefixFold(start, "<!doctype") {
		return false
	}
	const longest = 64 << 10 // longest text before the definitions
	start = start[:min(len(start), longest)]
	return ascii.IndexFold(start, "<!entity") >= 0 || ascii.IndexFold(start, "<!attlist") >= 0
}

// done reports whether the reading ended before the end of the source.
func (r *reader) done() bool {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.stopped || r.err != nil
}

// readAs reads a source by its tree. scripting builds the tree as programs that run scripts do, which
// ignore noscript.
func (r *reader) readAs(source string, scripting bool) {
	t, cut, err := newTree(r.ctx, source, r.limit, scripting)
	r.cut = r.cut || cut
	if r.done() {
		return
	}
	if err != nil {
		r.partial = true
	} else {
		r.prepare(t)
		w := walker{reader: r, tree: t}
		w.texts.use = r.useTexts
		w.walk()
	}
	if t != nil {
		r.sweep(t)
	}
}

// send yields an item, unless the same item was sent before.
func (r *reader) send(i *Item) {
	if r.done() {
		return
	}
	i.Again = i.Again || r.again
	r.partial = r.partial || i.cut
	if r.at != nil {
		i.Start, i.End, i.pieces = r.at.start, r.at.end, nil
	} else if r.offset > 0 {
		i.Start, i.End = i.Start+r.offset, i.End+r.offset
		for k := range i.pieces {
			i.pieces[k].source += r.offset
		}
	}
	key := i.key()
	if r.known[key] {
		return
	}
	r.known[key] = true
	r.opened = r.opened || len(i.URLs) > 0
	for _, url := range i.URLs {
		r.known[maphash.String(seed, url)] = true
	}
	r.stopped = !r.yield(*i, nil)
}

// wasSent reports whether an item with a URL was sent.
func (r *reader) wasSent(url string) bool { return r.known[maphash.String(seed, url)] }

var seed = maphash.MakeSeed()

// key returns a hash of everything that the caller sees of an item.
func (i *Item) key() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, texts := range [...][]string{{i.Element, i.Text}, i.URLs, i.Labels, i.Readings} {
		for _, s := range texts {
			h.WriteString(s)
			h.WriteByte(0)
		}
		h.WriteByte(1)
	}
	maphash.WriteComparable(&h, span{i.Start, i.End})
	maphash.WriteComparable(&h, i.Styled)
	return h.Sum64()
}

// about has what elements of a page say about others.
type about struct {
	forms    map[string][]target // what forms open, by their id
	actions  []target            // what all forms open
	animated map[string][]target // what animations make an element open, by the id of the element
	maps     []string            // alt texts of pictures that have an image map
	submits  map[string]bool     // ids of buttons that submit a form
	buttons  bool                // some button opens something
	labels   map[*html.Node]bool // labels around buttons that submit a form
}

// target is a URL that an element opens, and the tag that holds the URL: a button opens what its form
// says.
type target struct {
	url string
	at  span
}

// Bounds of what elements say about others.
const (
	maxIDs    = 256 // ids of forms, and of animated elements
	maxSameID = 8   // URLs for an id
	maxAction = 8   // forms for buttons whose form is unknown
)

// prepare collects what elements say about others: bases, forms, animations, style sheets.
func (r *reader) prepare(t *tree) {
	r.sheet = new(sheet)
	r.about.submits, r.about.labels = make(map[string]bool), make(map[*html.Node]bool)
	r.about.forms, r.about.animated = make(map[string][]target), make(map[string][]target)
	var openers []element
	for n := range t.doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		e := elementOf(n)
		switch {
		case r.done():
			return
		case e.name == "style" || e.known == atom.Link:
			r.sheet.addSheet(&e)
		case e.known == atom.Base:
			r.addBase(e.attr("href"))
		case e.known == atom.Img && e.has("usemap") && len(r.about.maps) < maxLabels:
			if text := or(e.attr("alt"), e.attr("title")); hasHostSign(text) {
				r.about.maps = append(r.about.maps, text)
			}
		case e.isSubmit() || e.has("formaction"):
			r.about.submits[e.attr("id")], r.about.buttons = true, true
			for around := n.Parent; around != nil && !r.about.labels[around]; around = around.Parent {
				if around.DataAtom == atom.Label {
					r.about.labels[around] = true
				}
			}
		case e.known == atom.Form || e.isAnimation():
			openers = append(openers, e)
		}
		for i := range n.Attr {
			if n.Attr[i].Key == "xml:base" {
				r.addBase(n.Attr[i].Val)
			}
		}
	}
	for i := range openers {
		r.noteOpener(t, &openers[i])
	}
}

// noteOpener records what a form opens, or what an animation makes another element open.
func (r *reader) noteOpener(t *tree, e *element) {
	id, of := e.attr("id"), r.about.forms
	if e.known != atom.Form {
		of = r.about.animated
		e.attributes(func(_, local, value string) {
			if local == "href" {
				id = percent.Decode(strings.TrimPrefix(trim(value), "#"))
			}
		})
	}
	for _, one := range r.targets(t, e) {
		if id != "" && len(of) < maxIDs && len(of[id]) < maxSameID {
			of[id] = append(of[id], one)
		}
		if e.known == atom.Form && len(r.about.actions) < maxAction {
			r.about.actions = append(r.about.actions, one)
		}
	}
}

// targets returns what an element itself opens.
func (r *reader) targets(t *tree, e *element) (all []target) {
	for _, reference := range e.opener().references {
		for _, url := range r.resolve(reference) {
			all = append(all, target{url, t.place(e.node)})
		}
	}
	return all
}
