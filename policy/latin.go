package policy

import "github.com/linkmilter/linkmilter/internal/ucd"

// readsLatin reports whether each letter of a label of one script reads as a Latin
// letter.
func readsLatin(s string) bool {
	if cyrillicWords.Has(s) {
		return false
	}
	found := false
	for _, r := range s {
		if r < 0x80 {
			continue
		}
		if like, ok := latinLikes[r]; ok && !like.inNames {
			found = true
		} else if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			return false
		}
	}
	return found
}
