// Package hostname checks and converts the names of hosts in the configuration, in
// addresses and in hosts that package engine found. Package engine reads names in the
// text of messages, as browsers do.
package hostname

import (
	"fmt"
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// The limits of the DNS in bytes (RFC 1035 §2.3.4); that of a name is for its text
// form without a final dot.
const (
	MaxLabel = 63
	MaxName  = 253
)

// IsHost reports whether s is the name of a host: labels of letters, digits and
// inner hyphens, without a final dot (RFC 1123 §2.1).
func IsHost(s string) bool { return !strings.Contains(s, "_") && IsDomain(s) }

// IsDomain reports whether s is a name that the DNS may hold: as IsHost, and its
// labels may have underscores, such as "_domainkey" (RFC 8552).
func IsDomain(s string) bool {
	if len(s) > MaxName {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > MaxLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !ascii.IsAlphanumeric(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}

// IsLiteral reports whether s is an IP address in brackets, such as "[192.0.2.1]" or
// "[IPv6:2001:db8::1]" (RFC 5321 §4.1.3).
func IsLiteral(s string) bool {
	inner, opened := strings.CutPrefix(s, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	_, err := netip.ParseAddr(strings.TrimPrefix(inner, "IPv6:"))
	return opened && closed && err == nil
}

// ASCII returns a domain name in lower case and A-labels, without a final dot. The
// error is for a name that [IsDomain] refuses.
func ASCII(domain string) (string, error) {
	domain = strings.TrimSuffix(domain, ".")
	if lower := strings.ToLower(domain); IsDomain(lower) && !strings.Contains(lower, "xn--") {
		return lower, nil
	}
	name, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return "", err
	}
	if !IsDomain(name) {
		return "", fmt.Errorf("host name %q: not valid (want mx.example.com)", domain)
	}
	return name, nil
}

// Canonical returns a domain name for comparison: A-labels in lower case, without a final dot. Any
// other text comes back in lower case, so it equals only itself.
func Canonical(domain string) string {
	domain = strings.TrimSuffix(domain, ".")
	if name, err := idna.Lookup.ToASCII(domain); err == nil {
		return name
	}
	return strings.ToLower(domain)
}

// Registrable returns the domain below a public suffix that a host, A-labels in lower
// case, belongs to. A public suffix and an IP address belong to themselves. The result
// has no final dot.
func Registrable(host string) string {
	host = strings.TrimSuffix(host, ".")
	if IsIP(host) {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// IsIP reports whether a host in ASCII form is an IP address: IPv6 in brackets, or
// IPv4, because no top-level domain consists of digits.
func IsIP(host string) bool {
	if strings.HasPrefix(host, "[") {
		return true
	}
	last := LastLabel(host)
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// LastLabel returns the last label of a host, ignoring a final dot.
func LastLabel(host string) string {
	host = strings.TrimSuffix(host, ".")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// acePrefix begins an A-label (RFC 5890 §2.3.2.1).
const acePrefix = "xn--"

// Unicode returns a host, which is in lower case, with U-labels in place of its
// A-labels. An A-label with broken Punycode stays (RFC 3492).
func Unicode(host string) string {
	if !strings.Contains(host, acePrefix) {
		return host
	}
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if strings.HasPrefix(label, acePrefix) {
			if u, err := idna.Punycode.ToUnicode(label); err == nil {
				labels[i] = u
			}
		}
	}
	return strings.Join(labels, ".")
}

// FullStops returns the host with its separators of labels as full stops (UTS #46
// §2.3).
func FullStops(host string) string {
	if ascii.Is(host) {
		return host
	}
	return labelDots.Replace(host)
}

// labelDots replaces these separators with full stops.
var labelDots = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")
