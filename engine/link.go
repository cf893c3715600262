package engine

import "strings"

// A Kind is the kind of a Link.
type Kind uint8

// The kinds.
const (
	KindNone    Kind = iota // not a link: the zero value
	KindURL                 // a URL: with a scheme, or a bare host
	KindEmail               // an e-mail address, with or without mailto:
	KindSuspect             // not a link by the rules, but a link to other programs
)

// String returns "url", "email", "suspect", or "none" for the zero value.
func (k Kind) String() string {
	switch k {
	case KindURL:
		return "url"
	case KindEmail:
		return "email"
	case KindSuspect:
		return "suspect"
	}
	return "none"
}

// A Reason says why a suspect is not a link. Reasons are stable codes for logs and
// reports. Links have the empty Reason.
type Reason string

// The reasons of suspects, in the order in which the scanner looks for them. It
// gives the first that applies.
const (
	ReasonUserinfo     Reason = "userinfo"      // a user name or password before the host
	ReasonNoHost       Reason = "no-host"       // no host follows the scheme, or none that browsers look up
	ReasonEmptyLabel   Reason = "empty-label"   // two dots in a row, or a dot first
	ReasonInvalidHost  Reason = "invalid-host"  // a character that is not allowed in a host
	ReasonUnderscore   Reason = "underscore"    // a label has "_"
	ReasonObfuscatedIP Reason = "obfuscated-ip" // an IPv4 address, not as four decimal numbers
	ReasonInvalidIP    Reason = "invalid-ip"    // not a valid IPv4 or IPv6 address
	ReasonSingleLabel  Reason = "single-label"  // one label only, such as localhost
	ReasonHyphen       Reason = "hyphen"        // a label begins or ends with "-", or has "--" third
	ReasonUnknownTLD   Reason = "unknown-tld"   // the last label is not a top-level domain
	ReasonInvalidIDNA  Reason = "invalid-idna"  // UTS #46 refuses a label
	ReasonTooLong      Reason = "too-long"      // a label over 63 or a name over 253 bytes in ASCII, or a link over MaxLinkLen
	ReasonInvalidPort  Reason = "invalid-port"  // a port over 65535
	ReasonSlashes      Reason = "slashes"       // not two slashes behind the scheme, or a second scheme
	ReasonNoScheme     Reason = "no-scheme"     // an IPv4 address without a scheme
	ReasonTouching     Reason = "touching"      // other text touches the host
)

// A Link is a link or a suspect in a text. Links may be compared and copied.
type Link struct {
	Kind   Kind   // whether it is a URL, an address or a suspect
	Reason Reason // why a suspect is not a link; empty for links
	Start  int    // where the link begins in the text, in bytes
	End    int    // where it ends, exclusive
	Text   string // the link as typed: text[Start:End]

	bounds bounds

	// inText is set if an adjustment of default mode ended the link. Its parts in ASCII
	// must stay so, since characters beyond ASCII might lead on into the text.
	inText bool

	// ascii is the ASCII form of the host if detection or parsing had to compute it, or
	// "": see ASCIIHost. It is not a slice of Text.
	ascii string
}

// bounds are offsets into Link.Text, in bytes. They bound its components:
//
//	https://user:pass@example.com.:8080/path?query#fragment
//	        ^schemeEnd^hostStart  ^hostEnd
//	                                   ^portEnd
type bounds struct {
	schemeEnd int // after "http://", "https://", "ftp://" or "mailto:"; 0 without a scheme
	hostStart int // after the "@" if there is one; Text[schemeEnd:hostStart-1] is userinfo or local-part
	hostEnd   int // after the host as typed, with its final dot or brackets
	portEnd   int // after the port's digits; hostEnd without a ":"
}

// scheme returns the scheme as typed, without colon and slashes: the last where a suspect
// has several, as in "https://http://example.com", since people mean that one.
func (l Link) scheme() string {
	end := l.bounds.schemeEnd
	for end > 0 && (l.Text[end-1] == ':' || isSlash(l.Text[end-1])) {
		end--
	}
	start := end
	for start > 0 && !isSlash(l.Text[start-1]) {
		start--
	}
	return l.Text[start:end]
}

// isAddress reports whether the link is an e-mail address, or a suspect that looks
// like one: text before its host, and no scheme of the web, with "//" or without
// (WHATWG URL, "special authority ignore slashes state").
func (l Link) isAddress() bool {
	if l.Kind != KindSuspect {
		return l.Kind == KindEmail
	}
	scheme := l.scheme()
	return l.bounds.hostStart > l.bounds.schemeEnd && (scheme == "" || strings.EqualFold(scheme, "mailto"))
}
