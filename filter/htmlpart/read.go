package htmlpart

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Read iterates over the references and texts of foreign HTML, SVG or XHTML, which may
// be anything. No tag and no text may be longer than limit bytes. References are:
//
//   - href of all elements, with any prefix: so also of areas, of base and link, of
//     SVG, and of the shapes of VML that Outlook shows as buttons;
//   - action of form, formaction of button and input, and buttons that send a form;
//   - src of iframe, frame and embed, data of object;
//   - refresh of meta;
//   - animations in SVG that set href, also as those of the element around;
//   - absolute URLs in scripts and in attributes with scripts, element "script".
//
// Several readings count (see the package comment). Items of the first one come in the
// order of the source; those that only further readings have follow. Where a document is
// written into an attribute its items follow.
//
// Base elements, xml:base and the bases that the caller knows resolve relative
// references: where they differ, each gives a reference of its own. Read reads conditional comments as HTML, as Outlook does, but no other
// comments. It reads and marks hidden text. Of style sheets it only knows which elements
// they may hide.
//
// The last item comes with an error if Read did not reach the end, or not in all
// readings: that of ctx, which it checks every 64 KiB, [ErrTokenTooLong] or
// [ErrTooComplex]. Time and memory grow no faster than the source.
func Read(ctx context.Context, source string, limit int, bases ...string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := newReader(ctx, source, limit, yield)
		r.addBases(slices.Values(bases))
		r.outer = r.bases
		r.run()
	}
}

func newReader(ctx context.Context, source string, limit int, yield func(Item, error) bool) *reader {
	return &reader{ctx: ctx, source: source, limit: limit, yield: yield, readAll: (*reader).read}
}

// run reads the source and yields the error last.
func (r *reader) run() {
	if err := r.read(); err != nil && !r.stopped {
		r.yield(Item{}, err)
	}
}

// usualDepth is the number of elements that most mail has open.
const usualDepth = 32

// read reads the source in all readings.
func (r *reader) read() error {
	if r.known == nil {
		r.known = new(known)
	}
	r.findBases()
	r.readAhead()
	if r.sheet = r.sheetOf(r.source); r.sheet != nil {
		r.letters.add(r.sheet.unread)
	}
	r.asksForNames = r.sheet.asksForNames()
	// Which texts are beside those of rules depends on each element that a parser adds or leaves out.
	r.irregular = r.sheet != nil && r.sheet.generating != nil
	if r.entities || r.startsXML() {
		r.branch()
	}
	if r.room.stack == nil {
		r.room.stack = make([]element, 0, usualDepth)
	}
	p := pass{reader: r, stack: r.room.stack[:0]}
	err := p.read(0, len(r.source))
	r.irregular = r.irregular || p.odd
	r.room.stack, r.room.attributes = p.stack, p.tokens.plain.Attributes
	if err == nil || errors.Is(err, ErrTokenTooLong) {
		r.again = true
		r.irregular = r.irregular || err != nil
		err = errors.Join(err, r.readFurther())
	}
	if err == nil && r.partial {
		err = ErrTooComplex
	}
	return err
}

// readFurther reads the source in further readings.
func (r *reader) readFurther() error {
	if err := r.readBranches(); err != nil {
		return err
	}
	if err := r.readTrees(); err != nil {
		return err
	}
	if err := r.readEntities(); err != nil {
		return err
	}
	return r.readOutlook()
}

// startsXML reports whether the source is XML, in which raw text elements are markup.
func (r *reader) startsXML() bool {
	return ascii.HasPrefixFold(strings.TrimLeft(strings.TrimPrefix(r.source, "\ufeff"), " \t\r\n\f"), "<?xml")
}

// read reads source[start:end].
func (p *pass) read(start, end int) error {
	p.tokens = p.newTokens(p.source[start:end], start)
	p.pos, p.until = start, end
	for {
		kind, pos := p.tokens.next()
		p.start, p.pos = p.pos, pos
		if err := p.check(); err != nil {
			return err
		}
		if p.branches != nil && !p.conditional && p.rejoins(kind) {
			return p.end(p.start)
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
		if p.odd {
			p.odd, p.irregular = false, true
			p.unsettle()
		}
	}
}

// end ends the pass, since the source at end or the limit is reached. Browsers
// drop a tag that is not closed; other programs may not, so it is read as text.
func (p *pass) end(end int) error {
	p.conditions = p.conditions || p.conditional && p.link != nil
	p.closeLink()
	p.endForm()
	p.flush()
	if p.err != nil {
		return p.err
	}
	if p.rejoined {
		return nil
	}
	if !errors.Is(p.tokens.end(), io.EOF) {
		return ErrTokenTooLong
	}
	if p.start < end && !p.branch {
		p.hidden.append(p.source[p.start:end], p.start, end-p.start)
		p.flush()
	}
	if p.stopped {
		return errStopped
	}
	return nil
}

// comment reads the content of a conditional comment, <!--[if …]>…<![endif]-->.
// Downlevel-revealed ones are ordinary HTML between two comments. What looks like a
// CDATA section may be one.
func (p *pass) comment() error {
	p.cdata()
	source := p.source[p.start:p.pos]
	c, ok := conditionalAt(source)
	if !ok {
		p.settleComment(source)
		return nil
	}
	p.settleComment(source)
	p.conditions = p.conditions || p.link != nil || p.conditional
	if p.conditional || c.end || !strings.HasPrefix(source, "<!--") {
		return nil
	}
	content := strings.TrimSuffix(source, "-->")
	if c.size >= len(content) {
		return nil
	}
	p.fields = p.fields || strings.Contains(content, "mso-element:field")
	p.conditions = p.conditions || content[c.size] > ' ' && content[c.size] != '<'
	// For others than Outlook the text goes on behind the comment.
	p.odd = p.odd || p.visible.hasWords() || p.hidden.hasWords()
	p.flush()
	// What is around goes on for others than Outlook.
	around, last, behind, generated := p.form, p.last, p.behind, p.generated
	p.last = linkBefore{}
	if behind == away && last.mayContinue() {
		p.last.url, p.last.text = last.url, slices.Clone(last.text)
	}
	inner := pass{reader: p.reader, conditional: true, branch: p.branch}
	err := inner.read(p.start+c.size, p.start+len(content))
	if inner.unsettled > 0 {
		p.unsettle()
	}
	p.parted = p.parted || p.last.pieces > 0 && (behind != away || p.behind != away)
	p.last, p.behind = last, behind
	p.form, p.generated = around, generated
	return err
}

// readBranches reads the references of the ways that no pass has taken yet.
func (r *reader) readBranches() error {
	b := r.branches
	if b == nil {
		return nil
	}
	for len(b.pending) > 0 && b.budget > 0 {
		pending := b.pending
		b.pending = nil
		slices.Sort(pending)
		for _, at := range pending {
			if b.seen[at/64]&(1<<(at%64)) != 0 || b.budget < 0 {
				continue
			}
			b.budget -= costOfBranch
			p := pass{reader: r, branch: true}
			if err := p.read(at, len(r.source)); err != nil {
				return err
			}
		}
	}
	return nil
}
