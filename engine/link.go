package engine

import (
	"strings"
	"unicode/utf8"
)

// A Kind is the kind of a Link.
type Kind uint8

// The kinds.
const (
	KindNone    Kind = iota // not a link: the zero value
	KindURL                 // a URL: with a scheme, or a bare host
	KindEmail               // an e-mail address, with or without mailto:
	KindSuspect             // not a link by the rules, but text that other programs turn into a link
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

// The reasons of suspects, in the order in which the scanner looks for them. Link.Reason
// is the first that applies.
const (
	ReasonUserinfo     Reason = "userinfo"      // a user name or password before the host
	ReasonNoHost       Reason = "no-host"       // no host follows the scheme, or browsers do not look it up
	ReasonEmptyLabel   Reason = "empty-label"   // two dots in a row, or a dot first
	ReasonInvalidHost  Reason = "invalid-host"  // a character that is not allowed in a host
	ReasonUnderscore   Reason = "underscore"    // a label has "_"
	ReasonObfuscatedIP Reason = "obfuscated-ip" // an IPv4 address, not as four decimal numbers
	ReasonInvalidIP    Reason = "invalid-ip"    // not a valid IPv4 or IPv6 address
	ReasonSingleLabel  Reason = "single-label"  // one label only, such as localhost
	ReasonHyphen       Reason = "hyphen"        // a label begins or ends with "-"
	ReasonUnknownTLD   Reason = "unknown-tld"   // the last label is not a top-level domain
	ReasonInvalidIDNA  Reason = "invalid-idna"  // UTS #46 refuses a label
	ReasonTooLong      Reason = "too-long"      // a label over 63 or a name over 253 bytes in ASCII, or a link over MaxLinkLen
	ReasonInvalidPort  Reason = "invalid-port"  // a port over 65535, or a word in its place
	ReasonSlashes      Reason = "slashes"       // another number of slashes than two after the scheme, or a second scheme
	ReasonNoScheme     Reason = "no-scheme"     // an IP address without a scheme: 192.0.2.1, //[2001:db8::1]
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

	// inText is set if an adjustment of default mode ended the link. Its ASCII parts must then stay
	// ASCII: with decoded characters the link might run on into the text.
	inText bool

	// ascii is the ASCII form of the host if detection or parsing had to compute it, otherwise "": see
	// ASCIIHost. It is not a slice of Text.
	ascii string
}

// bounds are the offsets of the link's components in Link.Text, in bytes:
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

// scheme returns the scheme as typed, without colon and slashes. If a suspect has several, as in
// "https://http://example.com", it returns the last one, which people mean.
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

// isAddress reports whether the link is an e-mail address, or a suspect that looks like one. Such a
// suspect has text in front of its host and no web scheme, with "//" or without (WHATWG URL, "special
// authority ignore slashes state").
func (l Link) isAddress() bool {
	if l.Kind != KindSuspect {
		return l.Kind == KindEmail
	}
	scheme := l.scheme()
	return l.bounds.hostStart > l.bounds.schemeEnd && (scheme == "" || strings.EqualFold(scheme, "mailto"))
}

// Components are the components of a link, named as in the WHATWG URL standard. Each is as typed,
// without the characters that introduce it: in https://example.com/a?b#c the query is "b". An absent
// component is "", and so is an empty one. An e-mail address has its local-part as Userinfo and its
// domain as Host.
type Components struct {
	Scheme   string // "https"; "" for a bare host and a bare address
	Userinfo string // with its colon, if any
	Host     string // with the brackets of an IPv6 address
	Port     string // decimal digits
	Path     string // begins with "/" unless empty; in a URL without a host, everything up to the query
	Query    string // without the "?"
	Fragment string // up to the first fragment directive
	// Directives are the fragment directives, each without its ":~:" (UTS #58 §3.5).
	Directives []string
}

// Components returns the components of the link, as slices of Text at the offsets
// that detection or parsing found. It allocates only for fragment directives.
func (l Link) Components() Components {
	path, query, fragment := cutParts(l.Text[l.bounds.portEnd:])
	c := Components{
		Scheme:   l.scheme(),
		Userinfo: l.userinfo(),
		Host:     l.host(),
		Port:     strings.TrimLeft(l.Text[l.bounds.hostEnd:l.bounds.portEnd], "]:"),
		Path:     path,
		Query:    strings.TrimPrefix(query, "?"),
	}
	var rest string
	var more bool
	c.Fragment, rest, more = strings.Cut(strings.TrimPrefix(fragment, "#"), directiveMark)
	for more {
		var d string
		d, rest, more = strings.Cut(rest, directiveMark)
		c.Directives = append(c.Directives, d)
	}
	return c
}

// Head returns the link up to its port, cut to at most limit bytes. Start and End stay those of the
// whole link. So a program can judge an overlong link by its host. Head shortens a long userinfo before
// it cuts the host.
func (l Link) Head(limit int) Link {
	l.shortenUserinfo(limit)
	end := min(l.bounds.portEnd, limit)
	for end > 0 && end < len(l.Text) && !utf8.RuneStart(l.Text[end]) {
		end--
	}
	p := &l.bounds
	l.Text = l.Text[:end]
	p.schemeEnd, p.hostStart, p.hostEnd, p.portEnd = min(p.schemeEnd, end), min(p.hostStart, end), min(p.hostEnd, end), end
	return l
}

// shortenUserinfo cuts the userinfo of a link if otherwise the host would end after the limit.
func (l *Link) shortenUserinfo(limit int) {
	p := &l.bounds
	at := strings.LastIndexByte(l.Text[p.schemeEnd:p.hostStart], '@')
	if at < 0 || p.portEnd <= limit {
		return
	}
	at += p.schemeEnd
	keep := p.schemeEnd + max(limit-p.schemeEnd-(p.portEnd-at), 0)
	if keep >= at {
		return
	}
	for keep > p.schemeEnd && !utf8.RuneStart(l.Text[keep]) {
		keep--
	}
	l.Text = l.Text[:keep] + l.Text[at:p.portEnd]
	cut := at - keep
	p.hostStart, p.hostEnd, p.portEnd = p.hostStart-cut, p.hostEnd-cut, p.portEnd-cut
}

// userinfo returns the text between the scheme and the "@" in front of the host, as typed. For an
// e-mail address that is the local-part. In a suspect the "@" may be escaped, and a bracket or other
// punctuation may be in front of the host. A suspect without a host after its scheme has no userinfo.
func (l Link) userinfo() string {
	if l.Reason == ReasonNoHost {
		return ""
	}
	s := l.Text[l.bounds.schemeEnd:l.bounds.hostStart]
	if l.Kind != KindSuspect {
		return strings.TrimSuffix(s, "@")
	}
	s = strings.TrimSuffix(s, "[")
	for _, at := range [...]string{"@", escapedAt} {
		if name, ok := strings.CutSuffix(s, at); ok {
			return name
		}
	}
	return "" // punctuation in front of the host
}

// escapedAt is the percent-escaped "@" of an address in a mailto: URL.
const escapedAt = "%40"

// host returns the host as typed.
func (l Link) host() string { return l.Text[l.bounds.hostStart:l.bounds.hostEnd] }
