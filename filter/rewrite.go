package filter

import (
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// rewritten returns what a plain text shows in place of a link: its readable form,
// or where it is flagged and the rule says so the defanged one. It returns "" for
// a link that stays as it was typed.
func rewritten(l *report.Found, flagged rule.Flagged) string {
	switch {
	case l.Flagged && flagged == rule.FlaggedDefang:
		return l.Display
	case l.Broken, l.Flagged, !l.Linked, l.Display == l.Link.Text:
		return ""
	}
	return l.Display
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

// rewrites returns the edits that make the links of a text readable, and defang
// flagged ones where the rule says so. The edited text is scanned once more: where
// a rewrite is not found in its bounds, opens something else, or changes which
// links are beside it, those of its line are dropped (invariant I4). A link that was
// to be defanged never stays: the defanging widens, or the reason is why the text
// cannot be edited.
func rewrites(ctx context.Context, j *judge, t *text, flagged rule.Flagged) ([]mime.Edit, report.Reason) {
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

// defang returns the text of a link in a form in which neither linkmilter nor any other program
// finds a link or a nested URL. People can still read it:
// "hxxps[:]//example[.]com/?u=http[:]//example[.]org". The letters of the schemes that open
// something in a browser are changed at the start only, where readers look.
//
// Links begin with a scheme and a colon, hold a dot between labels or an at sign, in ASCII or one
// of the forms that UTS #46 maps to it. All of these that are left are alone between brackets. No
// label, scheme or local part can be beside a bracket.
func defang(text string) string {
	for _, scheme := range [...]struct{ live, dead string }{{"http", "hxxp"}, {"ftp", "fxp"}} {
		if ascii.HasPrefixFold(text, scheme.live) {
			rest := text[len(scheme.live):]
			if name, _, ok := strings.Cut(rest, ":"); ok && (name == "" || strings.EqualFold(name, "s")) {
				text = scheme.dead + rest
			}
		}
	}
	return defanged.Replace(text)
}

// defanged brackets what makes links.
var defanged = strings.NewReplacer(
	".", "[.]", "\u3002", "[.]", "\uff0e", "[.]", "\uff61", "[.]", // UTS #46 §2.3
	"@", "[@]", "\uff20", "[@]", "\ufe6b", "[@]",
	":", "[:]", "\uff1a", "[:]", "\ufe55", "[:]", "\ufe13", "[:]",
)
