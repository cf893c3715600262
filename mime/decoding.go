package mime

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// A decoding takes the bytes of a text in pieces and collects the text in UTF-8.
type decoding struct {
	charset  string // canonical name
	text     strings.Builder
	counting bool // only the length of the text is counted
	counted  int  // length of the text in bytes

	decoder *encoding.Decoder // nil for US-ASCII and UTF-8
	start   []byte            // UTF-16 only: the first bytes, until the byte order mark is complete
	left    []byte            // the start of a character whose end is in the next piece
	buf     []byte
}

// newDecoding returns a decoding for a canonical charset name.
func newDecoding(name string) (*decoding, error) {
	d := &decoding{charset: name}
	switch name {
	case "us-ascii", "utf-8":
	case "utf-16", "utf-16le", "utf-16be":
		d.start = []byte{}
	case "utf-7":
		return nil, unreadable(reasonUTF7, "")
	default:
		enc := charset.Lookup(name)
		if enc == nil && charset.IsReadable(name) {
			return nil, unreadable(reasonUndecodable, "%q, not strictly", name)
		}
		if enc == nil {
			return nil, unreadable(reasonUnknownCharset, "%q", name)
		}
		d.decoder = enc.NewDecoder()
	}
	return d, nil
}

// changesLength reports whether the text may have another length than its bytes.
func (d *decoding) changesLength() bool { return d.decoder != nil || d.start != nil }

// again prepares a decoding that counted to keep the text. It returns an upper limit for
// the length of the text in bytes.
func (d *decoding) again() int {
	counted := d.counted + utf8.UTFMax
	utf16 := strings.HasPrefix(d.charset, "utf-16")
	*d = decoding{charset: d.charset, decoder: d.decoder, buf: d.buf}
	if utf16 {
		d.start, d.decoder = []byte{}, nil
	} else {
		d.decoder.Reset()
	}
	return counted
}

// write decodes a piece.
func (d *decoding) write(data []byte) error {
	switch {
	case d.charset == "us-ascii":
		if err := onlyASCII(data, "US-ASCII"); err != nil {
			return err
		}
		fallthrough
	case d.charset == "utf-8":
		d.text.Write(data)
		return nil
	case d.start != nil:
		d.start = append(d.start, data...)
		if len(d.start) < 2 {
			return nil
		}
		order, ok := charset.ByteOrder(d.start, d.charset)
		if !ok {
			return unreadable(reasonUTF16WithoutBOM, "%s", d.charset)
		}
		data = d.start[2:]
		d.start, d.decoder = nil, unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder()
	}
	if len(d.left) > 0 {
		data = append(d.left, data...)
	}
	return d.transform(data, false)
}

// transform decodes bytes with d.decoder and keeps the bytes of an incomplete character.
func (d *decoding) transform(data []byte, last bool) error {
	if d.buf == nil {
		d.buf = make([]byte, decodedPiece)
	}
	for {
		written, read, err := d.decoder.Transform(d.buf, data, last)
		if d.counting {
			d.counted += written
		} else {
			d.text.Write(d.buf[:written])
		}
		data = data[read:]
		switch {
		case err == nil:
			d.left = nil
			return nil
		case errors.Is(err, transform.ErrShortSrc) && !last:
			d.left = bytes.Clone(data)
			return nil
		case !errors.Is(err, transform.ErrShortDst):
			return unreadable(reasonUndecodable, "%s: %v", d.charset, err)
		}
	}
}

// finish returns the text. The decoders of x/text write U+FFFD, without an error, for bytes that they
// cannot decode. A U+FFFD is right only if the source encodes it, as GB18030 and UTF-16 can. If the
// text has one, finish encodes the text again and compares it with the source, which content returns.
// It does not compare other texts, because many charsets have several encodings of a character.
func (d *decoding) finish(t *meter.Meter, content func() ([]byte, error)) (string, error) {
	if d.start != nil {
		return "", unreadable(reasonUTF16WithoutBOM, "%s", d.charset)
	}
	if d.decoder == nil {
		text := d.text.String()
		if !utf8.ValidString(text) {
			return "", unreadable(reasonUndecodable, "not valid UTF-8")
		}
		return text, nil
	}
	if err := d.transform(d.left, true); err != nil {
		return "", err
	}
	text := d.text.String()
	if !strings.ContainsRune(text, utf8.RuneError) {
		return text, nil
	}
	source, err := content()
	if err != nil {
		return "", err
	}
	again, err := encodesTo(t, source, text, d.charset)
	switch {
	case err != nil:
		return "", err
	case !again:
		return "", unreadable(reasonUndecodable, "not valid in %s", d.charset)
	}
	return text, nil
}

// finishCut is finish for a text that was cut off. It leaves out an incomplete character at the end. It
// keeps each U+FFFD, because without the rest nothing tells it from damage.
func (d *decoding) finishCut() (string, error) {
	if d.start != nil {
		return "", unreadable(reasonUTF16WithoutBOM, "%s", d.charset)
	}
	text := d.text.String()
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := len(text) - n; utf8.RuneStart(text[start]) {
			if !utf8.FullRuneInString(text[start:]) {
				text = text[:start]
			}
			break
		}
	}
	text = strings.TrimSuffix(text, "\r")
	if !utf8.ValidString(text) {
		return "", unreadable(reasonUndecodable, "not valid UTF-8")
	}
	return text, nil
}

// onlyASCII returns an error for bytes above 127.
func onlyASCII(text []byte, where string) error {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return unreadable(reasonUndeclared8Bit, "byte 0x%02x in %s", c, where)
		}
	}
	return nil
}

// encodesTo reports whether the charset called name encodes text as source. It compares piece by piece,
// so that it needs little memory. The error is that of the context.
func encodesTo(t *meter.Meter, source []byte, text, name string) (bool, error) {
	var encoder *encoding.Encoder
	if strings.HasPrefix(name, "utf-16") {
		order, ok := charset.ByteOrder(source, "utf-16")
		if !ok {
			return false, nil
		}
		encoder, source = unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder(), source[2:]
	} else {
		encoder = charset.Lookup(name).NewEncoder()
	}
	encoded, piece := make([]byte, decodedPiece), make([]byte, decodedPiece)
	for {
		n := copy(piece, text)
		written, read, err := encoder.Transform(encoded, piece[:n], n == len(text))
		if !bytes.HasPrefix(source, encoded[:written]) {
			return false, nil
		}
		source, text = source[written:], text[read:]
		switch {
		case text == "" && err == nil:
			return len(source) == 0, nil
		case err != nil && !errors.Is(err, transform.ErrShortSrc) && !errors.Is(err, transform.ErrShortDst), read+written == 0:
			return false, nil
		}
		if err := t.Spend(read); err != nil {
			return false, err
		}
	}
}

// longText is the length in bytes from which a text is decoded twice: first to count its
// bytes, then into memory of that size.
const longText = 64 << 10

// decodedPiece is roughly how many bytes the decoders pass on at once.
const decodedPiece = 3 << 10
