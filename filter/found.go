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
	var found Found
	if len(more) == 0 {
		found = f.recall(link, flagged)
	} else {
		found = f.assessed(link, flagged, more...)
	}
	found.Part, found.Link = part, link
	if found.Broken = len(link.Text) != link.End-link.Start; found.Broken {
		found.Linked = false
	}
	return found
}

// assessed judges a link and decides how it is shown, without memory.
func (f *Filter) assessed(link engine.Link, flagged Flagged, more ...policy.Finding) Found {
	found := f.judged(link, more...)
	f.display(&found, flagged)
	return found
}

// judged judges a link. More findings are those that do not follow from it alone.
func (f *Filter) judged(link engine.Link, more ...policy.Finding) Found {
	found := Found{Link: link, Verdict: f.Judge(link)}
	found.Verdict.Findings = append(found.Verdict.Findings, more...)
	return found
}

// display decides how a link that was judged is shown.
func (f *Filter) display(found *Found, flagged Flagged) {
	if found.Link.Kind != engine.KindSuspect {
		found.Href = found.Link.Href()
	}
	f.show(found, flagged)
}

// needsAlternative reports whether a link reads better than it was typed, or
// would be cut by programs that end links at the first character beyond ASCII.
func (l *Found) needsAlternative() bool {
	return !l.Broken && l.Display != l.Link.Text || l.Linked && !isASCII(l.Link.Text)
}
