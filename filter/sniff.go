package filter

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// sniffed is the number of bytes of a content that say what it is.
const sniffed = 1 << 10

// magic are the bytes with which files of a kind begin.
var magic = []struct{ kind, start string }{
	{"pdf", "%PDF"},
	{kindArchive, "PK\x03\x04"},
	{kindArchive, stream.GzipMagic},
	{kindArchive, "Rar!"},
	{kindArchive, "7z\xbc\xaf"},
	{kindOffice, "\xd0\xcf\x11\xe0"},
	{"image", "\x89PNG"},
	{"image", "GIF8"},
	{"image", "\xff\xd8\xff"},
	{kindOffice, "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d"}, // OneNote
	{kindArchive, "\x28\xb5\x2f\xfd"},                // Zstandard
	{kindArchive, "!<arch>"},
	{kindArchive, "BZh"},
	{kindArchive, "\xfd7zXZ"},
	{kindArchive, "MSCF"},
	{kindEncrypted, "age-encryption.org/"},
	{kindEncrypted, "-----BEGIN PGP MESSAGE"},
}

// sniff adds the forms of a content by its first bytes. A text of a declared kind is read,
// but keeps the kind: its bytes may be damaged.
func (o *opening) sniff(head []byte) {
	switch start := startOf(head); {
	case isMarkup(start):
		o.openAs(formHTML, formXML)
	case isCalendar(string(start)):
		o.openAs(formCalendar)
	case isRTF(start):
		o.openAs(formRTF)
	case isHeader(start), isMailbox(start):
		o.openAs(formMessage)
	case isTNEF(head):
		o.openAs(formStrings)
	}
	if len(o.forms) > 0 {
		o.kind = ""
		return
	}
	switch kind := magicKind(head); {
	case kind != "":
		o.kind = cmp.Or(o.kind, kind)
	case mayBeText(head):
		if o.openAs(formText, formHTML); bytes.HasPrefix(startOf(head), []byte("<")) {
			o.openAs(formXML)
		}
		if o.kind == kindOffice {
			o.openAs(formSheet) // spreadsheets open tables by the names of their own files
		}
		if holdsPDF(head) {
			o.kind = cmp.Or(o.kind, "pdf")
		}
	default:
		o.kind = cmp.Or(o.kind, kindBinary)
	}
}

// isTNEF reports whether a content begins as TNEF, which programs open by any name.
func isTNEF(head []byte) bool { return bytes.HasPrefix(head, []byte("\x78\x9f\x3e\x22")) }

// maxOpenPage is the length in bytes of a page in a binary content that has no end.
const maxOpenPage = 64 << 10

// pagesWithin iterates over the pages of HTML in the strings of a binary content: the text of a message
// of Outlook, or what else has a link. It ends with t.
func pagesWithin(t *meter.Meter, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		closing := 0 // the offset of the next end of a page, or -1
		for at := 0; ; {
			i := strings.IndexByte(text[at:], '<')
			if i < 0 || t.Spend(i+1) != nil {
				return
			}
			at += i
			if !slices.ContainsFunc(pageStarts, func(start string) bool { return ascii.HasPrefixFold(text[at:], start) }) {
				at++
				continue
			}
			if 0 <= closing && closing <= at {
				closing = endOfPage(text, at)
			}
			end := closing
			if end < 0 {
				end = min(len(text), at+maxOpenPage)
			}
			if !yield(text[at:end]) {
				return
			}
			at = end
		}
	}
}

// pageStarts are the tags with which a page in a binary content may begin.
var pageStarts = []string{"<html", "<body", "<a "}

// endOfPage returns the offset of the tag that ends a page behind an offset, or -1.
func endOfPage(text string, from int) int {
	for at := from; ; at++ {
		i := strings.Index(text[at:], "</")
		if i < 0 {
			return -1
		}
		if at += i; ascii.HasPrefixFold(text[at:], "</html") {
			return at
		}
	}
}

// magicKind returns the kind of a content by its first bytes, or "".
func magicKind(head []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.start)) {
			return m.kind
		}
	}
	return ""
}

// holdsPDF reports whether a content that is text by its first bytes has the head of a PDF or FDF,
// which programs find behind others.
func holdsPDF(head []byte) bool {
	return bytes.Contains(head, []byte("%PDF-")) || bytes.Contains(head, []byte("%FDF-"))
}

// startOf returns a content without what programs ignore before it.
func startOf(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f")
}

// isRTF reports whether a content begins as rich text; Word needs no more.
func isRTF(start []byte) bool { return bytes.HasPrefix(start, []byte(`{\rt`)) }

// isCalendar reports whether a content begins as an iCalendar, vCard or LDIF.
func isCalendar(start string) bool {
	return ascii.HasPrefixFold(start, "BEGIN:V") || ascii.HasPrefixFold(start, "dn:") || ascii.HasPrefixFold(start, "version:") && strings.Contains(strings.ToLower(start), "\ndn:")
}

// isMarkup reports whether a content begins as HTML or XML.
func isMarkup(start []byte) bool {
	for _, prefix := range []string{
		"<!doctype", "<html", "<head", "<body", "<svg", "<script", "<meta", "<title", "<?xml", "<!--", "<a ", "<table", "<div", "<p", "<iframe", "<form", "<style", "<b", "<img", "<h1",
	} {
		if ascii.HasPrefixFold(string(start[:min(len(start), len(prefix))]), prefix) {
			return true
		}
	}
	return false
}

// isHeader reports whether a content begins with a field that messages begin with.
func isHeader(start []byte) bool {
	for _, prefix := range []string{
		"Received:", "Return-Path:", "Delivered-To:", "From:", "To:", "Subject:", "Date:", "MIME-Version:", "Message-ID:", "Content-Type:", "DKIM-Signature:", "X-",
		"Reply-To:", "Sender:", "Envelope-To:", "ARC-", "Authentication-Results:", "Newsgroups:", "Path:", "Xref:",
	} {
		if ascii.HasPrefixFold(string(start[:min(len(start), len(prefix))]), prefix) {
			return true
		}
	}
	return false
}

// messageLine begins the line before each message of a mailbox.
const messageLine = "From "

// isMailbox reports whether a content begins as a mailbox: a message behind a line of its own.
func isMailbox(start []byte) bool {
	_, message, _ := bytes.Cut(start, []byte("\n"))
	return bytes.HasPrefix(start, []byte(messageLine)) && isHeader(message)
}

// hasWideMark reports whether a content begins with the byte order mark of UTF-16 or UTF-32.
func hasWideMark(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff"))
}

// mayBeText reports whether a content is text in some charset by its first bytes: few
// controls, or NULs at some places of each character of UTF-16 or UTF-32.
func mayBeText(head []byte) bool {
	controls, nul := 0, [4]int{}
	for i, c := range head {
		switch {
		case c == 0:
			nul[i%4]++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b':
			controls++
		}
	}
	all := nul[0] + nul[1] + nul[2] + nul[3]
	isWide := slices.Min(nul[:])*50 <= len(head)/4 && all*3 >= len(head) && all*8 <= len(head)*7
	return controls*50 <= len(head) && (all*50 <= len(head) || isWide)
}
