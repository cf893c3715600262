package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// FormatAddress returns an e-mail address with as little quoting as detection and
// mail programs need (UTS #58 §5.3). The local-part is plain data, neither quoted
// nor escaped, of at most 64 bytes. FormatAddress quotes it unless it has only
// Link_Email characters with single dots between them. The domain may have A-labels
// or U-labels and comes out with U-labels. It returns an error for a local-part that
// RFC 6531 does not allow and for an invalid domain.
func FormatAddress(localPart, domain string) (string, error) {
	switch {
	case localPart == "":
		return "", errLocalEmpty
	case len(localPart) > maxLocalPart:
		return "", errLocalLong
	case !utf8.ValidString(localPart):
		return "", errLocalUTF8
	case strings.ContainsFunc(localPart, isControl):
		return "", errLocalControl
	}
	ascii, err := hostToASCII(domain)
	if err != nil {
		return "", err
	}
	if !isLinkLocalPart(localPart) {
		localPart = `"` + localQuoter.Replace(localPart) + `"`
	}
	return localPart + "@" + displayHost(domain, ascii, HostUnicode), nil
}

// mailto returns the mailto: URL of an e-mail address (RFC 6068): the
// local-part in ASCII by percent-escapes, the domain as A-labels.
func (l Link) mailto() string {
	domain := l.ASCIIHost()
	if domain == "" {
		return ""
	}
	var room [256]byte
	dst := append(room[:0], mailtoPrefix...)
	isURL := l.bounds.schemeEnd > 0
	keep := "!$'*+"
	if isURL {
		// Detection takes ?to=joe before the "@" for a local-part (UTS #58 §5.2). The
		// link opens as typed: with a field.
		keep += "?&=/"
	}
	dst = appendMailto(dst, l.userinfo(), keep, isURL)
	dst = append(append(dst, '@'), domain...)
	return string(appendMailto(dst, l.Text[l.bounds.portEnd:], "!$'()*+,;:@?&=/", true))
}

// appendMailto appends a part of a mailto: URL. It percent-escapes all characters
// but the unreserved and those in keep. If the text comes from a URL, its escapes
// stay, too.
func appendMailto(dst []byte, s, keep string, isURL bool) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		_, isEscape := percent.Byte(s[i:])
		switch {
		case isEscape && isURL:
			dst = append(dst, s[i:i+3]...)
			i += 2
		case percent.IsUnreserved(c) || strings.IndexByte(keep, c) >= 0:
			dst = append(dst, c)
		default:
			dst = percent.Append(dst, s[i:i+1])
		}
	}
	return dst
}
