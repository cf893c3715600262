package cost

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
)

// OfRewrite reports whether a spam filter would score the mail higher if the links of the text were
// rewritten.
func (m *Mail) OfRewrite(t Text) bool {
	var links []alternative.Link
	changed := 0
	for _, l := range t.Links {
		link := alternative.Link{Start: l.Link.Start, End: l.Link.End}
		if !l.Broken && l.Display != l.Link.Text {
			link.Display = l.Display
			changed++
		}
		links = append(links, link)
	}
	after := shownIn(t.Content, links)
	if t.mixesScripts() || m.mixesE(t.Content, after) {
		return true
	}
	for i := range m.Pages {
		if page := visible(m.Pages[i].Content); !m.Pages[i].Attached && changed > 0 && differs(page, after) && !differs(page, t.Content) {
			return true
		}
	}
	return false
}

// OfHTML reports whether a spam filter would score the mail higher after splices of its HTML that make
// links readable. That a flagged link opens nothing counts more.
func (m *Mail) OfHTML(source string, splices []htmledit.Splice) bool {
	if !allSure(splices) {
		return false
	}
	before, after := visible(source), visible(htmledit.Apply(source, splices))
	text := ""
	for _, t := range m.Texts {
		if text += t.Content; !t.Attached && differs(after, t.Content) && !differs(before, t.Content) {
			return true
		}
	}
	return m.mixesE(text+before, text+after)
}

// allSure reports whether splices only make links readable.
func allSure(splices []htmledit.Splice) bool {
	return len(splices) > 0 && !slices.ContainsFunc(splices, func(s htmledit.Splice) bool { return !s.Sure })
}

// Splices returns those of the splices of HTML without which the others cost nothing with
// spam filters, as far as single links do.
func (m *Mail) Splices(source string, splices []htmledit.Splice) (costly []htmledit.Splice) {
	if !allSure(splices) {
		return nil
	}
	keep := func(is func(htmledit.Splice) bool) {
		for _, s := range splices {
			if is(s) {
				costly = append(costly, s)
			}
		}
	}
	adds := func(s htmledit.Splice) bool { return strings.ContainsFunc(s.Text, isNotLatin) }
	if slices.ContainsFunc(splices, adds) && isMixed(visible(source)) {
		keep(adds)
	}
	if onlyLinks(splices, visible(htmledit.Apply(source, splices))) {
		keep(countsTwice)
	}
	if len(costly) > 0 {
		return costly
	}
	if m.Alternative && isOddAfter(source, splices) {
		odd := false
		keep(func(s htmledit.Splice) bool {
			first := !odd && countsOneMore(source[s.Start:s.End], s.Text)
			odd = odd || first
			return first
		})
	}
	return costly
}

// isOddAfter reports whether Rspamd counts an odd number of URLs more, or fewer, in the HTML
// after splices (URI_COUNT_ODD), as isOdd does for an alternative.
func isOddAfter(source string, splices []htmledit.Splice) bool {
	odd := false
	for _, s := range splices {
		odd = odd != countsOneMore(source[s.Start:s.End], s.Text)
	}
	return odd
}

// onlyLinks reports whether links that begin with www, which Rspamd counts once more in a
// reference, are most of a text.
func onlyLinks(splices []htmledit.Splice, after string) bool {
	counted := 0
	for _, s := range splices {
		if countsTwice(s) {
			counted += 2 * len(s.Text)
		}
	}
	return 100*counted > mostLinks*collapsed(after, len(after))
}

// countsTwice reports whether Rspamd counts a link once more in a reference.
func countsTwice(s htmledit.Splice) bool { return s.Href != "" && ascii.HasPrefixFold(s.Text, "www.") }

// visible returns the text that HTML shows, with a line end between its pieces.
func visible(source string) string {
	var b strings.Builder
	for _, text := range htmledit.Texts(source, 0, len(source)) {
		b.WriteString(text.Shown + "\n")
	}
	return b.String()
}

// differs reports whether SpamAssassin takes HTML for another text than the plain one
// (MPART_ALT_DIFF): of its words between white space, less than one in a hundred is in the plain
// text as often.
func differs(page, plain string) bool {
	count := func(text string) map[string]int {
		all := make(map[string]int)
		for field := range strings.FieldsSeq(text) {
			if strings.ContainsFunc(field, textview.IsInWord) {
				all[field]++
			}
		}
		return all
	}
	shown, written := count(page), count(plain)
	common := 0
	for field, n := range shown {
		if written[field] >= n {
			common++
		}
	}
	return len(shown) > 0 && 100*common <= len(shown)
}
