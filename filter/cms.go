package filter

import (
	"bytes"
	"compress/zlib"
	"encoding/asn1"
	"io"
)

const (
	// maxBERDepth is the number of elements of BER, one in the other, that are opened.
	maxBERDepth = 32
	// maxInflation is how many times as long as its compressed form a content may be.
	maxInflation = 64
)

// cmsContent returns the content that a message in CMS wraps (RFC 5652): that of signed
// data, or that of compressed data inflated (RFC 3274) up to limit bytes. It reports
// whether there is one: encrypted data has none.
func cmsContent(der []byte, limit int) ([]byte, bool) {
	r := berReader{left: der}
	if !r.find(0) {
		return nil, false
	}
	content := r.content
	if inflated, ok := inflate(content, min(limit, maxInflation*len(content))); ok {
		content = inflated
	}
	return content, true
}

// inflate returns up to limit bytes of a content in zlib (RFC 1950), and reports whether
// it is one.
func inflate(content []byte, limit int) ([]byte, bool) {
	z, err := zlib.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, false
	}
	defer z.Close()
	inflated, _ := io.ReadAll(io.LimitReader(z, int64(limit)))
	return inflated, len(inflated) > 0
}

// berReader reads elements of BER (ITU-T X.690 §8.1) from left to right.
type berReader struct {
	left    []byte
	content []byte // of the OCTET STRING that find found, its pieces joined
}

// find looks for the first content: an OCTET STRING in the element behind an OBJECT
// IDENTIFIER, its type. It reports whether there is one, and stops at the end of the
// element around it.
func (r *berReader) find(depth int) bool {
	for last := byte(0); depth < maxBERDepth; {
		e, ok := r.next()
		if !ok || e.isEnd() {
			return false
		}
		if e.isConstructed() {
			inner := berReader{left: e.body}
			found := last == asn1.TagOID && e.tag == explicitTag && inner.string(depth) || inner.find(depth+1)
			if e.open {
				r.left = inner.left
			}
			if found {
				r.content = inner.content
				return true
			}
		}
		last = e.tag
	}
	return false
}

// explicitTag is that of a content beside its type: context-specific, constructed, 0.
const explicitTag = 0xA0

// string reads the next element if it is an OCTET STRING, and reports whether it was.
func (r *berReader) string(depth int) bool {
	ahead := *r
	e, ok := ahead.next()
	if !ok || !e.isString() {
		return false
	}
	*r = ahead
	r.collect(e, depth)
	return true
}

// collect appends the octet string e, or its pieces (X.690 §8.7), to the content.
func (r *berReader) collect(e berElement, depth int) {
	if !e.isConstructed() {
		r.content = append(r.content, e.body...)
		return
	}
	inner := berReader{left: e.body, content: r.content}
	for depth < maxBERDepth && inner.string(depth+1) {
		continue
	}
	if e.open {
		r.left = inner.left
		_, _ = r.next() // its end
	}
	r.content = inner.content
}

// berElement is an element of BER. The body of an element of indefinite length goes on
// behind its end.
type berElement struct {
	tag  byte
	body []byte
	open bool // the length is indefinite
}

func (e berElement) isConstructed() bool { return e.tag&0x20 != 0 }
func (e berElement) isString() bool      { return e.tag&^0x20 == asn1.TagOctetString }
func (e berElement) isEnd() bool         { return e.tag == 0 && len(e.body) == 0 }

// next returns the next element. One that is cut off goes on to the end. CMS needs only
// tags of one byte.
func (r *berReader) next() (e berElement, ok bool) {
	if len(r.left) < 2 {
		return e, false
	}
	e.tag = r.left[0]
	size, head := int(r.left[1]), r.left[2:]
	switch {
	case size == 0x80:
		e.open = true
		size = len(head)
	case size > 0x80:
		digits := size & 0x7F
		if digits > 4 || digits > len(head) {
			return e, false
		}
		size = 0
		for _, c := range head[:digits] {
			size = size<<8 | int(c)
		}
		head = head[digits:]
	}
	size = min(size, len(head))
	e.body, r.left = head[:size], head[size:]
	return e, true
}
