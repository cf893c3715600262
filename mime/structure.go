package mime

import (
	"iter"
	"strings"
)

// IsText reports whether the part's media type is text/*.
func (p *Part) IsText() bool { return strings.HasPrefix(p.MediaType, "text/") }

// IsMessage reports whether the part holds another message that
// [Message.Embedded] can parse: message/rfc822 or message/global (RFC 6532).
func (p *Part) IsMessage() bool {
	return p.MediaType == "message/rfc822" || p.MediaType == "message/global"
}

// Ancestors iterates over the multiparts around p, the innermost first.
func (p *Part) ancestors() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for q := p.parent; q != nil; q = q.parent {
			if !yield(q) {
				return
			}
		}
	}
}

// FirstBodyPart reports whether p, and every multipart around p, is the first part of its
// parent. This is the place of the text that a reader sees first.
func (p *Part) FirstBodyPart() bool {
	for q := p; q.parent != nil; q = q.parent {
		if q.parent.Children[0] != q {
			return false
		}
	}
	return true
}

// IsAttachment reports whether Content-Disposition is attachment or an unknown value,
// which RFC 2183 §2.8 treats as attachment.
func (p *Part) IsAttachment() bool {
	return p.disposition != "" && p.disposition != "inline"
}

// HTMLAlternative returns a text/html leaf in another branch of a multipart/alternative
// around p, or nil.
func (p *Part) HTMLAlternative() *Part {
	branch := p
	for q := range p.ancestors() {
		if q.MediaType == "multipart/alternative" {
			for _, sibling := range q.Children {
				if sibling == branch {
					continue
				}
				for leaf := range sibling.leaves() {
					if leaf.MediaType == "text/html" {
						return leaf
					}
				}
			}
		}
		branch = q
	}
	return nil
}

// CountParts returns the number of parts in m, including multiparts, as [Limits] counts
// them.
func (m *Message) CountParts() int { return m.Root.count() }

func (p *Part) count() int {
	n := 1
	for _, child := range p.Children {
		n += child.count()
	}
	return n
}

// Leaves iterates over the parts without children, in the order of the message. It does
// not look into attached messages (see [Message.Embedded]). A multipart that the parser
// could not open is a leaf.
func (m *Message) Leaves() iter.Seq[*Part] {
	return m.Root.leaves()
}

// leaves iterates over the leaves in p. A leaf has itself as its only leaf.
func (p *Part) leaves() iter.Seq[*Part] {
	return func(yield func(*Part) bool) { p.walk(yield) }
}

func (p *Part) walk(yield func(*Part) bool) bool {
	if len(p.Children) == 0 {
		return yield(p)
	}
	for _, child := range p.Children {
		if !child.walk(yield) {
			return false
		}
	}
	return true
}

// Multipart reports whether the part's media type is multipart/*, opened or
// not.
func (p *Part) Multipart() bool { return strings.HasPrefix(p.MediaType, "multipart/") }

// unencoded reports whether the transfer encoding is an identity (RFC 2045 §6.2).
func (p *Part) unencoded() bool {
	return p.encoding == "7bit" || p.encoding == "8bit" || p.encoding == "binary"
}
