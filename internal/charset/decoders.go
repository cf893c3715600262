package charset

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A decoder decodes a content to valid UTF-8. It repairs broken content, and fails only when the
// context ends.
type decoder func(t *meter.Meter, content []byte) (string, error)

// Names of readings that are not names of charsets.
const (
	readingDropped = "utf-8 without other bytes"
	readingASCII   = "ascii characters"
	readingSpaced  = "ascii characters with NUL as space"
	readingHZ      = "ascii characters of hz"
	readingBig5    = "big5 of unicode"
)

// inPart ends the name of a reading in which some characters may be missing or wrong.
const inPart = " in part"

// unreadable removes the characters that some programs drop from a text.
var unreadable = strings.NewReplacer("\uFFFD", "", "\x00", "")

// decoders are for charsets that x/text does not decode, or not as leniently as mail
// programs do.
var decoders = map[string]decoder{
	"us-ascii":    decodeUTF8,
	"utf-8":       decodeUTF8,
	"utf-7":       plainUTF7.decode,
	"utf-7-imap":  mailboxUTF7.decode,
	"utf-16le":    with(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)),
	"utf-16be":    with(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)),
	"utf-32":      with(utf32.UTF32(utf32.BigEndian, utf32.UseBOM)),
	"utf-32le":    with(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)),
	"utf-32be":    with(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)),
	"hz":          with(simplifiedchinese.HZGB2312),
	"iso-2022-kr": decodeISO2022,
	"ibm1026":     decodeTurkishEBCDIC,

	"iso-2022-jp-1": decodeISO2022, "iso-2022-jp-2": decodeISO2022, "iso-2022-jp-ext": decodeISO2022,
	"iso-2022-jp-2004" + inPart: decodeISO2022, "iso-2022-cn" + inPart: decodeISO2022,
	"shift_jis-2004" + inPart: sjis2004.decode, "euc-jis-2004" + inPart: eucJIS2004.decode, "euc-tw" + inPart: eucTW.decode,
	"unicode-escape" + inPart: decodeEscapes, "raw-unicode-escape" + inPart: decodeRawEscapes,
	"punycode" + inPart: decodePunycode, "idna" + inPart: decodeIDNA,

	readingDropped: func(t *meter.Meter, content []byte) (string, error) {
		text, err := decodeUTF8(t, content)
		return unreadable.Replace(text), err
	},
	readingASCII:  func(t *meter.Meter, content []byte) (string, error) { return asciiOnly(t, content, true) },
	readingSpaced: func(t *meter.Meter, content []byte) (string, error) { return asciiOnly(t, content, false) },
	readingHZ:     asciiHZ,
	readingBig5:   unicodeBig5.decode,
}

// turkishEBCDIC has the characters in which code page 1026 differs from code page 037, by their
// bytes.
var turkishEBCDIC = map[byte]rune{
	0x48: '{', 0x4A: 'Ç', 0x4F: '!', 0x5A: 'Ğ', 0x5B: 'İ', 0x5F: '^', 0x68: '[', 0x6A: 'ş', 0x79: 'ı', 0x7B: 'Ö',
	0x7C: 'Ş', 0x7F: 'Ü', 0x8C: '}', 0x8D: '`', 0x8E: '¦', 0xA1: 'ö', 0xAC: ']', 0xAD: '$', 0xAE: '@', 0xB0: '¢',
	0xBA: '¬', 0xBB: '|', 0xC0: 'ç', 0xCC: '~', 0xD0: 'ğ', 0xDC: '\\', 0xE0: 'ü', 0xEC: '#', 0xFC: '"',
}

// decodeTurkishEBCDIC decodes code page 1026.
func decodeTurkishEBCDIC(t *meter.Meter, content []byte) (string, error) {
	var b strings.Builder
	b.Grow(len(content))
	for _, c := range content {
		r, ok := turkishEBCDIC[c]
		if !ok {
			r = charmap.CodePage037.DecodeByte(c)
		}
		b.WriteRune(r)
		if err := t.Spend(1); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// with returns the decoder for an encoding.
func with(enc encoding.Encoding) decoder {
	return func(t *meter.Meter, content []byte) (string, error) { return decodeWith(t, enc, content) }
}

// decoderOf returns the decoder for a canonical name, or nil.
func decoderOf(name string) decoder {
	if d := decoders[name]; d != nil {
		return d
	}
	switch enc := Lookup(strings.TrimSuffix(name, inPart)); enc {
	case nil:
		return nil
	case simplifiedchinese.GBK:
		return with(simplifiedchinese.GB18030) // as browsers read it (WHATWG Encoding §10.1.1)
	default:
		return with(enc)
	}
}
