package htmlpart

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// ErrTokenTooLong says that a tag, a comment or a text between tags is longer
// than the limit, so that what follows was not read.
var ErrTokenTooLong = errors.New("a tag or text of the HTML is too long")

// Read iterates over the references and texts of foreign HTML, which may be
// anything. No tag and no text may be longer than limit bytes. References are:
//
//   - href of all elements but link, so also of areas, of SVG and of the shapes
//     of VML that Outlook shows as buttons, and of base;
//   - action of form, formaction of button and input;
//   - refresh of meta.
//
// The first base element resolves relative references. Read reads conditional comments
// as HTML, as Outlook does, but no other comments, styles or scripts. It reads and marks
// hidden text (hidden attribute, display:none, font-size:0 and the like in style
// attributes, template, the fallbacks of frames). It does not evaluate style sheets.
//
// The last item comes with an error if Read did not reach the end: that of ctx, which it
// checks every 64 KiB, or [ErrTokenTooLong]. Time and memory grow no faster than the
// source: Read makes no tree, and knows at most 256 open elements.
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
	if !ascii.HasPrefixFold(condition, "[if") {
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
