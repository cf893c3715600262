// Package linkify writes plain text as HTML in which a reader can click the links that
// package engine finds.
//
// The output is safe by construction: it is the escaped text, with an element a around each link. The
// href is [engine.Link.Href], so it has a scheme that the Scanner links. White space stays; to show
// line breaks, style the surrounding element with white-space: pre-wrap.
//
// The package does not judge whether a link is safe to open. The example with package
// policy does.
package linkify

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/piece"
)

// A Linkifier writes text as HTML with links. The zero value links everything that the zero
// engine.Scanner finds. Several goroutines may use it at once.
type Linkifier struct {
	// Scanner finds the links; nil means the zero Scanner.
	Scanner *engine.Scanner
	// Skip reports whether a link stays text; nil means that no link does.
	Skip func(engine.Link) bool
	// Label returns the text that a reader sees in place of a link; nil means the link as
	// typed.
	Label func(engine.Link) string
	// Rel, Target and Class are attributes of each link, as plain text; "" means no attribute. For text
	// by strangers, Rel is usually "nofollow ugc".
	Rel, Target, Class string
}

// maxLink is the length in bytes of the longest link that Copy links.
const maxLink = 64 << 10

// HTML returns the text as HTML. A byte that is not UTF-8, and a NUL, which HTML cannot have, become
// U+FFFD.
func (f *Linkifier) HTML(text string) string {
	return string(f.append(nil, text))
}

// WriteText writes the text to w as HTML, with one call of Write. The error is that of w.
func (f *Linkifier) WriteText(w io.Writer, text string) error {
	_, err := w.Write(f.append(nil, text))
	return err
}

// Copy reads text from r and writes it to w as HTML. It needs bounded memory, so it leaves a link of
// more than 64 KiB as text. It returns the first error of r or w.
func (f *Linkifier) Copy(w io.Writer, r io.Reader) error {
	var out []byte
	p := piece.NewReader(r, maxLink)
	for p.Next() {
		out = f.appendPiece(out[:0], p)
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return p.Err()
}

// append appends the HTML of a whole text.
func (f *Linkifier) append(dst []byte, text string) []byte {
	done := 0
	for l := range f.scanner().All(text) {
		dst = appendEscaped(dst, text[done:l.Start])
		dst = f.appendLink(dst, l)
		done = l.End
	}
	return appendEscaped(dst, text[done:])
}

// appendPiece appends the HTML of the new text in a piece.
func (f *Linkifier) appendPiece(dst []byte, p *piece.Reader) []byte {
	done, _ := p.Bounds()
	for l := range f.scanner().All(p.Text()) {
		if p.Has(l.Start, l.End) && len(l.Text) <= maxLink {
			dst = appendEscaped(dst, p.Text()[done:l.Start])
			dst = f.appendLink(dst, l)
			done = l.End
		}
	}
	_, end := p.Bounds()
	return appendEscaped(dst, p.Text()[done:end])
}

// scanner returns the Scanner that finds the links.
func (f *Linkifier) scanner() *engine.Scanner {
	if f.Scanner == nil {
		return &zeroScanner
	}
	return f.Scanner
}

var zeroScanner engine.Scanner

// appendLink appends the element for a link, or the text of a link that stays text.
func (f *Linkifier) appendLink(dst []byte, l engine.Link) []byte {
	href := ""
	if (l.Kind == engine.KindURL || l.Kind == engine.KindEmail) && (f.Skip == nil || !f.Skip(l)) {
		href = l.Href()
	}
	if href == "" {
		return appendEscaped(dst, l.Text)
	}
	dst = append(dst, "<a"...)
	dst = appendAttribute(dst, "href", href)
	dst = appendAttribute(dst, "rel", f.Rel)
	dst = appendAttribute(dst, "target", f.Target)
	dst = appendAttribute(dst, "class", f.Class)
	dst = append(dst, '>')
	label := l.Text
	if f.Label != nil {
		label = f.Label(l)
	}
	dst = appendEscaped(dst, label)
	return append(dst, "</a>"...)
}

// appendAttribute appends an attribute unless its value is empty.
func appendAttribute(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, ' '), name...), `="`...)
	return append(appendEscaped(dst, value), '"')
}

// escapes are the bytes that text or an attribute can have only as a character reference. CR is one of
// them, because HTML parsers read a bare CR as a line feed.
var escapes = [utf8.RuneSelf]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '\r': "&#13;", 0: "\uFFFD"}

// appendEscaped appends text as HTML.
func appendEscaped(dst []byte, text string) []byte {
	for text != "" {
		i := strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || r < utf8.RuneSelf && escapes[r] != "" })
		if i < 0 {
			break
		}
		dst = append(dst, text[:i]...)
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < utf8.RuneSelf {
			dst = append(dst, escapes[r]...)
		} else {
			dst = append(dst, "\uFFFD"...)
		}
		text = text[i+size:]
	}
	return append(dst, text...)
}
