package htmledit

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// shown returns the text that readers see for a piece of the source between tags.
func shown(source string) string {
	if strings.IndexByte(source, '\r') >= 0 {
		source = newlines.Replace(source)
	}
	return html.UnescapeString(source)
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// containsFold reports whether a text contains word in any case. word is in lower case, and its first
// character is not a letter.
func containsFold(s, word string) bool {
	for {
		i := strings.IndexByte(s, word[0])
		if i < 0 {
			return false
		}
		if s = s[i:]; ascii.HasPrefixFold(s, word) {
			return true
		}
		s = s[1:]
	}
}
