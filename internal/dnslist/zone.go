package dnslist

import (
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// A Format says what the answers of a zone mean.
type Format string

// The formats.
const (
	FormatAuto  Format = "auto"  // by the name of the zone
	FormatDBL   Format = "dbl"   // Spamhaus DBL and ZRD: 127.0.1.2 and above
	FormatSURBL Format = "surbl" // a bit for each list, from 4 on
	FormatURIBL Format = "uribl" // black is 2, grey 4, red 8
	FormatAny   Format = "any"   // any answer in 127.0.0.0/8 (RFC 5782)
)

// A Zone is a block list.
type Zone struct {
	Name     string // for people: a zone may have a secret key in it
	Zone     string // the domain to ask below, such as dbl.spamhaus.org
	Format   Format
	Watch    bool            // a listing is only reported
	Severity policy.Severity // none: high, or info for Watch
}

// Validate returns an error that begins with the key of a wrong value.
func (z *Zone) Validate() error {
	const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	switch {
	case z.Name == "" || strings.Trim(z.Name, nameChars) != "":
		return fmt.Errorf("name: %q: not only ASCII letters, digits and hyphens (want dbl)", z.Name)
	case !hostname.IsHost(z.Zone) || !strings.Contains(z.Zone, "."):
		return fmt.Errorf("zone: %q: not a domain (want dbl.spamhaus.org)", z.Zone)
	case len(z.Zone) > hostname.MaxName/2:
		return fmt.Errorf("zone: %q: too long", z.Zone)
	}
	return nil
}

// format returns the format of the answers.
func (z *Zone) format() Format {
	if z.Format != FormatAuto && z.Format != "" {
		return z.Format
	}
	for label := range strings.SplitSeq(strings.ToLower(z.Zone), ".") {
		switch label {
		case "dbl", "zrd":
			return FormatDBL
		case "surbl":
			return FormatSURBL
		case "uribl":
			return FormatURIBL
		}
	}
	return FormatAny
}

// severity returns the severity of a listing.
func (z *Zone) severity() policy.Severity {
	switch {
	case z.Severity != policy.SeverityNone:
		return z.Severity
	case z.Watch:
		return policy.SeverityInfo
	}
	return policy.SeverityHigh
}

// question returns what to ask about a host, A-labels in lower case, and false for a host about which the
// lists must not be asked: the DBL refuses addresses. Lists have registrable domains, and know nothing of
// names of one's own network.
func (z *Zone) question(host string) (string, bool) {
	if hostname.IsIP(host) {
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is4() || z.format() == FormatDBL || !ip.IsGlobalUnicast() || ip.IsPrivate() {
			return "", false
		}
		b := ip.As4()
		return fmt.Sprintf("%d.%d.%d.%d.%s.", b[3], b[2], b[1], b[0], z.Zone), true
	}
	suffix, isRegistry := publicsuffix.PublicSuffix(host)
	domain := hostname.Registrable(host)
	switch {
	case domain == suffix, !isRegistry && !strings.Contains(suffix, "."), strings.HasSuffix(domain, ".arpa"):
		return "", false // no registrable domain, or no top-level domain that exists
	case isReserved(domain), !hostname.IsHost(domain), len(domain)+len(z.Zone)+2 > hostname.MaxName:
		return "", false
	}
	return domain + "." + z.Zone + ".", true
}

// isReserved reports whether a domain is one of examples (RFC 2606 §3).
func isReserved(domain string) bool {
	return domain == "example.com" || domain == "example.net" || domain == "example.org"
}

// A meaning is what an address in an answer says.
type meaning uint8

const (
	notListed meaning = iota
	listed
	refused // the list does not answer this resolver, or the question was wrong
	foreign // not an answer of a list: a resolver that answers in place of NXDOMAIN
)

// meaning returns what an address says.
func (z *Zone) meaning(a [4]byte) meaning {
	if a[0] != 127 {
		return foreign
	}
	if a[1] == 255 && a[2] == 255 {
		return refused // Spamhaus: 252 a typing error, 254 a public resolver, 255 too many questions
	}
	switch bits := a[3]; z.format() {
	case FormatDBL:
		if a[1] != 0 || a[2] != 1 && a[2] != 2 || bits < 2 {
			return foreign
		}
		if bits == 255 {
			return refused // it was asked about an address
		}
		return listed
	case FormatSURBL:
		if a[1] != 0 || a[2] != 0 || bits == 1 {
			return refused // 127.0.0.1: the resolver is blocked
		}
		return listed
	case FormatURIBL:
		switch {
		case a[1] != 0 || a[2] != 0 || bits == 1 || bits == 255:
			return refused
		case bits&2 != 0:
			return listed
		}
		return notListed // grey has newsletters, red is automatic
	}
	if a[1] == 0 && a[2] == 0 && a[3] == 1 {
		return refused // RFC 5782 §5: a list must not have it
	}
	return listed
}
