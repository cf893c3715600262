// Package cost tells whether an edit would raise the score of a message with spam filters. Rspamd,
// SpamAssassin and MailScanner compare the texts of a message with each other, and texts of links with
// their targets.
package cost

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// mostLinks is the highest share of links in a text, in percent. From 80 on, Rspamd reports a text of
// links only (HFILTER_URL_ONLY). docs/performance.md has the measurements of this and of the rules
// below.
const mostLinks = 78

// Mail is what spam filters see of a message, apart from the edited text.
type Mail struct {
	Subject     func() string // decoded
	Alternative bool          // the message is multipart/alternative
	Texts       []Part        // plain texts
	Pages       []Part        // sources of HTML parts
}

// A Part is the content of a text, or the source of HTML, in a message.
type Part struct {
	Content  string
	Attached bool // it is in an attached message
}

// A Text is a plain text with the links that were found in it.
type Text struct {
	Content string
	Links   []report.Found
}

// AlternativeCosts reports whether a spam filter would score the mail higher with an alternative of the
// text that shows these links.
func (m *Mail) AlternativeCosts(t Text, links []alternative.Link) bool {
	if t.mixesScripts() || t.mixesE(m, links) {
		return true
	}
	added, urls, typed, changed := 0, 0, 0, 0
	for _, l := range links {
		if l.Display == "" {
			l.Display = t.Content[l.Start:l.End]
		} else {
			changed++
		}
		added += len(l.Display) - (l.End - l.Start)
		typed += l.End - l.Start
		urls += countedLength(l)
		if Misread(l) {
			return true
		}
	}
	share := max(mostLinks, 100*typed/max(len(t.Content), 1))
	needed := 100*urls/(share+1) + 1 - added // length of text with which the links stay below that share
	return collapsed(t.Content, needed) < needed || isOdd(t, links) || !hasWords(t.Content, links, fewestWords(changed))
}

// mixesE is Mail.mixesE for a text and an alternative with the links. It returns early if neither has a
// letter like e, as most mail.
func (t Text) mixesE(m *Mail, links []alternative.Link) bool {
	shows := func(l alternative.Link) bool { return strings.ContainsFunc(l.Display, isLikeE) }
	if (ascii.Is(t.Content) || !strings.ContainsFunc(t.Content, isLikeE)) && !slices.ContainsFunc(links, shows) {
		return false
	}
	return m.mixesE(t.Content, shownIn(t.Content, links)+t.Content)
}

// collapsed returns the length of a text with each run of white space counted as one byte. It counts up
// to most.
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

// isOdd reports whether Rspamd counts, or may count, an odd number of URLs in a text and its
// alternative (URI_COUNT_ODD).
func isOdd(t Text, links []alternative.Link) bool {
	typed := make(map[int]bool)
	for i := range t.Links {
		if l := &t.Links[i]; typedInUnicode(*l) {
			typed[l.Link.Start] = true
		}
	}
	odd := false
	for _, l := range links {
		text := t.Content[l.Start:l.End]
		switch {
		case !typed[l.Start]:
			odd = odd != (l.Display != "" && countsOneMore(text, l.Display))
		case !countsTheSame(text, l.Display):
			return true
		}
	}
	return odd
}

// countsTheSame reports whether Rspamd finds a link with a Unicode host both in the text and in the
// alternative. Without a scheme it finds only hosts that begin in ASCII.
func countsTheSame(typed, shown string) bool {
	before, _ := scheme.Name(typed)
	after, _ := scheme.Name(shown)
	return shown != "" && before == "https" && after == "" && ascii.IsAlphanumeric(shown[0]) && !ascii.HasPrefixFold(shown, "www.")
}

// countsOneMore reports whether Rspamd counts a third URL for a link, in addition to those of the text
// and the href. It does for a host shown without a scheme whose target begins with http. It recognises
// a host with www.
func countsOneMore(typed, shown string) bool {
	before, _ := scheme.Name(typed)
	after, _ := scheme.Name(shown)
	return before == "http" && after == "" && !ascii.HasPrefixFold(shown, "www.")
}

// typedInUnicode reports whether a link has a host that was typed in Unicode.
func typedInUnicode(l report.Found) bool {
	return l.Linked && l.Link.Kind == engine.KindURL && !ascii.Is(l.Link.Components().Host)
}

// countedLength returns the length of a link as Rspamd counts it in HTML. A text that is a URL by
// itself counts twice.
func countedLength(l alternative.Link) int {
	switch name, _ := scheme.Name(l.Display); {
	case l.Href == "":
		return len(l.Display)
	case name != "", ascii.HasPrefixFold(l.Display, "www."), scheme.Mailto+":" == l.Href[:min(len(l.Href), len(scheme.Mailto)+1)]:
		return 2 * len(l.Display)
	}
	return len(l.Display)
}

// fewestWords returns the number of words outside of links that a plain text and its HTML must share,
// so that spam filters do not report different parts, if changed links look different in the two.
// Rspamd compares words (R_PARTS_DIFFER); SpamAssassin wants one common word (MPART_ALT_DIFF).
func fewestWords(changed int) int { return max(3, 2*changed) }

// hasWords reports whether a text has at least n words that touch no link.
func hasWords(content string, links []alternative.Link, n int) bool {
	pos := 0
	for field := range strings.FieldsSeq(content) {
		start := pos + strings.Index(content[pos:], field)
		pos = start + len(field)
		for len(links) > 0 && links[0].End <= start {
			links = links[1:]
		}
		if len(links) > 0 && links[0].Start < pos {
			continue
		}
		if n -= words(field); n <= 0 {
			return true
		}
	}
	return false
}

// lettersPerWord is how many letters count as a word in scripts without spaces, a cautious value.
const lettersPerWord = 4

// words returns how many words with a letter a text without white space has.
func words(field string) int {
	all, letters, inside := 0, 0, false
	for _, r := range field {
		switch {
		case isUnspaced(r):
			letters++
			inside = false
		case !textview.IsInWord(r):
			inside = false
		case !inside && !unicode.IsDigit(r):
			all++
			inside = true
		}
	}
	return all + (letters+lettersPerWord-1)/lettersPerWord
}

// isUnspaced reports whether a character is of a script that puts no spaces between words.
func isUnspaced(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Misread reports whether a program that compares a link's text with its target takes the link for a
// fraud. MailScanner compares hosts without knowing Punycode, and distrusts a target that may be a
// hexadecimal number. SpamAssassin compares texts that have a scheme.
func Misread(l alternative.Link) bool {
	name, rest := scheme.Name(l.Href)
	if name != "http" && name != "https" {
		return false
	}
	target := Authority(strings.TrimPrefix(rest, "//"))
	if !strings.ContainsAny(target, "ghijklmnopqrstuvwyz") {
		return true
	}
	shown := l.Display
	if name, after := scheme.Name(shown); scheme.IsLinked(name) && strings.HasPrefix(after, "//") {
		if !ShowsHref(l) {
			return true
		}
		shown = after[len("//"):]
	}
	host, _, _ := strings.Cut(shown, "/")
	if strings.TrimPrefix(strings.ToLower(host), "www.") == strings.TrimPrefix(target, "www.") {
		return false
	}
	return readsAsLink.MatchString(percent.Decode(strings.ToLower(shown)))
}

// Authority returns the host and port of a URL without its scheme.
func Authority(url string) string {
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		return url[:i]
	}
	return url
}

// ShowsHref reports whether the text of a link is its target, with or without a final slash.
func ShowsHref(l alternative.Link) bool {
	return strings.EqualFold(l.Display, l.Href) || strings.HasSuffix(l.Href, "/") && strings.EqualFold(l.Display, l.Href[:len(l.Href)-1])
}

// readsAsLink matches what MailScanner takes for the text of a link.
var readsAsLink = regexp.MustCompile(`^(w+|ft+p|fpt+|ma[il]+to)[.,]|[.,](com|org|net|info|biz|ws)|[.,]com?[.,][a-z][a-z]`)

// mixedWords is the highest number of letters with diacritics for each 100 words. From 10 on, Rspamd
// reports mixed scripts (R_MIXED_CHARSET) for a text that also has letters that are not Latin. It then
// does not see that the language uses diacritics.
const mixedWords = 9

// longestMixed is the number of letters up to which Rspamd looks at a word.
const longestMixed = 10

// mixesScripts reports whether readable links add letters of another script to a Latin text with many
// non-ASCII letters.
func (t Text) mixesScripts() bool {
	return !ascii.Is(t.Content) && slices.ContainsFunc(t.Links, func(l report.Found) bool {
		return !l.Broken && l.Linked && strings.ContainsFunc(l.Display, isNotLatin)
	}) && isMixed(t.Content)
}

// isMixed reports whether a Latin text has many letters with diacritics. URLs are not counted.
func isMixed(content string) bool {
	if strings.ContainsFunc(content, isNotLatin) {
		return false
	}
	marked, all := 0, 0
	for field := range strings.FieldsSeq(content) {
		if strings.Contains(field, "://") || ascii.HasPrefixFold(field, "www.") {
			continue
		}
		for word := range strings.FieldsFuncSeq(field, endsWord) {
			all++
			beyond, letters := 0, 0
			for _, r := range word {
				letters++
				if r >= utf8.RuneSelf && r != '\u2019' {
					beyond++
				}
			}
			if letters <= longestMixed {
				marked += beyond
			}
		}
	}
	return 100*marked > mixedWords*all
}

// endsWord reports whether a character separates words. An apostrophe is part of a word.
func endsWord(r rune) bool { return !textview.IsInWord(r) && r != '\'' && r != '\u2019' }

// isNotLatin reports whether a character is a letter of a script other than Latin.
func isNotLatin(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Common)
}

// isLikeE reports whether SpamAssassin takes a letter for a disguised e.
func isLikeE(r rune) bool {
	return 'è' <= r && r <= 'ӫ' && strings.ContainsRune("èéêëēĕėęěȀȅȇϵеѐёєѳҼҽҾҿөӫ", r)
}

// mixesE reports whether a change of its texts makes SpamAssassin see disguised letters in a message
// (MIXED_ES). That needs more than 20 letters e, and 1.4 to 10 times as many letters if look-alikes are
// counted, too. It counts the subject, and up to 320 letters.
func (m *Mail) mixesE(before, after string) bool {
	subject := m.Subject()
	const fewest, least, most, counted = 18, 136, 1100, 320 // e; all letters in hundredths of the e
	if n, all := countE(subject + before); n > 20 && 10*all > 14*n && all < 10*n {
		return false
	}
	n, all := countE(subject + after)
	return n > fewest && 100*all > least*n && 100*all < most*n && 100*counted > least*n
}

// countE returns how many e a text has, and how many e and letters like it.
func countE(text string) (es, all int) {
	es = strings.Count(text, "e")
	all = es
	for {
		text = text[ascii.Printable(text):]
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			return es, all
		}
		if isLikeE(r) {
			all++
		}
		text = text[size:]
	}
}

// RewriteCosts reports whether a spam filter would score the mail higher if the links of the text were
// rewritten.
func (m *Mail) RewriteCosts(t Text) bool {
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

// HTMLCosts reports whether a spam filter would score the mail higher after splices that make links of
// its HTML readable. It is false if a splice removes a flagged link, because that matters more.
func (m *Mail) HTMLCosts(source string, splices []htmledit.Splice) bool {
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

// allSure reports whether all splices only make links readable.
func allSure(splices []htmledit.Splice) bool {
	return len(splices) > 0 && !slices.ContainsFunc(splices, func(s htmledit.Splice) bool { return !s.Sure })
}

// CostlySplices returns the splices of HTML that raise the score by themselves. Without them the others
// cost nothing, as far as single links matter.
func (m *Mail) CostlySplices(source string, splices []htmledit.Splice) (costly []htmledit.Splice) {
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

// isOddAfter reports whether splices change Rspamd's number of URLs in the HTML by an odd number
// (URI_COUNT_ODD).
func isOddAfter(source string, splices []htmledit.Splice) bool {
	odd := false
	for _, s := range splices {
		odd = odd != countsOneMore(source[s.Start:s.End], s.Text)
	}
	return odd
}

// onlyLinks reports whether links that begin with www, which Rspamd counts twice, are most of a text.
func onlyLinks(splices []htmledit.Splice, after string) bool {
	counted := 0
	for _, s := range splices {
		if countsTwice(s) {
			counted += 2 * len(s.Text)
		}
	}
	return 100*counted > mostLinks*collapsed(after, len(after))
}

// countsTwice reports whether Rspamd counts the text of a new link as another URL.
func countsTwice(s htmledit.Splice) bool { return s.Href != "" && ascii.HasPrefixFold(s.Text, "www.") }

// visible returns the text that HTML shows, with a line end between its pieces.
func visible(source string) string {
	var b strings.Builder
	for _, text := range htmledit.Texts(source, 0, len(source)) {
		b.WriteString(text.Shown + "\n")
	}
	return b.String()
}

// differs reports whether SpamAssassin takes HTML for another text than the plain one (MPART_ALT_DIFF).
// It does if the plain text has fewer than one in a hundred of the HTML's words as often.
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
