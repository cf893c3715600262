package piece_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/piece"
)

// longest is the longest link in these tests, in bytes.
const longest = 2 << 10

// inPieces returns the links in a text that is read in pieces, and the text put together
// again.
func inPieces(t *testing.T, s *engine.Scanner, r io.Reader) (links []engine.Link, text string) {
	t.Helper()
	var b strings.Builder
	p := piece.NewReader(r, longest)
	for p.Next() {
		if len(p.Text()) > 1<<20 {
			t.Fatalf("a piece of %d bytes", len(p.Text()))
		}
		for l := range s.All(p.Text()) {
			if p.Has(l.Start, l.End) {
				l.Start, l.End = l.Start+p.Offset(), l.End+p.Offset()
				links = append(links, l)
			}
		}
		from, to := p.Bounds()
		if p.Offset()+from != b.Len() {
			t.Fatalf("the piece begins at %d, behind %d", p.Offset()+from, b.Len())
		}
		b.WriteString(p.Text()[from:to])
	}
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return links, b.String()
}

// TestLinksInPieces: a text in pieces has the links of the whole text, with and without lines,
// wherever a piece ends.
func TestLinksInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{
		"http://example.com/path?q=1#f", "example.org", "joe@example.com", "例え.com/パス", "http://a_b.example/x", "www.example.net/ä",
		"https://example.com/" + strings.Repeat("長い/", 200), "http://user@example.com:80/" + strings.Repeat("x", 1500), "wort", "и", "(a.b)", "x.y.z",
	}
	for _, between := range []string{" ", "\r\n", "\t", "\u3000", "\xff", "\u3000<", "\"\u3000"} {
		var b strings.Builder
		for b.Len() < 1_500_000 {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString(between)
			if r.IntN(500) == 0 {
				b.WriteString(strings.Repeat("字", r.IntN(3000)) + between)
			}
		}
		text := b.String()
		for _, o := range []engine.Options{{}, {Strict: true}, {Suspects: true}} {
			s, err := engine.New(o)
			if err != nil {
				t.Fatal(err)
			}
			want := s.Append(nil, text)
			got, again := inPieces(t, s, iotest.HalfReader(strings.NewReader(text)))
			if again != text {
				t.Fatalf("%q, %+v: the pieces make another text", between, o)
			}
			if len(want) < 1000 || !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Errorf("%q, %+v: %d links, want %d; differ at %d", between, o, len(got), len(want), i)
				if i < min(len(got), len(want)) {
					t.Logf("%.300q, want %.300q", got[i].Text, want[i].Text)
				}
			}
		}
	}
}

// TestLongWord: a word without end does not make a piece longer than the limit.
func TestLongWord(t *testing.T) {
	s := new(engine.Scanner)
	text := "https://example.com/" + strings.Repeat("ab/", 1<<20) + " a.com"
	links, again := inPieces(t, s, strings.NewReader(text))
	if again != text {
		t.Error("the pieces make another text")
	}
	if n := len(links); n < 2 || links[0].Start != 0 || links[n-1].Text != "a.com" || links[n-1].End != len(text) {
		t.Errorf("%d links", n)
	}
}

// TestReadError: the text before a read error is a piece.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	p := piece.NewReader(io.MultiReader(strings.NewReader("a.com"), iotest.ErrReader(broken)), longest)
	if !p.Next() || p.Text() != "a.com" || !p.Has(0, 5) || p.Has(0, 5) {
		t.Errorf("text %q", p.Text())
	}
	if p.Next() || !errors.Is(p.Err(), broken) {
		t.Errorf("error %v", p.Err())
	}
	if p = piece.NewReader(strings.NewReader(""), longest); p.Next() || p.Err() != nil {
		t.Errorf("empty text: %q, %v", p.Text(), p.Err())
	}
}
