package filter

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// knownPieces are what readings of the charset of HTML have that may hold links. The readings of
// ordinary mail differ in the letters of words: to read the page once for each takes most of the time
// for nothing.
type knownPieces struct {
	seen map[uint64]bool
	key  maphash.Hash
}

var pieceSeed = maphash.MakeSeed()

// maxPiece is the number of bytes from which a piece of HTML ends within an anchor or a tag.
const maxPiece = 4 << 10

// fresh returns the pieces of HTML that no reading before had, one a line. If these are most of it,
// fresh returns it whole, as for the first reading.
func (k *knownPieces) fresh(source string) string {
	if k.seen == nil {
		k.seen = make(map[uint64]bool)
		k.key.SetSeed(pieceSeed)
	}
	var b strings.Builder
	for rest := source; rest != ""; {
		piece := rest[:pieceEnd(rest)]
		rest = rest[len(piece):]
		if k.add(piece) {
			b.WriteString(piece)
			b.WriteByte('\n')
		}
	}
	if b.Len() > len(source)/2 {
		return source
	}
	return b.String()
}

// pieceEnd returns the length of the piece that a source begins with: up to white space that is neither
// in a tag nor in an anchor.
func pieceEnd(source string) int {
	inTag, inAnchor := false, false
	for i := range len(source) {
		switch c := source[i]; {
		case c == '<':
			inTag = true
			if tag := source[i:]; ascii.HasPrefixFold(tag, "</a") {
				inAnchor = false
			} else if len(tag) > 2 && tag[1]|0x20 == 'a' && !ascii.IsAlphanumeric(tag[2]) {
				inAnchor = true
			}
		case c == '>':
			inTag = false
		case isSpace(c) && (!inTag && !inAnchor || i > maxPiece):
			return i + 1
		}
	}
	return len(source)
}

// add adds a piece, and reports whether it is new. Of a text in it that cannot hold a link the letters do
// not count.
func (k *knownPieces) add(piece string) bool {
	if strings.IndexByte(piece, '<') < 0 {
		if !hasSign(piece) {
			return false
		}
		return k.put(piece)
	}
	var text strings.Builder
	for rest := piece; rest != ""; {
		before, tag, found := strings.Cut(rest, "<")
		text.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(tag, ">")
	}
	if hasSign(text.String()) {
		return k.put(piece)
	}
	k.key.Reset()
	for rest := piece; rest != ""; {
		_, tag, found := strings.Cut(rest, "<")
		if !found {
			break
		}
		tag, rest, _ = strings.Cut(tag, ">")
		k.key.WriteString(tag)
		k.key.WriteByte('>')
	}
	return k.putKey()
}

// put adds a text, and reports whether it is new.
func (k *knownPieces) put(text string) bool {
	k.key.Reset()
	k.key.WriteString(text)
	return k.putKey()
}

func (k *knownPieces) putKey() bool {
	key := k.key.Sum64()
	if k.seen[key] {
		return false
	}
	k.seen[key] = true
	return true
}

// hasSign reports whether a text has a sign of a URL, a host or an address, with anything behind it, or
// begins a host.
func hasSign(text string) bool {
	text = strings.TrimRight(text, " \t\r\n\f\v")
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if i += size; i == len(text) {
			break
		}
		switch r {
		case '.', ':', '@', '/', '\\', '%', '&':
			if !isSpace(text[i]) {
				return true
			}
		case 'w', 'W':
			if text[i]|0x20 == 'w' {
				return true
			}
		default:
			if r >= utf8.RuneSelf && ucd.HostClassOf(r) == ucd.HostSeparator {
				return true
			}
		}
	}
	return false
}
