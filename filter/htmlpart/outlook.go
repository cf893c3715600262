package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// conditional is a conditional comment, or its end.
type conditional struct {
	size    int // bytes of its tag: "<!--[if mso]>", "<![if !mso]>" or "<![endif]-->"
	end     bool
	negated bool // Outlook ignores the content
}

// conditionalAt returns the tag of a conditional comment at the start of a source.
func conditionalAt(source string) (c conditional, ok bool) {
	rest, ok := strings.CutPrefix(source, "<!")
	if !ok {
		return c, false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "--"), " \t\r\n\f")
	if rest, ok = strings.CutPrefix(rest, "["); !ok {
		return c, false
	}
	rest = strings.TrimLeft(rest, " \t\r\n\f")
	c.end = ascii.HasPrefixFold(rest, "endif")
	if !c.end && !ascii.HasPrefixFold(rest, "if") {
		return c, false
	}
	i := strings.IndexByte(rest, '>')
	if i < 0 {
		return c, false
	}
	c.size = len(source) - len(rest) + i + 1
	c.negated = !c.end && strings.HasPrefix(strings.TrimLeft(rest[len("if"):], " \t\r\n\f("), "!")
	return c, true
}

// readOutlook reads the source as Outlook does, where a conditional comment is in the
// text of a reference or is around only a part of one.
func (r *reader) readOutlook() error {
	if !r.conditions || r.outlook {
		return nil
	}
	inner := reader{
		ctx: r.ctx, readAll: r.readAll, source: r.outlookSource(), limit: r.limit, frames: r.frames, place: r.place, yield: r.yield,
		known: r.known, again: true, always: r.always, outlook: true, spent: r.spent, outer: r.outer,
	}
	if r.err != nil {
		return r.err
	}
	err := inner.readAll(&inner)
	r.stopped, r.err, r.spent = inner.stopped, inner.err, inner.spent
	r.partial = r.partial || inner.partial
	return err
}

// outlookSource returns the source with the content of conditional comments as markup,
// and without the content that Outlook ignores. Offsets stay the same.
func (r *reader) outlookSource() string {
	var b strings.Builder
	b.Grow(len(r.source))
	rest := r.source
	take := func(n int) { b.WriteString(rest[:n]); rest = rest[n:] }
	blank := func(n int) {
		b.WriteString("<!--" + strings.Repeat(" ", n-len("<!---->")) + "-->")
		rest = rest[n:]
	}
	ends := true
	for {
		i := strings.Index(rest, "<!")
		if i < 0 || r.spend(i) != nil {
			take(len(rest))
			return b.String()
		}
		take(i)
		c, ok := conditionalAt(rest)
		switch size := 0; {
		case ok && c.negated && ends:
			if size, ends = r.ignored(rest, c.size); size > 0 {
				blank(size)
			} else {
				take(c.size)
			}
		case ok && c.size >= len("<!---->"):
			blank(c.size)
		default:
			take(len("<!"))
		}
	}
}

// ignored returns the length of the content that Outlook ignores, with its tags, and
// whether it ends. The length is 0 where other conditional comments are in it: programs
// differ in where it ends. size is the length of the first tag.
func (r *reader) ignored(source string, size int) (length int, ends bool) {
	at := r.indexFold(source[size:], "<![endif")
	if at < 0 {
		return 0, false
	}
	content := source[size : size+at]
	for i, part := range strings.Split(content, "<!") {
		if c, ok := conditionalAt("<!" + part); ok && i > 0 && !c.end {
			return 0, true
		}
	}
	end := strings.IndexByte(source[size+at:], '>')
	if end < 0 {
		return 0, false
	}
	return size + at + end + 1, true
}
