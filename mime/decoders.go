package mime

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// A decoder decodes a content to valid UTF-8. It repairs, and fails with the context only.
type decoder func(t *meter, content []byte) (string, error)

// Names of readings that no charset has.
const (
	readingDropped = "utf-8 without other bytes"
	readingASCII   = "ascii characters"
	readingSpaced  = "ascii characters with NUL as space"
	readingHZ      = "ascii characters of hz"
)

// decoders are for charsets that x/text does not decode, or not as leniently as mail
// programs do.
var decoders = map[string]decoder{
	"us-ascii": decodeUTF8,
	"utf-8":    decodeUTF8,
	"utf-7":    decodeUTF7,
	"utf-16le": with(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)),
	"utf-16be": with(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)),
	"utf-32le": with(utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)),
	"utf-32be": with(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)),
	"iso-2022-kr": func(t *meter, content []byte) (string, error) {
		return decodeWith(t, korean.EUCKR, eucFromISO2022KR(content))
	},

	readingDropped: func(t *meter, content []byte) (string, error) {
		text, err := decodeUTF8(t, content)
		return strings.ReplaceAll(text, "\uFFFD", ""), err
	},
	readingASCII:  func(t *meter, content []byte) (string, error) { return asciiOnly(t, content, true) },
	readingSpaced: func(t *meter, content []byte) (string, error) { return asciiOnly(t, content, false) },
	readingHZ:     asciiHZ,
}

func decodeUTF8(t *meter, content []byte) (string, error) {
	if utf8.Valid(content) {
		return string(content), nil
	}
	return decodeWith(t, unicode.UTF8, content)
}

// with returns the decoder for an encoding.
func with(enc encoding.Encoding) decoder {
	return func(t *meter, content []byte) (string, error) { return decodeWith(t, enc, content) }
}

// decoderOf returns the decoder for a canonical name, or nil.
func decoderOf(name string) decoder {
	if d := decoders[name]; d != nil {
		return d
	}
	if enc := lookup(name); enc != nil {
		return with(enc)
	}
	return nil
}

// decodeWith decodes content. It decodes a long content twice, first to count the bytes of
// the text.
func decodeWith(t *meter, enc encoding.Encoding, content []byte) (string, error) {
	d := decoding{decoder: enc.NewDecoder()}
	decode := func() error {
		if err := t.inPieces(content, d.write); err != nil {
			return err
		}
		return d.transform(d.left, true)
	}
	size := 2 * len(content)
	if len(content) > longText {
		d.counting = true
		if err := decode(); err != nil {
			return "", err
		}
		size = d.again()
	}
	d.text.Grow(size)
	err := decode()
	return d.text.String(), err
}
