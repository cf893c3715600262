package alternative

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// tabStop is the distance of tab stops, in columns.
const tabStop = 8

// output is a buffer before w: it passes on whole lines, unless a line is longer than
// the buffer.
type output struct {
	w   io.Writer
	buf *[outputSize]byte
	n   int
	err error // of w
}

// outputSize is the size of the buffer in bytes.
const outputSize = 16 << 10

// writeString writes s.
func (o *output) writeString(s string) {
	for len(s) > len(o.buf)-o.n {
		n := copy(o.buf[o.n:], s)
		o.n += n
		s = s[n:]
		o.flush()
	}
	o.n += copy(o.buf[o.n:], s)
}

// writeRune writes a character.
func (o *output) writeRune(r rune) {
	for len(o.buf)-o.n < utf8.UTFMax { // a long line may stay after the lines before it went
		o.flush()
	}
	o.n += utf8.EncodeRune(o.buf[o.n:], r)
}

// flush passes on the lines that were collected, unless w failed before.
func (o *output) flush() {
	n := bytes.LastIndexByte(o.buf[:o.n], '\n') + 1
	if n == 0 {
		n = o.n
	}
	o.write(n)
}

// finish passes on all that was collected.
func (o *output) finish() { o.write(o.n) }

func (o *output) write(n int) {
	if o.err == nil {
		_, o.err = o.w.Write(o.buf[:n])
	}
	o.n = copy(o.buf[:], o.buf[n:o.n])
}

// writer writes escaped text and keeps white space that HTML would drop.
//
// All but the last of several spaces between words become no-break spaces, so that
// lines still wrap; at either end of a line all do.
type writer struct {
	out    output
	spaces int  // spaces read and not yet written
	bare   bool // a space here would be dropped: a line has begun, or there was a space
	column int  // columns written in this line, right only where tabs is set
	tabs   bool // there are tabs in this line
}

// raw writes markup.
func (w *writer) raw(markup string) { w.out.writeString(markup) }

// begin starts a line; tabs says whether there are any in it.
func (w *writer) begin(tabs bool) { w.bare, w.column, w.tabs = true, 0, tabs }

// put writes text.
func (w *writer) put(s string) {
	for i := 0; i < len(s); {
		n := words(s[i:])
		if n > 0 {
			w.flush()
			w.escaped(s[i : i+n])
			w.column += n
			w.bare = false
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		w.rune(r, size)
		i += size
	}
}

// rune writes one character, read from size bytes, that is not part of a word.
func (w *writer) rune(r rune, size int) {
	switch r {
	case ' ':
		w.spaces++
		w.column++
		return
	case '\t':
		n := tabStop - w.column%tabStop
		w.spaces += n
		w.column += n
		return
	}
	w.flush()
	w.bare = false
	if r != '\f' && unicode.IsControl(r) || r == utf8.RuneError && size == 1 {
		r = utf8.RuneError
	}
	w.out.writeRune(r)
	if w.tabs {
		w.column += columns(r)
	}
}

// flush writes the spaces between what was written and what comes next.
func (w *writer) flush() {
	if w.spaces == 0 {
		return
	}
	breakable := !w.bare
	for n := w.spaces; n > 1 || n == 1 && !breakable; n-- {
		w.out.writeString("&nbsp;")
	}
	if breakable {
		w.out.writeString(" ")
	}
	// A space right after one that breaks would be dropped; one right after
	// no-break spaces at a line's start keeps the indent together.
	w.bare, w.spaces = true, 0
}

// finish writes the spaces that end a line or a link.
func (w *writer) finish() {
	if w.spaces > 0 {
		w.bare = true
		w.flush()
	}
}

// escaped writes printable ASCII, as text or as an attribute in double quotes.
func (w *writer) escaped(s string) {
	if hasSyntax(s) {
		s = escaper.Replace(s)
	}
	w.raw(s)
}

// hasSyntax reports whether a text has the syntax of HTML. Most lines and many paragraphs
// have none, so callers search before they use escaper.
func hasSyntax(s string) bool {
	const syntax = `&<>"'`
	for i := range len(syntax) {
		if strings.IndexByte(s, syntax[i]) >= 0 {
			return true
		}
	}
	return false
}

// escaper replaces the syntax of HTML by character references.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// words returns how many bytes at the start of s are words of printable ASCII with
// single spaces between them.
func words(s string) int {
	if strings.HasPrefix(s, " ") {
		return 0
	}
	end := ascii.SingleSpaced(s)
	if end > 0 && s[end-1] == ' ' {
		end-- // no word follows
	}
	return end
}

// columns returns how many columns a character takes in a monospaced face.
func columns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
