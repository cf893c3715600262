// Package cms reads the content of an S/MIME message (RFC 8551) without its signature.
package cms

import (
	"bytes"
	"compress/zlib"
	"encoding/asn1"
	"io"
)

// maxInflation is how many times as long as its compressed form a content may be.
const maxInflation = 64

// Content returns the content inside CMS (RFC 5652), in BER or DER: that of signed data, or that of
// compressed data (RFC 3274), inflated up to limit bytes. ok is false if there is none that can be
// read, as in encrypted data. If the input is cut off, the content ends there.
func Content(ber []byte, limit int) (content []byte, ok bool) {
	// The loop reads all elements one after the other, whether they are inside an element or after
	// it. A content is an octet string in [0] after its type. It is in pieces if it is constructed
	// (X.690 §8.7).
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

// inflated returns up to limit bytes of a content in zlib (RFC 1950), or the content itself if it
// is not zlib.
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

// constructed is the bit in the tag of an element that holds other elements.
const constructed = 0x20

// element is an element of BER (X.690 §8.1). The body of a constructed element is not part of it:
// next returns it as further elements.
type element struct {
	tag  byte
	body []byte
}

// next removes the next element from the start of ber, or only the head of a constructed one. CMS
// needs only tags of one byte.
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
