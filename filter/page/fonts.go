package page

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

// isPictorial reports whether a list of fonts has one of pictures in place of letters first, or one
// that shows nothing.
func isPictorial(fonts string) bool {
	first, _, _ := strings.Cut(strings.ToLower(fonts), ",")
	first = strings.Trim(first, " \t\r\n\"'")
	for _, name := range [...]string{"wingdings", "webdings", "symbol", "zapf dingbats", "zapfdingbats", "marlett", "bookshelf symbol", "ms outlook", "mt extra"} {
		if strings.HasPrefix(first, name) {
			return true
		}
	}
	return strings.Contains(first, "blank") || strings.Contains(first, "barcode") || strings.Contains(first, "redacted")
}
