package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// This file finds names in front of the domain of another owner.

// nameBefore reports a name of the operator with a lure, or a whole domain of a brand, in front of
// the domain of another owner: "northgate-login.example.net", "dhl.de.parcel.example.net".
func nameBefore(h linkHost, set *protectedSet) Finding {
	domain, name := h.registrable(), h.name()
	const shortest = minOwnTyped + len("id")
	if domain == "" || len(name) < len(domain)+shortest {
		return Finding{}
	}
	before := name[:len(name)-len(domain)-1]
	if len(set.own) == 0 && strings.IndexByte(before, '.') < 0 || h.isOfCustomers() {
		return Finding{}
	}
	for label := range labelsOf(before) {
		for _, d := range set.ownBesideLure(label) {
			if !set.isOwnersOf(h.domain) || isOfAnybody(h.ascii) {
				return besideLure.finding(label, d.shown())
			}
		}
	}
	if set.withoutBrands {
		return Finding{}
	}
	return brandBefore(h, before, domain)
}

// ownBesideLure returns the domain of the operator whose name is in a label beside a lure or a word
// of payments.
func (p *protectedSet) ownBesideLure(label string) namesakes {
	if len(label) < minOwnTyped+len("id") {
		return nil
	}
	shape, words := "", inShape()
	for _, d := range p.own {
		if !d.isLong() {
			continue
		}
		if shape == "" {
			shape = shapeOf(label)
		}
		if len(shape) > len(d.shape) && strings.Contains(shape, d.shape) && words.hasLureAround(shape, d.shape) && words.hasAddedWord(shape, d.shape, true) {
			return namesakes{d}
		}
	}
	return nil
}

// brandBefore reports a domain of a brand in front of the domain of another owner. It excuses
// libraries, whose proxies open sites under such hosts.
func brandBefore(h linkHost, before, domain string) Finding {
	if strings.Count(before, ".") == 0 || strings.Contains(h.name(), "proxy") || strings.Contains(h.name(), "-dot-") {
		return Finding{}
	}
	for rest := before; ; {
		label, after, ok := strings.Cut(rest, ".")
		if !ok {
			return Finding{}
		}
		name := rest
		for name != label {
			if owner, ok := brands().exact(name); ok && len(label) > 1 && !brands().sameOwner(name, h.domain) && !owner.pages {
				return beforeDomain.finding(label, name, hostname.Canonical(domain))
			}
			name = name[:strings.LastIndexByte(name, '.')]
		}
		rest = after
	}
}

// afterScheme returns the rest of a label after what reads as a scheme: "www-example" of
// "https--www-example".
func afterScheme(label string) string {
	for _, scheme := range [...]string{"https--", "http--", "https-", "http-"} {
		if rest, ok := strings.CutPrefix(label, scheme); ok {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, "www-"), "www")
			return rest
		}
	}
	return ""
}

// schemeInLabel reports a domain whose label reads as a URL: "https--www-example.com".
func schemeInLabel(h linkHost) Finding {
	label, suffix, ok := strings.Cut(h.registrable(), ".")
	if !ok || len(label) < len("http-") || label[:4] != "http" {
		return Finding{}
	}
	rest := afterScheme(label)
	if rest == "" {
		return Finding{}
	}
	site := rest + "." + suffix
	if _, isBrand := brands().exact(hostname.Canonical(site)); isBrand || popularSites().has(site) {
		return schemeAsLabel.finding(label, hostname.Canonical(site))
	}
	return Finding{}
}
