package mime

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An Edit replaces the bytes from Start to End by New. Offsets are those of Message.Raw in a [Plan],
// and of a leaf's text in [Message.RewriteText]. If Start == End, it inserts New there.
type Edit struct {
	Start, End int
	New        []byte
}

// applied returns raw[start:end] after the edit, which must be inside that range.
func (e Edit) applied(raw []byte, start, end int) []byte {
	return slices.Concat(raw[start:e.Start], e.New, raw[e.End:end])
}

// joined returns the edits with adjacent ones joined.
func joined(edits []Edit) []Edit {
	result := make([]Edit, 0, len(edits))
	for _, e := range edits {
		if n := len(result); n > 0 && result[n-1].End == e.Start {
			result[n-1].End = e.End
			result[n-1].New = slices.Concat(result[n-1].New, e.New)
		} else {
			result = append(result, e)
		}
	}
	return result
}

// spliced returns text with the edits applied.
func spliced(text string, edits []Edit) string {
	size := len(text)
	for _, e := range edits {
		size += len(e.New) - (e.End - e.Start)
	}
	var b strings.Builder
	b.Grow(size)
	pos := 0
	for _, e := range edits {
		b.WriteString(text[pos:e.Start])
		b.Write(e.New)
		pos = e.End
	}
	b.WriteString(text[pos:])
	return b.String()
}

// splicedBytes returns data with the edits applied.
func splicedBytes(data []byte, edits []Edit) []byte {
	pieces := make([][]byte, 0, 2*len(edits)+1)
	pos := 0
	for _, e := range edits {
		pieces = append(pieces, data[pos:e.Start], e.New)
		pos = e.End
	}
	return slices.Concat(append(pieces, data[pos:])...)
}

// onBoundaries reports whether an edit begins and ends between characters.
func onBoundaries(text string, e Edit) bool {
	return utf8.RuneStart(text[e.Start]) && (e.End == len(text) || utf8.RuneStart(text[e.End]))
}

// trimmed returns an edit without the bytes at its ends that it does not change.
func (m *Message) trimmed(e Edit) Edit {
	for e.Start < e.End && len(e.New) > 0 && m.Raw[e.Start] == e.New[0] {
		e.Start++
		e.New = e.New[1:]
	}
	for e.Start < e.End && len(e.New) > 0 && m.Raw[e.End-1] == e.New[len(e.New)-1] {
		e.End--
		e.New = e.New[:len(e.New)-1]
	}
	return e
}
