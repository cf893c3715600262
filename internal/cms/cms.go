// Package cms reads what a message of S/MIME wraps (RFC 8551) without its signature.
package cms

import (
	"bytes"
	"compress/zlib"
	"encoding/asn1"
	"io"
)

// maxInflation is how many times as long as its compressed form a content may be.
const maxInflation = 64

// Content returns the content that CMS wraps (RFC 5652), in BER or DER: that of signed data, or that
// of compressed data (RFC 3274) inflated up to limit bytes. ok is false where there is none: encrypted
// data has none that is read. Content that is cut off goes on to the end.
func Content(ber []byte, limit int) (content []byte, ok bool) {
	// The elements are read one by one, and those within others like those behind them: a content is
	// an octet string in [0] behind its type, in pieces if it is constructed (X.690 §8.7).
	const explicit = 0xA0
	for before, last := byte(0), byte(0); ; {
		e, ok := next(&ber)
		if !ok {
			return nil, false
		}
		if before == asn1.TagOID && last == explicit && e.tag&^constructed == asn1.TagOctetString {
			for ; ok && e.tag&^constructed == asn1.TagOctetString; e, ok = next(&ber) {
				content = append(content, e.body...)
			}
			return inflated(content, limit), true
		}
		before, last = last, e.tag
	}
}

// inflated returns up to limit bytes of a content in zlib (RFC 1950), or another content as it is.
func inflated(content []byte, limit int) []byte {
	z, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		return content
	}
	defer z.Close()
	plain, _ := io.ReadAll(io.LimitReader(z, int64(min(limit, maxInflation*len(content)))))
	if len(plain) == 0 {
		return content
	}
	return plain
}

// constructed is the bit of the tag of an element that holds others.
const constructed = 0x20

// element is an element of BER (X.690 §8.1). The body of a constructed one is not read with it.
type element struct {
	tag  byte
	body []byte
}

// next takes the next element from the start of ber: of a constructed one its head. CMS needs only
// tags of one byte.
func next(ber *[]byte) (e element, ok bool) {
	if len(*ber) < 2 {
		return e, false
	}
	e.tag = (*ber)[0]
	size, rest := int((*ber)[1]), (*ber)[2:]
	if size > 0x80 {
		digits := size & 0x7F
		if digits > 4 || digits > len(rest) {
			return e, false
		}
		size = 0
		for _, c := range rest[:digits] {
			size = size<<8 | int(c)
		}
		rest = rest[digits:]
	}
	if e.tag&constructed == 0 {
		size = min(size, len(rest))
		e.body, rest = rest[:size], rest[size:]
	}
	*ber = rest
	return e, true
}
