package charset

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A decoder decodes a content to valid UTF-8. It repairs, and fails with the context only.
type decoder func(t *meter.Meter, content []byte) (string, error)

// Names of readings that no charset has.
const (
	readingDropped = "utf-8 without other bytes"
	readingASCII   = "ascii characters"
	readingSpaced  = "ascii characters with NUL as space"
	readingHZ      = "ascii characters of hz"
)

// unreadable are the characters that some programs drop from a text, with nothing for each.
var unreadable = strings.NewReplacer("\uFFFD", "", "\x00", "")

// decoders are for charsets that x/text does not decode, or not as leniently as mail
// programs do.
var decoders = map[string]decoder{
	"us-ascii":    decodeUTF8,
	"utf-8":       decodeUTF8,
	"utf-7":       decodeUTF7,
	"utf-16le":    with(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)),
	"utf-16be":    with(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)),
	"utf-32":      with(utf32.UTF32(utf32.BigEndian, utf32.UseBOM)),
	"utf-32le":    with(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)),
	"utf-32be":    with(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)),
	"hz":          with(simplifiedchinese.HZGB2312),
	"iso-2022-kr": decodeISO2022,
	"iso-2022-cn": decodeISO2022, "iso-2022-cn-ext": decodeISO2022,
	"ibm1026": decodeTurkishEBCDIC,

	readingDropped: func(t *meter.Meter, content []byte) (string, error) {
		text, err := decodeUTF8(t, content)
		return unreadable.Replace(text), err
	},
	readingASCII:  func(t *meter.Meter, content []byte) (string, error) { return asciiOnly(t, content, true) },
	readingSpaced: func(t *meter.Meter, content []byte) (string, error) { return asciiOnly(t, content, false) },
	readingHZ:     asciiHZ,
}

// decodeTurkishEBCDIC decodes the characters of URLs and addresses. The code page has all as others have
// them, but the at sign.
func decodeTurkishEBCDIC(t *meter.Meter, content []byte) (string, error) {
	return decodeWith(t, charmap.CodePage037, bytes.ReplaceAll(content, []byte{0xAE}, []byte{0x7C}))
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
	switch enc := Lookup(name); enc {
	case nil:
		return nil
	case simplifiedchinese.GBK:
		return with(simplifiedchinese.GB18030) // as browsers read it (WHATWG Encoding §10.1.1)
	default:
		return with(enc)
	}
}
