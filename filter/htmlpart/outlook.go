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

// maxCondition is the number of bytes of a condition that are read.
const maxCondition = 1 << 10

// conditionalAt returns the tag of a conditional comment at the start of a source.
func conditionalAt(source string) (c conditional, ok bool) {
	rest, ok := strings.CutPrefix(source, "<!")
	if !ok {
		return c, false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "--"), blanks)
	if rest, ok = strings.CutPrefix(rest, "["); !ok {
		return c, false
	}
	rest = strings.TrimLeft(rest, blanks)
	c.end = ascii.HasPrefixFold(rest, "endif")
	if !c.end && !ascii.HasPrefixFold(rest, "if") {
		return c, false
	}
	i := strings.IndexByte(rest[:min(len(rest), maxCondition)], '>')
	if i < 0 {
		return c, false
	}
	c.size = len(source) - len(rest) + i + 1
	c.negated = !c.end && strings.HasPrefix(strings.TrimLeft(rest[len("if"):], blanks+"("), "!")
	return c, true
}

// readOutlook reads the source as Outlook does, where a conditional comment is in the
// text of a reference or is around only a part of one.
func (r *reader) readOutlook() error {
	if !r.conditions && !r.fields && !(r.parted && r.names) || r.outlook {
		return nil
	}
	source := r.outlookSource()
	if r.fields {
		source = r.withFields(source)
	}
	inner := r.inner(source, nil)
	inner.again, inner.always, inner.outlook = true, r.always, true
	if r.err != nil {
		return r.err
	}
	return r.readInner(inner)
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
	end := 0                                 // of the next conditional comment that ends, in the source
	closed := strings.Index(r.source, "-->") // of the next comment, in the source
	for {
		i := strings.Index(rest, "<!")
		if i < 0 || r.spend(i+len("<!")) != nil {
			take(len(rest))
			return b.String()
		}
		take(i)
		c, ok := conditionalAt(rest)
		field, size := "", 0
		if ok && !c.end && !c.negated {
			at := len(r.source) - len(rest)
			if closed >= 0 && closed < at {
				closed = index(r.source, "-->", at)
			}
			if length := closed + len("-->") - at; closed >= 0 && length <= maxField && r.spend(length) == nil {
				field, size = fieldTag(rest[:length])
			}
		}
		switch {
		case size > 0:
			b.WriteString(field)
			rest = rest[size:]
		case ok && c.negated && end >= 0:
			at := len(r.source) - len(rest)
			if end < at {
				end = r.conditionalEnd(at)
			}
			if isOuter(r.source[at+c.size : max(end, at+c.size)]) {
				take(c.size)
			} else {
				blank(max(end-at, c.size))
			}
		case ok && c.size >= len("<!---->"):
			blank(c.size)
		default:
			take(len("<!"))
		}
	}
}

// index returns the index of a text in a source, from an offset on, or -1.
func index(source, text string, from int) int {
	i := strings.Index(source[from:], text)
	if i < 0 {
		return -1
	}
	return from + i
}

// conditionalEnd returns where the next end of a conditional comment ends, or -1.
func (r *reader) conditionalEnd(from int) int {
	const end = "<![endif"
	i := r.indexFold(r.source[from:], end)
	if i < 0 {
		return -1
	}
	from += i
	i = strings.IndexByte(r.source[from:], '>')
	if i < 0 {
		return -1
	}
	return from + i + 1
}

// isOuter reports whether another conditional comment begins in the content of one:
// programs differ in where the outer one ends. Content without an end counts as one.
func isOuter(content string) bool {
	if content == "" {
		return true
	}
	for {
		i := strings.Index(content, "<!")
		if i < 0 {
			return false
		}
		content = content[i:]
		if c, ok := conditionalAt(content); ok {
			return !c.end
		}
		content = content[len("<!"):]
	}
}
