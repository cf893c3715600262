package header

import (
	"bytes"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// Signatures returns the DKIM signatures and ARC seals that a message came with.
func Signatures(m *mime.Message) *mailauth.Signatures {
	found := mailauth.FindSignatures(func(yield func(name, value string) bool) {
		for _, f := range m.Root.Fields {
			_, value, _ := bytes.Cut(m.RawField(f), []byte(":"))
			if !yield(f.Name, string(value)) {
				return
			}
		}
	})
	return &found
}

// breaks reports whether the removal of fields, or another field on top, breaks a
// signature over the last fields called name, of which it names signed.
func breaks(fields []mime.Field, name string, signed int, removed []int, written bool) bool {
	for i := len(fields) - 1; i >= 0 && signed > 0; i-- {
		if !strings.EqualFold(fields[i].Name, name) {
			continue
		}
		if slices.Contains(removed, i) {
			return true
		}
		signed--
	}
	return signed > 0 && written
}
