package mime

import (
	"bytes"
	"slices"
)

// A rewrittenBody is the result of editing the text of a body.
type rewrittenBody struct {
	edits    []Edit // edits of Raw
	charset  string
	encoding string
	digest   uint64 // digest of the text after the edits
}

// rewriteBody returns the edits of the body of leaf that carry out edits of text.content. With recoded
// set, the body must not stay in the transfer encoding 8bit.
func (m *Message) rewriteBody(leaf *Part, text leafText, edits []Edit, recoded bool) (rewrittenBody, error) {
	data, err := m.content(leaf)
	if err != nil {
		return rewrittenBody{}, refused(reasonOf(err), "%v", err)
	}
	b := rewrittenBody{charset: text.charset, encoding: leaf.encoding}
	if recoded {
		b.encoding = "" // chosen by recode
	}
	changes, held := encodeEdits(text, data, edits)
	if text.markup && !held {
		return b, refused(reasonUndecodable, "a changed line of part %s", leaf.Number)
	}
	if !held || !writesASCII(changes) && text.charset == "us-ascii" {
		b.charset = "utf-8"
	}
	if !held {
		err = b.recode(m, leaf, []byte(spliced(text.content, edits)))
	} else {
		err = b.change(m, leaf, data, changes)
	}
	if err != nil {
		return b, err
	}
	if b.encoding != leaf.encoding && b.encoding == "base64" && m.eol() == "\n" {
		b.digest = digestOf(withCRLF(spliced(text.content, edits)))
	} else {
		b.digest = digestOf(text.content, edits...)
	}
	b.edits = joined(b.edits)
	for i := range b.edits {
		b.edits[i] = m.trimmed(b.edits[i])
	}
	b.edits = slices.DeleteFunc(b.edits, func(e Edit) bool { return e.Start == e.End && len(e.New) == 0 })
	return b, nil
}

// change plans changes of data, the decoded body, and keeps its charset.
func (b *rewrittenBody) change(m *Message, leaf *Part, data []byte, changes []Edit) error {
	switch {
	case leaf.encoding == "quoted-printable":
		b.edits = m.requote(leaf, data, changes)
	case leaf.encoding == "base64":
		b.edits = m.rebase(leaf, data, changes)
	case leaf.encoding == "7bit" && !writesASCII(changes), b.encoding == "":
		return b.recode(m, leaf, splicedBytes(data, changes))
	case !fits(data, changes):
		return refused(reasonLineTooLong, "in part %s", leaf.Number)
	default:
		b.edits = slices.Grow(b.edits, len(changes))
		for _, e := range changes {
			b.edits = append(b.edits, Edit{leaf.bodyStart + e.Start, leaf.bodyStart + e.End, e.New})
		}
	}
	return nil
}

// recode plans to encode the whole body again.
func (b *rewrittenBody) recode(m *Message, leaf *Part, data []byte) error {
	var edit Edit
	switch b.encoding {
	case "base64":
		edit = m.rebaseAll(leaf, data)
	case "quoted-printable":
		edit = Edit{leaf.bodyStart, leaf.end, m.quoteBody(leaf, data)}
	case "8bit":
		edit = Edit{leaf.bodyStart, leaf.end, data}
		if longest(data) > max(longestLine, longest(m.Body(leaf))) {
			return refused(reasonLineTooLong, "in part %s", leaf.Number)
		}
	default:
		edit, b.encoding = m.encodeBody(leaf, data)
	}
	b.edits = []Edit{edit}
	return nil
}

// fits reports whether unencoded lines stay within the limit of RFC 5322 §2.1.1, or become no longer
// than they were.
func fits(data []byte, edits []Edit) bool {
	for len(edits) > 0 {
		start := bytes.LastIndexByte(data[:edits[0].Start], '\n') + 1
		end := lineEnd(data, edits[0].Start)
		growth := 0
		for ; len(edits) > 0 && edits[0].Start < end; edits = edits[1:] {
			e := edits[0]
			growth += len(e.New) - (e.End - e.Start)
			for end < e.End {
				end = lineEnd(data, end)
			}
		}
		if trimLineEndAt(data, end)-start+growth > max(longestLine, longest(data[start:end])) {
			return false
		}
	}
	return true
}
