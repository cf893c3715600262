package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/policy/uts39"
)

// order reports hosts that are displayed in a misleading order (UAX #9):
// where a domain written from left to right comes first, the right-to-left
// labels that it really belongs to look like something that follows; and
// where the path is displayed among the labels. path is what follows the
// host and port.
func (g *judgement) order(h host, path string) {
	if isASCII(h.unicode) || !uts39.HasRightToLeft(h.unicode) {
		return
	}
	name := strings.TrimSuffix(h.unicode, ".")
	if domain := g.leadingDomain(name); domain != "" {
		g.addHost(CodeBidiOrder, SeverityMedium, domain, "a domain comes before the right-to-left labels that it is below")
		return
	}
	if path != "" && uts39.HasRightToLeft(lastLabel(name)) && torn(name, path) {
		g.addHost(CodeBidiOrder, SeverityInfo, name, "the path is displayed among the labels of the host")
	}
}

// leadingDomain returns the left-to-right labels at the start of a host if
// they make a domain name by themselves and right-to-left labels follow.
func (g *judgement) leadingDomain(name string) string {
	end, count, last := 0, 0, ""
	for label := range labels(name) {
		if uts39.HasRightToLeft(label) {
			if count >= 2 && g.judge.tlds.Contains(last) {
				return name[:end-1]
			}
			return ""
		}
		end += len(label) + 1
		count++
		last = label
	}
	return ""
}

// shownPath is how many code points of a path take part in the order of what
// is displayed beside the host.
const shownPath = 64

// torn reports whether a character of the path is displayed between two of
// the host, in a left-to-right paragraph.
func torn(name, path string) bool {
	runes := []rune(name)
	host := len(runes)
	for range shownPath {
		if path == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(path)
		runes = append(runes, r)
		path = path[size:]
	}
	for _, i := range uts39.VisualOrder(uts39.LeftToRight, runes)[:host] {
		if i >= host {
			return true
		}
	}
	return false
}
