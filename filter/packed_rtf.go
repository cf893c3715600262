package filter

import (
	"bytes"
	"encoding/binary"
	"strings"
)

const (
	// packedHead is the length in bytes of the header of compressed RTF (MS-OXRTFCP §2.1.3.1).
	packedHead = 16
	// packedWindow is the number of bytes in which repeated bytes are found.
	packedWindow = 1 << 12
)

// packedBefore is what the window has at first (MS-OXRTFCP §2.1.2.1).
const packedBefore = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// nextPackedRTF returns the first RTF in a content that is compressed as Outlook does it, and
// what follows it. It returns "" where there is none.
func nextPackedRTF(content []byte) (rtf string, rest []byte) {
	for {
		i := bytes.Index(content, []byte("LZFu"))
		if i < 0 {
			return "", nil
		}
		before := content[:i]
		content = content[i+len("LZFu"):]
		if len(before) < packedHead/2 || len(content) < packedHead/4 {
			continue
		}
		most, packed := binary.LittleEndian.Uint32(before[len(before)-4:]), content[packedHead/4:]
		if start, _ := unpackRTF(packed, len(`{\rt`)); strings.HasPrefix(start, `{\rt`) {
			text, read := unpackRTF(packed, int(min(most, maxHTMLToken)))
			return text, packed[read:]
		}
	}
}

// unpackRTF returns the text of compressed bytes, of a length at most, and how many bytes it
// read.
func unpackRTF(packed []byte, most int) (text string, read int) {
	var window [packedWindow]byte
	at := copy(window[:], packedBefore)
	var b strings.Builder
	put := func(c byte) {
		b.WriteByte(c)
		window[at] = c
		at = (at + 1) % packedWindow
	}
	for read < len(packed) && b.Len() < most {
		flags := packed[read]
		read++
		for bit := 0; bit < 8 && read < len(packed); bit++ {
			if flags>>bit&1 == 0 {
				put(packed[read])
				read++
				continue
			}
			if read+2 > len(packed) {
				return b.String(), len(packed)
			}
			reference := binary.BigEndian.Uint16(packed[read:])
			read += 2
			from := int(reference >> 4)
			if from == at { // the end
				return b.String(), read
			}
			for range reference&15 + 2 {
				put(window[from])
				from = (from + 1) % packedWindow
			}
		}
	}
	return b.String(), read
}
