package alternative

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestScans compares functions that read many bytes at once with simple loops.
func TestScans(t *testing.T) {
	inWord := func(c byte) bool { return '!' <= c && c <= '~' }
	simpleWords := func(s string) int {
		for i := range len(s) {
			if !inWord(s[i]) && (s[i] != ' ' || i == 0 || s[i-1] == ' ' || i+1 == len(s) || !inWord(s[i+1])) {
				return i
			}
		}
		return len(s)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, alphabet := range []string{"abcdefg ", "a  \r\n", "abcdefghijklmnop &", "ab <\">'!\x1f\x7f\x80#=?", "abcdefghijklmnop <\">'!#=?&", "abcdefghijklmnopqrstuvwxyz\n", "abcdefghijklmnopqrstuvwxyz\r"} {
		for range long.Rows(5000, 1000) {
			var b strings.Builder
			for range random.IntN(300) {
				b.WriteByte(alphabet[random.IntN(len(alphabet))])
			}
			s := b.String()
			if got, want := words(s), simpleWords(s); got != want {
				t.Fatalf("%d bytes of words in %q, want %d", got, s, want)
			}
			want := strings.IndexAny(s, "\r\n")
			if want < 0 {
				want = len(s)
			}
			if got, _ := lineEnd(s, 0); got != want {
				t.Fatalf("line end of %q at %d, want %d", s, got, want)
			}
		}
	}
}
