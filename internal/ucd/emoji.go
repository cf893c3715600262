package ucd

import (
	"strings"
	"sync"
)

// emojiSet returns the set of emojiSequences.
var emojiSet = sync.OnceValue(func() map[string]struct{} {
	set := make(map[string]struct{}, 2048)
	for s := range strings.SplitSeq(emojiSequences, " ") {
		set[s] = struct{}{}
	}
	return set
})

// IsEmojiSequence reports whether s is an RGI emoji sequence (UTS #51) with characters
// that are invisible alone: joiners, variation selectors or tags.
func IsEmojiSequence(s []byte) bool {
	_, ok := emojiSet()[string(s)]
	return ok
}
