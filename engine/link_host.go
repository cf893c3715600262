package engine

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxHost is the length in bytes from which on a host as typed is refused unread, since Punycode takes
// quadratic time. 253 bytes of A-labels come from at most 253 characters of 4 bytes, or of 12 bytes if
// escaped.
const maxHost = 253 * 12

// lookup is the processing of UTS #46 §4 in browsers: non-transitional, CheckBidi,
// CheckJoiners; without CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength (WHATWG
// URL, domain to ASCII).
var lookup = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(false),
	idna.Transitional(false),
)

// The reasons why a host is refused.
var (
	errHostEmpty  = errors.New("the host is missing")
	errHostLong   = errors.New("the host is too long")
	errHostUTF8   = errors.New("the host is not UTF-8")
	errEmptyLabel = errors.New("a label of the host is empty")
	errACE        = errors.New("a label of the host is not valid Punycode")
)

// ASCIIHost returns the host for a DNS lookup: in lower case, with A-labels by UTS #46 ToASCII
// (non-transitional). An IP address is in the spelling of the WHATWG URL standard, an IPv6 address in
// brackets. A final dot stays. ASCIIHost returns "" for a host that a browser would not open.
//
// Detection or [ParseLink] converts a non-ASCII host once. For most other hosts ASCIIHost returns the
// host itself.
func (l Link) ASCIIHost() string {
	if l.ascii != "" {
		return l.ascii
	}
	ascii, err := hostToASCII(l.host())
	if err != nil {
		return ""
	}
	return ascii
}

// UnicodeHost returns the host with U-labels by UTS #46 ToUnicode. Otherwise it is like ASCIIHost: an
// IPv6 address is in brackets, and a host that a browser would not open is "". Package policy says
// whether it is safe to show.
func (l Link) UnicodeHost() string {
	return hostToUnicode(l.ASCIIHost())
}

// hostToASCII is the host parser of the WHATWG URL standard for web schemes. It also refuses empty
// labels, which no name in the DNS has.
func hostToASCII(host string) (string, error) {
	switch {
	case host == "":
		return "", errHostEmpty
	case len(host) > maxHost:
		return "", errHostLong
	case isOrdinaryHost(host), isIPv4(host):
		return host, nil
	}
	return asciiOfAnyHost(host)
}

// asciiOfAnyHost is hostToASCII without its limit of length and its shortcuts.
func asciiOfAnyHost(host string) (string, error) {
	switch {
	case host[0] == '[':
		return ipv6(host)
	case isBareIPv6(host):
		return ipv6("[" + host + "]")
	}
	name := percent.Decode(host)
	if !utf8.ValidString(name) {
		return "", errHostUTF8
	}
	if isPlainHost(name) {
		name = strings.ToLower(name)
	} else {
		ascii, err := lookup.ToASCII(name)
		if err != nil {
			return "", fmt.Errorf("host %q: %w", host, err)
		}
		if err := checkDecoded(ascii); err != nil {
			return "", fmt.Errorf("host %q: %w", host, err)
		}
		name = ascii
	}
	if i := strings.IndexFunc(name, isForbidden); i >= 0 {
		return "", fmt.Errorf("host %q: %q is not allowed", host, name[i])
	}
	if hasEmptyLabel(name) {
		return "", fmt.Errorf("host %q: %w", host, errEmptyLabel)
	}
	if endsInNumber(name) {
		return ipv4(name)
	}
	return name, nil
}

// isOrdinaryHost reports whether a host is its own ASCII form. It is true for nearly all such hosts:
// those without a final dot, whose labels have lower-case letters, digits, underscores and single
// hyphens, and so are no A-labels. The last label begins with a letter, so it is not a number.
func isOrdinaryHost(host string) bool {
	start := 0 // start of the current label
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '_':
		case c == '-' && (i == 0 || host[i-1] != '-'):
		case c == '.' && i > start:
			start = i + 1
		default:
			return false
		}
	}
	return start < len(host) && 'a' <= host[start] && host[start] <= 'z'
}

// hostToUnicode is UTS #46 ToUnicode for a host that hostToASCII returned.
func hostToUnicode(ascii string) string {
	if !hasACE(ascii) {
		return ascii
	}
	u, err := lookup.ToUnicode(ascii)
	if err != nil {
		return ascii
	}
	return u
}

// isPlainHost reports whether a host is its own ASCII form, apart from letter case: it is ASCII and has
// no A-label.
func isPlainHost(host string) bool { return ascii.Is(host) && !hasACE(host) }

// hasACE reports whether a label of the host begins with the ACE prefix.
func hasACE(host string) bool {
	for i := 0; i+4 <= len(host); i++ {
		if (i == 0 || host[i-1] == '.') && strings.EqualFold(host[i:i+4], acePrefix) {
			return true
		}
	}
	return false
}

// checkDecoded refuses A-labels that x/net/idna accepts against UTS #46 §4.1
// criterion 4: the empty one ("xn--") and the A-label of an A-label
// ("xn--xn---epa").
func checkDecoded(ascii string) error {
	u, err := lookup.ToUnicode(ascii)
	if err != nil {
		return err
	}
	if hasACE(u) {
		return errACE
	}
	return nil
}

// hasEmptyLabel reports whether a label is empty. The empty label after a final dot does not count.
func hasEmptyLabel(name string) bool {
	name = strings.TrimSuffix(name, ".")
	return name == "" || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, "..")
}

// isForbidden reports whether r is a forbidden domain code point of the WHATWG URL
// standard.
func isForbidden(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune(`#/:<>?@[\]^|%`, r)
}

// ipv4 returns an IPv4 address as four decimal numbers, given in any notation of the WHATWG URL
// standard.
func ipv4(name string) (string, error) {
	// The library accepts signs in numbers.
	if strings.Trim(name, "0123456789abcdefx.") != "" {
		return "", fmt.Errorf("host %q is not an IPv4 address", name)
	}
	return parseIP(name)
}

// ipv6 returns an IPv6 address, given in brackets, in its shortest spelling.
func ipv6(host string) (string, error) {
	inner, closed := strings.CutSuffix(host[1:], "]")
	if !closed || strings.Trim(inner, "0123456789abcdefABCDEF:.") != "" {
		return "", fmt.Errorf("host %q is not an IPv6 address", host)
	}
	return parseIP(host)
}

// isBareIPv6 reports whether a host is an IPv6 address without brackets, which
// detection accepts after a scheme although browsers do not.
func isBareIPv6(host string) bool { return host != "" && host[0] != '[' && strings.Contains(host, ":") }

// parseIP passes an address to the URL parser.
func parseIP(host string) (string, error) {
	u, err := whatwg.Parse("http://" + host)
	if err != nil {
		return "", fmt.Errorf("host %q is not an IP address: %w", host, err)
	}
	return u.Hostname(), nil
}

// A HostForm says how [Link.Readable] writes the host.
type HostForm uint8

// The forms of a host.
const (
	HostUnicode HostForm = iota // U-labels
	HostASCII                   // A-labels
	HostAsTyped                 // as in the text, unless it has invisible characters
)

// displayHost returns a typed host in the wanted form. ascii is its ASCII form, or "" if it has none.
// The host stays as typed if it is ASCII without A-labels, or if only its letter case would change. If
// the Unicode tables do not agree, a non-ASCII host stays, too.
func displayHost(host, ascii string, form HostForm) string {
	if isPlainHost(host) && !strings.Contains(host, "%") || !TablesAgree() {
		return host
	}
	if ascii == "" {
		return host
	}
	switch form {
	case HostASCII:
		return ascii
	case HostAsTyped:
		if isVisible(host) {
			return host
		}
		return ascii
	}
	u := hostToUnicode(ascii)
	back, err := hostToASCII(u)
	if err != nil || back != ascii || !isVisible(u) {
		return ascii
	}
	if isVisible(host) && foldHost(host) == u {
		return host
	}
	return u
}

// foldHost removes differences that readers may ignore: letter case, normalisation, and which of the
// four dots separates labels.
func foldHost(host string) string {
	return norm.NFC.String(strings.ToLower(labelDots.Replace(host)))
}

// TablesAgree reports whether package unicode, golang.org/x/net/idna and golang.org/x/text/unicode/norm
// have the Unicode version that detection expects for hosts. An older release of Go has older tables:
// hosts map differently, and some valid ones are refused. Then do not change a link whose host is not
// ASCII. For paths, queries and fragments the package has its own tables, of a later version.
func TablesAgree() bool {
	return unicode.Version == ucd.IDNAVersion &&
		idna.UnicodeVersion == ucd.IDNAVersion &&
		norm.Version == ucd.IDNAVersion
}
