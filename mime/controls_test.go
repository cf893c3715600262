package mime

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestWithoutControls: a text ends at its first control or c1, wherever that is.
func TestWithoutControls(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range long.Rows(100_000, 10_000) {
		text := make([]byte, random.IntN(40))
		for i := range text {
			for text[i] = byte(random.IntN(256)); random.IntN(8) > 0 && (text[i] < ' ' || text[i] == 0x7f || text[i] == c1); {
				text[i] = byte(random.IntN(256))
			}
		}
		want := slices.IndexFunc(text, func(c byte) bool { return c < ' ' || c == 0x7f || c == c1 })
		if want < 0 {
			want = len(text)
		}
		if got := withoutControls(string(text)); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	}
}
