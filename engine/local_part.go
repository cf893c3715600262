package engine

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// maxLocalPart is the length limit of a local-part in bytes (RFC 5321 §4.5.3.1.1).
const maxLocalPart = 64

// localStart returns the start of the local-part in ASCII that ends at the offset end, at floor or
// after it.
func localStart(text string, end, floor int) int {
	for end > floor && byteClass[text[end-1]]&localByte != 0 {
		end--
	}
	return end
}

// mailtoStart returns the start of "mailto:" before the local-part in ASCII that ends at the offset
// end, at floor or after it, or -1.
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
