package policy

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
)

// TextTarget judges the text that is shown for a link, or the display name of
// an address, against what it opens: a text that names one domain for a target
// in another. named are the links and suspects in the text. It returns the
// worst finding, or none.
//
// Domains are compared by registrable domain (public suffix and one label) and
// as A-labels. No finding are texts without a host, addresses shown for web
// pages, and words that are file names rather than hosts.
func (j *Judge) TextTarget(text string, named []engine.Link, target engine.Link) []Finding {
	return j.target(shownText{what: "text", text: text, named: named, limit: SeverityHigh}, target)
}

// LabelTarget judges what is shown beside the text of a link or in its place,
// such as the text for a picture, as TextTarget does. Unless it names a protected
// domain it is SeverityLow at most: pictures of newsletters are so described.
func (j *Judge) LabelTarget(label string, named []engine.Link, target engine.Link) []Finding {
	return j.target(shownText{what: "label", text: label, named: named, limit: SeverityLow}, target)
}

// target judges a text against a target in a domain.
func (j *Judge) target(s shownText, target engine.Link) []Finding {
	opened := registrable(target.ASCIIHost())
	if opened == "" {
		return nil
	}
	s.named = slices.DeleteFunc(slices.Clone(s.named), func(named engine.Link) bool {
		return sameOwner(registrable(named.ASCIIHost()), opened, target) || named.Kind == engine.KindEmail && target.Kind != engine.KindEmail
	})
	return j.mismatches(s, target, opened)
}

// TextScheme judges the text that is shown for a URL of a scheme that opens no
// domain, as TextTarget does: a script, say, behind what reads as a URL.
// Addresses are no finding: pages hide them from robots behind scripts.
func (j *Judge) TextScheme(text string, named []engine.Link, scheme string) []Finding {
	s := shownText{what: "text", text: text, limit: SeverityHigh}
	for _, link := range named {
		if link.Kind != engine.KindEmail {
			s.named = append(s.named, link)
		}
	}
	return j.mismatches(s, engine.Link{}, "a "+printable(scheme)+": URL")
}

// shownText is a text that is shown for a target, and the links in it.
type shownText struct {
	what  string // what it is
	text  string
	named []engine.Link
	limit Severity // of texts that name no protected domain
}

// mismatches returns the worst finding about the links in a text, none of which
// is the target's; opened says what that opens.
func (j *Judge) mismatches(s shownText, target engine.Link, opened string) []Finding {
	var worst Severity
	var shown engine.Link
	for _, link := range s.named {
		if link.ASCIIHost() == "" {
			continue
		}
		severity := j.mismatch(s.text, link, target)
		if severity > s.limit && !j.speaksFor(link) {
			severity = s.limit
		}
		if severity > worst {
			worst, shown = severity, link
		}
	}
	g := judgement{judge: j}
	if worst != SeverityNone {
		g.add(CodeTextTargetMismatch, worst, shown.Components().Host,
			"the "+s.what+" names "+registrable(shown.ASCIIHost())+", the target is "+opened)
	}
	return g.findings
}

// mismatch returns how bad it is that a text names a link in another domain
// than the target.
func (j *Judge) mismatch(text string, named, target engine.Link) Severity {
	host := strings.TrimSuffix(named.ASCIIHost(), ".")
	protected := j.speaksFor(named)
	alone := strings.TrimFunc(text, isDecoration) == strings.TrimFunc(named.Text, isDecoration)
	var s Severity
	switch {
	case passesOn(target, registrable(host)):
		return SeverityInfo
	case looksTyped(named):
		switch {
		case protected:
			s = SeverityHigh
		case isBelow(target.ASCIIHost(), counters):
			return SeverityLow
		default:
			s = SeverityMedium
		}
	case named.Kind == engine.KindEmail:
		switch {
		case protected && alone:
			s = SeverityHigh
		case protected || alone:
			s = SeverityMedium
		default:
			s = SeverityLow // "anna@example.com via List" is how lists write senders
		}
	case protected:
		s = SeverityMedium
	case alone && !fileSuffixes[lastLabel(host)]:
		s = SeverityLow // a name such as Booking.com
	}
	if s > SeverityMedium && sameName(registrable(host), registrable(target.ASCIIHost())) {
		s-- // the owner may have both, or somebody else the other one
	}
	return s
}

// speaksFor reports whether a link in a text names a protected domain, or one
// made to look like it, and not a page that anybody has there.
func (j *Judge) speaksFor(l engine.Link) bool {
	c := l.Components()
	if pages[registrable(l.ASCIIHost())] && strings.Trim(c.Path, "/") != "" && !asksFor(strings.ToLower(strings.ReplaceAll(c.Path, "/", "-"))) {
		return false
	}
	return j.reads(l)
}

// reads reports whether the host of a link in a text reads as that of a
// protected domain: it is below one, or made to look like one.
func (j *Judge) reads(l engine.Link) bool {
	h := newHost(l, l.Components().Host)
	if j.protected.covers(strings.TrimSuffix(h.ascii, ".")) {
		return true
	}
	if isIP(h.ascii) || len(h.unicode) > maxHost {
		return false
	}
	g := judgement{judge: &Judge{protected: j.protected, tlds: j.tlds}} // at the default severities
	g.lookalikes(strings.TrimSuffix(h.unicode, "."), h)
	return g.worst >= SeverityMedium
}

// looksTyped reports whether a link in a text reads as a URL and not as a
// name: it has a scheme, "www." or a path.
func looksTyped(l engine.Link) bool {
	c := l.Components()
	if l.Kind == engine.KindEmail {
		return false
	}
	return c.Scheme != "" || c.Path != "" || c.Query != "" || len(c.Host) > 4 && strings.EqualFold(c.Host[:4], "www.")
}

// isDecoration reports whether a character around a link says nothing: spaces,
// quotes, brackets, arrows.
func isDecoration(r rune) bool {
	return r <= ' ' || strings.ContainsRune("\u00a0\"'<>()[]{}.,:;!?*|-/\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2022\u2190\u2192\u21d2\u25b6\u25ba", r)
}

// registrable returns the registrable domain of a host, A-labels; of an IP
// address and of a public suffix the host itself.
func registrable(ascii string) string {
	ascii = strings.TrimSuffix(ascii, ".")
	if ascii == "" || isIP(ascii) {
		return ascii
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	if err != nil {
		return ascii
	}
	return domain
}

// fileSuffixes are top-level domains that are suffixes of file names as well:
// a lone README.md is no host.
var fileSuffixes = map[string]bool{
	"ai": true, "app": true, "cc": true, "md": true, "ml": true, "mov": true, "pl": true, "pm": true, "ps": true,
	"py": true, "rs": true, "sh": true, "so": true, "tf": true, "zip": true,
}
