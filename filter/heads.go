package filter

import (
	"cmp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
)

// heads says which lines a text has that begin a file, or a content that is not read.
type heads struct {
	kind           string // of the first content that is not read; "" without one
	uuencode, yEnc bool   // perhaps
}

// headsWithin finds such lines in a text: behind a line end or, in HTML and in quoted text,
// behind ">". If noHead is true, the text has no such line and no tag: headsWithin looks only for armor
// within a line.
func headsWithin(text string, noHead bool) heads {
	var h heads
	if !noHead && !mayHoldHead(text) {
		return h
	}
	if holdsArmor(text) {
		h.kind = kindEncrypted
	}
	if noHead {
		return h
	}
	h.add(text)
	for _, before := range [...]byte{'\n', '>'} {
		for at := 0; ; {
			i := strings.IndexByte(text[at:], before)
			if i < 0 {
				break
			}
			if at += i + 1; at < len(text) && charset.BeginsHead[text[at]] {
				h.add(text[at:])
			}
		}
	}
	return h
}

// mayHoldHead reports whether a text has a word of these lines. Few texts do, and the search for
// a word is faster than a look at each line.
func mayHoldHead(text string) bool {
	for rest := text; ; {
		i := strings.IndexByte(rest, 'b') // twice as fast as strings.Contains
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; strings.HasPrefix(rest, "egin") {
			return true
		}
	}
	for rest := text; ; {
		i := strings.IndexByte(rest, 'B')
		if i < 0 {
			return false
		}
		if rest = rest[i+1:]; strings.HasPrefix(rest, "EGIN") || strings.HasPrefix(rest, "inHex") {
			return true
		}
	}
}

// holdsArmor reports whether a text has a whole message in OpenPGP's armor. Programs find one
// anywhere in a line.
func holdsArmor(text string) bool {
	_, armor, ok := strings.Cut(text, "-----BEGIN PGP MESSAGE-----")
	return ok && strings.Contains(armor, "-----END PGP MESSAGE-----")
}

// add notes what the start of a text begins.
func (h *heads) add(text string) {
	text = strings.TrimLeft(text, " \t")
	if armor, ok := strings.CutPrefix(text, charset.ArmorHead); ok {
		for _, name := range [...]string{"PGP MESSAGE-----", "PGP MESSAGE, PART ", "PKCS7-----", "CMS-----", "AGE ENCRYPTED FILE-----"} {
			if strings.HasPrefix(armor, name) {
				h.kind = cmp.Or(h.kind, kindEncrypted)
			}
		}
	}
	if strings.HasPrefix(text, charset.BinHexHead) {
		h.kind = cmp.Or(h.kind, kindArchive)
	}
	h.uuencode = h.uuencode || strings.HasPrefix(text, charset.UUHead)
	h.yEnc = h.yEnc || strings.HasPrefix(text, charset.YEncHead)
}
