package filter

import (
	"html"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/alternative"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
)

// mayBeReadable reports whether the text of a link may become readable.
func mayBeReadable(found *report.Found) bool {
	return !found.Hidden && !found.Guessed && found.Linked && !found.Broken && found.Display != found.Link.Text && found.Link.Kind == engine.KindURL
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
	if shown.Flagged || !shown.Linked || shown.Display == text.Shown || !namesTarget(&shown, found) {
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
