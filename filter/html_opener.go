package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
)

// withoutOpener returns the splices after which the place of a flagged link opens nothing, and
// false where the place is unknown. all says that every attribute goes, since others than the
// known ones open the link, too.
func withoutOpener(source string, found *report.Found, all bool) ([]htmledit.Splice, bool) {
	start, end := found.Link.Start, found.Link.End
	if tag, isTag := htmledit.TagAt(source, start); !isTag || tag.End != end {
		// A script, in which the link is a piece of code, or a link without a place of its own.
		return []htmledit.Splice{{Start: start, End: end}}, found.Place == report.PlaceHTMLLink && (start > 0 || end < len(source))
	}
	name := elementAt(source, start)
	splices := htmledit.WithoutAttributes(source, start, func(attribute string) bool {
		return all || opens(name, attribute)
	})
	return splices, len(splices) > 0
}

// elementAt returns the name of the element whose start tag is at an offset, in lower case
// and without a prefix.
func elementAt(source string, tag int) string {
	name := source[tag+1:]
	if i := strings.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
		name = name[:i]
	}
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}

// frames are elements that show the document of their src.
var frames = []string{"iframe", "frame", "embed", "fencedframe", "portal", "layer", "ilayer"}

// opens reports whether an attribute of an element may say what it opens. Both names are in
// lower case; that of the attribute may have a prefix.
func opens(element, attribute string) bool {
	local := attribute[strings.LastIndexByte(attribute, ':')+1:]
	switch local {
	case "href", "action", "formaction", "content", "srcdoc", "[href]", "data-amp-bind-href", "action-xhr", "verify-xhr":
		return true
	case "src":
		return slices.Contains(frames, element)
	case "data":
		return element == "object"
	case "value":
		return element == "data" || element == "meta" || element == "param"
	case "to", "from", "by", "values":
		return element == "set" || strings.HasPrefix(element, "animate")
	}
	return ascii.HasPrefixFold(local, "on") || strings.HasPrefix(element, "amp-")
}
