// Package scheme knows which schemes of URLs linkmilter treats in which way. Names
// are in lower case, as [Name] returns them.
package scheme

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Mailto is the scheme of e-mail addresses (RFC 6068).
const Mailto = "mailto"

// Linked are the schemes that detection finds in a text, before "://" and a host. The order matters
// to code that takes the first name that fits: a name comes before the names with which it begins
// or ends, as "https" comes before "http".
var Linked = [...]string{"https", "http", "ftp"}

// Web are the schemes of URLs with a host that browsers open: the special schemes of the WHATWG URL
// standard, except file.
var Web = [...]string{"http", "https", "ftp", "ws", "wss"}

// Name returns the scheme of an absolute URL in lower case, without the colon, and
// what follows the colon. It returns "" and url for a relative URL (RFC 3986 §3.1).
func Name(url string) (name, rest string) {
	for i := range len(url) {
		switch c := url[i]; {
		case ascii.IsLetter(c):
		case i > 0 && (ascii.IsDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(url[:i]), url[i+1:]
		default:
			return "", url
		}
	}
	return "", url
}

// IsLinked reports whether name is one of [Linked].
func IsLinked(name string) bool { return slices.Contains(Linked[:], name) }

// IsWeb reports whether name is one of [Web].
func IsWeb(name string) bool { return slices.Contains(Web[:], name) }

// MayLink reports whether linkmilter writes links of the scheme: [Linked] and mailto.
func MayLink(name string) bool { return IsLinked(name) || name == Mailto }

// IsScript reports whether a URL of the scheme holds the code or document that it opens.
func IsScript(name string) bool { return IsCode(name) || name == "data" }

// IsCode reports whether a URL of the scheme holds the code of a script.
func IsCode(name string) bool { return name == "javascript" || name == "vbscript" }

// IsMessage reports whether a URL of the scheme names a message or a part of one, and
// so opens nothing elsewhere (RFC 2392).
func IsMessage(name string) bool { return name == "cid" || name == "mid" }

// DefaultPort returns the port that a URL of the scheme need not name, 0 for a scheme
// that is not one of [Web].
func DefaultPort(name string) int {
	switch name {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return 0
}
