package opening

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

// Of says how programs open a leaf of m that is not a multipart.
func Of(m *mime.Message, leaf *mime.Part) Opening {
	o := byType(leaf.MediaType)
	names := m.Names(leaf)
	kind := ""
	for _, name := range names {
		forms, named := byName(name)
		o.OpenAs(forms...)
		if kind == "" {
			kind = named
		}
	}
	if len(o.Forms) > 0 {
		if kind == filekind.Office || o.Kind == filekind.Office || slices.Contains(o.Forms, RTF) {
			o.openAsOffice(m.Beginnings(leaf, Sniffed))
		}
		if o.Kind = ""; len(names) > 0 || leaf.IsAttachment() || HoldsStrings(o.Forms) {
			o.check(m.Beginnings(leaf, Sniffed), kind)
		}
		return o
	}
	if start, silent := silentTypes[leaf.MediaType]; silent && begins(m, leaf, start) {
		return Opening{}
	}
	if o.Kind == "" || kind == filekind.Office {
		o.Kind = kind
	}
	for _, head := range m.Beginnings(leaf, Sniffed) {
		if len(head) == 0 {
			continue
		}
		if o.sniff(head); len(o.Forms) > 0 {
			break
		}
	}
	return o
}

// OfFile says how programs open a file within a text.
func OfFile(name, mediaType string, content []byte) Opening {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	o := byType(strings.ToLower(strings.TrimSpace(mediaType)))
	forms, kind := byName(name)
	o.OpenAs(forms...)
	o.Kind = cmp.Or(kind, o.Kind)
	o.sniff(content[:min(len(content), Sniffed)])
	return o
}

// openAsOffice adds the forms in which office programs open a text: they go by its first bytes,
// whatever its type and its name say, and take any other for a table.
func (o *Opening) openAsOffice(heads [][]byte) {
	for _, head := range heads {
		switch start := filekind.Start(head); {
		case filekind.IsMarkup(start):
			o.OpenAs(HTML, XML)
		case filekind.IsRTF(start):
			o.OpenAs(RTF)
		case filekind.IsHeader(start) && bytes.Contains(bytes.ToLower(start), []byte("mime-version:")):
			o.OpenAs(Message)
		case filekind.MayBeText(head):
			o.OpenAs(Sheet)
		}
	}
}

// check compares the forms of an attachment with its contents. kind is what its names say. Where it is
// no text, the opening has a kind.
func (o *Opening) check(heads [][]byte, kind string) {
	isOfStrings := HoldsStrings(o.Forms)
	for _, head := range heads {
		switch found := filekind.Of(head); {
		case isOfStrings:
			o.sniff(head)
		case filekind.IsTNEF(head):
			o.OpenAs(Strings)
		case slices.Contains(o.Forms, XML) && bytes.HasPrefix(head, []byte(stream.GzipMagic)):
			continue // SVG is read in gzip
		case found != "" || !filekind.MayBeText(head) || kind != "" && filekind.HoldsPDF(head):
			o.Kind = cmp.Or(kind, found, filekind.Binary)
		}
	}
}

// HoldsStrings reports whether forms are those of a binary format that holds text alone.
func HoldsStrings(forms []Form) bool {
	return !slices.ContainsFunc(forms, func(f Form) bool { return f != Strings && f != Signed })
}

// silentTypes hold nothing that programs show, where they begin as they should: signatures in
// OpenPGP's armor, and in DER.
var silentTypes = map[string]string{
	"application/pgp-signature": "-----BEGIN PGP SIGNATURE-----", "application/pkcs7-signature": "\x30", "application/x-pkcs7-signature": "\x30",
}

// begins reports whether each content of a leaf begins with a text behind white space, or is empty.
func begins(m *mime.Message, leaf *mime.Part, start string) bool {
	for _, head := range m.Beginnings(leaf, Sniffed) {
		if head = bytes.TrimSpace(head); len(head) > 0 && !bytes.HasPrefix(head, []byte(start)) {
			return false
		}
	}
	return true
}

// Sniffed is the number of bytes of a content that say what it is.
const Sniffed = 1 << 10

// sniff adds the forms of a content by its first bytes. A text of a declared kind is read,
// but keeps the kind: its bytes may be damaged.
func (o *Opening) sniff(head []byte) {
	switch start := filekind.Start(head); {
	case filekind.IsMarkup(start):
		o.OpenAs(HTML, XML)
	case filekind.IsCalendar(string(start)):
		o.OpenAs(Calendar)
	case filekind.IsRTF(start):
		o.OpenAs(RTF)
	case filekind.IsHeader(start), filekind.IsMailbox(start):
		o.OpenAs(Message)
	case filekind.IsTNEF(head):
		o.OpenAs(Strings)
	}
	if len(o.Forms) > 0 {
		o.Kind = ""
		return
	}
	switch kind := filekind.Of(head); {
	case kind != "":
		o.Kind = cmp.Or(o.Kind, kind)
	case filekind.MayBeText(head):
		if o.OpenAs(Text, HTML); bytes.HasPrefix(filekind.Start(head), []byte("<")) {
			o.OpenAs(XML)
		}
		if o.Kind == filekind.Office {
			o.OpenAs(Sheet) // spreadsheets open tables by the names of their own files
		}
		if filekind.HoldsPDF(head) {
			o.Kind = cmp.Or(o.Kind, "pdf")
		}
	default:
		o.Kind = cmp.Or(o.Kind, filekind.Binary)
	}
}

// maxOpenPage is the length in bytes of a page in a binary content that has no end.
const maxOpenPage = 64 << 10

// PagesWithin iterates over the pages of HTML in the strings of a binary content: the text of a message
// of Outlook, or what else has a link. It ends with t.
func PagesWithin(t *meter.Meter, text string) iter.Seq[string] {
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
	Kind           string // of a content that is not read; "" without one
	Uuencode, YEnc bool   // perhaps
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

// HeadsWithin finds such lines in a text.
func HeadsWithin(text string) heads {
	h := heads{Uuencode: hasHead(text, charset.UUHead), YEnc: hasHead(text, charset.YEncHead)}
	for _, u := range unreadHeads {
		if hasHead(text, u.head) {
			h.Kind = cmp.Or(h.Kind, u.kind)
		}
	}
	// Programs find a whole message in OpenPGP's armor anywhere in a line.
	if _, armor, ok := strings.Cut(text, unreadHeads[0].head); ok && strings.Contains(armor, "-----END PGP MESSAGE-----") {
		h.Kind = filekind.Encrypted
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
