package charset

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// pairs is a charset that differs from an encoding in the characters of some pairs of bytes. Both
// are supersets of ASCII.
type pairs struct {
	enc  encoding.Encoding
	size func(lead byte) int         // bytes of a character that begins with lead, a byte above 127
	at   func(lead, trail byte) rune // the character of a pair, or 0 if it is as in the encoding
}

// decode decodes a content.
func (p pairs) decode(t *meter.Meter, content []byte) (string, error) {
	var b strings.Builder
	start := 0 // start of the bytes that the encoding decodes
	for i := 0; i < len(content); {
		n := 1
		if content[i] >= 0x80 {
			n = min(p.size(content[i]), len(content)-i)
		}
		if n == 2 {
			if c := p.at(content[i], content[i+1]); c != 0 {
				if err := p.decodeOthers(t, &b, content[start:i]); err != nil {
					return "", err
				}
				b.WriteRune(c)
				start = i + n
			}
		}
		i += n
		if err := t.Spend(n); err != nil {
			return "", err
		}
	}
	err := p.decodeOthers(t, &b, content[start:])
	return b.String(), err
}

// decodeOthers writes the text of bytes that the encoding decodes.
func (p pairs) decodeOthers(t *meter.Meter, b *strings.Builder, content []byte) error {
	if ascii.Is(content) {
		b.Write(content)
		return nil
	}
	text, err := decodeWith(t, p.enc, content)
	b.WriteString(text)
	return err
}

// leadOfBig5 is the first byte of lettersOfBig5.
const leadOfBig5 = 0xC7

// lettersOfBig5 are the letters from 0xC7B1 on, as in Unicode's table for Big5. Browsers have
// katakana there (WHATWG Encoding, index Big5).
var lettersOfBig5 = []rune("ДЕЁЖЗИЙКЛМУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя")

var (
	unicodeBig5 = pairs{traditionalchinese.Big5, sizeInBig5, func(lead, trail byte) rune {
		if i := int(trail) - 0xB1; lead == leadOfBig5 && i >= 0 && i < len(lettersOfBig5) {
			return lettersOfBig5[i]
		}
		return 0
	}}
	eucJIS2004 = pairs{japanese.EUCJP, sizeInEUC, func(lead, trail byte) rune { return jisX0213.at(lead-0x80, trail-0x80) }}
	eucTW      = pairs{unicode.UTF8, sizeInEUC, func(lead, trail byte) rune {
		return cmp.Or(cns11643.at(lead-0x80, trail-0x80), utf8.RuneError)
	}}
	sjis2004 = pairs{japanese.ShiftJIS, sizeInShiftJIS, func(lead, trail byte) rune {
		row, cell := 0x21+2*(lead-0x81), trail-0x40+0x21 // bytes above 0x9F have kanji only
		switch {
		case trail >= 0x9F:
			row, cell = row+1, trail-0x9F+0x21
		case trail > 0x7F:
			cell--
		}
		return jisX0213.at(row, cell)
	}}
)

func sizeInBig5(lead byte) int {
	if lead == 0x80 || lead == 0xFF {
		return 1
	}
	return 2
}

func sizeInEUC(lead byte) int {
	switch {
	case lead == 0x8F:
		return 3
	case lead == 0x8E, lead > 0xA0 && lead < 0xFF:
		return 2
	}
	return 1
}

func sizeInShiftJIS(lead byte) int {
	if lead > 0x80 && lead < 0xA0 || lead >= 0xE0 && lead < 0xFD {
		return 2
	}
	return 1
}
