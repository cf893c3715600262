package filter

import (
	"slices"
	"sort"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
)

// rewritten returns what a plain text shows in place of a link: its readable form,
// or where it is flagged and the rule says so the defanged one. It returns "" for
// a link that stays as it was typed.
func (l *Found) rewritten(flagged Flagged) string {
	switch {
	case l.Broken, l.Display == l.Link.Text:
		return ""
	case l.Flagged && flagged == FlaggedDefang, !l.Flagged && l.Linked:
		return l.Display
	}
	return ""
}

// needsRewrite reports whether a link of the text would be rewritten.
func (t *text) needsRewrite(flagged Flagged) bool {
	return slices.ContainsFunc(t.links, func(l Found) bool { return l.rewritten(flagged) != "" })
}

// A replacement is a link that is rewritten, or one that is not and must be found
// again all the same.
type replacement struct {
	link  engine.Link
	href  string // what it opens
	new   string // "" where the link stays
	alive bool   // it is a link afterwards; one that was defanged is not

	rewrite bool // it was to be rewritten before it was found not to be possible
}

// replacements returns what becomes of each link and suspect of a text.
func (t *text) replacements(flagged Flagged) []replacement {
	all := make([]replacement, len(t.links))
	for i := range t.links {
		l := &t.links[i]
		shown := l.rewritten(flagged)
		all[i] = replacement{l.Link, l.Href, shown, shown == "" || !l.Flagged, shown != ""}
	}
	return all
}

// rewrites returns the edits that make the links of a text readable, and defang
// flagged ones where the rule says so. The edited text is scanned once more: where
// a rewrite is not found in its bounds, opens something else, or changes which
// links stand beside it, those of its line are dropped (invariant I4).
func (w *work) rewrites(t *text) []mime.TextEdit {
	links := t.replacements(w.rule.Flagged)
	for range maxRescans {
		edits := edits(links)
		if len(edits) == 0 {
			return nil
		}
		offsets := w.differing(t.content, links)
		if len(offsets) == 0 {
			return edits
		}
		for _, offset := range offsets {
			if !dropLine(t.content, links, offset) {
				return nil // what differs is not explained by a rewrite beside it
			}
		}
	}
	return nil
}

// maxRescans is how often a text is scanned again, with fewer rewrites each time,
// before all of them are dropped.
const maxRescans = 4

// edits returns the edits of a text that carry out replacements.
func edits(links []replacement) []mime.TextEdit {
	var all []mime.TextEdit
	for _, l := range links {
		if l.new != "" {
			all = append(all, mime.TextEdit{Start: l.link.Start, End: l.link.End, New: l.new})
		}
	}
	return all
}

// differing scans the text after the replacements and returns the offsets, in the
// text before them, at which links are not the expected ones.
func (w *work) differing(content string, links []replacement) []int {
	found := slices.AppendSeq(make([]engine.Link, 0, len(links)), w.filter.links(applied(content, links)))
	var offsets []int
	shift := 0 // of offsets after the replacements against those before
	for _, l := range links {
		start := l.link.Start + shift
		for len(found) > 0 && found[0].Start < start {
			offsets = append(offsets, found[0].Start-shift)
			found = found[1:]
		}
		shift += l.growth()
		switch {
		case !l.alive: // what is found in it comes before the next
		case len(found) > 0 && l.is(found[0], start):
			found = found[1:]
		default:
			offsets = append(offsets, l.link.Start)
		}
	}
	for _, f := range found {
		offsets = append(offsets, f.Start-shift)
	}
	return offsets
}

// growth is how many bytes a text gains by a replacement.
func (r replacement) growth() int {
	if r.new == "" {
		return 0
	}
	return len(r.new) - len(r.link.Text)
}

// is reports whether a link found in the edited text is the one expected at start,
// and opens the same.
func (r replacement) is(found engine.Link, start int) bool {
	length := r.link.End - r.link.Start + r.growth()
	if found.Start != start || found.End-found.Start != length || found.Kind != r.link.Kind {
		return false
	}
	return r.new == "" || sameURL(found.Href(), r.href)
}

// applied returns content after the replacements.
func applied(content string, links []replacement) string {
	size := len(content)
	for _, l := range links {
		size += l.growth()
	}
	var b strings.Builder
	b.Grow(size)
	pos := 0
	for _, l := range links {
		if l.new != "" {
			b.WriteString(content[pos:l.link.Start])
			b.WriteString(l.new)
			pos = l.link.End
		}
	}
	b.WriteString(content[pos:])
	return b.String()
}

// dropLine drops the rewrites in the line of an offset and reports whether there
// are any, or were.
func dropLine(content string, links []replacement, offset int) bool {
	offset = max(0, min(offset, len(content)))
	start := strings.LastIndexByte(content[:offset], '\n') + 1
	end := len(content)
	if i := strings.IndexByte(content[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	from := sort.Search(len(links), func(i int) bool { return links[i].link.Start >= start })
	had := false
	for i := from; i < len(links) && links[i].link.Start < end; i++ {
		l := &links[i]
		had = had || l.rewrite
		l.new, l.alive = "", true
	}
	return had
}

// sameURL reports whether two serialised URLs are the same up to the case of
// hexadecimal digits and escapes of unreserved ASCII (RFC 3986 §6.2.2).
func sameURL(a, b string) bool { return a == b || normalisedURL(a) == normalisedURL(b) }

func normalisedURL(url string) string {
	if !strings.Contains(url, "%") {
		return url
	}
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		if url[i] != '%' || i+2 >= len(url) || !isHex(url[i+1]) || !isHex(url[i+2]) {
			b.WriteByte(url[i])
			continue
		}
		c := unhex(url[i+1])<<4 | unhex(url[i+2])
		if isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(strings.ToUpper(url[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// isUnreserved reports whether c is an unreserved character of RFC 3986 §2.3.
func isUnreserved(c byte) bool {
	return isAlphanumeric(rune(c)) || strings.IndexByte("-._~", c) >= 0
}
