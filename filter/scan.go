package filter

import (
	"context"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

const (
	// scanStep is the number of bytes that are scanned between two checks of the context.
	scanStep = 32 << 10
	// scanBefore is the number of bytes before a place in a word that decide which link
	// begins there: more than a host may have.
	scanBefore = 4 << 10
)

// scan iterates over the links and suspects of a text. It scans the text in windows and
// checks ctx before each; the error of ctx comes last. A link that is too long comes as
// its head.
//
// Windows end before white space, which no link contains (UTS #58 §3.4). Only a word
// longer than a window is cut elsewhere. There windows overlap by more than the longest
// link; the rest of a longer link is read as text.
func (f *finder) scan(ctx context.Context, text string) iter.Seq2[engine.Link, error] {
	return func(yield func(engine.Link, error) bool) {
		done := 0 // the end of the last link
		var room [4]engine.Link
		links := room[:0]
		for from := 0; from < len(text); {
			if err := ctx.Err(); err != nil {
				yield(engine.Link{}, err)
				return
			}
			w := f.window(text, from, done)
			links = f.scanner.Append(links[:0], text[w.start:w.end])
			for _, link := range links {
				link.Start, link.End = link.Start+w.start, link.End+w.start
				if link.Start >= w.next && w.next < w.end {
					break
				}
				if link.End <= from && from > 0 {
					continue
				}
				done = link.End
				if len(link.Text) > f.maxLinkLen {
					link = link.Head(f.maxLinkLen)
				}
				if !yield(link, nil) {
					return
				}
			}
			from = max(w.next, done)
		}
	}
}

// A scanWindow is the piece of a text to scan next: text[start:end]. Links that begin
// at next or after it are left to the window after it.
type scanWindow struct{ start, end, next int }

// window returns the window that goes on at the offset from; the last link ended at
// done.
func (f *finder) window(text string, from, done int) scanWindow {
	overlap := f.maxLinkLen + scanBefore
	w := scanWindow{start: from, end: from + scanStep + overlap}
	if from > 0 && !isBlank(text[from]) {
		w.start = runeStart(text, max(done, from-scanBefore, 0))
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
	w.end = runeStart(text, w.end)
	w.next = runeStart(text, w.end-overlap)
	return w
}

// isBlank reports whether c is white space of ASCII, which no link contains.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// runeStart returns the offset i, or that of the character that i is in.
func runeStart(text string, i int) int {
	for n := 1; n < utf8.UTFMax && i > 0 && !utf8.RuneStart(text[i]); n++ {
		i--
	}
	return i
}

// finder finds the links and suspects of a text.
type finder struct {
	scanner *engine.Scanner
	// maxLinkLen is the length in bytes beyond which a link is reduced to its head.
	maxLinkLen int
	// joinLines: a URL in angle brackets that continues over hard line ends (RFC 3986
	// appendix C) is one link. Its Text is the URL without the breaks, while Start and
	// End are its place in the text.
	joinLines bool
}

// in returns the links and suspects of a short text, such as one that is shown for
// a link.
func (f *finder) in(text string) []engine.Link { return f.scanner.Append(nil, text) }

// mayHoldLink reports whether a text has a character that a link or suspect needs.
func mayHoldLink(text string) bool { return !ascii.Is(text) || strings.ContainsAny(text, ".:@/") }
