package filter

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/meter"
	"github.com/linkmilter/linkmilter/internal/stream"
	"github.com/linkmilter/linkmilter/mime"
)

// openingOf says how programs open a leaf of m that is not a multipart.
func openingOf(m *mime.Message, leaf *mime.Part) opening {
	o := byType(leaf.MediaType)
	names := m.Names(leaf)
	kind := ""
	for _, name := range names {
		forms, named := byName(name)
		o.openAs(forms...)
		if kind == "" {
			kind = named
		}
	}
	if len(o.forms) > 0 {
		if kind == filekind.Office || o.kind == filekind.Office || slices.Contains(o.forms, formRTF) {
			o.openAsOffice(m.Beginnings(leaf, sniffed))
		}
		if o.kind = ""; len(names) > 0 || leaf.IsAttachment() || holdsStrings(o.forms) {
			o.check(m.Beginnings(leaf, sniffed), kind)
		}
		return o
	}
	if start, silent := silentTypes[leaf.MediaType]; silent && begins(m, leaf, start) {
		return opening{}
	}
	if o.kind == "" || kind == filekind.Office {
		o.kind = kind
	}
	for _, head := range m.Beginnings(leaf, sniffed) {
		if len(head) == 0 {
			continue
		}
		if o.sniff(head); len(o.forms) > 0 {
			break
		}
	}
	return o
}

// openingOfFile says how programs open a file within a text.
func openingOfFile(name, mediaType string, content []byte) opening {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	o := byType(strings.ToLower(strings.TrimSpace(mediaType)))
	forms, kind := byName(name)
	o.openAs(forms...)
	o.kind = cmp.Or(kind, o.kind)
	o.sniff(content[:min(len(content), sniffed)])
	return o
}

// openAsOffice adds the forms in which office programs open a text: they go by its first bytes,
// whatever its type and its name say, and take any other for a table.
func (o *opening) openAsOffice(heads [][]byte) {
	for _, head := range heads {
		switch start := filekind.Start(head); {
		case filekind.IsMarkup(start):
			o.openAs(formHTML, formXML)
		case filekind.IsRTF(start):
			o.openAs(formRTF)
		case filekind.IsHeader(start) && bytes.Contains(bytes.ToLower(start), []byte("mime-version:")):
			o.openAs(formMessage)
		case filekind.MayBeText(head):
			o.openAs(formSheet)
		}
	}
}

// check compares the forms of an attachment with its contents. kind is what its names say. Where it is
// no text, the opening has a kind.
func (o *opening) check(heads [][]byte, kind string) {
	isOfStrings := holdsStrings(o.forms)
	for _, head := range heads {
		switch found := filekind.Of(head); {
		case isOfStrings:
			o.sniff(head)
		case filekind.IsTNEF(head):
			o.openAs(formStrings)
		case slices.Contains(o.forms, formXML) && bytes.HasPrefix(head, []byte(stream.GzipMagic)):
			continue // SVG is read in gzip
		case found != "" || !filekind.MayBeText(head) || kind != "" && filekind.HoldsPDF(head):
			o.kind = cmp.Or(kind, found, filekind.Binary)
		}
	}
}

// holdsStrings reports whether forms are those of a binary format that holds text alone.
func holdsStrings(forms []form) bool {
	return !slices.ContainsFunc(forms, func(f form) bool { return f != formStrings && f != formSigned })
}

// silentTypes hold nothing that programs show, where they begin as they should: signatures in
// OpenPGP's armor, and in DER.
var silentTypes = map[string]string{
	"application/pgp-signature": "-----BEGIN PGP SIGNATURE-----", "application/pkcs7-signature": "\x30", "application/x-pkcs7-signature": "\x30",
}

// begins reports whether each content of a leaf begins with a text behind white space, or is empty.
func begins(m *mime.Message, leaf *mime.Part, start string) bool {
	for _, head := range m.Beginnings(leaf, sniffed) {
		if head = bytes.TrimSpace(head); len(head) > 0 && !bytes.HasPrefix(head, []byte(start)) {
			return false
		}
	}
	return true
}

// sniffed is the number of bytes of a content that say what it is.
const sniffed = 1 << 10

// sniff adds the forms of a content by its first bytes. A text of a declared kind is read,
// but keeps the kind: its bytes may be damaged.
func (o *opening) sniff(head []byte) {
	switch start := filekind.Start(head); {
	case filekind.IsMarkup(start):
		o.openAs(formHTML, formXML)
	case filekind.IsCalendar(string(start)):
		o.openAs(formCalendar)
	case filekind.IsRTF(start):
		o.openAs(formRTF)
	case filekind.IsHeader(start), filekind.IsMailbox(start):
		o.openAs(formMessage)
	case filekind.IsTNEF(head):
		o.openAs(formStrings)
	}
	if len(o.forms) > 0 {
		o.kind = ""
		return
	}
	switch kind := filekind.Of(head); {
	case kind != "":
		o.kind = cmp.Or(o.kind, kind)
	case filekind.MayBeText(head):
		if o.openAs(formText, formHTML); bytes.HasPrefix(filekind.Start(head), []byte("<")) {
			o.openAs(formXML)
		}
		if o.kind == filekind.Office {
			o.openAs(formSheet) // spreadsheets open tables by the names of their own files
		}
		if filekind.HoldsPDF(head) {
			o.kind = cmp.Or(o.kind, "pdf")
		}
	default:
		o.kind = cmp.Or(o.kind, filekind.Binary)
	}
}

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

// heads says which lines a text has that begin a file, or a content that is not read.
type heads struct {
	kind           string // of a content that is not read; "" without one
	uuencode, yEnc bool   // perhaps
}

// unreadHeads begin the lines before contents that are not read.
var unreadHeads = [...]struct{ kind, head string }{
	{filekind.Encrypted, charset.ArmorHead + "PGP MESSAGE-----"},
	{filekind.Encrypted, charset.ArmorHead + "PGP MESSAGE, PART "},
	{filekind.Encrypted, charset.ArmorHead + "PKCS7-----"},
	{filekind.Encrypted, charset.ArmorHead + "CMS-----"},
	{filekind.Encrypted, charset.ArmorHead + "AGE ENCRYPTED FILE-----"},
	{filekind.Archive, charset.BinHexHead},
}

// headsWithin finds such lines in a text.
func headsWithin(text string) heads {
	h := heads{uuencode: hasHead(text, charset.UUHead), yEnc: hasHead(text, charset.YEncHead)}
	for _, u := range unreadHeads {
		if hasHead(text, u.head) {
			h.kind = cmp.Or(h.kind, u.kind)
		}
	}
	// Programs find a whole message in OpenPGP's armor anywhere in a line.
	if _, armor, ok := strings.Cut(text, unreadHeads[0].head); ok && strings.Contains(armor, "-----END PGP MESSAGE-----") {
		h.kind = filekind.Encrypted
	}
	return h
}

// hasHead reports whether a line of a text begins with a head, or what stands behind ">": a tag of HTML
// or the mark of quoted text. Blanks may be before it.
func hasHead(text, head string) bool {
	for rest := text; ; {
		i := strings.Index(rest, head)
		if i < 0 {
			return false
		}
		before := strings.TrimRight(text[:len(text)-len(rest)+i], " \t")
		if before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, ">") {
			return true
		}
		rest = rest[i+len(head):]
	}
}
