package policy

import (
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
	opened := registrable(target.ASCIIHost())
	if opened == "" {
		return nil
	}
	g := judgement{judge: j}
	var worst Severity
	var shown engine.Link
	for _, link := range named {
		if domain := registrable(link.ASCIIHost()); domain == "" || domain == opened || link.Kind == engine.KindEmail && target.Kind != engine.KindEmail {
			continue
		}
		if s := j.mismatch(text, link, target); s > worst {
			worst, shown = s, link
		}
	}
	if worst != SeverityNone {
		g.add(CodeTextTargetMismatch, worst, shown.Components().Host,
			"the text names "+registrable(shown.ASCIIHost())+", the target is "+opened)
	}
	return g.findings
}

// mismatch returns how bad it is that a text names a link in another domain
// than the target.
func (j *Judge) mismatch(text string, named, target engine.Link) Severity {
	host := strings.TrimSuffix(named.ASCIIHost(), ".")
	protected := j.protected.covers(host)
	alone := strings.TrimFunc(text, isDecoration) == strings.TrimFunc(named.Text, isDecoration)
	switch {
	case isWrapped(registrable(host), target):
		return SeverityInfo
	case looksTyped(named):
		if protected {
			return SeverityHigh
		}
		return SeverityMedium
	case named.Kind == engine.KindEmail:
		switch {
		case protected && alone:
			return SeverityHigh
		case protected || alone:
			return SeverityMedium
		}
		return SeverityLow // "anna@example.com via List" is how lists write senders
	case protected:
		return SeverityMedium
	case alone && !fileSuffixes[lastLabel(host)]:
		return SeverityLow // a name such as Booking.com
	}
	return SeverityNone
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

// wrappers are domains of services that recipients' mail systems put before
// links to check them when they are opened.
var wrappers = map[string]bool{
	"safelinks.protection.outlook.com": true, "urldefense.com": true, "urldefense.proofpoint.com": true,
	"mimecast.com": true, "mimecastprotect.com": true, "linkprotect.cudasvc.com": true, "secure-web.cisco.com": true,
	"protection.sophos.com": true,
}

// isWrapped reports whether the target is a wrapper's and names the domain, as
// a name of its own, in what follows the host.
func isWrapped(domain string, target engine.Link) bool {
	host := strings.TrimSuffix(target.ASCIIHost(), ".")
	for !wrappers[host] {
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		host = rest
	}
	c := target.Components()
	rest := strings.ToLower(c.Path + "?" + c.Query)
	for {
		i := strings.Index(rest, domain)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(domain):]
		if !endsInName(before) && (after == "" || !isNameByte(after[0])) {
			return true
		}
		rest = after
	}
}

// endsInName reports whether a label goes on behind s. Escapes such as %2F, and
// -3A as Proofpoint writes them, are no part of a name.
func endsInName(s string) bool {
	if n := len(s); n >= 3 && (s[n-3] == '%' || s[n-3] == '-') && isHex(s[n-2]) && isHex(s[n-1]) {
		return false
	}
	return s != "" && s[len(s)-1] != '.' && isNameByte(s[len(s)-1])
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.'
}
