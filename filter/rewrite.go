package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/mime"
)

// rewritten returns what a plain text shows in place of a link: its readable form,
// or where it is flagged and the rule says so the defanged one. It returns "" for
// a link that stays as it was typed.
func (l *Found) rewritten(flagged rule.Flagged) string {
	switch {
	case l.Flagged && flagged == rule.FlaggedDefang:
		return l.Display
	case l.Broken, l.Flagged, !l.Linked, l.Display == l.Link.Text:
		return ""
	}
	return l.Display
}

// needsRewrite reports whether a link of the text would be rewritten.
func (t *text) needsRewrite(flagged rule.Flagged) bool {
	return slices.ContainsFunc(t.links, func(l Found) bool { return l.rewritten(flagged) != "" })
}

// needsDefang reports whether a link of the text has to be defanged.
func (t *text) needsDefang(flagged rule.Flagged) bool {
	return flagged == rule.FlaggedDefang && slices.ContainsFunc(t.links, func(l Found) bool { return l.Flagged })
}

// rewrites returns the edits that make the links of a text readable, and defang
// flagged ones where the rule says so. The edited text is scanned once more: where
// a rewrite is not found in its bounds, opens something else, or changes which
// links are beside it, those of its line are dropped (invariant I4). A link that was
// to be defanged never stays: the defanging widens, or the reason is why the text
// cannot be edited.
func (p *planner) rewrites(t *text) ([]mime.TextEdit, Reason) {
	s := p.splice(t, (*Found).rewritten)
	if s.settle(s.differing) {
		return s.edits(), ""
	}
	if s.defang && t.needsDefang(p.rule.Flagged) {
		return nil, ReasonNotDefanged
	}
	return nil, ""
}

// edits returns the edits of a text that carry out the replacements.
func (s *splice) edits() []mime.TextEdit {
	var all []mime.TextEdit
	for _, r := range s.replaced {
		if r.new != "" {
			all = append(all, mime.TextEdit{Start: r.start, End: r.end, New: r.new})
		}
	}
	return all
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
