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
			if size, ends = r.ignored(rest, c.size); ends {
				blank(size)
			} else {
				take(c.size)
			}
		case ok && c.size >= len("<!---->"):
			blank(c.size)
		default:
			take(commentLength(rest))
		}
	}
}

// ignored returns the length of the content that Outlook ignores, with its tags, and
// whether it ends. size is the length of the first tag.
func (r *reader) ignored(source string, size int) (int, bool) {
	at := r.indexFold(source[size:], "<![endif")
	if at < 0 {
		return 0, false
	}
	at += size
	end := strings.IndexByte(source[at:], '>')
	return at + end + 1, end >= 0
}

// commentLength returns the length of an ordinary comment at the start of a source, or of
// "<!" alone.
func commentLength(source string) int {
	const start, end = "<!--", "-->"
	if !strings.HasPrefix(source, start) {
		return len("<!")
	}
	if i := strings.Index(source[len("<!"):], end); i >= 0 {
		return len("<!") + i + len(end)
	}
	return len(start)
}
