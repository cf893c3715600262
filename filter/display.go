package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// display decides how a judged link is shown.
type display struct {
	neverLink []pattern.Glob // texts that are never made a link
	// agreed says that all tables have one Unicode version. Otherwise no link is
	// edited whose host is not ASCII.
	agreed bool
	defang func(text string) string // defang, but for tests of its failure
}

// show fills in how a judged link is shown, and whether as a link.
func (d *display) show(found *report.Found, flagged rule.Flagged) {
	link := found.Link
	suspect := link.Kind == engine.KindSuspect
	if !suspect {
		found.Href = link.Href()
	}
	found.Flagged = isFlagged(link, found.Verdict)
	form := engine.HostUnicode
	switch {
	case found.Flagged:
		form = engine.HostASCII
	case suspect, d.neverLinked(link.Text), !meant(link):
		found.Display = link.Text
		return
	case isHidden(found.Verdict):
		form = engine.HostASCII
	case !d.agreed:
		// Older tables may turn an A-label into another U-label.
		form = engine.HostAsTyped
	}
	if !d.agreed && !suspect && !ascii.Is(link.Components().Host) && !found.Flagged {
		found.Display = link.Text
		return
	}
	found.Display = readable(found, form)
	found.Linked = !suspect && found.Href != "" && (!found.Flagged || flagged == rule.FlaggedLink && d.agreed && meant(link))
	if found.Flagged && flagged == rule.FlaggedDefang {
		found.Display = d.defang(found.Display)
	}
}

// neverLinked reports whether the operator wants a text not to be linked.
func (d *display) neverLinked(text string) bool {
	return slices.ContainsFunc(d.neverLink, func(g pattern.Glob) bool { return g.Matches(text) })
}

// isFlagged reports whether readers should not take a link at face value: its host
// failed policy, or it has a finding of medium or above. A host that only a display
// rule hides is not flagged.
func isFlagged(link engine.Link, v policy.Verdict) bool {
	return v.Worst() >= policy.SeverityMedium || link.Kind != engine.KindSuspect && !v.DisplayUnicode && !isHidden(v)
}

// isHidden reports whether a display rule of browsers hides the host.
func isHidden(v policy.Verdict) bool { return v.HiddenBy.String() != "" }

// readable returns the readable form of a link.
func readable(found *report.Found, form engine.HostForm) string {
	shown := found.Link.Readable(form)
	mixed := func(finding policy.Finding) bool { return finding.Code == policy.CodeMixedScriptPath }
	if found.Link.Kind != engine.KindURL || !slices.ContainsFunc(found.Verdict.Findings, mixed) {
		return shown
	}
	host := behindHost(shown)
	typed := found.Link.Text
	return shown[:host] + withEscapedWords(typed[behindHost(typed):], shown[host:])
}

// behindHost returns the offset of the path, query or fragment of a URL.
func behindHost(url string) int {
	start := 0
	if i := strings.Index(url, "://"); i >= 0 {
		start = i + len("://")
	}
	if i := strings.IndexAny(url[start:], "/?#"); i >= 0 {
		return start + i
	}
	return len(url)
}
