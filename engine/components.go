package engine

import (
	"strings"
	"unicode/utf8"
)

// Components are the components of a link, by the names of the WHATWG URL standard,
// each as typed and without the characters that introduce it: in
// https://example.com/a?b#c the query is "b". A component that is absent is "", as is
// an empty one. An e-mail address has its local-part as Userinfo and its domain as
// Host.
type Components struct {
	Scheme   string // "https"; "" for a bare host and a bare address
	Userinfo string // with its colon, if any
	Host     string // with the brackets of an IPv6 address
	Port     string // decimal digits
	Path     string // begins with "/" unless empty; without a host, all up to the query
	Query    string // without the "?"
	Fragment string // up to the first fragment directive
	// Directives are the fragment directives, without the ":~:" before each
	// (UTS #58 §3.5).
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

// Head returns the link up to its port, cut to at most limit bytes, with Start and End of
// the whole link. A program can so judge a link by its host if the rest is too long. Head
// shortens a long userinfo rather than cut the host.
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

// shortenUserinfo cuts the userinfo of a link whose host ends behind a limit only because of it.
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

// userinfo returns the text between the scheme and the "@" before the host, as typed.
// For an e-mail address that is the local-part. In a suspect, the "@" may be escaped, and
// a bracket or other punctuation may be before the host. One without a host behind the scheme has no userinfo.
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
	return "" // punctuation before the host
}

// escapedAt is the "@" of an address in a mailto: URL that has it percent-escaped.
const escapedAt = "%40"

// host returns the host as typed.
func (l Link) host() string { return l.Text[l.bounds.hostStart:l.bounds.hostEnd] }
