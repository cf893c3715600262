package policy

import (
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// misleadingOrder reports a host that a reader sees in a misleading order (UAX #9). Either the host begins
// with what reads as a left-to-right domain, which hides that the right-to-left labels after it are the real
// domain. Or the display moves a part of the path between the labels. path is the path of the link, and tlds
// are the top-level domains that exist.
func misleadingOrder(h linkHost, path string, tlds *tld.Set) Finding {
	if ascii.Is(h.unicode) || !uts39.HasRightToLeft(h.unicode) {
		return Finding{}
	}
	name := h.name()
	if domain := leadingDomain(name, tlds); domain != "" {
		return domainBeforeRightToLeft.finding(domain)
	}
	if path != "" && uts39.HasRightToLeft(hostname.LastLabel(name)) && isTorn(name, path) {
		return pathAmongLabels.finding(name)
	}
	return Finding{}
}

// leadingDomain returns the left-to-right labels at the start of a host if right-to-left labels
// follow them and they are a domain by themselves; otherwise "".
func leadingDomain(name string, tlds *tld.Set) string {
	end, count, last := 0, 0, ""
	for label := range labelsOf(name) {
		if uts39.HasRightToLeft(label) {
			if count >= 2 && tlds.Contains(last) {
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

// shownPath is how many code points of a path isTorn puts in visual order.
const shownPath = 64

// isTorn reports whether a left-to-right paragraph displays a character of the
// path between two characters of the host.
func isTorn(name, path string) bool {
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
	for _, i := range uts39.VisualOrder(runes)[:host] {
		if i >= host {
			return true
		}
	}
	return false
}
