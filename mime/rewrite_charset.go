package mime

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

// writesASCII reports whether the new bytes of all edits are ASCII.
func writesASCII(edits []Edit) bool {
	return !slices.ContainsFunc(edits, func(e Edit) bool { return !ascii.Is(e.New) })
}

// encodeEdits turns edits of a text into edits of its encoded bytes. It reports false if
// the charset cannot encode the new text. Text in US-ASCII becomes UTF-8 if necessary.
func encodeEdits(text leafText, data []byte, edits []Edit) ([]Edit, bool) {
	switch text.charset {
	case "us-ascii", "utf-8":
		return edits, true
	case "utf-16", "utf-16le", "utf-16be":
		encoded, ok := encodeUTF16(data, spliced(text.content, edits))
		return []Edit{{0, len(data), encoded}}, ok
	}
	enc := charset.Lookup(text.charset)
	if slices.ContainsFunc(edits, func(e Edit) bool { return !isCommon(string(e.New), enc) }) {
		return nil, false
	}
	if _, single := enc.(*charmap.Charmap); !single {
		return encodeLines(enc, text.content, data, edits)
	}
	changes := make([]Edit, 0, len(edits))
	offset, pos := 0, 0 // each byte is one character
	for _, e := range edits {
		encoded, ok := encodeLossless(string(e.New), enc)
		if !ok {
			return nil, false
		}
		start := offset + utf8.RuneCountInString(text.content[pos:e.Start])
		offset = start + utf8.RuneCountInString(text.content[e.Start:e.End])
		pos = e.End
		changes = append(changes, Edit{start, offset, encoded})
	}
	return changes, true
}

// encodeLines is encodeEdits for charsets with several bytes for a character or with shift states. It
// encodes changed lines again. In these charsets LF is never part of another character, and each line
// begins in the initial state (RFC 1468). Verify detects a text that breaks the second rule.
func encodeLines(enc encoding.Encoding, text string, data []byte, edits []Edit) ([]Edit, bool) {
	var changes []Edit
	offset, pos := 0, 0 // start of a line, in data and in text
	next := func() {
		offset = lineEnd(data, offset)
		pos = textLineEnd(text, pos)
	}
	for len(edits) > 0 {
		for textLineEnd(text, pos) <= edits[0].Start {
			next()
		}
		start, first := offset, pos
		next()
		var inside []Edit // edits of this line, and of lines that an edit joins to it
		for ; len(edits) > 0 && edits[0].Start < pos; edits = edits[1:] {
			e := edits[0]
			inside = append(inside, Edit{e.Start - first, e.End - first, e.New})
			for pos < e.End {
				next()
			}
		}
		encoded, ok := encodeLossless(spliced(text[first:pos], inside), enc)
		if !ok {
			return nil, false
		}
		// Encoding the line end left the shifted state; the original line end stays.
		ending := offset - trimLineEndAt(data, offset)
		changes = append(changes, Edit{start, offset - ending, encoded[:len(encoded)-ending]})
	}
	return changes, true
}

// isCommon reports whether programs agree on the encoded bytes of a text. They do not in the extensions
// of Big5: the tables of Unicode 1.1 and of Windows have other letters, or none, for ETEN's kana and
// Cyrillic letters. In KOI8-U the Encoding Standard has Ў where RFC 2319 has a box-drawing character.
func isCommon(text string, enc encoding.Encoding) bool {
	if enc == charmap.KOI8U && strings.ContainsAny(text, "Ўў") {
		return false
	}
	if enc != traditionalchinese.Big5 || ascii.Is(text) {
		return true
	}
	encoded, err := enc.NewEncoder().Bytes([]byte(text))
	const lastTrail = 0xd5 // last trail byte after 0xf9 in the tables of Windows and ETEN
	for i := 0; err == nil && i+1 < len(encoded); i++ {
		lead, trail := encoded[i], encoded[i+1]
		if lead < utf8.RuneSelf {
			continue
		}
		if lead < 0xa1 || lead == 0xc6 && trail >= 0xa1 || lead == 0xc7 || lead == 0xc8 || lead > 0xf9 || lead == 0xf9 && trail > lastTrail {
			return false
		}
		i++
	}
	return err == nil
}

// encodeLossless encodes a text, and reports whether it decodes to the same text.
func encodeLossless(text string, enc encoding.Encoding) ([]byte, bool) {
	encoded, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, false
	}
	decoded, err := enc.NewDecoder().Bytes(encoded)
	return encoded, err == nil && string(decoded) == text
}

// encodeUTF16 encodes a text in UTF-16 with the byte order mark and byte order of source.
func encodeUTF16(source []byte, text string) ([]byte, bool) {
	order, ok := charset.ByteOrder(source, "utf-16")
	if !ok {
		return nil, false
	}
	encoded, err := unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))
	return slices.Concat(source[:2], encoded), err == nil
}
