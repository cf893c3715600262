package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// unshown are the commands of enriched text whose content programs do not show: parameters
// (RFC 1896), and comments of richtext (RFC 1341 §7.1.3).
var unshown = [...]string{"<param>", "<comment>"}

// withoutParameters returns enriched text without what programs do not show of it.
func withoutParameters(source string) string {
	var b strings.Builder
	for {
		at, size := nextUnshown(source)
		if at < 0 {
			return b.String() + source
		}
		b.WriteString(source[:at])
		source = source[at+size:]
	}
}

// nextUnshown returns the index of the next command whose content is not shown, or -1, and
// its size with the content.
func nextUnshown(source string) (at, size int) {
	for {
		i := strings.IndexByte(source[at:], '<')
		if i < 0 {
			return -1, 0
		}
		at += i
		for _, command := range unshown {
			if !ascii.HasPrefixFold(source[at:], command) {
				continue
			}
			if end := indexEnd(source[at:], command); end > 0 {
				return at, end
			}
			return -1, 0
		}
		at++
	}
}

// indexEnd returns the index behind the end of a command, or 0.
func indexEnd(source, command string) int {
	for at := 1; ; at++ {
		i := strings.Index(source[at:], "</")
		if i < 0 {
			return 0
		}
		at += i
		if ascii.HasPrefixFold(source[at+len("</"):], command[1:]) {
			return at + len("</") + len(command) - 1
		}
	}
}
