package page

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// conditional is the start or end tag of a conditional comment.
type conditional struct {
	size    int // bytes of its tag: "<!--[if mso]>", "<![if !mso]>" or "<![endif]-->"
	end     bool
	negated bool // Outlook ignores the content
}

// maxCondition is how many bytes of a condition are read.
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

// outlookSource returns the source as Outlook reads it. Conditional comments become markup, content
// that Outlook ignores becomes comments, and Word fields become links. Offsets stay the same. partial
// reports that a field was not read, or that the context ended.
func outlookSource(ctx context.Context, source string) (outlook string, partial bool) {
	var b strings.Builder
	b.Grow(len(source))
	rest := source
	take := func(n int) { b.WriteString(rest[:n]); rest = rest[n:] }
	blank := func(n int) {
		b.WriteString("<!--" + strings.Repeat(" ", n-len("<!---->")) + "-->")
		rest = rest[n:]
	}
	end := 0 // offset after the next end tag of a conditional comment
	for {
		i := strings.Index(rest, "<!")
		if i < 0 {
			take(len(rest))
			return withFields(b.String())
		}
		if ctx.Err() != nil {
			return source, true
		}
		take(i)
		at := len(source) - len(rest)
		c, ok := conditionalAt(rest)
		switch {
		case ok && c.negated && end >= 0:
			if end < at {
				end = conditionalEnd(source, at)
			}
			if hasCondition(source[at+c.size : max(end, at+c.size)]) {
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

// indexFrom returns the index of a text in a source at or after an offset, or -1.
func indexFrom(source, text string, from int) int {
	i := strings.Index(source[from:], text)
	if i < 0 {
		return -1
	}
	return from + i
}

// conditionalEnd returns the offset after the next end tag of a conditional comment, or -1.
func conditionalEnd(source string, from int) int {
	for {
		i := indexFrom(source, "<![", from)
		if i < 0 {
			return -1
		}
		if from = i + len("<!["); ascii.HasPrefixFold(source[from:], "endif") {
			if i := strings.IndexByte(source[from:], '>'); i >= 0 {
				return from + i + 1
			}
			return -1
		}
	}
}

// hasCondition reports whether the content of a conditional comment has another one in it: programs
// differ in where the outer one ends. Content without an end counts as such.
func hasCondition(content string) bool {
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

// comment reads the content of a conditional comment, <!--[if …]>…<![endif]-->, as Outlook does. Other
// forms of it are ordinary HTML for the parser. A conditional comment inside a link, or around a part
// of one, is left to Outlook's reading of the whole source.
func (w *walker) comment(n *html.Node) {
	written, at := w.commentOf(n)
	c, ok := conditionalAt(written)
	if !ok {
		if n.Parent != nil && n.Parent.Namespace != "" { // programs that do not know SVG may end the comment elsewhere
			w.readMarkup(n.Data, w.at)
		}
		return
	}
	for _, k := range w.openLinks() {
		k.effects |= generates
	}
	w.outlook = w.outlook || len(w.links) > 0 || strings.Contains(n.Data, "mso-element")
	content := strings.TrimSuffix(written, "-->")
	if c.end || c.size >= len(content) {
		return
	}
	content = content[c.size:]
	if !hasHostSign(content) {
		return // most conditional comments are tables around the content for other programs
	}
	if !isWholeOf(content) {
		w.outlook = true
		return
	}
	switch {
	case at < 0:
		w.readDocument(content, w.at)
	case w.depth < maxDepth:
		w.readInner(&reader{source: content, at: w.reader.at, offset: w.offset + at + c.size, depth: w.depth + 1, again: true})
	}
}

// commentOf returns a comment as written, and its offset in the source or -1. The tree's comments are
// no substitute: the parser replaces character references in them, which Outlook reads as markup.
func (w *walker) commentOf(n *html.Node) (written string, at int) {
	if w.note < len(w.tree.notes) {
		note := w.tree.notes[w.note]
		w.note++
		written = w.tree.source[note.start:note.end]
		if strings.HasPrefix(written, "<!--") && strings.Contains(shownAs(strings.ReplaceAll(written, "\x00", "\ufffd")), n.Data) {
			return written, note.start
		}
	}
	return "<!--" + n.Data + "-->", -1
}

// isWholeOf reports whether the content of a conditional comment closes all links and VML shapes that
// it opens, and has no other conditional comment in it.
func isWholeOf(content string) bool {
	if hasCondition(content) {
		return false
	}
	open := 0
	z := html.NewTokenizer(strings.NewReader(content))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return open == 0
		}
		name, _ := z.TagName()
		isLink := string(name) == "a" || strings.Contains(string(name), ":")
		switch {
		case isLink && kind == html.StartTagToken:
			open++
		case isLink && kind == html.EndTagToken:
			if open--; open < 0 {
				return false
			}
		}
	}
}
