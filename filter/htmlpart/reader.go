package htmlpart

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmltoken"
	"github.com/linkmilter/linkmilter/internal/iofunc"
)

// checkEvery is the number of bytes after which the reader checks the context.
const checkEvery = 64 << 10

// reader is what all readings of a source have in common.
type reader struct {
	ctx     context.Context
	source  string
	limit   int
	frames  int  // how many documents are around this one
	framed  bool // an element of one of them shows it, and may cut off its texts
	yield   func(Item, error) bool
	readAll func(*reader) error // reads another document

	bases        []base   // of relative references
	resolved     int      // bytes of the URLs that bases gave
	reference    string   // that was resolved last
	opensLast    []string // what it opens; nil if unknown
	spentBases   bool     // there were too many
	sheet        *sheet
	letters      letters             // of the style sheets, and of the elements so far
	asksForNames bool                // the sheet does
	imports      int                 // style sheets in URLs
	importRules  int                 // rules that import a style sheet
	serial       int                 // of the elements
	form         form                // that is open, or was last
	forms        map[string]form     // by id
	actions      []string            // what the first forms open
	senders      map[string][]string // what buttons may open, by their id, where there are labels
	animated     map[string][]string // URLs by the id of the element that opens them
	buttons      bool                // the source has buttons or inputs
	hasForms     bool                // a form began
	behind       nearness            // how near the end of a reference is
	last         linkBefore          // the reference that was sent last
	inWord       linkInWord          // the reference right before the visible text
	dividedAt    int                 // offset at which a hidden text divides the visible one; 0 for none
	generated    string              // text that a rule puts right behind the visible text
	boxWord      string              // the last word of the box before, which is in the same line
	pictures     []string            // texts of pictures that are maps of links
	mapped       bool                // pictures is known
	linkColor    string              // of links, where it may be that of the background of the body
	instruction  int                 // of a field of Word: the element with which it began, 0 outside of any
	ids          map[string]int      // offsets of elements by their id; nil until they are asked for
	movedAt      int                 // the last tag of an element that a style takes from its place
	covering     int                 // the last of them that a style stretches
	laid         laidTexts           // texts of such elements
	picture      picture             // that began last
	painted      []string            // texts of elements that styles name by their id
	paintsKnown  bool                // painted is known
	tags         begins              // of the source
	tagged       bool                // tags is known
	place        *place              // of all items, where those of the source are unknown
	again        bool                // what is read was read before
	partial      bool                // some reading is left out

	outer     []base // bases that the source does not have: those of the document around it
	entities  bool   // the source is that of an XML document with its entities replaced
	always    bool   // read the trees of regular sources, too
	twoModes  bool   // a table in a reference ends a paragraph, but without a document type it does not
	roots     uint8  // html, head and body as far as they were read
	noscript  bool   // the tree of programs without scripts has a noscript element
	irregular bool   // a parser may have other elements open than the passes
	settled   []settled
	muted     bool // a tree lacks what is settled where it shows that in another way

	lastScript *scriptReading
	conditions bool // Outlook may read other texts or references than the first reading
	parted     bool // a reference that Outlook reads is between parts of a word
	names      bool // a part of a word that references are in may name a host
	fields     bool // the source has fields of Word
	outlook    bool // the source is that of Outlook

	stopped bool  // the caller wants no more items
	spent   int   // bytes read since the context was asked
	err     error // of the context

	counted  counted
	room     room
	known    *known    // items that were sent
	branches *branches // where tokens may be read in two ways; nil if nowhere

	visible, hidden run // texts that are not yet complete
}

// counted is how much the reader has read of what has a bound. Beyond a bound the reading is partial.
type counted struct {
	named    int // texts that were read by an id
	inLabels int // bytes in labels in which their buttons were looked for
	covers   int // references that may cover a text
	scripted int // URLs in scripts
}

// room is memory to be used again, also for the next document in the source.
type room struct {
	link       *openLink // nil without one
	references []string  // of an element
	stack      []element
	attributes []htmltoken.Attribute
	inner      *reader
}

// place is a range of the source.
type place struct{ start, end int }

// form is what the buttons of a form open.
type form struct {
	urls []string
	at   place
}

// laidTexts are the texts that may lie over that of a reference: of elements beside it that a
// style moves.
type laidTexts struct {
	text  string   // of the last one; "" for none, and once a reference has it
	end   int      // where that ends
	item  Item     // the reference before
	urls  []string // that it opens
	ended int      // where it ends
}

// picture is a picture in SVG, or a formula, and its text once that is read.
type picture struct {
	start, end int // the same before
	text       string
}

// metered gives the tokenizer a little of the source at a time, however long a tag is,
// and nothing more after the context has ended.
func (r *reader) metered(source string) io.Reader {
	return iofunc.Reader(func(p []byte) (int, error) {
		if source == "" {
			return 0, io.EOF
		}
		n := copy(p[:min(len(p), checkEvery/4)], source)
		source = source[n:]
		return n, r.spend(n)
	})
}

// spend counts n bytes as read, and asks the context every so many. Its error stays.
func (r *reader) spend(n int) error {
	if r.spent += n; r.spent >= checkEvery/4 && r.err == nil {
		r.spent, r.err = 0, r.ctx.Err()
	}
	return r.err
}

// ended reports whether the context has ended.
func (r *reader) ended() bool { return r.spend(checkEvery) != nil }

// check returns an error where the caller wants no more. A context that has ended
// shows at the end of the tokens, a few KiB later.
func (r *reader) check() error {
	if r.stopped {
		return errStopped
	}
	return nil
}

var (
	// ErrTokenTooLong says that a tag, a comment or a text between tags is longer
	// than the limit, so that what follows was not read.
	ErrTokenTooLong = errors.New("a tag or text of the HTML is too long")
	// ErrTooComplex says that programs may read the HTML in a way that is not among
	// the items.
	ErrTooComplex = errors.New("the HTML is too complex for all of its readings")
)

// errStopped says that the caller wants no more items.
var errStopped = errors.New("stopped")

// nextSerial returns a number for an element.
func (r *reader) nextSerial() int {
	r.serial++
	return r.serial
}

// send yields an item, unless an earlier reading had the same.
func (r *reader) send(i *Item) {
	if r.stopped || r.muted || !r.isNew(i) {
		return
	}
	if r.again {
		i.Again = true
	}
	if r.place != nil {
		i.Start, i.End, i.pieces = r.place.start, r.place.end, nil
	}
	if !r.yield(*i, nil) {
		r.stopped = true
	}
}

var seed = maphash.MakeSeed()

// isNew notes an item and reports whether it is new. All items of the first reading
// are.
func (r *reader) isNew(i *Item) bool {
	key := i.key()
	if !r.again && !i.Again {
		r.known.note(key)
		return true
	}
	if r.known.isFull() {
		return !r.known.has(key)
	}
	return r.known.add(key)
}

// hashStep is a factor between the hashes of texts, whose order so counts.
const hashStep = 0x9e3779b97f4a7c15

// key returns a number for the items with the same content at the same place. A text is at
// none.
func (i *Item) key() uint64 {
	key := maphash.String(seed, i.Text)
	if i.Element != "" {
		key = (key*hashStep^maphash.String(seed, i.Element))*hashStep ^ maphash.String(seed, i.URL)
		key = key*hashStep + uint64(i.Start)
	}
	for _, label := range i.Labels {
		key = key*hashStep ^ maphash.String(seed, label)
	}
	key = key*hashStep + 1
	for _, reading := range i.Readings {
		key = key*hashStep ^ maphash.String(seed, reading)
	}
	return key
}

// begins has the two characters behind each "<" and ":" of a source, but for three bits
// each, so that a reader need not look for tags that are not there.
type begins struct {
	behind [2][32]uint32
	nodes  int // of a tree, for the tags up to the last start tag, at least
}

// at returns the bits that have the second character for a tag, and its bit.
func (b *begins) at(tag string) (bits *uint32, bit uint32) {
	first := 0
	if tag[0] == ':' {
		first = 1
	}
	return &b.behind[first][tag[1]&31], 1 << (tag[2] & 31)
}

// begun returns the beginnings of the tags of the source.
func (r *reader) begun() *begins {
	if r.tagged {
		return &r.tags
	}
	r.tagged = true
	ends := 0 // tags since the last start tag
	for _, start := range [...]byte{'<', ':'} {
		for at := 0; ; at++ {
			i := strings.IndexByte(r.source[at:], start)
			if at += i; i < 0 || at+2 >= len(r.source) || r.spend(i+1) != nil {
				break
			}
			tag := r.source[at : at+3]
			bits, bit := r.tags.at(tag)
			*bits |= bit
			switch {
			case start != '<':
			case ascii.IsLetter(tag[1]):
				r.tags.nodes += ends + 2
				ends = 0
			case tag[1] == '/' && ascii.IsLetter(tag[2]):
				ends++
			}
		}
	}
	return &r.tags
}

// indexFold returns the index of a lower-case tag, or of another word, in s, a part of the
// source, in any case, or -1.
func (r *reader) indexFold(s, tag string) int {
	if tag[0] == '<' || tag[0] == ':' {
		if bits, bit := r.begun().at(tag); *bits&bit == 0 {
			return -1
		}
	}
	for at := 0; ; {
		i := strings.IndexByte(s[at:], tag[0])
		if i < 0 || r.spend(i+1) != nil {
			return -1
		}
		if at += i; at+1 < len(s) && s[at+1]|0x20 == tag[1]|0x20 && ascii.HasPrefixFold(s[at:], tag) {
			return at
		}
		at++
	}
}

// branches are the places at which the tokens of a source may be read in two ways. In
// foreign content, and where a parser ignores its start tag, the content of a raw text
// element is markup, and CDATA sections exist only there (HTML §13.2.5.42). Which
// start tags a parser ignores depends on the tree. So all ways are followed from where
// such content is possible. They meet again at the next tag that begins in both.
type branches struct {
	pending []int            // offsets at which other ways begin
	seen    []uint64         // bits of the offsets at which a token began
	ends    map[string][]int // offsets of the ends of raw text, by element, and of CDATA
	budget  int              // bytes that may still be read in other ways
}
