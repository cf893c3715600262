package engine

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// UTS #58 detects URLs of schemes that name a host or an address; Options.Schemes adds other schemes.
// This file finds their links by itself and merges them with the others. If two links overlap, the one
// that begins first counts.

// schemeNames are the names of Options.Schemes in lower case, without those that
// detection knows.
type schemeNames []string

// newSchemeNames returns the names, or an error for a name that cannot be linked.
func newSchemeNames(names []string) (schemeNames, error) {
	var list schemeNames
	for _, typed := range names {
		name, rest := scheme.Name(typed + ":")
		switch {
		case name == "" || rest != "":
			return nil, fmt.Errorf("scheme %q: not a name (want one such as tel)", typed)
		case scheme.IsScript(name):
			return nil, fmt.Errorf("scheme %q: its URLs hold code, not a place", typed)
		case !scheme.MayLink(name):
			list = append(list, name)
		}
	}
	return list, nil
}

// before returns where the name in front of the ":" at the offset p begins, or -1. If a longer word
// ends in the name, it is another scheme.
func (names schemeNames) before(sc *scan, p, floor int) int {
	for _, name := range names {
		a := p - len(name)
		if a >= floor && ascii.HasPrefixFold(sc.text[a:p], name) && !sc.goesOnBefore(a) && (a == 0 || sc.text[a-1] != '.') {
			return a
		}
	}
	return -1
}

// A mergedScan finds the links of UTS #58 detection and the links of Options.Schemes in a text.
type mergedScan struct {
	scan
	names     schemeNames // Options.Schemes
	nameColon int         // where the search for the next ":" continues
	merged    int         // the end of the latest link
	other     Link        // the next link of names; KindNone if it is not known yet
	known     Link        // the next link of detection; KindNone if it is not known yet
}

// next sets l to the next link, and reports whether there was one.
func (m *mergedScan) next(l *Link) bool {
	if m.names == nil {
		return m.nextKnown(l)
	}
	for m.known.Kind == KindNone || m.known.Start < m.merged {
		if !m.nextKnown(&m.known) {
			m.known = m.noLink()
		}
	}
	if m.other.Kind == KindNone || m.other.Start < m.merged {
		m.nextOther()
	}
	*l = m.known
	if m.other.Start <= l.Start {
		*l = m.other
	}
	m.merged = l.End
	return l.Start < len(m.text)
}

// noLink stands for a link if none follows. It begins at the end of the text.
func (m *mergedScan) noLink() Link { return Link{Kind: KindURL, Start: len(m.text), End: len(m.text)} }

// nextKnown is next without the links of Options.Schemes.
func (m *mergedScan) nextKnown(l *Link) bool {
	if m.suspects {
		return m.nextWithSuspects(l)
	}
	return m.nextLink(l)
}

// nextOther sets other to the next link of the names.
func (m *mergedScan) nextOther() {
	for m.nameColon = max(m.nameColon, m.merged); ; {
		i := strings.IndexByte(m.text[m.nameColon:], ':')
		if i < 0 {
			m.other, m.nameColon = m.noLink(), len(m.text)
			return
		}
		p := m.nameColon + i
		m.nameColon = p + 1
		if a := m.names.before(&m.scan, p, m.merged); a >= 0 && m.emitOther(a, p+1, &m.other) {
			return
		}
	}
}

// emitOther sets l to the URL that begins at the offset start. Its scheme ends at the offset i, after
// the ":". It returns false if nothing but slashes follows.
func (sc *scan) emitOther(start, i int, l *Link) bool {
	end := sc.adjust(sc.text, start, i, linkEndIn(partPath, sc.text, i, sc.strict, &sc.openStack))
	if strings.Trim(sc.text[i:end], "/") == "" {
		return false
	}
	*l = Link{Kind: KindURL, Start: start, End: end, Text: sc.text[start:end], bounds: otherBounds(sc.text[start:end], i-start)}
	if sc.maxLinkLen > 0 && len(l.Text) > sc.maxLinkLen {
		l.Kind, l.Reason = KindSuspect, ReasonTooLong
	}
	return true
}

// otherBounds divides a URL whose scheme ends at the offset i, after the ":". It has a host only if
// "//" follows (RFC 3986 §3.2).
func otherBounds(text string, i int) bounds {
	if !strings.HasPrefix(text[i:], "//") {
		return bounds{schemeEnd: i, hostStart: i, hostEnd: i, portEnd: i}
	}
	i += len("//")
	end := len(text)
	if j := strings.IndexAny(text[i:], "/?#"); j >= 0 {
		end = i + j
	}
	b := bounds{schemeEnd: i, hostStart: i, hostEnd: end, portEnd: end}
	if j := strings.LastIndexByte(text[i:end], '@'); j >= 0 {
		b.hostStart = i + j + 1
	}
	if j := strings.LastIndexByte(text[b.hostStart:end], ':'); j >= 0 && strings.Trim(text[b.hostStart+j+1:end], "0123456789") == "" {
		b.hostEnd = b.hostStart + j
	}
	return b
}
