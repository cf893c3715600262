package filter

import (
	"index/suffixarray"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// Programs disagree about where a link begins and ends. What one takes for the path of a
// link, or for a symbol beside a host, is another host for the next. So where a host is
// defanged, it may not stand elsewhere in the text.

// flaggedHosts are the hosts that are flagged whatever the rest of a link is.
type flaggedHosts struct {
	judged map[string]bool // by ASCII form: whether it is flagged
	names  map[string]bool // each form of the flagged ones that texts have, in lower case of ASCII
}

// noteHost keeps the host of a flagged link.
func (s *splice) noteHost(link engine.Link) {
	host := link.ASCIIHost()
	flagged, ok := s.hosts.judged[host]
	if !ok && host != "" {
		alone, err := engine.ParseLink("http://" + host)
		flagged = err == nil && s.judge.verdict(alone).Worst() >= policy.SeverityMedium
		if s.hosts.judged == nil {
			s.hosts = flaggedHosts{make(map[string]bool), make(map[string]bool)}
		}
		s.hosts.judged[host] = flagged
	}
	if !flagged {
		return
	}
	for _, name := range [...]string{link.Components().Host, host, link.UnicodeHost()} {
		if defang(name) != name { // other names no program links
			s.hosts.names[lowerASCII(name)] = true
		}
	}
}

// maxSearches is how many hosts are searched for one by one. Beyond it, an index of the text
// keeps the time linear.
const maxSearches = 16

// defangNamed defangs the flagged hosts that stand in the text beside links, and the links that name
// one in any form.
func (s *splice) defangNamed() {
	if len(s.hosts.names) == 0 {
		return
	}
	pieces := s.named(s.applied())
	slices.SortFunc(pieces, func(a, b span) int { return a.start - b.start })
	s.defangAll(pieces, true)
}

// named returns where a text names flagged hosts.
func (h *flaggedHosts) named(text string) (pieces []span) {
	if len(h.names) == 0 {
		return nil
	}
	text = lowerASCII(text)
	add := func(start, end int) {
		if isWholeName(text, start, end) {
			pieces = append(pieces, span{start, end})
		}
	}
	if len(h.names) > maxSearches {
		index := suffixarray.New([]byte(text))
		for name := range h.names {
			for _, start := range index.Lookup([]byte(name), -1) {
				add(start, start+len(name))
			}
		}
		return pieces
	}
	for name := range h.names {
		for from := 0; ; {
			i := strings.Index(text[from:], name)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(name)
			add(start, from)
		}
	}
	return pieces
}

// isWholeName reports whether text[start:end] is no part of a longer name, other than of one
// below it, as "www.example.com" is below "example.com".
func isWholeName(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after := text[end:]
	behind, size := utf8.DecodeRuneInString(after)
	if behind == '.' {
		behind, _ = utf8.DecodeRuneInString(after[size:])
	}
	return before != '-' && !isOfLabel(before) && behind != '-' && !isOfLabel(behind)
}

// isOfLabel reports whether r is a letter, mark or digit.
func isOfLabel(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.Nd) }

// lowerASCII returns s with its ASCII letters in lower case, and all others at the same offsets.
func lowerASCII(s string) string {
	lower := []byte(s)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
