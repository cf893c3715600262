package autolink

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/linkmilter/linkmilter/engine"
)

// A line has the links of a line, or of its rest, with offsets into the source.
type line struct {
	start, stop int
	links       []engine.Link
}

// lineKey is the key of the latest line in the context of a parser.
var lineKey = parser.NewContextKey()

// line returns the line of which a segment is the rest. It finds the links of each line once.
func (p linkParser) line(source []byte, segment text.Segment, pc parser.Context) *line {
	if l, ok := pc.Get(lineKey).(*line); ok && l.start <= segment.Start && l.stop == segment.Stop {
		return l
	}
	l := &line{start: segment.Start, stop: segment.Stop}
	for _, link := range p.scanner.AppendBytes(nil, masked(source[l.start:l.stop])) {
		isLink := link.Kind == engine.KindURL || link.Kind == engine.KindEmail
		if isLink && !strings.Contains(link.Components().Host, ":") {
			link.Start, link.End = link.Start+l.start, link.End+l.start
			l.links = append(l.links, link)
		}
	}
	pc.Set(lineKey, l)
	return l
}

// from returns the first link that begins at the offset i or after it.
func (l *line) from(i int) (engine.Link, bool) {
	for len(l.links) > 0 && l.links[0].Start < i {
		l.links = l.links[1:]
	}
	if len(l.links) == 0 {
		return engine.Link{}, false
	}
	return l.links[0], true
}

// masked returns a line with spaces in place of characters that Markdown reads before links: each
// "<", and at the ends of words marks of emphasis and references to entities.
func masked(line []byte) []byte {
	if !bytes.ContainsAny(line, "*_~<&") {
		return line
	}
	line = bytes.ReplaceAll(line, []byte("<"), []byte(" "))
	for start := 0; start < len(line); {
		end := start
		for end < len(line) && !util.IsSpace(line[end]) {
			end++
		}
		maskHead(line[start:end])
		maskTail(line[start:end])
		start = end + 1
	}
	return line
}

// isEmphasis reports whether c is a mark of emphasis or strikethrough.
func isEmphasis(c byte) bool { return c == '*' || c == '_' || c == '~' }

// maskHead masks marks of emphasis at the start of a word, also after opening marks.
func maskHead(word []byte) {
	for i, c := range word {
		switch {
		case isEmphasis(c):
			word[i] = ' '
		case bytes.IndexByte([]byte(`("'[{`), c) < 0:
			return
		}
	}
}

// maskTail masks marks of emphasis and references to entities at the end of a word, also
// before closing marks.
func maskTail(word []byte) {
	for i := len(word) - 1; i >= 0; i-- {
		c := word[i]
		switch {
		case isEmphasis(c):
			word[i] = ' '
		case c == ';':
			if n := entityLen(word[:i+1]); n > 0 {
				copy(word[i+1-n:], "                                "[:n])
				i -= n - 1
			}
		case bytes.IndexByte([]byte(`.,:!?'")]}>`), c) < 0:
			return
		}
	}
}

// entityLen returns the length of the reference to an entity that ends a word, or 0.
// HTML knows none of more than 32 bytes.
func entityLen(word []byte) int {
	for n := 2; n <= min(len(word), 32); n++ {
		c := word[len(word)-n]
		switch {
		case c == '&' && n > 2:
			return n
		case !util.IsAlphaNumeric(c) && c != '#':
			return 0
		}
	}
	return 0
}
