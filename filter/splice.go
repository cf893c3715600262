package filter

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/mime"
)

// A replacement is a piece of a text that is rewritten, or a link that stays and must be found again
// after the edit.
type replacement struct {
	start, end int    // the piece: text[start:end]
	new        string // the new text; "" if the piece stays
	alive      bool   // it is still a link after the edit, not defanged

	kind  engine.Kind   // kind of the link
	found *report.Found // the link; nil for other text that is defanged
	index int           // index of the link
}

// length returns the length of the piece after the edit.
func (r *replacement) length() int {
	if r.new == "" {
		return r.end - r.start
	}
	return len(r.new)
}

// is reports whether a link of the edited text is the one expected at start, and opens the same URL.
func (r *replacement) is(link engine.Link, start int) bool {
	if link.Start != start || link.End-link.Start != r.length() || link.Kind != r.kind {
		return false
	}
	return r.new == "" || sameURL(link.Href(), r.found.Href)
}

// A splice is a text with replacements, sorted and disjoint.
type splice struct {
	ctx      context.Context
	judge    *judge.Judge
	text     *text
	content  string
	replaced []replacement
	defang   bool     // flagged links may not stay
	hosts    []string // if defang is set: hosts that are flagged whatever the rest of a link is, each in two spellings
}

// newSplice returns the text with the result of shown in place of each of its links. Links that
// continue over lines are defanged as typed, line by line.
func newSplice(ctx context.Context, j *judge.Judge, t *text, flagged rule.Flagged, shown func(*report.Found, rule.Flagged) string) *splice {
	s := &splice{ctx: ctx, judge: j, text: t, content: t.content, replaced: make([]replacement, 0, len(t.links)), defang: flagged == rule.FlaggedDefang}
	noted := make(map[string]bool)
	for i := range t.links {
		l := &t.links[i]
		piece := span{l.Link.Start, l.Link.End}
		if s.defang && l.Flagged {
			s.note(l.Link, noted)
		}
		if s.defang && l.Broken && (l.Flagged || t.dead[i]) {
			s.replaced = appendDefanged(s.replaced, t.content, piece)
			continue
		}
		s.replaced = append(s.replaced, replacement{
			start: piece.start, end: piece.end, new: shown(l, flagged), alive: !s.defang || !l.Flagged,
			kind: l.Link.Kind, found: l, index: i,
		})
		if s.defang && t.dead[i] {
			s.kill(&s.replaced[len(s.replaced)-1])
		}
	}
	return s
}

// kill defangs a link that is not flagged, and records that for the report and for the other edit of
// the text.
func (s *splice) kill(r *replacement) {
	if s.text.dead == nil {
		s.text.dead = make(map[int]bool)
	}
	s.text.dead[r.index] = true
	r.found.Linked = false
	if r.found.Broken {
		return
	}
	r.found.Display = judge.Defang(r.found.Link.Text)
	r.new, r.alive = r.found.Display, false
}

// appendDefanged appends replacements that defang a piece of a text, line by line. Quote marks and
// indents stay.
func appendDefanged(all []replacement, content string, piece span) []replacement {
	pos := piece.start
	for line := range strings.Lines(content[piece.start:piece.end]) {
		start, end := pos, pos+len(line)
		pos = end
		end = start + len(strings.TrimRight(line, " \t\r\n"))
		if start > piece.start {
			start += len(line) - len(strings.TrimLeft(line, "> \t"))
		}
		if start >= end {
			continue
		}
		if old := content[start:end]; judge.Defang(old) != old {
			all = append(all, replacement{start: start, end: end, new: judge.Defang(old)})
		}
	}
	return all
}

// changes reports whether any replacement has a new text.
func (s *splice) changes() bool {
	for i := range s.replaced {
		if s.replaced[i].new != "" {
			return true
		}
	}
	return false
}

// applied returns the edited text, and the offset of each replacement in it.
func (s *splice) applied() (string, []int) {
	size := len(s.content)
	for i := range s.replaced {
		r := &s.replaced[i]
		size += r.length() - (r.end - r.start)
	}
	var b strings.Builder
	b.Grow(size)
	starts := make([]int, len(s.replaced))
	pos := 0
	for i := range s.replaced {
		r := &s.replaced[i]
		b.WriteString(s.content[pos:r.start])
		starts[i], pos = b.Len(), r.start
		if r.new != "" {
			b.WriteString(r.new)
			pos = r.end
		}
	}
	b.WriteString(s.content[pos:])
	return b.String(), starts
}

// original returns the piece of the original text from which a piece of the edited text comes. It
// includes every replacement that the piece overlaps.
func (s *splice) original(starts []int, after span) span {
	at := func(pos int) (int, *replacement) {
		i := sort.Search(len(starts), func(i int) bool { return starts[i] > pos }) - 1
		if i < 0 {
			return pos, nil
		}
		r := &s.replaced[i]
		if offset := pos - starts[i] - r.length(); offset >= 0 {
			return r.end + offset, nil
		}
		return r.start, r
	}
	start, _ := at(after.start)
	end, inside := at(after.end - 1)
	if inside != nil {
		return span{start, inside.end}
	}
	return span{start, end + 1}
}

// flags reports whether a link is flagged.
func (s *splice) flags(link engine.Link) bool { return s.judge.IsFlagged(link, s.judge.Verdict(link)) }

// sameURL reports whether two serialised URLs are equal, apart from the case of hexadecimal digits and
// from escapes of unreserved ASCII (RFC 3986 §6.2.2).
func sameURL(a, b string) bool { return a == b || percent.Normalize(a) == percent.Normalize(b) }

// A span is a piece of a text: text[start:end].
type span struct{ start, end int }

// rewritten returns what a plain text shows in place of a link: its readable form, or its defanged form
// if it is flagged and the rule defangs. It returns "" for a link that stays as it was typed.
func rewritten(l *report.Found, flagged rule.Flagged) string {
	switch {
	case l.Flagged && flagged == rule.FlaggedDefang:
		return l.Display
	case l.Broken, l.Flagged, !l.Linked, !isBetter(l.Link.Text, l.Display):
		return ""
	}
	return l.Display
}

// isBetter reports whether a link is easier to read as shown than as typed. It is not if only the
// scheme or the case of letters changes. It is not either if the shown form has an A-label in place
// of typed letters, or an escape in place of a typed character.
func isBetter(typed, shown string) bool {
	if typed == shown {
		return false
	}
	typed, shown = strings.ToLower(withoutWeb(typed)), strings.ToLower(withoutWeb(shown))
	return typed != shown && strings.Count(shown, "xn--") <= strings.Count(typed, "xn--") && strings.Count(shown, "%") <= strings.Count(typed, "%")
}

// withoutWeb returns a URL without the scheme of the web.
func withoutWeb(url string) string {
	if name, rest := scheme.Name(url); name == "http" || name == "https" {
		return strings.TrimPrefix(rest, "//")
	}
	return url
}

// defangedOnly is rewritten for a text of which only flagged links may be edited.
func defangedOnly(l *report.Found, flagged rule.Flagged) string {
	if !l.Flagged {
		return ""
	}
	return rewritten(l, flagged)
}

// needsRewrite reports whether a link of the text would be rewritten.
func (t *text) needsRewrite(flagged rule.Flagged) bool {
	return slices.ContainsFunc(t.links, func(l report.Found) bool { return rewritten(&l, flagged) != "" })
}

// needsDefang reports whether a link of the text has to be defanged.
func (t *text) needsDefang(flagged rule.Flagged) bool {
	return flagged == rule.FlaggedDefang && slices.ContainsFunc(t.links, func(l report.Found) bool { return l.Flagged })
}

// rewrites returns the edits that make the links of a text readable, and defang flagged links if
// the rule says so. The edited text is scanned once more. A rewritten link must be found with the
// same bounds and target, and the links around it must stay as they were. Otherwise the rewrites of
// its line are dropped (invariant I4). Defanging is never dropped: it covers more of the text, or
// the reason says why the text cannot be edited.
func rewrites(ctx context.Context, j *judge.Judge, t *text, flagged rule.Flagged) ([]mime.Edit, report.Reason) {
	shown := rewritten
	if t.onlyFlagged {
		shown = defangedOnly
	}
	s := newSplice(ctx, j, t, flagged, shown)
	if s.settle(s.differing) {
		return s.edits(), ""
	}
	if s.defang && t.needsDefang(flagged) {
		return nil, reasonNotDefanged
	}
	return nil, ""
}

// edits returns the edits of a text that carry out the replacements.
func (s *splice) edits() []mime.Edit {
	var all []mime.Edit
	for _, r := range s.replaced {
		if r.new != "" {
			all = append(all, mime.Edit{Start: r.start, End: r.end, New: []byte(r.new)})
		}
	}
	return all
}
