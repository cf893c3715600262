package header

import (
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/mime"
)

// own returns the indices of the fields that claim one of ids, which are in lower
// case. On trusted mail these are the fields that linkmilter writes; on other mail
// all fields that some lenient reader may take for one.
func own(m *mime.Message, ids []string, trusted bool) []int {
	claimed := claims
	if trusted {
		claimed = wrote
	}
	var all []int
	for i, f := range m.Root.Fields {
		if (ascii.EqualFold(f.Name, fieldSummary) || ascii.EqualFold(f.Name, fieldFinding)) && claimed(m.FieldValue(f), ids) {
			all = append(all, i)
		}
	}
	return all
}

// problems returns the problems in the structure of a message once the forged fields
// are removed: these fields alone do not change how the message is read.
func problems(m *mime.Message, forged []int) []mime.Reason {
	if len(m.Problems) == 0 || len(forged) == 0 || len(forged) > MaxOther {
		return m.Problems
	}
	return m.Without(forged).Problems
}

// areTags reports whether the fields are exactly the tags, so that filtering a
// message again changes nothing.
func areTags(m *mime.Message, fields []int, tags []mime.HeaderEdit) bool {
	if len(fields) != len(tags) {
		return false
	}
	for i, index := range fields {
		f := m.Root.Fields[index]
		if f.Name != tags[i].Name || m.FieldValue(f) != tags[i].Value {
			return false
		}
	}
	return true
}
