package engine

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
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

// mailto returns the mailto: URL of an e-mail address (RFC 6068), with percent-escapes in the local
// part and A-labels in the domain.
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
		// Detection takes ?to=joe in front of the "@" for a local-part (UTS #58 §5.2). The link opens
		// as typed: with a header field.
		keep += "?&=/"
	}
	dst = appendMailto(dst, l.userinfo(), keep, isURL)
	dst = append(append(dst, '@'), domain...)
	return string(appendMailto(dst, l.Text[l.bounds.portEnd:], "!$'()*+,;:@?&=/", true))
}

// appendMailto appends a part of a mailto: URL. It percent-escapes all characters that are neither
// unreserved nor in keep. If the text comes from a URL, its escapes stay.
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

// maxLocalPart is the length limit of a local-part in bytes (RFC 5321 §4.5.3.1.1).
const maxLocalPart = 64

// localStart returns the start of the ASCII local-part that ends at the offset end. It does not go
// below floor.
func localStart(text string, end, floor int) int {
	for end > floor && byteClass[text[end-1]]&localByte != 0 {
		end--
	}
	return end
}

// mailtoStart returns the offset of a "mailto:" directly in front of the ASCII local-part that ends at
// the offset end, or -1. It does not go below floor.
func mailtoStart(text string, end, floor int) int {
	i := localStart(text, end, max(floor, end-maxLocalPart))
	start := i - len(mailtoPrefix)
	if i == end || start < floor || !strings.EqualFold(text[start:i], mailtoPrefix) {
		return -1
	}
	return start
}

// The reasons why a local-part is refused.
var (
	errLocalEmpty   = errors.New("the local-part is empty")
	errLocalLong    = errors.New("the local-part is longer than 64 bytes")
	errLocalUTF8    = errors.New("the local-part is not UTF-8")
	errLocalControl = errors.New("the local-part holds a control character")
	errLocalQuote   = errors.New("the local-part needs quotation marks")
)

// localQuoter escapes the characters that a quoted local-part cannot have bare.
var localQuoter = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// isControl reports whether r is an ASCII control character, which a quoted string may not have (RFC
// 5321 §4.1.2, RFC 6531 §3.3), or one of Latin-1.
func isControl(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 }

// isLinkLocalPart reports whether detection finds the whole local-part (UTS #58 §5.2).
func isLinkLocalPart(s string) bool {
	if s == "" || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '.' && !ucd.LinkEmail(r) })
}

// checkLocalPart returns an error unless s, as typed, is the local-part of an
// address: a quoted string or atoms (RFC 5322 §3.4.1, RFC 6532 §3.2).
func checkLocalPart(s string) error {
	switch {
	case s == "":
		return errLocalEmpty
	case strings.ContainsFunc(s, isControl):
		return errLocalControl
	case len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"':
		return nil
	case strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, ".."):
		return errLocalQuote
	case strings.ContainsFunc(s, func(r rune) bool {
		return r < utf8.RuneSelf && r != '.' && !ucd.LinkEmail(r) || ucd.IsWhiteSpace(r)
	}):
		return errLocalQuote
	}
	return nil
}
