package charset

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

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

func decodeUTF8(t *meter.Meter, content []byte) (string, error) {
	if utf8.Valid(content) {
		return string(content), nil
	}
	return decodeWith(t, unicode.UTF8, content)
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

// longText is the length in bytes from which decodeWith decodes a content twice: first to
// count the bytes of the text, then into memory of that size.
const longText = 64 << 10

// decodeWith decodes content in an encoding.
func decodeWith(t *meter.Meter, enc encoding.Encoding, content []byte) (string, error) {
	size := 2 * len(content)
	if len(content) > longText {
		size = 0
		count := func(piece []byte) { size += len(piece) }
		if err := decodePieces(t, enc, content, count); err != nil {
			return "", err
		}
	}
	var text strings.Builder
	text.Grow(size)
	err := decodePieces(t, enc, content, func(piece []byte) { text.Write(piece) })
	return text.String(), err
}

// decodePieces passes the text of content on in pieces.
func decodePieces(t *meter.Meter, enc encoding.Encoding, content []byte, sink func([]byte)) error {
	decoder, buf := enc.NewDecoder(), make([]byte, min(3<<10, 4*len(content)+64))
	for {
		written, read, err := decoder.Transform(buf, content, true)
		sink(buf[:written])
		content = content[read:]
		if !errors.Is(err, transform.ErrShortDst) {
			return err
		}
		if err := t.Spend(read); err != nil {
			return err
		}
	}
}
