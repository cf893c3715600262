package engine

import (
	"strings"
	"unicode/utf8"
)

// Components are the parts of a link, each as typed and without the
// characters that introduce it: in https://example.com/a?b#c the query is
// "b". A part that is absent and one that is empty are the same.
//
// The names are those of the WHATWG URL standard; an e-mail address has its
// local-part as Userinfo and its domain as Host.
type Components struct {
	Scheme   string // "https"; "" for a bare host and a bare address
	Userinfo string // with its colon, if any
	Host     string // with the brackets of an IPv6 address
	Port     string // decimal digits
	Path     string // begins with "/" unless empty
	Query    string
	Fragment string // up to the first fragment directive
	// Directives are the fragment directives, what follows each ":~:"
	// (UTS #58 §3.5).
	Directives []string
}

// Components returns the parts of the link. It slices Text by the offsets
// that detection left and parses nothing again; only a link with a fragment
// directive allocates.
func (l Link) Components() Components {
	s := splitSections(l.Text[l.parts.portEnd:])
	c := Components{
		Scheme:   l.scheme(),
		Userinfo: l.userinfo(),
		Host:     l.host(),
		Port:     strings.TrimPrefix(l.Text[l.parts.hostEnd:l.parts.portEnd], ":"),
		Path:     s.path,
		Query:    strings.TrimPrefix(s.query, "?"),
	}
	fragment, rest, more := strings.Cut(strings.TrimPrefix(s.fragment, "#"), directiveMark)
	c.Fragment = fragment
	for more {
		var d string
		d, rest, more = strings.Cut(rest, directiveMark)
		c.Directives = append(c.Directives, d)
	}
	return c
}

// Head returns the link without its path, query and fragment, of which the host and
// what precedes it take at most limit bytes. Start and End stay those of the whole.
// It serves judging by its host a link that is too long to be looked at.
func (l Link) Head(limit int) Link {
	end := min(l.parts.portEnd, limit)
	for end > 0 && end < len(l.Text) && !utf8.RuneStart(l.Text[end]) {
		end--
	}
	p := &l.parts
	l.Text = l.Text[:end]
	p.schemeEnd, p.hostStart, p.hostEnd, p.portEnd = min(p.schemeEnd, end), min(p.hostStart, end), min(p.hostEnd, end), end
	return l
}

// directiveMark introduces a fragment directive.
const directiveMark = ":~:"

// scheme returns the scheme as typed, without colon and slashes.
func (l Link) scheme() string {
	s, _, _ := strings.Cut(l.Text[:l.parts.schemeEnd], ":")
	return s
}

// userinfo returns what stands between the scheme and the "@" before the
// host; for an e-mail address that is the local-part.
func (l Link) userinfo() string {
	if l.parts.hostStart <= l.parts.schemeEnd {
		return ""
	}
	return l.Text[l.parts.schemeEnd : l.parts.hostStart-1]
}

// host returns the host as typed.
func (l Link) host() string { return l.Text[l.parts.hostStart:l.parts.hostEnd] }

// sections are what follows the authority of a URL, each with the character
// that introduces it; "" is a section that is absent.
type sections struct{ path, query, fragment string }

// splitSections divides what follows host and port.
func splitSections(rest string) sections {
	var s sections
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, s.fragment = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, s.query = rest[:i], rest[i:]
	}
	s.path = rest
	return s
}

// A part is one of the URL Parts of UTS #58 table 3-3.
type part uint8

const (
	partPath part = iota
	partQuery
	partFragment
	partDirective
)

// A piece is one part of a particular URL, without its initiator.
type piece struct {
	part      part
	initiator string // "/", "\", "?", "#" or ":~:"
	text      string
}

// pieces lists the parts in order, as many as are there. Fragment directives
// are pieces of their own.
func (s sections) pieces() []piece {
	list := make([]piece, 0, 3)
	if s.path != "" {
		list = append(list, piece{part: partPath, initiator: s.path[:1], text: s.path[1:]})
	}
	if s.query != "" {
		list = append(list, piece{part: partQuery, initiator: "?", text: s.query[1:]})
	}
	if s.fragment != "" {
		p := piece{part: partFragment, initiator: "#"}
		for text := s.fragment[1:]; ; {
			head, tail, more := strings.Cut(text, directiveMark)
			p.text = head
			list = append(list, p)
			if !more {
				break
			}
			p, text = piece{part: partDirective, initiator: directiveMark}, tail
		}
	}
	return list
}

// clears reports whether the character separates things within the part, so
// that brackets do not pair across it: the ClearStackOpen set of UTS #58
// table 3-3.
func (p part) clears(r rune) bool {
	switch p {
	case partPath:
		return r == '/'
	case partQuery:
		return r == '=' || r == '&'
	case partDirective:
		return r == '&' || r == ','
	}
	return false
}
