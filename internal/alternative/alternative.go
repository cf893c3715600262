// Package alternative writes the HTML alternative of a plain text: the same words
// in the same lines, with links that open the URL that was typed and show it in
// readable form.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows text, byte ranges in it and HTML. The caller says where the links are, what
// they open and what they show.
//
// The document is made for programs that show mail, not for browsers: styles are
// inline, since some programs drop style sheets; no-break spaces keep spaces and
// <br> keeps lines, since Outlook does not know the white-space property; nothing
// is loaded.
package alternative

import (
	"io"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// Link is a link in a text.
type Link struct {
	// Start and End are byte offsets: the link is text[Start:End].
	Start, End int
	// Href is the ASCII URL that the link opens. If it is not an absolute http, https, ftp or mailto
	// URL in printable ASCII, the link is shown and opens nothing.
	Href string
	// Display is shown in place of text[Start:End]. If it is empty, that text itself is shown.
	Display string
}

// Write writes text as a complete HTML document in UTF-8. Its memory does not grow with the text. After
// an error of w, which it returns, it writes nothing more. Deeply quoted text can grow a hundredfold; a
// writer with a limit ends that early.
//
// The text is UTF-8. Its lines end in CRLF, LF or CR, and soft line breaks (RFC 3676) are removed.
// Links are sorted and disjoint, each within one line; a link that is not stays text. If the document
// is turned into text again, it is the original text with these changes: each link is its Display, tabs
// are spaces, and leading quote marks are nested quotes. Control characters and invalid UTF-8 become
// U+FFFD.
func Write(w io.Writer, text string, links []Link) error {
	d := documents.Get().(*document)
	defer d.release()
	d.text, d.links = text, links
	d.out.w = w
	d.raw(head)
	b := &d.block
	for pos := 0; pos < len(text) && d.out.err == nil; pos = b.end {
		b.read(text, pos)
		d.quote(b.level, b.firstLine(text))
		if b.blank > 0 {
			d.blankLines(b)
		} else {
			d.paragraph(b)
		}
	}
	d.quote(0, "")
	d.raw(foot)
	d.out.finish()
	return d.out.err
}

// documents is a pool, so that the buffers are reused.
var documents = sync.Pool{New: func() any {
	d := new(document)
	d.out.buf = new([outputSize]byte)
	d.block.kept = make([]line, 0, 128)
	return d
}}

// release clears d and returns it to the pool.
func (d *document) release() {
	buf, kept := d.out.buf, d.block.kept
	*d = document{}
	d.out.buf, d.block.kept = buf, kept
	documents.Put(d)
}

const (
	head = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">" +
		"<meta name=\"generator\" content=\"linkmilter\"></head>\n" +
		"<body style=\"font-family:Arial,Helvetica,sans-serif;" +
		"word-wrap:break-word;overflow-wrap:anywhere;" +
		"line-height:1.45\">\n"
	foot = "</body></html>\n"

	// Without a named font first, browsers show monospaced text at 13/16 size.
	monospaced = " style=\"font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace\""
)

// document is an alternative being written.
type document struct {
	writer
	text     string
	links    []Link // links that are not yet written
	block    block
	level    int  // how many quotes are open
	blank    int  // how many empty lines the next paragraph begins with
	columnar bool // the last non-empty line has columns
	noSyntax bool // no line of the paragraph has the syntax of HTML
}

// quote opens or closes quotes until level of them are open. The bar is on the side where the first
// line inside begins.
func (d *document) quote(level int, line string) {
	if level != d.level {
		d.raw(quoteTags(d.level, level, level > d.level && rightToLeft(line)))
		d.level = level
	}
}

// blankLines writes empty lines. They become the start of the next paragraph in the same quote:
// browsers that copy text out of a block of only <br> count one line too many. If no paragraph follows,
// they become a block of their own.
func (d *document) blankLines(b *block) {
	if b.end < len(d.text) {
		if _, level, _ := readLine(d.text, b.end); level == b.level {
			d.blank = b.blank
			return
		}
	}
	d.raw("<div>")
	d.raw(strings.Repeat("<br>", b.blank))
	d.raw("</div>\n")
}

// paragraph writes neighbouring non-empty lines.
func (d *document) paragraph(b *block) {
	d.raw("<div dir=\"auto\"")
	if d.hasColumns(b) {
		d.raw(monospaced)
	}
	d.raw(">")
	d.raw(strings.Repeat("<br>", d.blank))
	d.blank, d.noSyntax = 0, !hasSyntax(d.text[b.kept[0].start:b.end])
	for l := range b.lines(d.text) {
		if l.start > b.kept[0].start {
			d.raw("<br>\n")
		}
		d.line(l)
	}
	d.raw("</div>\n")
}

// hasColumns reports whether a paragraph needs a monospaced font: one of its lines has columns, and so
// has the line before or after it. Empty lines between them do not count, because they are common
// between the rows of a table.
func (d *document) hasColumns(b *block) bool {
	before := d.columnar
	d.columnar = b.lastRow
	return b.rows || before && b.firstRow || b.lastRow && nextLine(d.text, b.end).columnar(d.text)
}

// line writes one line: text and links in turn.
func (d *document) line(l line) {
	if l.plain && (len(d.links) == 0 || d.links[0].Start >= l.end) {
		if text := d.text[l.start:l.end]; d.noSyntax {
			d.raw(text)
		} else {
			d.escaped(text)
		}
		return
	}
	d.begin(d.hasTabs(l))
	pos := l.start
	for len(d.links) > 0 && d.links[0].Start < l.end {
		link := d.links[0]
		d.links = d.links[1:]
		if link.Start < pos || link.End <= link.Start || link.End > l.end {
			continue
		}
		d.put(d.text[pos:link.Start])
		d.link(link)
		pos = link.End
	}
	d.put(d.text[pos:l.end])
	d.finish()
}

// hasTabs reports whether a line, or the display of a link in it, has tabs.
func (d *document) hasTabs(l line) bool {
	for _, link := range d.links {
		if link.Start >= l.end {
			break
		}
		if strings.IndexByte(link.Display, '\t') >= 0 {
			return true
		}
	}
	return strings.IndexByte(d.text[l.start:l.end], '\t') >= 0
}

// link writes a link, isolated from the text direction around it.
func (d *document) link(l Link) {
	display := l.Display
	if display == "" {
		display = d.text[l.Start:l.End]
	}
	d.flush()
	rtl := bidi.RightToLeft(display)
	if rtl {
		d.raw("<bdi dir=\"ltr\">")
	} else {
		d.raw("<bdi>")
	}
	linked := linkable(l.Href)
	if linked {
		d.raw("<a href=\"")
		d.escaped(l.Href)
		d.raw("\">")
	}
	if rtl {
		d.segments(display)
	} else {
		d.put(display)
	}
	d.finish()
	if linked {
		d.raw("</a>")
	}
	d.raw("</bdi>")
}

// segments writes a URL with its right-to-left pieces isolated, so that all pieces are shown in logical
// order.
func (d *document) segments(url string) {
	for piece, isolate := range bidi.Segments(url) {
		if !isolate {
			d.put(piece)
			continue
		}
		d.flush()
		d.raw("<bdi>")
		d.put(piece)
		d.finish()
		d.raw("</bdi>")
	}
}

// linkable reports whether a link may open href: an absolute URL in printable ASCII, with a scheme that
// runs no code.
func linkable(href string) bool {
	if strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	name, rest := scheme.Name(href)
	return rest != "" && scheme.MayLink(name)
}
