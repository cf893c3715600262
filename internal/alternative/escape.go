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

// output is a buffer in front of w. It passes on whole lines, unless a line is longer than the buffer.
type output struct {
	w   io.Writer
	buf *[outputSize]byte
	n   int
	err error // the first error of w
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
	for len(o.buf)-o.n < utf8.UTFMax { // a long line may still be in the buffer
		o.flush()
	}
	o.n += utf8.EncodeRune(o.buf[o.n:], r)
}

// flush passes on the complete lines, unless w failed before.
func (o *output) flush() {
	n := bytes.LastIndexByte(o.buf[:o.n], '\n') + 1
	if n == 0 {
		n = o.n
	}
	o.write(n)
}

// finish passes on everything.
func (o *output) finish() { o.write(o.n) }

func (o *output) write(n int) {
	if o.err == nil {
		_, o.err = o.w.Write(o.buf[:n])
	}
	o.n = copy(o.buf[:], o.buf[n:o.n])
}

// writer writes escaped text and keeps the white space that HTML would drop.
//
// Several spaces between words become no-break spaces and one ordinary space, so that lines still wrap.
// At either end of a line all become no-break spaces.
type writer struct {
	out    output
	spaces int  // spaces read and not yet written
	bare   bool // a space here would be dropped: at the start of a line, or after another space
	column int  // columns written in this line; correct only if tabs is set
	tabs   bool // the line has tabs
}

// raw writes markup.
func (w *writer) raw(markup string) { w.out.writeString(markup) }

// begin starts a line; tabs says whether it has any.
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

// rune writes one character that is not part of a word. size is its length in the text.
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
	// A space after an ordinary space would be dropped. After no-break spaces at the start of a line,
	// it would break the indent.
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

// hasSyntax reports whether a text has characters with a meaning in HTML. Most lines have none.
func hasSyntax(s string) bool {
	const syntax = `&<>"'`
	for i := range len(syntax) {
		if strings.IndexByte(s, syntax[i]) >= 0 {
			return true
		}
	}
	return false
}

// escaper replaces these characters by character references.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// words returns the length of the printable ASCII words at the start of s that have single spaces
// between them.
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

// columns returns how many columns a character takes in a monospaced font.
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
