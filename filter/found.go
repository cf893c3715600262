package filter

import (
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// Text finds and judges the links of one plain text in UTF-8, up to the limit
// of links. Part is empty in the result.
func (f *Filter) Text(text string) []Found {
	var all []Found
	for link := range f.scanner.All(text) {
		if len(all) == f.maxLinks {
			break
		}
		all = append(all, f.found("", link))
	}
	return all
}

// found judges a link and decides how it is shown.
func (f *Filter) found(part string, link engine.Link) Found {
	found := Found{Part: part, Link: link, Verdict: f.judge.Link(link)}
	if link.Kind == engine.KindSuspect {
		found.Display = link.Text
		return found
	}
	found.Href = link.Href()
	v := found.Verdict
	switch {
	case !v.DisplayUnicode || v.Worst() >= policy.SeverityMedium:
		found.Display = link.Readable(engine.HostASCII)
	case f.agreed:
		found.Display = link.Readable(engine.HostUnicode)
		found.Linked = found.Href != ""
	case isASCII(link.Components().Host):
		// Older tables may turn an A-label into another U-label.
		found.Display = link.Readable(engine.HostAsTyped)
		found.Linked = found.Href != ""
	default:
		found.Display = link.Text
	}
	return found
}

// needsAlternative reports whether a link reads better than it was typed, or
// would be cut by programs that end links at the first character beyond ASCII.
func (l *Found) needsAlternative() bool {
	if l.Link.Kind == engine.KindSuspect {
		return false
	}
	return l.Display != l.Link.Text || l.Linked && !isASCII(l.Link.Text)
}
