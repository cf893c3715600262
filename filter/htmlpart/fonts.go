package htmlpart

import (
	"slices"
	"strings"
)

// fontServices are hosts whose style sheets only name fonts.
var fontServices = []string{"fonts.googleapis.com", "fonts.bunny.net", "use.typekit.net", "use.fontawesome.com", "fast.fonts.net"}

// isOfFonts reports whether a reference to a style sheet, or the value of @import, names a
// service of fonts.
func isOfFonts(reference string) bool {
	reference = strings.ToLower(strings.TrimLeft(reference, " \t\r\n\"'"))
	reference = strings.TrimLeft(strings.TrimPrefix(reference, "url("), " \t\r\n\"'")
	reference = strings.TrimPrefix(strings.TrimPrefix(reference, "https:"), "http:")
	rest, ok := strings.CutPrefix(reference, "//")
	host, _, path := strings.Cut(rest, "/")
	return ok && path && slices.Contains(fontServices, host)
}
