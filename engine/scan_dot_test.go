package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// TestInnerDot compares innerDot with a loop over the bytes, on texts of the bytes that its arithmetic may
// confuse: full stops, what differs from one in a bit, controls, spaces and bytes beyond ASCII.
func TestInnerDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 58))
	for _, alphabet := range []string{"..../ a!\x1f\x00\x7f-,~\n", "..../ a!\x1f\x00\x7f-\x80\xff\xae\xa0\xa1", "./", ". \xe3\x80\x82", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. .a"} {
		for range 20_000 {
			b := make([]byte, r.IntN(150))
			for i := range b {
				b[i] = alphabet[r.IntN(len(alphabet))]
			}
			text := string(b)
			from := r.IntN(len(text) + 1)
			limit := from + r.IntN(len(text)-from+1)
			want := from
			for want < limit && (text[want] != '.' || byteAt(text, want+1) <= ' ') {
				want++
			}
			if got := innerDot(text, from, limit, ascii.Is(text)); got != want {
				t.Fatalf("innerDot(%q, %d, %d) = %d, want %d", text, from, limit, got, want)
			}
		}
	}
}

// TestWWWBeforeSpace says why innerDot may skip "www." in front of a space or control: it is never a suspect.
func TestWWWBeforeSpace(t *testing.T) {
	s, err := New(Options{Suspects: true})
	if err != nil {
		t.Fatal(err)
	}
	for c := range byte(' ' + 1) {
		if links := s.Append(nil, "see www."+string(c)+"x.y"); len(links) > 0 {
			t.Errorf("in front of %q: %v", c, links)
		}
	}
}
