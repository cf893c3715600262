package filter

import (
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/mime"
)

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

// isBetter reports whether a link is easier to read as shown than as typed. It is not if nothing but its
// scheme and case changes, nor if a host typed in letters that browsers do not display, or a character of a
// path, would become an A-label or an escape.
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

// rewrites returns the edits that make the links of a text readable, and defang flagged links if the
// rule says so. The edited text is scanned once more. A rewritten link must be found with the same
// bounds and target, and the links around it must stay as they were. Otherwise the rewrites of its line
// are dropped (invariant I4). Defanging is never dropped: it widens, or the reason says why the text
// cannot be edited.
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
