package rtf

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"
	"strings"
)

const (
	// sumSize is the length in bytes of the checksum after the kind (MS-OXRTFCP §2.1.3.1).
	sumSize = 4
	// windowSize is the size of the dictionary of earlier bytes.
	windowSize = 1 << 12
	// windowStart is the first content of the dictionary (MS-OXRTFCP §2.1.2.1).
	windowStart = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
		"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`
	// begin is the beginning by which Word recognises rich text.
	begin = `{\rt`
)

// Unpack iterates over the rich text in a content that Outlook stored, such as TNEF or a .msg file:
// compressed (LZFu) or not (MELA). With each text it reports whether the text is whole. It ignores
// the lengths in the header, because programs differ, and because one text may cover the next. All
// texts together have at most as many bytes as content and room. Unpack stops when ctx ends.
func Unpack(ctx context.Context, content []byte, room int) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		room += len(content)
		for _, kind := range [...]string{"LZFu", "MELA"} {
			for rest := content; ctx.Err() == nil; {
				_, packed, ok := bytes.Cut(rest, []byte(kind))
				if !ok || len(packed) < sumSize {
					break
				}
				rest, packed = packed, packed[sumSize:]
				unpack := decompress
				if kind == "MELA" {
					unpack = func(b []byte, most int) string { return string(b[:min(len(b), most)]) }
				}
				if !strings.HasPrefix(unpack(packed, len(begin)), begin) {
					continue
				}
				text := unpack(packed, room+1)
				whole := len(text) <= room
				room -= len(text)
				if !yield(text, whole) || !whole {
					return
				}
			}
		}
	}
}

// decompress returns the text of compressed bytes, at most about most bytes (MS-OXRTFCP §3.1.3).
func decompress(packed []byte, most int) string {
	var window [windowSize]byte
	at := copy(window[:], windowStart)
	var b strings.Builder
	put := func(c byte) {
		b.WriteByte(c)
		window[at] = c
		at = (at + 1) % windowSize
	}
	for len(packed) > 0 && b.Len() < most {
		flags := packed[0]
		packed = packed[1:]
		for bit := 0; bit < 8 && len(packed) > 0; bit++ {
			if flags>>bit&1 == 0 {
				put(packed[0])
				packed = packed[1:]
				continue
			}
			if len(packed) < 2 {
				return b.String()
			}
			reference := binary.BigEndian.Uint16(packed)
			packed = packed[2:]
			from := int(reference >> 4)
			if from == at { // the end mark
				return b.String()
			}
			for range reference&15 + 2 {
				put(window[from])
				from = (from + 1) % windowSize
			}
		}
	}
	return b.String()
}
