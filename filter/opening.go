package filter

import (
	"slices"

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
		if o.kind = ""; kind != "" && holdsNoText(m, leaf) {
			o.kind = kind
		}
		return o
	}
	if silentTypes[leaf.MediaType] {
		return opening{}
	}
	if o.kind == "" {
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

// holdsNoText reports whether a leaf that is a text by its type has a content that is not.
func holdsNoText(m *mime.Message, leaf *mime.Part) bool {
	return slices.ContainsFunc(m.Beginnings(leaf, sniffed), func(head []byte) bool { return magicKind(head) != "" || !mayBeText(head) || holdsPDF(head) })
}

// silentTypes hold nothing that programs show.
var silentTypes = map[string]bool{
	"application/pgp-signature": true, "application/pkcs7-signature": true, "application/x-pkcs7-signature": true,
}
