package header

import (
	"slices"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/mime"
)

// breaks reports whether the removal of fields, or another field on top, breaks a
// signature over the last fields called name, of which it names signed.
func breaks(fields []mime.Field, name string, signed int, removed []int, written bool) bool {
	for i := len(fields) - 1; i >= 0 && signed > 0; i-- {
		if !ascii.EqualFold(fields[i].Name, name) {
			continue
		}
		if slices.Contains(removed, i) {
			return true
		}
		signed--
	}
	return signed > 0 && written
}
