package filter

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// mayBeReadable reports whether the text of a link may become readable.
func mayBeReadable(found *report.Found) bool {
	return !found.Hidden && !found.Guessed && found.Linked && !found.Broken && isBetter(found.Link.Text, found.Display) && found.Link.Kind == engine.KindURL
}

// readableLink returns the splice that makes the text of a link readable. The text of the link
// names the target, or it is a URL outside of links, which becomes a link.
func (p *planner) readableLink(source string, found *report.Found) (htmledit.Splice, bool) {
	if found.Place == report.PlaceHTMLLink {
		return p.readableText(source, found)
	}
	start, end := found.Link.Start, found.Link.End
	written := source[start:end]
	if found.Place != report.PlaceHTMLText || strings.Contains(written, "<") || html.UnescapeString(written) != found.Link.Text {
		return htmledit.Splice{}, false
	}
	text := p.seenAt(source, start, found)
	if !isBetter(found.Link.Text, text) {
		return htmledit.Splice{}, false
	}
	if cutsWord(source, start, end, text) {
		return htmledit.Splice{}, false
	}
	return htmledit.Splice{Start: start, End: end, Text: text, URL: true, Href: found.Href, Sure: true}, text != ""
}

// seenAt returns the readable form of a link in HTML at an offset, as an alternative shows
// it; "" where it stays.
func (p *planner) seenAt(source string, at int, found *report.Found) string {
	l, before := *found, ""
	if r := seenBefore(source, at); r != 0 {
		before = string(r)
	}
	l.Link.Start = len(before)
	seen := seenIn(&text{content: before}, p.rule.NeutralOnly)(&l)
	if p.rule.NeutralOnly && cost.Misread(alternative.Link{Href: found.Href, Display: seen}) {
		return ""
	}
	return seen
}

// readableText returns the splice that makes the text of an element a readable, where it
// names what the element opens.
func (p *planner) readableText(source string, found *report.Found) (htmledit.Splice, bool) {
	tag, ok := htmledit.TagAt(source, found.Link.Start)
	if !ok || elementAt(source, tag.Start) != "a" {
		return htmledit.Splice{}, false
	}
	texts, _, ok := tag.Inside()
	var text htmledit.Text
	for _, t := range texts {
		if t = t.Trimmed(source); t.Shown == "" {
			continue
		}
		if text.Shown != "" {
			return htmledit.Splice{}, false
		}
		text = t
	}
	if !ok || text.Shown == "" || len(text.Shown) > p.judge.Finder.MaxLinkLen {
		return htmledit.Splice{}, false
	}
	seen := p.seenAt(source, text.Start, found)
	if text.Shown == seen {
		return htmledit.Splice{}, false
	}
	p.links = p.judge.Finder.Scanner.Append(p.links[:0], text.Shown)
	links := p.links
	if len(links) != 1 || links[0].Start != 0 || links[0].End != len(text.Shown) {
		return htmledit.Splice{}, false
	}
	shown := *found
	if links[0].Text != found.Link.Text || links[0].Kind != found.Link.Kind {
		shown = p.judge.Found("", links[0], p.rule.Flagged)
		seen = p.seenAt(source, text.Start, &shown)
	}
	if shown.Flagged || !shown.Linked || !isBetter(text.Shown, seen) || !namesTarget(&shown, found) {
		return htmledit.Splice{}, false
	}
	if cutsWord(source, text.Start, text.End, seen) {
		return htmledit.Splice{}, false
	}
	return htmledit.Splice{Start: text.Start, End: text.End, Text: seen, URL: true, Sure: true, Around: tag.Value("href")}, seen != ""
}

// namesTarget reports whether a text opens what the link around it opens. One without a
// scheme may be of any.
func namesTarget(text, target *report.Found) bool {
	if text.Link.Components().Scheme != "" {
		return sameURL(text.Href, target.Href)
	}
	_, a, _ := strings.Cut(text.Href, ":")
	_, b, _ := strings.Cut(target.Href, ":")
	return sameURL(a, b)
}

// seenIn returns the function that returns what an alternative of a text shows in place
// of a link; "" for a link that stays as typed.
//
// It is the link's display, without the scheme of the web where it differs from the
// target: spam filters take a text that begins with a scheme and is not the target for a
// fraud. neutral says that a host that was typed as A-labels stays so where MailScanner
// would take its Unicode form for a fraud.
func seenIn(t *text, neutral bool) func(*report.Found) string {
	return func(l *report.Found) string {
		if l.Broken {
			return ""
		}
		shown := withoutScheme(t, l, l.Display)
		if neutral && l.Linked && ascii.Is(l.Link.Components().Host) && cost.Misread(alternative.Link{Href: l.Href, Display: shown}) {
			shown = withoutScheme(t, l, judge.Readable(l, engine.HostASCII))
		}
		if shown == l.Link.Text {
			return ""
		}
		return shown
	}
}

// withoutScheme returns what a link shows without the scheme of the web. The scheme stays
// where the text is the target, or would run into what is before it.
func withoutScheme(t *text, l *report.Found, shown string) string {
	name, rest := scheme.Name(shown)
	after, ok := strings.CutPrefix(rest, "//")
	// Rspamd takes a text in parentheses with a scheme for another URL than the target.
	same := cost.ShowsHref(alternative.Link{Href: l.Href, Display: shown}) && !strings.ContainsAny(shown, "()")
	if !l.Linked || !ok || name != "http" && name != "https" || same ||
		!mayPrecedeHost(t.content[:l.Link.Start]) {
		return shown
	}
	return after
}

// hrefOf returns what a link opens in an alternative: its URL, without the slash behind
// the host where none was typed. Rspamd counts URLs with and without it as two, and an
// odd number of them against the message.
func hrefOf(l *report.Found) string {
	if c := l.Link.Components(); l.Link.Kind == engine.KindURL && c.Path == "" {
		_, rest, _ := strings.Cut(l.Href, "//")
		host := l.Href[:len(l.Href)-len(rest)+len(cost.Authority(rest))]
		return host + strings.TrimPrefix(l.Href[len(host):], "/")
	}
	return l.Href
}

// mayPrecedeHost reports whether a host behind a text is read as one: the text does not
// end with what may be part of it, such as a letter, a full stop or an at sign.
func mayPrecedeHost(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	switch {
	case size == 0, unicode.IsSpace(r):
		return true
	case r < utf8.RuneSelf:
		return strings.ContainsRune("([{<>\"',;", r)
	}
	return unicode.In(r, unicode.Ps, unicode.Pi) || strings.ContainsRune("，、：；！？", r)
}

// A place in HTML is within a word where a reader sees a letter, digit or mark on both sides of it.
// Tags of inline elements, comments and characters that are not seen may be between them: a URL in
// an element a may end with the first letter of a word that goes on behind the element.

// Beside a place, a character is looked for within so many bytes, tags and characters that are not seen.
const (
	maxSeenBytes = 4 << 10 // with a long href
	maxUnseen    = 64
)

// cutsWord reports whether what is shown begins or ends within a word, in place of
// source[start:end].
func cutsWord(source string, start, end int, shown string) bool {
	first, _ := utf8.DecodeRuneInString(shown)
	last, _ := utf8.DecodeLastRuneInString(shown)
	hasScheme := strings.Contains(shown, "://") // it begins the URL for readers
	return textview.IsInWord(last) && textview.IsInWord(seenBehind(source, end)) || !hasScheme && textview.IsInWord(first) && textview.IsInWord(seenBefore(source, start))
}

// seenBefore returns the character that a reader sees directly before an offset in HTML; 0 for none.
func seenBefore(source string, at int) rune {
	from := max(0, at-maxSeenBytes)
	for n := 0; at > from && n < maxUnseen; n++ {
		before := source[from:at]
		i := len(before) - 1
		switch {
		case strings.HasSuffix(before, "-->"):
			if i = strings.LastIndex(before, "<!--"); i < 0 {
				return 0
			}
		case before[i] == '>':
			if i = strings.LastIndexByte(before, '<'); i < 0 || !isWithinWord(before[i:]) {
				return 0
			}
		default:
			r, size := utf8.DecodeLastRuneInString(before)
			if r == ';' {
				k := max(0, strings.LastIndexByte(before, '&'))
				if s := html.UnescapeString(before[k:]); !strings.HasSuffix(s, ";") {
					r, _ = utf8.DecodeLastRuneInString(s)
					size = len(before) - k
				}
			}
			if !ucd.IsDefaultIgnorable(r) {
				return r
			}
			i = len(before) - size
		}
		at = from + i
	}
	return 0
}

// seenBehind returns the character that a reader sees directly behind an offset in HTML; 0 for none.
func seenBehind(source string, at int) rune {
	r, _ := nextSeen(source, at)
	return r
}

// behindWord returns the offset in HTML behind the rest of a word that goes on at an offset: before the
// next link, and at the offset where no word goes on.
func behindWord(source string, at int) int {
	for {
		r, end := nextSeen(source, at)
		if !textview.IsInWord(r) || strings.Contains(strings.ToLower(source[at:end]), "href") {
			return at
		}
		at = end
	}
}

// nextSeen is seenBehind with the offset behind the character.
func nextSeen(source string, at int) (r rune, end int) {
	to := min(len(source), at+maxSeenBytes)
	for n := 0; at < to && n < maxUnseen; n++ {
		rest, size := source[at:to], 0
		switch {
		case strings.HasPrefix(rest, "<!--"):
			if size = strings.Index(rest, "-->") + len("-->"); size < len("<!---->") {
				return 0, at
			}
		case rest[0] == '<':
			if size = strings.IndexByte(rest, '>') + 1; size == 0 || !isWithinWord(rest) {
				return 0, at
			}
		default:
			r, size = utf8.DecodeRuneInString(rest)
			if r == '&' {
				k := strings.IndexByte(rest, ';') + 1
				if s := html.UnescapeString(rest[:k]); k > 0 && s[0] != '&' {
					r, _ = utf8.DecodeRuneInString(s)
					size = k
				}
			}
			if !ucd.IsDefaultIgnorable(r) {
				return r, at + size
			}
		}
		at += size
	}
	return 0, at
}

// isWithinWord reports whether the tag that begins source parts no word for readers.
func isWithinWord(source string) bool {
	name := strings.TrimPrefix(source[1:], "/")
	end := strings.IndexFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !ascii.IsAlphanumeric(byte(r)) && r != ':' && r != '-'
	})
	if end < 0 {
		return false
	}
	name = strings.ToLower(name[:end])
	return name == "" || withinWord[name] || strings.ContainsAny(name, ":-")
}

// withinWord has the elements that HTML shows in a line, without a gap.
var withinWord = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq("a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr s samp small span strike strong sub sup time tt u var wbr") {
		set[name] = true
	}
	return set
}()
