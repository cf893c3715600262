package htmlpart

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ErrTokenTooLong says that a tag, a comment or a text between tags is longer
// than the limit, so that what follows was not read.
var ErrTokenTooLong = errors.New("a tag or text of the HTML is too long")

// An Item is something read in foreign HTML: a reference, or a text that
// belongs to none. It is valid until the next one is asked for.
type Item struct {
	// Element is the name of the element that holds the reference, in lower
	// case: "a", "area", "form", …; empty for a text.
	Element string
	// URL is what a reference opens: absolute; or as it is written where the
	// document says nothing about what it is relative to.
	URL string
	// Text is what is shown: of a reference the text to click on, without what
	// is hidden in it, up to 2 KiB, and with U+202E where markup turns what
	// follows; of a text all that stands between two breaks, whatever inline
	// elements divide it.
	Text string
	// Labels are texts that are shown beside the text of a reference or in its
	// place, up to 8: of it and of what is in it title, aria-label and alt.
	Labels []string
	// Hidden reports that most programs do not show it.
	Hidden bool
	// Start and End are where it stands in the source, in bytes: of a reference
	// its tag, of a text from its first to its last character.
	Start, End int

	pieces []piece // where the characters of Text come from; nil for a reference
}

// Source returns the range of the source, in bytes, that Text[start:end]
// comes from. Where a character is written as a reference such as &amp; it is
// the range of that. For a reference it is the range of the tag.
func (i *Item) Source(start, end int) (from, to int) {
	if len(i.pieces) == 0 {
		return i.Start, i.End
	}
	return sourceRange(i.pieces, len(i.Text), start, end)
}

// Read iterates over the references and texts of foreign HTML, which may be
// anything. No tag and no text may be longer than limit bytes. References are:
//
//   - href of all elements but link, so also of areas, of SVG and of the shapes
//     of VML that Outlook shows as buttons, and of base;
//   - action of form, formaction of button and input;
//   - refresh of meta.
//
// Relative ones are resolved by the first base element. Conditional comments
// are read as the HTML that Outlook takes them for, other comments, style and
// script are not read. What is hidden (hidden attribute, display:none,
// font-size:0 and the like in style attributes, template, the frames' fallbacks)
// is read and marked; style sheets are not evaluated.
//
// The last item comes with an error where not all was read: that of ctx, which
// is looked at every 64 KiB, or [ErrTokenTooLong]. Time and memory grow no faster
// than the source: no tree is made, and at most 256 open elements are known.
func Read(ctx context.Context, source string, limit int) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := reader{ctx: ctx, source: source, limit: limit, yield: yield}
		r.base = r.findBase()
		p := pass{reader: &r}
		if err := p.read(0, len(source)); err != nil && !r.stopped {
			yield(Item{}, err)
		}
	}
}

// checkEvery is the number of bytes after which the context is looked at.
const checkEvery = 64 << 10

// reader is what all passes over a source have in common.
type reader struct {
	ctx     context.Context
	source  string
	limit   int
	base    string // what relative references are relative to; "" where nothing says it
	yield   func(Item, error) bool
	stopped bool  // the caller wants no more items
	spent   int   // bytes read since the context was asked
	err     error // of the context

	visible, hidden run // texts that are not yet complete
}

// pass reads a piece of the source: all of it, or a conditional comment.
type pass struct {
	*reader
	tokens      *html.Tokenizer
	start, pos  int       // the token read last
	raw         atom.Atom // the element whose content is no markup, right after its start tag
	stack       []element // open elements
	link        *openLink // the reference whose text is being read
	conditional bool      // in a conditional comment
}

// errStopped says that the caller wants no more items.
var errStopped = errors.New("stopped")

// read reads source[start:end].
func (p *pass) read(start, end int) error {
	p.tokens = p.newTokenizer(p.source[start:end])
	p.pos = start
	for {
		kind := p.tokens.Next()
		p.start, p.pos = p.pos, p.pos+len(p.tokens.Raw())
		if err := p.check(); err != nil {
			return err
		}
		raw := p.raw
		p.raw = 0
		switch kind {
		case html.TextToken:
			p.text(raw)
		case html.StartTagToken:
			p.startTag(false)
		case html.SelfClosingTagToken:
			p.startTag(true)
		case html.EndTagToken:
			p.endTag()
		case html.CommentToken:
			if err := p.comment(); err != nil {
				return err
			}
		case html.ErrorToken:
			return p.end(end)
		}
	}
}

// newTokenizer returns a tokenizer with the limit, which ends when the context does.
func (r *reader) newTokenizer(source string) *html.Tokenizer {
	z := html.NewTokenizer(&metered{reader: r, source: source})
	z.SetMaxBuf(r.limit)
	return z
}

// metered is a source of which the tokenizer gets a little at a time, however long a
// tag is, and nothing more after the context has ended.
type metered struct {
	*reader
	source string
}

func (m *metered) Read(p []byte) (int, error) {
	if m.source == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), checkEvery/4)], m.source)
	m.source = m.source[n:]
	return n, m.spend(n)
}

// spend counts n bytes as read, and asks the context every so many. Its error stays.
func (r *reader) spend(n int) error {
	if r.spent += n; r.spent >= checkEvery/4 && r.err == nil {
		r.spent, r.err = 0, r.ctx.Err()
	}
	return r.err
}

// check returns an error where the caller wants no more. A context that has ended
// shows at the end of the tokens, a few KiB later.
func (r *reader) check() error {
	if r.stopped {
		return errStopped
	}
	return nil
}

// end ends the pass, since the source at end or the limit is reached. Browsers
// drop a tag that is not closed; other programs may not, so it is read as text.
func (p *pass) end(end int) error {
	p.closeLink()
	p.flush()
	if p.err != nil {
		return p.err
	}
	if !errors.Is(p.tokens.Err(), io.EOF) {
		return ErrTokenTooLong
	}
	if p.start < end {
		p.hidden.append(p.source[p.start:end], p.start, end-p.start)
		p.flush()
	}
	if p.stopped {
		return errStopped
	}
	return nil
}

// comment reads the content of a conditional comment, <!--[if …]>…<![endif]-->.
// Downlevel-revealed ones are ordinary HTML between two comments.
func (p *pass) comment() error {
	content, ok := strings.CutPrefix(p.source[p.start:p.pos], "<!--")
	if !ok || p.conditional {
		return nil
	}
	condition := strings.TrimLeft(content, " \t\r\n\f")
	if len(condition) < 3 || !strings.EqualFold(condition[:3], "[if") {
		return nil
	}
	i := strings.IndexByte(content, '>')
	content = strings.TrimSuffix(content, "-->")
	if i < 0 || i+1 >= len(content) {
		return nil
	}
	p.flush()
	inner := pass{reader: p.reader, conditional: true}
	start := p.start + len("<!--") + i + 1
	return inner.read(start, p.start+len("<!--")+len(content))
}

// flush completes the texts.
func (r *reader) flush() {
	r.emit(&r.visible, false)
	r.emit(&r.hidden, true)
}

// emit yields a text that is complete, unless it is blank.
func (r *reader) emit(t *run, hidden bool) {
	if len(t.pieces) == 0 {
		return
	}
	if text := t.text(); strings.TrimSpace(text) != "" {
		first, last := t.pieces[0], t.pieces[len(t.pieces)-1]
		r.send(Item{Text: text, Hidden: hidden, Start: first.source, End: last.source + last.size, pieces: t.pieces})
	}
	t.reset()
}

// send yields an item.
func (r *reader) send(i Item) {
	if !r.stopped && !r.yield(i, nil) {
		r.stopped = true
	}
}
