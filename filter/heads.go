package filter

import (
	"cmp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
)

// heads says which lines a text has that begin a file, or a content that is not read.
type heads struct {
	kind           string // of a content that is not read; "" without one
	uuencode, yEnc bool   // perhaps
}

// unreadHeads begin the lines before contents that are not read.
var unreadHeads = [...]struct{ kind, head string }{
	{kindEncrypted, charset.ArmorHead + "PGP MESSAGE-----"},
	{kindEncrypted, charset.ArmorHead + "PGP MESSAGE, PART "},
	{kindEncrypted, charset.ArmorHead + "PKCS7-----"},
	{kindEncrypted, charset.ArmorHead + "CMS-----"},
	{kindEncrypted, charset.ArmorHead + "AGE ENCRYPTED FILE-----"},
	{kindArchive, charset.BinHexHead},
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
		h.kind = kindEncrypted
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
