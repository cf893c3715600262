package mime

import (
	"iter"
	"strings"
)

// Multipart reports whether the part's media type is multipart/*, opened or
// not.
func (p *Part) Multipart() bool { return strings.HasPrefix(p.MediaType, "multipart/") }

// IsText reports whether the part's media type is text/*.
func (p *Part) IsText() bool { return strings.HasPrefix(p.MediaType, "text/") }

// IsMessage reports whether the part holds another message that
// [Message.Embedded] can parse: message/rfc822 or message/global (RFC 6532).
func (p *Part) IsMessage() bool {
	return p.MediaType == "message/rfc822" || p.MediaType == "message/global"
}

// Ancestors iterates over the multiparts around p, the innermost first.
func (p *Part) Ancestors() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for q := p.Parent; q != nil; q = q.Parent {
			if !yield(q) {
				return
			}
		}
	}
}

// Within returns the innermost part around p whose media type is one of the
// given, or nil.
func (p *Part) Within(mediaTypes ...string) *Part {
	for q := range p.Ancestors() {
		for _, t := range mediaTypes {
			if q.MediaType == t {
				return q
			}
		}
	}
	return nil
}

// FirstBodyPart reports whether p, and every multipart around p, is the first
// part of its parent: the place where the text of a message stands.
func (p *Part) FirstBodyPart() bool {
	for q := p; q.Parent != nil; q = q.Parent {
		if q.Parent.Children[0] != q {
			return false
		}
	}
	return true
}

// IsAttachment reports whether Content-Disposition says attachment, or
// something unknown, which RFC 2183 §2.8 treats alike.
func (p *Part) IsAttachment() bool {
	return p.Disposition != "" && p.Disposition != "inline"
}

// HTMLAlternative returns a text/html leaf that is an alternative to p: one in
// another branch of a multipart/alternative around p. It returns nil when there
// is none.
func (p *Part) HTMLAlternative() *Part {
	branch := p
	for q := range p.Ancestors() {
		if q.MediaType == "multipart/alternative" {
			for _, sibling := range q.Children {
				if sibling == branch {
					continue
				}
				for leaf := range sibling.Leaves() {
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

// CountParts returns how many parts m has, multiparts included, as [Limits] counts
// them.
func (m *Message) CountParts() int { return m.Root.count() }

func (p *Part) count() int {
	n := 1
	for _, child := range p.Children {
		n += child.count()
	}
	return n
}

// Siblings iterates over the other parts of p's parent.
func (p *Part) Siblings() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		if p.Parent == nil {
			return
		}
		for _, q := range p.Parent.Children {
			if q != p && !yield(q) {
				return
			}
		}
	}
}

// Count returns how many fields of p are called name, in any case.
func (p *Part) Count(name string) int {
	n := 0
	for _, f := range p.Fields {
		if f.Named(name) {
			n++
		}
	}
	return n
}

// cutOff reports whether the end of p is not there.
func (m *Message) cutOff(p *Part) bool { return m.cut && p.End == len(m.Raw) }

// Embedded parses the message that p holds, with what is left of the limit of
// depth. The offsets in the result refer to its own Raw. The error is an
// [UnreadableError]: p is no message, or its transfer encoding is broken.
func (m *Message) Embedded(p *Part) (*Message, error) {
	if !p.IsMessage() {
		return nil, unreadable(ReasonNotMessage, "%s", p.MediaType)
	}
	raw, err := m.Content(p)
	if err != nil {
		return nil, err
	}
	depth := m.depth + 1
	for range p.Ancestors() {
		depth++
	}
	if depth > m.limits.Depth {
		return nil, unreadable(ReasonTooDeep, "messages in messages")
	}
	return parseCut(m.ctx, raw, m.limits, depth, m.cutOff(p)), nil
}
