package engine

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxLocalPart is the length limit of a local-part in bytes (RFC 5321 §4.5.3.1.1).
const maxLocalPart = 64

// The reasons why a local-part is refused.
var (
	errLocalEmpty   = errors.New("the local-part is empty")
	errLocalLong    = errors.New("the local-part is longer than 64 octets")
	errLocalUTF8    = errors.New("the local-part is not UTF-8")
	errLocalControl = errors.New("the local-part holds a control character")
	errLocalQuote   = errors.New("the local-part needs quotation marks")
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

// localQuoter escapes the characters that a quoted local-part has only escaped.
var localQuoter = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// isControl reports whether a quoted string may not have r (RFC 5321 §4.1.2, RFC
// 6531 §3.3): the controls of ASCII. It reports those of Latin-1, too.
func isControl(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 }

// isLinkLocalPart reports whether detection finds the whole local-part (UTS #58
// §5.2).
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

// readableAddress is Readable for an e-mail address. Percent-escapes have a meaning
// only in a mailto: URL; there it decodes the local-part if it can show all of it.
func (l Link) readableAddress(form HostForm) string {
	local := l.userinfo()
	dst := make([]byte, 0, len(l.Text))
	dst = append(dst, l.Text[:l.bounds.schemeEnd]...)
	if l.bounds.schemeEnd > 0 {
		local = readableLocalPart(local)
	}
	dst = append(append(dst, local...), '@')
	dst = append(dst, l.displayHost(form)...)
	if rest := l.Text[l.bounds.portEnd:]; rest != "" {
		dst = appendReadableParts(dst, rest)
	}
	return string(dst)
}

// readableLocalPart decodes the local-part of a mailto: URL. It returns local
// unchanged if a character must stay escaped.
func readableLocalPart(local string) string {
	var decoded []byte
	for i := 0; i < len(local); {
		u := percent.Next(local[i:])
		switch {
		case u.Spelling == percent.Typed:
		case u.Spelling == percent.Stray, u.Rune < utf8.RuneSelf && !percent.IsUnreserved(u.Rune), isHidden(u.Rune):
			return local
		}
		if u.Spelling != percent.Typed && completesEscape(decoded, u.Rune) {
			return local
		}
		decoded = utf8.AppendRune(decoded, u.Rune)
		i += u.Size
	}
	if s := string(decoded); isLinkLocalPart(s) && norm.NFC.IsNormalString(s) {
		return s
	}
	return local
}
