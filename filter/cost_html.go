package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
)

// costlyToRewrite reports whether a spam filter would score the message higher if the links
// of the text were rewritten.
func (t *text) costlyToRewrite(r *reading) bool {
	var links []alternative.Link
	changed := 0
	for _, l := range t.links {
		link := alternative.Link{Start: l.Link.Start, End: l.Link.End}
		if !l.Broken && l.Display != l.Link.Text {
			link.Display = l.Display
			changed++
		}
		links = append(links, link)
	}
	if t.mixesScripts() || mixesE(t.content, shownIn(t.content, links)) {
		return true
	}
	for i := range r.htmls {
		if page := visible(r.htmls[i].content); !r.htmls[i].attached && differs(page, page, changed, t) {
			return true
		}
	}
	return false
}

// costlyHTML reports whether a spam filter would score the message higher after splices of
// its HTML that make links readable. That a flagged link opens nothing counts more.
func costlyHTML(r *reading, source string, splices []htmledit.Splice) bool {
	if len(splices) == 0 || slices.ContainsFunc(splices, func(s htmledit.Splice) bool { return !s.Sure }) {
		return false
	}
	before, after := visible(source), visible(htmledit.Apply(source, splices))
	if r.message.Root.MediaType == "multipart/alternative" && isOddAfter(source, splices) {
		return true
	}
	adds := func(s htmledit.Splice) bool { return strings.ContainsFunc(s.Text, isNotLatin) }
	if slices.ContainsFunc(splices, adds) && isMixed(before) || onlyLinks(splices, after) {
		return true
	}
	text := ""
	for i := range r.texts {
		t := &r.texts[i]
		if text += t.content; !t.attached && differs(before, after, len(splices), t) {
			return true
		}
	}
	return mixesE(text+before, text+after)
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
		if s.Href != "" && ascii.HasPrefixFold(s.Text, "www.") {
			counted += 2 * len(s.Text)
		}
	}
	return 100*counted > mostLinks*collapsed(after, len(after))
}

// visible returns the text that HTML shows, with a line end between its pieces.
func visible(source string) string {
	var b strings.Builder
	for _, text := range htmledit.Texts(source, 0, len(source)) {
		b.WriteString(text.Shown + "\n")
	}
	return b.String()
}

// differs reports whether filters take HTML for another text than the plain one only after
// an edit of so many links: the parts have few words in common beside the links.
func differs(before, after string, changed int, t *text) bool {
	plain := make(map[string]bool) // whether the word touches no link
	pos, links := 0, t.links
	for field := range strings.FieldsSeq(t.content) {
		start := pos + strings.Index(t.content[pos:], field)
		pos = start + len(field)
		for len(links) > 0 && links[0].Link.End <= start {
			links = links[1:]
		}
		plain[field] = plain[field] || len(links) == 0 || links[0].Link.Start >= pos
	}
	common := false
	for field := range strings.FieldsSeq(before) {
		_, ok := plain[field]
		common = common || ok
	}
	n := fewestWords(changed)
	for field := range strings.FieldsSeq(after) {
		if plain[field] {
			n -= words(field)
			plain[field] = false
		}
	}
	return common && n > 0
}
