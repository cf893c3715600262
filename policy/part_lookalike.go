package policy

import (
	"bytes"
	"fmt"
	"strings"
)

// partLookalike compares the parts of a label between hyphens with the names of
// protected domains. A part that is the name itself is reported where it pretends
// to be the domain, "secure-paypal.com.example.net", "paypal-com-login.net", and
// beside what phishing asks for in a name of one's own, "paypal-login.net".
func (g *judgement) partLookalike(label, after string, key []byte) bool {
	if strings.Count(label, "-") != bytes.Count(key, hyphen) {
		return false // a character that looks like a hyphen
	}
	for rest := label; ; {
		part, next, more := strings.Cut(rest, "-")
		partKey, nextKey, _ := bytes.Cut(key, hyphen)
		d, ok := g.judge.protected.words[string(partKey)]
		if !ok {
			d, ok = g.judge.protected.short[string(partKey)]
			ok = ok && part == d.word
		}
		if ok {
			if s, detail := g.partOf(d, part, next, label, after); s != SeverityNone {
				g.addHost(CodeLookalike, s, label, fmt.Sprintf(detail, asciiDomain(d)))
				return true
			}
		}
		if !more {
			return false
		}
		rest, key = next, nextKey
	}
}

var hyphen = []byte("-")

// partOf judges a part of a label that has the key of a protected name; next is
// the rest of the label, after what comes after it in the host. The detail has
// %s for the protected domain.
func (g *judgement) partOf(d *protected, part, next, label, after string) (s Severity, detail string) {
	if s := d.resemblance(part, d.word, ""); part != d.word && s != SeverityNone {
		return s, "a part looks like %s"
	}
	switch {
	case honest[part]:
	case next == "" && d.continues(after, g.judge.tlds):
		return SeverityMedium, "a part begins like a domain of %s, and is below another domain"
	case next == d.suffix, strings.HasPrefix(next, d.suffix+"-"):
		return SeverityMedium, "a part looks like %s without the dot"
	case !ordinary[d.word] && asksFor(label):
		if suffix, _ := publicSuffix(after); suffix {
			return SeverityMedium, "the name of %s beside a word that phishing uses"
		}
	}
	return SeverityNone, ""
}

// lures are words that phishing puts beside a name to ask for a password or
// payment. Owners of the names use them in paths and subdomains.
var lures = map[string]bool{
	"account": true, "accounts": true, "auth": true, "billing": true, "confirm": true, "id": true, "login": true,
	"logon": true, "password": true, "secure": true, "security": true, "signin": true, "support": true,
	"suspended": true, "unlock": true, "update": true, "verification": true, "verify": true, "wallet": true,
}

// asksFor reports whether a part of the label is one of lures.
func asksFor(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if lures[part] {
			return true
		}
	}
	return false
}
