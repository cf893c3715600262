package pattern

import (
	"fmt"
	"mime"
	"net/netip"
	"strings"
	"unicode"
)

// meantDomain guesses the pattern of domains that an author meant who wrote a URL, a host with a
// port, an address, or a domain with a star.
func meantDomain(text string) string {
	s := strings.TrimSpace(text)
	if _, rest, found := strings.Cut(s, "://"); found {
		s = rest
	}
	s, _, _ = strings.Cut(s, "/")
	s = s[strings.LastIndexByte(s, '@')+1:]
	s, _, _ = strings.Cut(s, ":")
	s = strings.TrimSuffix(strings.TrimPrefix(s, "*"), ".")
	if isIPv4(strings.TrimPrefix(s, ".")) {
		return strings.TrimPrefix(s, ".")
	}
	return s
}

// meantAddress guesses the pattern of addresses that an author meant who wrote a domain, an address
// with a name or in angle brackets, or one with a star.
func meantAddress(text string) string {
	s := text
	if _, inner, found := strings.Cut(s, "<"); found {
		s, _, _ = strings.Cut(inner, ">")
	}
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "mailto:"), ".")
	i := strings.LastIndexByte(s, '@')
	local, domain := s[:max(i, 0)], s[i+1:]
	switch below, isBelow := strings.CutPrefix(strings.TrimPrefix(domain, "*"), "."); {
	case isBelow:
		return "." + below
	case isLocalPart(local):
		return local + "@" + domain
	default:
		return "@" + domain
	}
}

// isIPv4 reports whether s is an IPv4 address as hosts are compared.
func isIPv4(s string) bool {
	address, err := netip.ParseAddr(s)
	return err == nil && address.Is4()
}

// CheckAddressGlob refuses a glob that matches no address.
func CheckAddressGlob(glob string) error {
	i := strings.LastIndexByte(glob, '@')
	local, domain := glob[:max(i, 0)], glob[i+1:]
	inHost := strings.ReplaceAll(strings.Trim(domain, "*"), "*", "x") // for the check, each star stands for a letter
	isOK := i > 0 && isLocalPart(strings.ReplaceAll(local, "*", "x")) &&
		(strings.Trim(inHost, ".") == "" && domain != inHost || isDomain(strings.Trim(inHost, "."))) &&
		(strings.HasPrefix(domain, "*") || !strings.HasPrefix(domain, ".")) && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..")
	if isOK {
		return nil
	}
	meant := meantAddress(glob)
	name := strings.TrimPrefix(meant, "@")
	switch {
	case strings.Trim(name, "*@") == "":
		meant = "noreply@*"
	case i < 0 && !strings.Contains(name, ".") && isLocalPart(name):
		meant = name + "@*" // a local part alone
	case strings.HasPrefix(meant, "@"):
		meant = "*" + meant
	case strings.HasPrefix(meant, "."):
		meant = "*@*" + meant
	}
	if meant == glob || !strings.HasSuffix(meant, "@*") && !isAddresses(shorter(meant)) {
		meant = "noreply@*"
	}
	return fmt.Errorf("pattern %q: matches no address (want %q)", glob, meant)
}

func isDomain(s string) bool {
	_, _, ok := readDomain(s)
	return ok
}

// CheckLinkGlob refuses a glob that matches no text of a link.
func CheckLinkGlob(glob string) error {
	if strings.ContainsFunc(glob, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return fmt.Errorf("pattern %q: matches no link, which has no white space (want %q)", glob, "node.js")
	}
	return nil
}

// CheckFieldGlob refuses a glob that matches no value of a header field, which has no white space at
// its ends, no line breaks, and encoded words (RFC 2047) decoded.
func CheckFieldGlob(glob string) error {
	meant := glob
	if decoded, err := new(mime.WordDecoder).DecodeHeader(glob); err == nil {
		meant = decoded
	}
	meant = strings.TrimSpace(strings.NewReplacer("\r\n", "", "\r", "", "\n", "").Replace(meant))
	switch meant {
	case glob:
		return nil
	case "":
		meant = "*"
	}
	return fmt.Errorf("pattern %q: matches no value, which is without encoding, line breaks and white space at its ends (want %q)", glob, meant)
}
