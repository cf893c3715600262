package mime

import (
	"iter"
	"strings"
)

// isText reports whether the part's media type is text/*.
func (p *Part) isText() bool { return strings.HasPrefix(p.MediaType, "text/") }

// ancestors iterates over the multiparts around p, the innermost first.
func (p *Part) ancestors() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for q := p.parent; q != nil; q = q.parent {
			if !yield(q) {
				return
			}
		}
	}
}

// IsAttachment reports whether Content-Disposition is attachment, or an unknown value, which RFC 2183
// §2.8 treats as attachment.
func (p *Part) IsAttachment() bool {
	return p.disposition != "" && p.disposition != "inline"
}

// Parts iterates over all parts in the order of the message, including the root and other multiparts.
// It does not look into attached messages (see [Message.Embedded]).
func (m *Message) Parts() iter.Seq[*Part] {
	return func(yield func(*Part) bool) { m.Root.walk(yield) }
}

func (p *Part) walk(yield func(*Part) bool) bool {
	if !yield(p) {
		return false
	}
	for _, child := range p.children {
		if !child.walk(yield) {
			return false
		}
	}
	return true
}

// Leaves iterates over the parts without children, in the order of the message. A multipart that the
// parser could not open is a leaf. A reader sees the text of the first leaf first.
func (m *Message) Leaves() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for p := range m.Parts() {
			if len(p.children) == 0 && !yield(p) {
				return
			}
		}
	}
}

// Outside returns the bytes of a multipart before its first part and after its last part, with the
// delimiter lines. It returns nil for a part without children. Some programs show these bytes.
func (m *Message) Outside(p *Part) [][]byte {
	if len(p.children) == 0 {
		return nil
	}
	first, last := p.children[0], p.children[len(p.children)-1]
	return [][]byte{m.Raw[p.bodyStart:first.start], m.Raw[last.end:p.end]}
}

// isMultipart reports whether the part's media type is multipart/*, opened or
// not.
func (p *Part) isMultipart() bool { return strings.HasPrefix(p.MediaType, "multipart/") }

// unencoded reports whether the transfer encoding is an identity (RFC 2045 §6.2).
func (p *Part) unencoded() bool {
	return p.encoding == "7bit" || p.encoding == "8bit" || p.encoding == "binary"
}
