package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// Judge judges a link, an address or a suspect by itself. Hosts that the operator
// allows are never flagged.
func (f *Filter) Judge(link engine.Link) policy.Verdict {
	if f.Allows(link) {
		return policy.Verdict{DisplayUnicode: true}
	}
	return f.judge.Link(link)
}

// Allows reports whether the operator allows the host of a link
// ([Options.Allow]).
func (f *Filter) Allows(link engine.Link) bool {
	if f.allow.exact == nil {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && f.allow.has(host)
}

// isFlagged reports whether a link is not to be shown as if nothing was wrong
// with it: its host failed policy, or there is a finding of medium or above.
func isFlagged(link engine.Link, v policy.Verdict) bool {
	return v.Worst() >= policy.SeverityMedium || link.Kind != engine.KindSuspect && !v.DisplayUnicode
}

// show decides how a link that was judged is shown, and whether as a link.
func (f *Filter) show(found *Found, flagged Flagged) {
	link := found.Link
	found.Flagged = isFlagged(link, found.Verdict)
	suspect := link.Kind == engine.KindSuspect
	form := engine.HostUnicode
	switch {
	case found.Flagged:
		form = engine.HostASCII
	case suspect, f.neverLinked(link.Text), !meant(link):
		found.Display = link.Text
		return
	case !f.agreed:
		// Older tables may turn an A-label into another U-label.
		form = engine.HostAsTyped
	}
	if !f.agreed && !suspect && !isASCII(link.Components().Host) && !found.Flagged {
		found.Display = link.Text
		return
	}
	found.Display = f.readable(found, form)
	found.Linked = !suspect && found.Href != "" && (!found.Flagged || flagged == FlaggedLink && f.agreed && meant(link))
	if found.Flagged && flagged == FlaggedDefang {
		found.Display = defang(found.Display)
	}
}

// readable returns the readable form of a link. Where scripts are mixed in a
// word of its path, what follows the host is shown percent-encoded (UASG 1.4 b),
// so that it cannot be taken for another word.
func (f *Filter) readable(found *Found, form engine.HostForm) string {
	shown := found.Link.Readable(form)
	mixed := func(finding policy.Finding) bool { return finding.Code == policy.CodeMixedScriptPath }
	if found.Link.Kind != engine.KindURL || !slices.ContainsFunc(found.Verdict.Findings, mixed) {
		return shown
	}
	_, rest, ok := strings.Cut(shown, "://")
	if !ok {
		rest = shown
	}
	host := len(shown) - len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host += i
	} else {
		host = len(shown)
	}
	return shown[:host] + escapeNonASCII(shown[host:])
}

// escapeNonASCII percent-encodes every octet beyond ASCII.
func escapeNonASCII(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x80 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// neverLinked reports whether the operator wants a text not to be linked.
func (f *Filter) neverLinked(text string) bool {
	return slices.ContainsFunc(f.neverLink, func(g glob) bool { return g.matches(text) })
}
