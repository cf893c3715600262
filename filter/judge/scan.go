package judge

import (
	"context"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/piece"
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
	for _, link := range dst {
		link.Start, link.End = link.Start+w.start, link.End+w.start
		if link.Start >= w.next && w.next < w.end {
			break
		}
		if link.End <= s.from && s.from > 0 {
			continue
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
