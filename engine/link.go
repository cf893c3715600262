package engine

// A Kind says what a Link is.
type Kind uint8

// The kinds. The zero value is no link.
const (
	KindNone    Kind = iota
	KindURL          // a URL: with a scheme, or a bare host
	KindEmail        // an e-mail address, with or without mailto:
	KindSuspect      // no link by the rules, though other programs would make one
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

// A Reason says why what looks like a link is none. Reasons are stable codes,
// fit for logs and reports; the empty Reason means nothing is wrong.
type Reason string

// The reasons of suspects, in the order in which they are looked for: the
// first that applies is given.
const (
	ReasonUserinfo     Reason = "userinfo"      // a user name or password before the host
	ReasonNoHost       Reason = "no-host"       // no character of a host follows
	ReasonEmptyLabel   Reason = "empty-label"   // two dots in a row, or a dot first
	ReasonUnderscore   Reason = "underscore"    // a label holds "_"
	ReasonInvalidHost  Reason = "invalid-host"  // a character that no host may hold
	ReasonObfuscatedIP Reason = "obfuscated-ip" // an IPv4 address, not as four decimal numbers
	ReasonInvalidIP    Reason = "invalid-ip"    // an IPv4 or IPv6 address that is none
	ReasonSingleLabel  Reason = "single-label"  // one label only, such as localhost
	ReasonHyphen       Reason = "hyphen"        // a label begins or ends with "-", or has "--" third
	ReasonUnknownTLD   Reason = "unknown-tld"   // the last label is no top-level domain
	ReasonInvalidIDNA  Reason = "invalid-idna"  // UTS #46 refuses a label
	ReasonTooLong      Reason = "too-long"      // a label over 63 or a name over 253 octets in ASCII
	ReasonInvalidPort  Reason = "invalid-port"  // a port over 65535
)

// A Link is one link, or suspect, in a text.
//
// Its parts are Text[:schemeEnd], userinfo or local-part, Text[hostStart:hostEnd],
// port, and from portEnd on path, query and fragment. The scanner sets the
// offsets as it goes, so that nothing is parsed twice.
type Link struct {
	Kind   Kind
	Reason Reason // why a suspect is no link; empty for links
	Start  int    // where the link begins in the text, in bytes
	End    int    // where it ends, exclusive
	Text   string // the link as typed: text[Start:End]

	parts parts
}

// isAddress reports whether the link is an e-mail address, or a suspect that looks
// like one: only an address without "//" has text before its host.
func (l Link) isAddress() bool {
	p := l.parts
	return l.Kind == KindEmail || p.hostStart > p.schemeEnd && (p.schemeEnd == 0 || l.Text[p.schemeEnd-1] == ':')
}

// parts are offsets into Link.Text, in bytes.
//
//	https://user:pass@example.com.:8080/path?query#fragment
//	        ^schemeEnd^hostStart  ^hostEnd
//	                                   ^portEnd
type parts struct {
	schemeEnd int // after "http://", "https://", "ftp://" or "mailto:"; 0: none was typed
	hostStart int // after the "@" if there is one; Text[schemeEnd:hostStart-1] is then userinfo or local-part
	hostEnd   int // after the host as typed, with a final dot and the brackets of an IPv6 address if typed
	portEnd   int // after the port's digits; hostEnd if there is no ":"
}
