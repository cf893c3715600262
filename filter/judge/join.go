package judge

import (
	"context"
	"iter"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// All is scan with links that continue over lines, where the finder looks for those.
func (f *finder) All(ctx context.Context, text string) iter.Seq2[engine.Link, error] {
	return f.JoinedScan(ctx, text).all
}

// JoinedScan returns a scan of a text, in which links continue over lines where the finder
// looks for those.
func (f *finder) JoinedScan(ctx context.Context, text string) LinkScan {
	s := f.PlainScan(ctx, text)
	if f.JoinLines && strings.Contains(text, "<") {
		j := joiner{finder: f, ctx: ctx, text: text, broken: f.broken(ctx, text, 0)}
		s.join = j.join
	}
	return s
}

// A joiner puts the links of a text and those that continue over lines in order, none of them
// inside of another.
type joiner struct {
	*finder
	ctx    context.Context
	text   string
	broken engine.Link // the next link that continues over lines; its End is 0 without one
	end    int         // of the last link
}

// join returns the next links of a text, among them those that continue over lines. isLast
// says that no more links follow.
func (j *joiner) join(links []engine.Link, isLast bool) []engine.Link {
	if j.broken.End == 0 && j.end == 0 {
		return links
	}
	var joined []engine.Link
	for _, link := range links {
		if joined = j.pass(joined, link.Start); link.Start >= j.end {
			joined = append(joined, link)
			j.end = link.End
		}
	}
	if isLast {
		joined = j.pass(joined, len(j.text))
	}
	return joined
}

// pass appends the broken links that begin at or before start to links.
func (j *joiner) pass(links []engine.Link, start int) []engine.Link {
	for j.broken.End > 0 && j.broken.Start <= start {
		if j.broken.Start >= j.end {
			links = append(links, j.broken)
			j.end = j.broken.End
		}
		j.broken = j.finder.broken(j.ctx, j.text, max(j.end, j.broken.Start))
	}
	return links
}

// LongestBroken is the length in bytes of the longest link over several lines.
const LongestBroken = 4 << 10

// broken returns the first link at or after pos that continues over lines; its End
// is 0 if no such link follows or ctx has ended.
func (f *finder) broken(ctx context.Context, text string, pos int) engine.Link {
	for checked := pos; ; {
		if pos-checked >= scanStep {
			if checked = pos; ctx.Err() != nil {
				return engine.Link{}
			}
		}
		open := strings.IndexByte(text[pos:], '<')
		if open < 0 {
			return engine.Link{}
		}
		pos += open + 1
		inside := text[pos:min(len(text), pos+LongestBroken)]
		inside = inside[:Closing(inside)]
		if !strings.Contains(inside, "\n") {
			continue
		}
		if link, ok := f.joined(inside); ok {
			link.Start += pos
			link.End += pos
			return link
		}
	}
}

// Closing returns the offset at which the angle bracket before s is closed, 0 if it
// is not. Quote marks at the start of a line close nothing.
func Closing(s string) int {
	quoted := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<':
			return 0
		case c == '>' && !quoted:
			return i
		case c == '\n':
			quoted = true
		case c != ' ' && c != '\t' && c != '>':
			quoted = false
		}
	}
	return 0
}

// joined returns the link between angle brackets, with offsets into inside: one URL
// with a scheme over more than one line, and nothing else.
func (f *finder) joined(inside string) (engine.Link, bool) {
	start := len(inside) - len(strings.TrimLeft(inside, " \t\r\n"))
	if ascii.HasPrefixFold(inside[start:], "URL:") {
		start += len("URL:")
	}
	end := len(strings.TrimRight(inside, " \t\r\n"))
	if start >= end || !strings.Contains(inside[start:end], "\n") {
		return engine.Link{}, false
	}
	var url strings.Builder
	for line := range strings.Lines(inside[start:end]) {
		if url.Len() > 0 {
			line = strings.TrimLeft(line, "> \t") // quote marks, indents
		}
		url.WriteString(strings.TrimRight(line, " \t\r\n"))
	}
	links := f.Scanner.Append(nil, url.String())
	if len(links) != 1 || links[0].Start > 0 || links[0].End != url.Len() || links[0].Components().Scheme == "" {
		return engine.Link{}, false
	}
	link := links[0]
	link.Start, link.End = start, end
	return link, true
}

// WithoutSpace returns the URL between angle brackets without white space, and without
// quote marks after line ends. It reports whether there was any before the end of the host.
func WithoutSpace(inside string) (url string, ok bool) {
	inside = strings.TrimSpace(inside)
	if ascii.HasPrefixFold(inside, "URL:") {
		inside = strings.TrimSpace(inside[len("URL:"):])
	}
	first := strings.IndexFunc(inside, unicode.IsSpace)
	if first < 0 || !mayBeURL(inside) || strings.ContainsAny(afterSlashes(inside[:first]), "/?#") {
		return "", false
	}
	var b strings.Builder
	for line := range strings.Lines(inside) {
		if b.Len() > 0 {
			line = strings.TrimLeft(line, "> \t")
		}
		for word := range strings.FieldsSeq(line) {
			b.WriteString(word)
		}
	}
	url = b.String()
	name, _ := scheme.Name(url)
	return url, scheme.IsLinked(name) || ascii.HasPrefixFold(url, "www.")
}

// mayBeURL reports whether a text begins with the letter of a linked scheme or of "www".
func mayBeURL(text string) bool { return strings.ContainsRune("hfmwHFMW", rune(text[0])) }

// afterSlashes returns what follows the first "://" of a text, or the text.
func afterSlashes(text string) string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		return after
	}
	return strings.TrimRight(text, "/")
}
