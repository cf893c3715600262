package judge

import (
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

// scanStep is how many bytes are scanned between two checks of the context.
const scanStep = 32 << 10

// Scan iterates over the links and suspects of a text in order. If ctx ends, the last pair has its
// error.
func (f *finder) Scan(ctx context.Context, text string) iter.Seq2[engine.Link, error] {
	return f.PlainScan(ctx, text).all
}

// A LinkScan returns the links and suspects of a text in order. It scans the text in windows and checks
// ctx before each window. Of a link longer than MaxLinkLen it returns the head.
//
// Windows end before white space, which no link contains (UTS #58 §3.4). Only in a word longer than a
// window do they end elsewhere. There windows overlap by more than the longest link, and the rest of a
// longer link is read as text.
type LinkScan struct {
	*finder
	ctx  context.Context
	text string
	from int // where the next window begins
	done int // the end of the latest link
	Err  error

	// join inserts the links that continue over lines among the links of a window. isLast marks the
	// last window. join is nil if no link continues over lines.
	join func(links []engine.Link, isLast bool) []engine.Link
}

// PlainScan returns a scan in which links do not continue over lines.
func (f *finder) PlainScan(ctx context.Context, text string) LinkScan {
	return LinkScan{finder: f, ctx: ctx, text: text}
}

// all yields the links. If ctx ends, the last pair has its error.
func (s LinkScan) all(yield func(engine.Link, error) bool) {
	var room [4]engine.Link
	for links := s.More(room[:0]); len(links) > 0; links = s.More(links[:0]) {
		for _, link := range links {
			if !yield(link, nil) {
				return
			}
		}
	}
	if s.Err != nil {
		yield(engine.Link{}, s.Err)
	}
}

// More appends the next links to dst, which must be empty, and returns the result. The result is empty
// at the end of the text, and when ctx ends, which sets Err.
func (s *LinkScan) More(dst []engine.Link) []engine.Link {
	for len(dst) == 0 && s.from < len(s.text) {
		if s.Err = s.ctx.Err(); s.Err != nil {
			return nil
		}
		dst = s.inWindow(dst)
		if s.join != nil {
			dst = s.join(slices.Clone(dst), s.from >= len(s.text)) // dst itself stays on the stack
		}
	}
	return dst
}

// inWindow appends the links of the next window to dst, which is empty.
func (s *LinkScan) inWindow(dst []engine.Link) []engine.Link {
	w := s.window(s.text, s.from, s.done)
	dst = s.Scanner.Append(dst, s.text[w.start:w.end])
	kept := dst[:0]
	for i := range dst {
		link := s.withQuery(s.text[w.start:w.end], dst[i:])
		link.Start, link.End = link.Start+w.start, link.End+w.start
		if link.Start >= w.next && w.next < w.end {
			break
		}
		if link.End <= s.from && s.from > 0 || link.Start < s.done {
			continue // read in the window before, or in the query of a mailto: URL
		}
		s.done = link.End
		if len(link.Text) > s.MaxLinkLen {
			link = link.Head(s.MaxLinkLen)
		}
		kept = append(kept, link)
	}
	s.from = max(w.next, s.done)
	return kept
}

// withQuery returns the first of the links in a text. If that is a mailto: URL, its query belongs
// to it, and so do further recipients in front of the query: readers who click
// <mailto:list@example.com?subject=CONFIRM%201234> want to send the key, too. Detection ends the
// link at the domain (UTS #58 §5.2) and skips the query; in strict mode withQuery does the same.
func (f *finder) withQuery(text string, links []engine.Link) engine.Link {
	link := links[0]
	if f.Strict || link.Kind != engine.KindEmail || link.Components().Scheme == "" {
		return link
	}
	end := link.End
	for _, next := range links[1:] {
		if next.Kind != engine.KindEmail || next.Start != end+len(",") || text[end] != ',' || next.Components().Scheme != "" {
			break
		}
		end = next.End
	}
	if !strings.HasPrefix(text[end:], "?") {
		return link
	}
	behind := f.Scanner.LinkEnd(text, link.Start, end)
	if i := strings.IndexAny(text[end:behind], "#\"<>"); i >= 0 {
		behind = end + i // a fragment, which mail programs drop, or a quotation beside it
	}
	if behind > end+len("?") {
		link.Text, link.End = text[link.Start:behind], behind
	}
	return link
}

// withoutQuery returns the link that withQuery was given.
func withoutQuery(link engine.Link) engine.Link {
	if link.Kind != engine.KindEmail || link.End-link.Start != len(link.Text) {
		return link
	}
	address := link.Head(len(link.Text))
	address.End = link.Start + len(address.Text)
	return address
}

// A scanWindow is the piece of a text to scan next: text[start:end]. Links that begin
// at next or after it are left to the window after it.
type scanWindow struct{ start, end, next int }

// window returns the window that begins at the offset from. The last link ended at done.
func (f *finder) window(text string, from, done int) scanWindow {
	overlap := f.MaxLinkLen + piece.Before
	w := scanWindow{start: from, end: from + scanStep + overlap}
	if from > 0 && !piece.IsBlank(text[from]) {
		w.start = piece.RuneStart(text, max(done, from-piece.Before, 0))
	}
	if w.end >= len(text) {
		w.end, w.next = len(text), len(text)
		return w
	}
	if i := strings.LastIndexAny(text[from+1:w.end], " \t\r\n"); i >= 0 {
		w.end = from + 1 + i
		w.next = w.end
		return w
	}
	w.end = piece.RuneStart(text, w.end)
	w.next = piece.RuneStart(text, w.end-overlap)
	return w
}

// finder finds the links and suspects of a text.
type finder struct {
	Scanner *engine.Scanner
	// MaxLinkLen is the length in bytes beyond which a link is reduced to its head.
	MaxLinkLen int
	// JoinLines says that a URL in angle brackets over several lines (RFC 3986 appendix C) is one link.
	// Its Text is the URL without the line breaks; Start and End are its place in the text.
	JoinLines bool
	// Strict: links are those of UTS #58 without adjustments.
	Strict bool
}

// In returns the links and suspects of a short text, such as the text of a link.
func (f *finder) In(text string) []engine.Link { return f.Scanner.Append(nil, text) }

// MayHoldLink reports whether a text has a character that a link or suspect needs.
func MayHoldLink(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '.' || c == ':' || c == '@' || c == '/' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// All is Scan, but also returns links that continue over lines if JoinLines is set.
func (f *finder) All(ctx context.Context, text string) iter.Seq2[engine.Link, error] {
	return f.JoinedScan(ctx, text).all
}

// JoinedScan returns a scan that also finds links that continue over lines, if JoinLines is set.
func (f *finder) JoinedScan(ctx context.Context, text string) LinkScan {
	s := f.PlainScan(ctx, text)
	if f.JoinLines && strings.Contains(text, "<") {
		j := joiner{finder: f, ctx: ctx, text: text, broken: f.broken(ctx, text, 0)}
		s.join = j.join
	}
	return s
}

// A joiner merges the links of a text with the links that continue over lines, in order and without
// overlaps.
type joiner struct {
	*finder
	ctx    context.Context
	text   string
	broken engine.Link // the next link that continues over lines; its End is 0 without one
	end    int         // end of the last link
}

// join returns the next links of a text, merged with the links that continue over lines. isLast says
// that no more links follow.
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

// pass appends to links the broken links that begin at or before start.
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

// LongestBroken is the largest length in bytes of a link over several lines.
const LongestBroken = 4 << 10

// broken returns the first link at or after pos that continues over lines. Its End is 0 if there is
// none, or if ctx has ended.
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

// Closing returns the offset in s of the bracket that closes the angle bracket in front of s, or 0. A
// ">" at the start of a line is a quote mark and closes nothing.
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

// joined returns the link that fills a pair of angle brackets: one URL with a scheme over several
// lines, and nothing else. Its offsets are those in inside.
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
	if len(links) == 0 || links[0].Start > 0 || links[0].Components().Scheme == "" {
		return engine.Link{}, false
	}
	link := f.withQuery(url.String(), links)
	if link.End != url.Len() {
		return engine.Link{}, false
	}
	link.Start, link.End = start, end
	return link, true
}

// WithoutSpace returns the URL in angle brackets without white space, and without quote marks after
// line ends. ok reports whether it is a web URL with white space before the end of its host.
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

// mayBeURL reports whether a text begins with the first letter of a linked scheme or of "www".
func mayBeURL(text string) bool { return strings.ContainsRune("hfmwHFMW", rune(text[0])) }

// afterSlashes returns the text after the first "://", or the whole text.
func afterSlashes(text string) string {
	if _, after, ok := strings.Cut(text, "://"); ok {
		return after
	}
	return strings.TrimRight(text, "/")
}
