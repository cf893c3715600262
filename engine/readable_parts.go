package engine

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// appendReadableParts appends the readable form of the text behind host and port. Parts in
// ASCII stay unchanged if keepASCII is true.
func appendReadableParts(dst []byte, rest string, keepASCII bool) []byte {
	list := listParts(cutParts(rest))
	reader := readers.Get().(*partReader)
	reader.legacy = percent.HasStray(rest)
	for i, p := range list {
		dst = append(dst, p.initiator...)
		if keepASCII && ascii.Is(p.text) {
			dst = append(dst, p.text...)
			continue
		}
		dst = reader.append(dst, p, i == len(list)-1)
	}
	if cap(reader.units) <= maxKept {
		readers.Put(reader)
	}
	return dst
}

// maxKept is the number of units up to which a partReader is used again.
const maxKept = 4096

// readers keeps partReaders, for their memory.
var readers = sync.Pool{New: func() any { return new(partReader) }}

// A partReader makes the parts of a URL readable, one after the other.
type partReader struct {
	shownUnits
	legacy bool // the URL's escapes are not UTF-8
	// The part shows more than ASCII as typed, so the rules of context.go apply.
	hasContext bool
}

// append appends the readable form of one part.
func (pr *partReader) append(dst []byte, p partText, last bool) []byte {
	if strings.IndexByte(p.text, '%') < 0 && ascii.Is(p.text) {
		return append(dst, p.text...)
	}
	pr.read(p)
	if pr.hasContext && !pr.settleClusters(p.part, last) {
		pr.hideAll()
	}
	return pr.write(dst, p)
}

// settleClusters is settle for whole grapheme clusters.
func (pr *partReader) settleClusters(p part, last bool) bool {
	for range maxRounds {
		if !pr.settle(p, last) {
			return false
		}
		if !pr.hideClusters() {
			return true
		}
	}
	return false
}

// write appends the part that read divided into units, each in its form.
func (pr *partReader) write(dst []byte, p partText) []byte {
	for _, t := range pr.units {
		switch {
		case t.shown:
			dst = utf8.AppendRune(dst, t.r)
		case t.typed:
			dst = percent.AppendRune(dst, t.r)
		default:
			dst = append(dst, p.text[t.start:t.start+t.size]...)
		}
	}
	return dst
}

// read divides a part into units. It decides which may be shown, as far as that
// depends only on the unit and on the syntax just before it.
func (pr *partReader) read(p partText) {
	pr.units, pr.hasContext = pr.units[:0], false
	sign := 0 // units since a literal percent sign, up to 2; 0: none
	for i := 0; i < len(p.text); {
		u := percent.Next(p.text[i:])
		t := shownUnit{r: u.Rune, start: int32(i), size: int32(u.Size), typed: u.Spelling == percent.Typed}
		isHex := isHexDigit(u.Rune)
		switch {
		case u.Spelling == percent.Typed:
			t.valid = true
			t.shown = !isHidden(u.Rune) || isMongolianFormat(u.Rune)
		case u.Spelling == percent.Stray:
		case u.Rune >= utf8.RuneSelf:
			t.valid = !pr.legacy && !ucd.IsUnknownToIDNA(u.Rune)
			t.shown = t.valid && (!isHidden(u.Rune) || isMongolianFormat(u.Rune))
		case isHex && sign > 0:
			// Shown, it would make an escape with that percent sign.
		case u.Rune == '~' && p.part >= partFragment && i > 0 && p.text[i-1] == ':':
			// Shown, it could begin a fragment directive.
		default:
			t.shown = percent.IsUnreserved(u.Rune)
			t.valid = t.shown
		}
		switch {
		case u.Spelling == percent.Typed && u.Rune == '%':
			sign = 1
		case sign == 1 && u.Spelling == percent.Typed && isHex:
			sign = 2
		default:
			sign = 0
		}
		pr.hasContext = pr.hasContext || t.shown && (!t.typed || t.r >= utf8.RuneSelf)
		pr.units = append(pr.units, t)
		i += u.Size
	}
	pr.showEmoji()
}
