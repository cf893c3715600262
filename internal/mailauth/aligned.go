package mailauth

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// AuthenticatedFrom reports whether the results say that a message is from the
// domain of its From field. DMARC decides if it has a result. Otherwise DKIM or SPF
// must have passed for an aligned domain: one with the same registrable domain
// (RFC 7489 §3.1, relaxed).
func AuthenticatedFrom(results []Result, from string) bool {
	from, err := hostname.ASCII(strings.ToLower(from))
	if err != nil {
		return false
	}
	told := slices.ContainsFunc(results, func(r Result) bool { return r.method == "dmarc" && r.value != "none" })
	for _, r := range results {
		if r.value != "pass" {
			continue
		}
		switch {
		case r.method == "dmarc":
			if aligned(from, r.properties["header.from"]) {
				return true
			}
		case told: // DMARC has evaluated DKIM and SPF
		case r.method == "dkim":
			if aligned(from, r.properties["header.d"]) || r.properties["header.d"] == "" && aligned(from, r.properties["header.i"]) {
				return true
			}
		case r.method == "spf":
			if aligned(from, r.properties["smtp.mailfrom"]) {
				return true
			}
		}
	}
	return false
}

// aligned reports whether identity, an address or a domain, has the same
// registrable domain as domain.
func aligned(domain, identity string) bool {
	identity = identity[strings.LastIndexByte(identity, '@')+1:]
	identity, err := hostname.ASCII(strings.ToLower(identity))
	return err == nil && (identity == domain || hostname.Registrable(identity) == hostname.Registrable(domain))
}

// FailedFrom reports whether DMARC failed for a domain of From, and no seal (ARC) of a forwarder vouches for
// the message.
func FailedFrom(results []Result, from string) bool {
	failed := false
	for _, r := range results {
		switch {
		case r.method == "arc" && r.value == "pass", r.method == "dmarc" && r.value == "pass":
			return false
		case r.method == "dmarc" && r.value == "fail":
			said := r.properties["header.from"]
			failed = failed || from != "" && (said == "" || aligned(from, said))
		}
	}
	return failed
}

// Passed returns the domains of signatures that passed, and whether SPF passed for a domain of the
// envelope.
func Passed(results []Result, envelope string) (signed []string, spf bool) {
	for _, r := range results {
		if r.value != "pass" {
			continue
		}
		switch domain := r.properties["header.d"]; {
		case r.method == "dkim" && domain != "":
			signed = append(signed, hostname.Canonical(strings.ToLower(domain)))
		case r.method == "spf":
			spf = spf || envelope != "" && aligned(envelope, r.properties["smtp.mailfrom"])
		}
	}
	return signed, spf
}
