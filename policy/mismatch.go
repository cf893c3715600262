package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// A shownText is a text that a reader sees for a link, with the links in it.
type shownText struct {
	what  string // for a detail: "text" or "label"
	text  string
	named []engine.Link // links and suspects in the text, none of the target's owner
	limit Severity      // the highest for a text without a protected domain
}

// textMismatch returns the worst finding about a text that names a domain in
// place of the target. opened describes the target for a detail.
func textMismatch(s shownText, target engine.Link, opened string, set *protectedSet) Finding {
	var worst Severity
	var shown engine.Link
	for _, link := range s.named {
		if link.ASCIIHost() == "" {
			continue
		}
		severity := mismatchSeverity(s.text, link, target, set)
		if severity > s.limit && !speaksFor(link, set) {
			severity = s.limit
		}
		if severity > worst {
			worst, shown = severity, link
		}
	}
	if worst == SeverityNone {
		return Finding{}
	}
	return Finding{
		CodeTextTargetMismatch, worst, shown.Components().Host,
		"the " + s.what + " names " + hostname.Registrable(shown.ASCIIHost()) + ", the target is " + opened,
	}
}

// mismatchSeverity returns how bad it is that a text names a link in another
// domain than the target.
func mismatchSeverity(text string, named, target engine.Link, set *protectedSet) Severity {
	host := strings.TrimSuffix(named.ASCIIHost(), ".")
	brand := speaksFor(named, set)
	alone := strings.TrimFunc(text, isDecoration) == strings.TrimFunc(named.Text, isDecoration)
	var s Severity
	switch {
	case passesOn(target, hostname.Registrable(host)):
		return SeverityInfo
	case looksTyped(named):
		switch {
		case brand:
			s = SeverityHigh
		case isBelow(target.ASCIIHost(), clickCounters):
			return SeverityLow
		default:
			s = SeverityMedium
		}
	case named.Kind == engine.KindEmail:
		switch {
		case brand && alone:
			s = SeverityHigh
		case brand || alone:
			s = SeverityMedium
		default:
			s = SeverityLow // lists write senders as "anna@example.com via List"
		}
	case brand:
		s = SeverityMedium
	case alone && !fileSuffixes[hostname.LastLabel(host)]:
		s = SeverityLow // a name such as Booking.com
	}
	if s > SeverityMedium && sameName(hostname.Registrable(host), hostname.Registrable(target.ASCIIHost())) {
		s-- // the owner can have both domains, or another person the second one
	}
	return s
}

// speaksFor reports whether a link in a text names a protected domain, or one
// that looks like it, and not a page that the domain gives to the public.
func speaksFor(l engine.Link, set *protectedSet) bool {
	c := l.Components()
	if pages[hostname.Registrable(l.ASCIIHost())] && strings.Trim(c.Path, "/") != "" && !hasLure(strings.ToLower(strings.ReplaceAll(c.Path, "/", "-"))) {
		return false
	}
	h := newLinkHost(l, c.Host)
	if set.covers(h) {
		return true
	}
	return h.isName() && lookalike(h, set).Severity >= SeverityMedium
}

// looksTyped reports whether a link in a text reads as a URL and not as a name:
// it has a scheme, "www." or a path.
func looksTyped(l engine.Link) bool {
	c := l.Components()
	if l.Kind == engine.KindEmail {
		return false
	}
	return c.Scheme != "" || c.Path != "" || c.Query != "" || len(c.Host) > len("www.") && ascii.HasPrefixFold(c.Host, "www.")
}

// isDecoration reports whether r can be around a link without a meaning: spaces,
// quotes, brackets, arrows.
func isDecoration(r rune) bool {
	return r <= ' ' || strings.ContainsRune("\u00a0\"'<>()[]{}.,:;!?*|-/\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2022\u2190\u2192\u21d2\u25b6\u25ba", r)
}

// fileSuffixes has top-level domains that are also suffixes of file names: a
// lone README.md is a file.
var fileSuffixes = map[string]bool{
	"ai": true, "app": true, "cc": true, "md": true, "ml": true, "mov": true, "pl": true, "pm": true, "ps": true,
	"py": true, "rs": true, "sh": true, "so": true, "tf": true, "zip": true,
}
