package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// mostLinks is the highest share of links in a text, in percent. From 80 on Rspamd says that
// the text has links alone (HFILTER_URL_ONLY). docs/performance.md has the measurements of this
// and of the rules below.
const mostLinks = 78

// costly reports whether a spam filter would score the text higher with an alternative
// that shows the links so.
func (t *text) costly(r *reading, links []alternative.Link) bool {
	if t.mixesScripts() || t.mixesE(r, links) {
		return true
	}
	added, urls, typed, changed := 0, 0, 0, 0
	for _, l := range links {
		if l.Display == "" {
			l.Display = t.content[l.Start:l.End]
		} else {
			changed++
		}
		added += len(l.Display) - (l.End - l.Start)
		typed += l.End - l.Start
		urls += countedLength(l)
		if misread(l) {
			return true
		}
	}
	share := max(mostLinks, 100*typed/max(len(t.content), 1))
	needed := 100*urls/(share+1) + 1 - added // of the text, so that the links have at most that share
	return collapsed(t.content, needed) < needed || isOdd(t, links) || !hasWords(t.content, links, fewestWords(changed))
}

// mixesE is the function mixesE for a text and an alternative with the links. Most mail has
// no letter like e.
func (t *text) mixesE(r *reading, links []alternative.Link) bool {
	shows := func(l alternative.Link) bool { return strings.ContainsFunc(l.Display, isLikeE) }
	if (ascii.Is(t.content) || !strings.ContainsFunc(t.content, isLikeE)) && !slices.ContainsFunc(links, shows) {
		return false
	}
	return mixesE(r, t.content, shownIn(t.content, links)+t.content)
}

// collapsed returns the length of a text with each run of white space as one byte. It
// counts up to most.
func collapsed(content string, most int) int {
	n, space := 0, false
	for i := 0; i < len(content) && n < most; i++ {
		is := content[i] <= ' '
		if !is || !space {
			n++
		}
		space = is
	}
	return n
}

// shownIn returns a text with its links as an alternative shows them.
func shownIn(content string, links []alternative.Link) string {
	var b strings.Builder
	b.Grow(len(content))
	pos := 0
	for _, l := range links {
		if l.Display != "" {
			b.WriteString(content[pos:l.Start])
			b.WriteString(l.Display)
			pos = l.End
		}
	}
	b.WriteString(content[pos:])
	return b.String()
}

// isOdd reports whether Rspamd counts an odd number of URLs in a text and its alternative
// (URI_COUNT_ODD), or may do so.
func isOdd(t *text, links []alternative.Link) bool {
	typed := make(map[int]bool)
	for i := range t.links {
		if l := &t.links[i]; typedInUnicode(*l) {
			typed[l.Link.Start] = true
		}
	}
	odd := false
	for _, l := range links {
		text := t.content[l.Start:l.End]
		switch {
		case !typed[l.Start]:
			odd = odd != (l.Display != "" && countsOneMore(text, l.Display))
		case !countsTheSame(text, l.Display):
			return true
		}
	}
	return odd
}

// countsTheSame reports whether Rspamd finds a link with a host typed in Unicode in the text, and in
// the alternative, too: without a scheme it does where the host begins in ASCII.
func countsTheSame(typed, shown string) bool {
	before, _ := scheme.Name(typed)
	after, _ := scheme.Name(shown)
	return shown != "" && before == "https" && after == "" && ascii.IsAlphanumeric(shown[0]) && !ascii.HasPrefixFold(shown, "www.")
}

// countsOneMore reports whether Rspamd counts a third URL for a link, beside those in the text
// and in the reference: a host shown without a scheme, which it takes for the target if that
// begins with http. It recognises a host with www.
func countsOneMore(typed, shown string) bool {
	before, _ := scheme.Name(typed)
	after, _ := scheme.Name(shown)
	return before == "http" && after == "" && !ascii.HasPrefixFold(shown, "www.")
}

// typedInUnicode reports whether a link has a host that was typed in Unicode.
func typedInUnicode(l report.Found) bool {
	return l.Linked && l.Link.Kind == engine.KindURL && !ascii.Is(l.Link.Components().Host)
}

// countedLength returns the length of a link as Rspamd counts it in HTML: that of the
// reference, and once more where the text alone is a URL for it.
func countedLength(l alternative.Link) int {
	switch name, _ := scheme.Name(l.Display); {
	case l.Href == "":
		return len(l.Display)
	case name != "", ascii.HasPrefixFold(l.Display, "www."), scheme.Mailto+":" == l.Href[:min(len(l.Href), len(scheme.Mailto)+1)]:
		return 2 * len(l.Display)
	}
	return len(l.Display)
}
