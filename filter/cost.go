package filter

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// What spam filters hold against a text with an HTML alternative; docs/performance.md has
// the measurements.
const (
	// fewestWords is the number of words beside the links with which Rspamd does not take
	// equal parts for different ones (R_PARTS_DIFFER), nor SpamAssassin a readable link
	// for a difference (MPART_ALT_DIFF).
	fewestWords = 3
	// mostLinks is the share of the links in the text, in percent, up to which Rspamd does
	// not call it one of links alone (HFILTER_URL_ONLY, from 80 on).
	mostLinks = 78
)

// costly reports whether a spam filter would score the text higher with an alternative
// that shows the links so.
func (t *text) costly(links []alternative.Link) bool {
	total, urls, typed := len(t.content), 0, 0
	if slices.ContainsFunc(t.links, typedInUnicode) || t.mixesScripts() {
		return true
	}
	for _, l := range links {
		if l.Display == "" {
			l.Display = t.content[l.Start:l.End]
		}
		total += len(l.Display) - (l.End - l.Start)
		typed += l.End - l.Start
		urls += countedLength(l)
		if misread(l) {
			return true
		}
	}
	share, before := 100*urls/max(total, 1), 100*typed/max(len(t.content), 1)
	return share > max(mostLinks, before) || !hasWords(t.content, links, fewestWords)
}

// typedInUnicode reports whether a link has a host that was typed in Unicode. Rspamd may
// not find it in the text, and holds against a message that its parts have an odd number
// of URLs (URI_COUNT_ODD).
func typedInUnicode(l report.Found) bool {
	return l.Linked && l.Link.Kind == engine.KindURL && !ascii.Is(l.Link.Components().Host)
}

// mixedWords is the share of changes between letters of ASCII and others in the words, in
// percent, from which on Rspamd calls a text one of mixed scripts (R_MIXED_CHARSET, from
// 10 on), if it has letters that are not Latin.
const mixedWords = 6

// mixesScripts reports whether readable links add other letters to a text in Latin script
// with many letters beyond ASCII.
func (t *text) mixesScripts() bool {
	adds := func(l report.Found) bool { return !l.Broken && l.Linked && strings.ContainsFunc(l.Display, isNotLatin) }
	if ascii.Is(t.content) || !slices.ContainsFunc(t.links, adds) || strings.ContainsFunc(t.content, isNotLatin) {
		return false
	}
	changes, all := 0, 0
	for field := range strings.FieldsSeq(t.content) {
		all += words(field)
		before := ' '
		for _, r := range field {
			if unicode.IsLetter(before) && unicode.IsLetter(r) && (before < utf8.RuneSelf) != (r < utf8.RuneSelf) {
				changes++
			}
			before = r
		}
	}
	return 100*changes > mixedWords*all
}

// isNotLatin reports whether a character is a letter of another script than Latin.
func isNotLatin(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Common)
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

// misread reports whether a program that compares the text of a reference with its
// target takes it for a fraud. MailScanner compares hosts without knowing Punycode, and
// distrusts targets that may be a number; SpamAssassin compares texts with a scheme.
func misread(l alternative.Link) bool {
	name, rest := scheme.Name(l.Href)
	if name != "http" && name != "https" {
		return false
	}
	target := authority(strings.TrimPrefix(rest, "//"))
	if !strings.ContainsAny(target, "ghijklmnopqrstuvwyz") {
		return true
	}
	shown := l.Display
	if name, after := scheme.Name(shown); scheme.IsLinked(name) && strings.HasPrefix(after, "//") {
		if !showsHref(l) {
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

// authority returns the host and port of a URL without its scheme.
func authority(url string) string {
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		return url[:i]
	}
	return url
}

// showsHref reports whether the text of a reference is its target.
func showsHref(l alternative.Link) bool {
	return strings.EqualFold(l.Display, l.Href) || strings.EqualFold(l.Display+"/", l.Href)
}

// readsAsLink matches what MailScanner takes for the text of a link.
var readsAsLink = regexp.MustCompile(`^(w+|ft+p|fpt+|ma[il]+to)[.,]|[.,](com|org|net|info|biz|ws)|[.,]com?[.,][a-z][a-z]`)

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

// lettersPerWord is the number of letters that make a word in scripts without spaces, with
// room to spare.
const lettersPerWord = 4

// words returns the number of words in text without white space.
func words(field string) int {
	all, letters, inside := 0, 0, false
	for _, r := range field {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			letters++
			inside = false
		case !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit):
			inside = false
		case !inside:
			all++
			inside = true
		}
	}
	return all + (letters+lettersPerWord-1)/lettersPerWord
}
