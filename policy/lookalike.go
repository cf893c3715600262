package policy

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// lookalikes reports labels that look like the name of a protected domain,
// hosts that look like one, and hosts that begin with one and go on. name is
// the host in U-labels.
func (g *judgement) lookalikes(name string, h host) {
	p := g.judge.protected
	if p.covers(strings.TrimSuffix(h.ascii, ".")) {
		return
	}
	var keyBuf [320]byte
	keys := keyBuf[:0] // of all labels, with the dots between
	for label := range labels(name) {
		if len(keys) > 0 {
			keys = append(keys, '.')
		}
		keys = p.appendLabelKey(keys, label)
	}
	if h.typed != h.unicode && g.typedLookalike(h) {
		return
	}
	for rest := name; ; {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			return // the top-level domain
		}
		key := keys
		if i := bytes.IndexByte(keys, '.'); i >= 0 {
			key = keys[:i]
		}
		if g.wordLookalike(label, after, key) || g.domainLookalike(rest, keys) {
			return
		}
		rest, keys = after, keys[min(len(key)+1, len(keys)):]
	}
}

// typedLookalike reports labels that look like the name of a protected domain
// as they are in the text, where mapping makes other letters of them: an I
// that stood for an l.
func (g *judgement) typedLookalike(h host) bool {
	typed, mapped := withFullStops(h.typed), h.unicode
	if strings.Count(typed, ".") != strings.Count(mapped, ".") {
		return false // percent-escaped
	}
	var keyBuf, wordBuf [320]byte
	for label := range labels(typed) {
		var to string
		to, mapped, _ = strings.Cut(mapped, ".")
		d, ok := g.judge.protected.words[string(appendWordKey(wordBuf[:0], appendKey(keyBuf[:0], label)))]
		if !ok || to == d.word || mapped == "" || !looksWritten(label, d.word) || looksWritten(to, d.word) {
			continue
		}
		g.addHost(CodeLookalike, SeverityHigh, label, "as typed looks like "+asciiDomain(d))
		return true
	}
	return false
}

// wordLookalike compares a label, by its key, and what comes after it in the
// host with the names of protected domains. Hyphens do not count.
func (g *judgement) wordLookalike(label, after string, key []byte) bool {
	var buf [320]byte
	word := appendWordKey(buf[:0], key)
	p := g.judge.protected
	if d, ok := p.words[string(word)]; ok {
		if label != d.word {
			severity := d.resemblance(label, d.word, after)
			g.addHost(CodeLookalike, severity, label, "looks like "+asciiDomain(d))
			return severity != SeverityNone
		}
		if d.continues(after, g.judge.tlds) {
			g.addHost(CodeLookalike, SeverityMedium, label, "begins like a domain of "+asciiDomain(d)+", and is below another domain")
			return true
		}
		return false
	}
	if d, ok := p.short[string(word)]; ok {
		return g.shortLookalike(d, label, after)
	}
	if d, ok := p.joined[string(word)]; ok {
		g.addHost(CodeLookalike, SeverityMedium, label, "looks like "+asciiDomain(d)+" without the dot")
		return true
	}
	if rest, ok := bytes.CutPrefix(word, wwwKey); ok {
		if d, ok := p.words[string(rest)]; ok {
			g.addHost(CodeLookalike, SeverityMedium, label, "looks like www."+asciiDomain(d)+" without the dot")
			return true
		}
	}
	return bytes.IndexByte(key, '-') >= 0 && g.partLookalike(label, after, key)
}

// shortLookalike judges a label that has the key of a protected name which is too
// short to say anything by itself: only before its suffix and another domain.
func (g *judgement) shortLookalike(d *protected, label, after string) bool {
	if !goesOn(after, d.suffix) || isSuffix(after) || !looksWritten(label, d.word) {
		return false
	}
	severity := SeverityHigh
	if label == d.word {
		severity = SeverityMedium
	}
	g.addHost(CodeLookalike, severity, label, "begins like "+asciiDomain(d)+", and is below another domain")
	return true
}

// wwwKey is the key of "www".
var wwwKey = []byte(wordKey("www"))

// domainLookalike compares the rest of a host, by its key, with protected
// domains.
func (g *judgement) domainLookalike(rest string, key []byte) bool {
	d, ok := g.judge.protected.domains[string(key)]
	if !ok || rest == d.domain {
		return false
	}
	g.addHost(CodeLookalike, d.resemblance(rest, d.domain, d.suffix), rest, "looks like "+asciiDomain(d))
	return true
}

// minFar is the number of code points that a name must have for a label that
// differs by an accent, a hyphen, vv or an i to be compared with it below any
// top-level domain. Shorter ones are near honest words: "äpple" is an apple.
const minFar = 7

// resemblance returns how bad it is that the key of s, a label or domain that
// ends in the suffix, is that of the name.
func (d *protected) resemblance(s, name, suffix string) Severity {
	label, _, _ := strings.Cut(s, ".")
	switch {
	case looksWritten(s, name):
		return SeverityHigh
	case honest[label]:
		return SeverityNone
	case s == strings.ReplaceAll(name, "-", ""):
		return SeverityNone // most owners have both
	case suffix == d.suffix, utf8.RuneCountInString(name) >= minFar:
		return SeverityMedium
	}
	return SeverityNone
}

// asciiDomain returns the protected domain as A-labels, fit for a log.
func asciiDomain(d *protected) string {
	ascii, err := idna.Punycode.ToASCII(d.domain)
	if err != nil {
		return "a protected domain"
	}
	return ascii
}
