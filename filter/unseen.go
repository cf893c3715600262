package filter

import (
	"context"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/unseen"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// maxUnseenKept is the number of unseen texts of each severity that a report keeps.
const maxUnseenKept = 64

// noteUnseen records the unseen characters in a text of a part. place returns the range of the
// source that a range of the text comes from. Only the first reading of a part counts, because in a
// wrong charset letters may be soft hyphens.
func (c *collector) noteUnseen(part, text string, place func(start, end int) (int, int)) {
	if c.again != nil || c.guess {
		return
	}
	isBroken := !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) // the text is in another charset
	var room [8]report.Unseen
	for _, u := range unseen.Append(room[:0], text) {
		if isBroken && u.Kind == engine.UnseenMark.String() {
			continue // Japanese in Shift_JIS, read as UTF-8, has Arabic letters with Syriac marks
		}
		u.Start, u.End = place(u.Start, u.End)
		c.addUnseen(part, u)
	}
}

// noteTexts returns the function that records what the texts of a page hide, or nil in further
// readings of a part.
func (h *htmlReading) noteTexts() func(*page.Text) {
	if h.again != nil || h.guess {
		return nil
	}
	return func(t *page.Text) {
		place := func(start, end int) (int, int) {
			start, end, _ = t.Source(start, end)
			return start, end
		}
		var u report.Unseen
		var ok bool
		switch t.Veil {
		case page.Hidden:
			u, ok = unseen.Hidden(t.Text)
		case page.Faint, page.Comment:
			u, ok = unseen.Prompt(t.Text)
		}
		if ok {
			u.Start, u.End = t.Start, t.End
			h.addUnseen(h.part.Number, u)
		}
		h.noteUnseen(h.part.Number, t.Text, place)
	}
}

// addUnseen adds an unseen text of a part, unless the report has enough of that severity.
func (c *collector) addUnseen(part string, u report.Unseen) {
	same := 0
	for i := range c.unseen {
		if c.unseen[i].Severity == u.Severity {
			same++
		}
	}
	if same >= maxUnseenKept {
		return
	}
	u.Part, u.Says = part, strings.Clone(u.Says)
	c.unseen = append(c.unseen, u)
}

// deceives reports whether the message hides something that honest mail does not hide.
func (r *reading) deceives() bool {
	for i := range r.unseen {
		if r.unseen[i].Severity >= policy.SeverityMedium {
			return true
		}
	}
	return false
}

// unseenVariant returns the variant for the unseen texts of a message, the kind and place of the
// worst one, and how many have its severity.
func unseenVariant(r *reading) (v variant, where string, more int) {
	worst := &r.unseen[0]
	for i := range r.unseen {
		if r.unseen[i].Severity > worst.Severity {
			worst = &r.unseen[i]
		}
	}
	for i := range r.unseen {
		if r.unseen[i].Severity == worst.Severity {
			more++
		}
	}
	v = unseenFiller
	if worst.Severity >= policy.SeverityMedium {
		v = unseenDeception
	}
	return v, unseenWords[worst.Kind] + ", in " + worst.Part, more
}

// unseenWords describe the kinds of unseen texts for people.
var unseenWords = map[string]string{
	"filler": "invisible characters that say nothing", "break": "invisible characters in a word", "tags": "tag characters that spell a text",
	"selectors": "variation selectors that carry data", "bits": "invisible characters that carry data", "split": "a word that invisible characters split",
	"mark": "marks of another script on the letters of a word", "order": "Bidi controls that show words in another order",
	report.UnseenHidden: "hidden text of HTML that is longer than a preview", report.UnseenPrompt: "hidden text of HTML that speaks to a program",
}

// removesUnseen reports whether the rule removes unseen characters.
func removesUnseen(u *rule.Rule) bool { return u.RemoveUnseen && u.Edit != rule.EditNever }

// hasFlagged reports whether a rule that edits only flagged messages edits this one: it has a flagged
// link, or unseen characters that deceive and that the rule removes.
func (p *planner) hasFlagged(r *reading) bool {
	return hasFlagged(r) || removesUnseen(p.rule) && r.deceives()
}

// cleans reports whether the rule removes unseen characters from a plain text that has some.
func (p *planner) cleans(t *text) bool {
	if !removesUnseen(p.rule) {
		return false
	}
	for range engine.UnseenCharacters(t.content) {
		return true
	}
	return false
}

// cleaned returns a plain text without its unseen characters, with the links that are found in it
// then.
func (p *planner) cleaned(r *reading, t *text) text {
	clean := *t
	clean.content, clean.dead = engine.Clean(t.content), nil
	for start, end := range engine.UnseenCharacters(t.content) {
		clean.removed = append(clean.removed, span{start, end})
	}
	c := &collector{ctx: p.ctx, judge: p.judge, limits: *p.limits, maxLinks: p.maxLinks}
	part := report.Part{Number: r.parts[t.part].Number}
	_ = c.readPlain(&part, clean.content) // when the context ends, so does the plan
	c.showAs(p.judge, p.rule.Flagged)
	clean.links = c.links
	return clean
}

// withRemoved translates edits of a cleaned text to edits of the original text, and adds the edits
// that remove its unseen characters.
func (t *text) withRemoved(edits []mime.Edit) []mime.Edit {
	if len(t.removed) == 0 {
		return edits
	}
	var all []mime.Edit
	shift, next := 0, 0 // bytes removed so far; index of the next removed range
	// before adds the removals in front of an offset of the cleaned text.
	before := func(offset int) {
		for ; next < len(t.removed) && t.removed[next].start-shift < offset; next++ {
			s := t.removed[next]
			all = append(all, mime.Edit{Start: s.start, End: s.end})
			shift += s.end - s.start
		}
	}
	for _, e := range edits {
		before(e.Start + 1) // characters directly in front of the edit are removed by an edit of their own
		start := e.Start + shift
		for ; next < len(t.removed) && t.removed[next].start-shift < e.End; next++ {
			shift += t.removed[next].end - t.removed[next].start
		}
		all = append(all, mime.Edit{Start: start, End: e.End + shift, New: e.New})
	}
	before(len(t.content) + 1)
	return all
}

// unseenReason returns why unseen characters of a text stay, or "" if they are removed. reason is
// why the text is not edited otherwise. Guards for mail that programs write or read do not keep
// unseen characters, since programs would read them. HTML beside the text does not keep them
// either. If only harmless padding stays, that is not a failure.
func (p *planner) unseenReason(r *reading, t *text, reason report.Reason) report.Reason {
	lets := len(r.message.Problems) == 0
	for i := range guards {
		g := &guards[i]
		holds := g.text != nil && g.text(t, p.limits) || g.message != nil && !(t.html && g.notHTML) && g.message(r, p.rule)
		if holds && g.reason != reasonHTMLSibling && (g.lets != letsPrograms || p.rule.KeepLists) {
			lets = false
		}
	}
	switch {
	case lets:
		return ""
	case !r.deceives():
		return reasonNothing
	}
	return reason
}

// isUnseenOnly reports whether all splices only remove text.
func isUnseenOnly(splices []htmledit.Splice) bool {
	return !slices.ContainsFunc(splices, func(s htmledit.Splice) bool { return s.Text != "" || s.Attribute != "" || s.Href != "" })
}

// maxUnseenSplices bounds the places of a page at which unseen characters are removed. Newsletters
// have some hundreds.
const maxUnseenSplices = 16 << 10

// unseenSplices returns the splices that remove unseen characters from the texts of HTML:
// characters, and references such as &zwnj;.
func unseenSplices(ctx context.Context, source string) (splices []htmledit.Splice) {
	if ascii.Is(source) && strings.IndexByte(source, '&') < 0 {
		return nil
	}
	use := func(t *page.Text) {
		if t.Veil == page.Comment {
			return
		}
		for start, end := range engine.UnseenCharacters(t.Text) {
			for i := start; i < end && len(splices) < maxUnseenSplices; {
				_, size := utf8.DecodeRuneInString(t.Text[i:])
				from, to, known := t.Source(i, i+size)
				if known && 0 <= from && from < to && to <= len(source) && html.UnescapeString(source[from:to]) == t.Text[i:i+size] {
					splices = append(splices, htmledit.Splice{Start: from, End: to})
				}
				i += size
			}
		}
	}
	for _, err := range page.ReadWith(ctx, source, maxHTMLToken, page.Also{Texts: use}) {
		if err != nil {
			break
		}
	}
	splices = withoutOverlaps(splices)
	merged := splices[:0]
	for _, s := range splices {
		if last := len(merged) - 1; last >= 0 && merged[last].End == s.Start {
			merged[last].End = s.End
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}
