package filter

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/textview"
	"github.com/linkmilter/linkmilter/internal/alternative"
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

// readableLink returns the splice that makes a link readable: the text of a link that names its target,
// or a URL outside of links, which becomes a link.
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

// seenAt returns how an HTML alternative would show the link at this offset, or "" if the link should
// stay as it is.
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

// readableText returns the splice that makes the text of an element a readable, if that text is one URL
// and names what the element opens.
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
		shown = p.judge.Found("", links[0])
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

// namesTarget reports whether a text opens the same URL as the link around it. A text without a scheme
// may have any.
func namesTarget(text, target *report.Found) bool {
	if text.Link.Components().Scheme != "" {
		return sameURL(text.Href, target.Href)
	}
	_, a, _ := strings.Cut(text.Href, ":")
	_, b, _ := strings.Cut(target.Href, ":")
	return sameURL(a, b)
}

// seenIn returns a function that says what an alternative shows in place of a link, or "" for a link
// that stays as typed.
//
// An alternative shows the link's display. It leaves out http and https if the display is not the
// target: spam filters take such a text for a fraud. neutral keeps a host typed as A-labels if
// MailScanner would take its Unicode form for a fraud.
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

// withoutScheme returns a link's display without http or https. The scheme stays if the display is the
// target, or if the host would run into the text before it.
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

// hrefOf returns what a link opens in an alternative: its URL, without the slash after the host if none
// was typed. Rspamd counts the URL with a slash and the URL without one as two, and an odd number of
// URLs against the message.
func hrefOf(l *report.Found) string {
	if c := l.Link.Components(); l.Link.Kind == engine.KindURL && c.Path == "" {
		_, rest, _ := strings.Cut(l.Href, "//")
		host := l.Href[:len(l.Href)-len(rest)+len(cost.Authority(rest))]
		return host + strings.TrimPrefix(l.Href[len(host):], "/")
	}
	return l.Href
}

// mayPrecedeHost reports whether programs would recognise a host directly after text. After a letter, a
// full stop or an at sign they would not, because these may be part of the host.
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

// An offset in HTML is within a word if a reader sees a letter, digit or mark on both sides of it.
// Inline tags, comments and invisible characters do not separate them: an element a may hold a URL and
// the first letter of the next word.

// Bounds of the search for the neighbours of an offset: bytes, and tags or invisible characters.
const (
	maxSeenBytes = 4 << 10 // enough for a tag with a long href
	maxUnseen    = 64
)

// cutsWord reports whether a text in place of source[start:end] would begin or end within a word.
func cutsWord(source string, start, end int, shown string) bool {
	first, _ := utf8.DecodeRuneInString(shown)
	last, _ := utf8.DecodeLastRuneInString(shown)
	hasScheme := strings.Contains(shown, "://") // it begins the URL for readers
	return textview.IsInWord(last) && textview.IsInWord(seenAfter(source, end)) || !hasScheme && textview.IsInWord(first) && textview.IsInWord(seenBefore(source, start))
}

// seenBefore returns the character that a reader sees directly before an offset in HTML, or 0.
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

// seenAfter returns the character that a reader sees directly after an offset in HTML, or 0.
func seenAfter(source string, at int) rune {
	r, _ := nextSeen(source, at)
	return r
}

// afterWord returns the end of the word that an offset in HTML is inside of, or the offset itself
// if it is in no word. It stops before the next link.
func afterWord(source string, at int) int {
	for {
		r, end := nextSeen(source, at)
		if !textview.IsInWord(r) || strings.Contains(strings.ToLower(source[at:end]), "href") {
			return at
		}
		at = end
	}
}

// nextSeen is seenAfter, and returns the offset after the character.
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

// isWithinWord reports whether the tag at the beginning of source leaves a word in one piece, as inline
// elements do.
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

// withinWord has the inline elements, which browsers show without a gap.
var withinWord = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq("a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr s samp small span strike strong sub sup time tt u var wbr") {
		set[name] = true
	}
	return set
}()
