package filter

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"
	"strings"
)

const (
	// packedSum is the length in bytes of the checksum behind the kind (MS-OXRTFCP §2.1.3.1).
	packedSum = 4
	// packedWindow is the number of bytes in which repeated bytes are found.
	packedWindow = 1 << 12
)

// packedBefore is what the window has at first (MS-OXRTFCP §2.1.2.1).
const packedBefore = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// packedKinds are the kinds of such RTF: compressed, and as it is.
var packedKinds = []struct {
	mark   string
	unpack func(packed []byte, most int) string
}{
	{"LZFu", unpackRTF},
	{"MELA", func(packed []byte, most int) string { return string(packed[:min(len(packed), most)]) }},
}

// packedRTFs iterates over the RTF that a content holds as Outlook stores it, and says whether that
// is all. The lengths in the header do not count: programs differ, and one RTF may cover the next.
func packedRTFs(ctx context.Context, content []byte) iter.Seq2[string, bool] {
	const begin = `{\rt`
	return func(yield func(string, bool) bool) {
		room := len(content) + 2*maxHTMLToken
		for _, kind := range packedKinds {
			for rest := content; ctx.Err() == nil; {
				i := bytes.Index(rest, []byte(kind.mark))
				if i < 0 || len(rest)-i < len(kind.mark)+packedSum {
					break
				}
				rest = rest[i+len(kind.mark):]
				packed := rest[packedSum:]
				if !strings.HasPrefix(kind.unpack(packed, len(begin)), begin) {
					continue
				}
				text := kind.unpack(packed, room+1)
				whole := len(text) <= room
				room -= len(text)
				if !yield(text, whole) || !whole {
					return
				}
			}
		}
	}
}

// unpackRTF returns the text of compressed bytes, of about a length at most.
func unpackRTF(packed []byte, most int) string {
	var window [packedWindow]byte
	at := copy(window[:], packedBefore)
	var b strings.Builder
	put := func(c byte) {
		b.WriteByte(c)
		window[at] = c
		at = (at + 1) % packedWindow
	}
	for read := 0; read < len(packed) && b.Len() < most; {
		flags := packed[read]
		read++
		for bit := 0; bit < 8 && read < len(packed); bit++ {
			if flags>>bit&1 == 0 {
				put(packed[read])
				read++
				continue
			}
			if read+2 > len(packed) {
				return b.String()
			}
			reference := binary.BigEndian.Uint16(packed[read:])
			read += 2
			from := int(reference >> 4)
			if from == at { // the end
				return b.String()
			}
			for range reference&15 + 2 {
				put(window[from])
				from = (from + 1) % packedWindow
			}
		}
	}
	return b.String()
}
