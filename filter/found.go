package filter

import (
	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// Text finds and judges the links of one plain text in UTF-8, up to the limit
// of links. Part is empty in the result.
func (f *Filter) Text(text string) []Found {
	var all []Found
	for link := range f.links(text) {
		if len(all) == f.maxLinks {
			break
		}
		all = append(all, f.found("", link, FlaggedUnlink))
	}
	return all
}

// found judges a link and decides how it is shown. More findings are those
// that do not follow from the link alone.
func (f *Filter) found(part string, link engine.Link, flagged Flagged, more ...policy.Finding) Found {
	found := f.judged(part, link, more...)
	f.display(&found, flagged)
	return found
}

// judged is found without what is shown.
func (f *Filter) judged(part string, link engine.Link, more ...policy.Finding) Found {
	found := Found{Part: part, Link: link, Verdict: f.Judge(link)}
	found.Verdict.Findings = append(found.Verdict.Findings, more...)
	return found
}

// display decides how a link that was judged is shown.
func (f *Filter) display(found *Found, flagged Flagged) {
	link := &found.Link
	if link.Kind != engine.KindSuspect {
		found.Href = link.Href()
	}
	f.show(found, flagged)
	if found.Broken = len(link.Text) != link.End-link.Start; found.Broken {
		found.Linked = false
	}
}

// needsAlternative reports whether a link reads better than it was typed, or
// would be cut by programs that end links at the first character beyond ASCII.
func (l *Found) needsAlternative() bool {
	return !l.Broken && l.Display != l.Link.Text || l.Linked && !isASCII(l.Link.Text)
}
