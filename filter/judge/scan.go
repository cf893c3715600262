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

// scanStep is the number of bytes that are scanned between two checks of the context.
const scanStep = 32 << 10

// Scan iterates over the links and suspects of a text in order. The error of ctx comes last.
func (f *finder) Scan(ctx context.Context, text string) iter.Seq2[engine.Link, error] {
	return f.PlainScan(ctx, text).all
}

// A LinkScan gives the links and suspects of a text in order. It scans the text in windows
// and checks ctx before each. A link that is too long comes as its head.
//
// Windows end before white space, which no link contains (UTS #58 §3.4). Only a word
// longer than a window is cut elsewhere. There windows overlap by more than the longest
// link; the rest of a longer link is read as text.
type LinkScan struct {
	*finder
	ctx  context.Context
	text string
	from int // where the next window goes on
	done int // the end of the latest link
	Err  error

	// join puts links that continue over lines among those of a window. isLast marks the last
	// window. join is nil if no link continues.
	join func(links []engine.Link, isLast bool) []engine.Link
}

// PlainScan returns a scan in which links do not continue over lines.
func (f *finder) PlainScan(ctx context.Context, text string) LinkScan {
	return LinkScan{finder: f, ctx: ctx, text: text}
}

// All yields the links, and the error of ctx last.
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

// More appends the next links to dst, which is empty, and returns the result. It returns an
// empty slice at the end of the text, and with err where ctx ends.
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

// withQuery returns the first of the links in a text. If it is a mailto: URL with a query, that belongs to
// it, and so do further recipients before the query: readers who click
// <mailto:list@example.com?subject=CONFIRM%201234> want to send the key, too. Detection ends the link at
// the domain (UTS #58 §5.2) and skips the query; in strict mode that holds here.
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
	if i := strings.IndexByte(text[end:behind], '#'); i >= 0 {
		behind = end + i // a fragment, which mail programs drop
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

// window returns the window that goes on at the offset from; the last link ended at
// done.
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

// Finder finds the links and suspects of a text.
type finder struct {
	Scanner *engine.Scanner
	// MaxLinkLen is the length in bytes beyond which a link is reduced to its head.
	MaxLinkLen int
	// joinLines: a URL in angle brackets that continues over hard line ends (RFC 3986
	// appendix C) is one link. Its Text is the URL without the breaks, while Start and
	// End are its place in the text.
	JoinLines bool
	// Strict: links are those of UTS #58 without adjustments.
	Strict bool
}

// In returns the links and suspects of a short text, such as one that is shown for
// a link.
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
