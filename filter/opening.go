package filter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

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
		if kind == kindOffice || o.kind == kindOffice || slices.Contains(o.forms, formRTF) {
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
	if o.kind == "" || kind == kindOffice {
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
		switch start := startOf(head); {
		case isMarkup(start):
			o.openAs(formHTML, formXML)
		case isRTF(start):
			o.openAs(formRTF)
		case isHeader(start) && bytes.Contains(bytes.ToLower(start), []byte("mime-version:")):
			o.openAs(formMessage)
		case mayBeText(head):
			o.openAs(formSheet)
		}
	}
}

// check compares the forms of an attachment with its contents. kind is what its names say. Where it is
// no text, the opening has a kind.
func (o *opening) check(heads [][]byte, kind string) {
	isOfStrings := holdsStrings(o.forms)
	for _, head := range heads {
		switch found := magicKind(head); {
		case isOfStrings:
			o.sniff(head)
		case isTNEF(head):
			o.openAs(formStrings)
		case slices.Contains(o.forms, formXML) && bytes.HasPrefix(head, []byte(stream.GzipMagic)):
			continue // SVG is read in gzip
		case found != "" || !mayBeText(head) || kind != "" && holdsPDF(head):
			o.kind = cmp.Or(kind, found, kindBinary)
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
