package charset

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// decodeUTF8 decodes UTF-8.
func decodeUTF8(t *meter.Meter, content []byte) (string, error) {
	if utf8.Valid(content) {
		return string(content), nil
	}
	return decodeWith(t, unicode.UTF8, content)
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
