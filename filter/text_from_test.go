package filter_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
)

// TestTextFromReader: a text that is read in pieces has the links and findings of the
// whole text, also those over several lines.
func TestTextFromReader(t *testing.T) {
	f := newFilter(t, filter.Options{JoinLines: true, Engine: engine.Options{MaxLinks: 1 << 30}})
	for _, unit := range []string{
		"See https://www.pаypal.com/confirm and <https://example.com/a\r\nb/c\r\nd>, a.com.\r\n",
		"<https://example.com/\n" + strings.Repeat("x", 3000) + ">\n<",
		"http://a_b.example/x\u3000", "例え.com、", "<<a.com\n>>b.com",
	} {
		text := strings.Repeat(unit, 400_000/len(unit))
		want := f.Text(text)
		if len(want) < 100 {
			t.Errorf("%.50q: only %d links", unit, len(want))
		}
		i := 0
		for got, err := range f.TextFrom(iotest.HalfReader(strings.NewReader(text))) {
			if err != nil {
				t.Fatal(err)
			}
			if i == len(want) || got.Link != want[i].Link || got.Verdict.Worst() != want[i].Verdict.Worst() || got.Href != want[i].Href {
				t.Fatalf("%.50q, link %d of %d: %.100q", unit, i, len(want), got.Link.Text)
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%.50q: %d links, want %d", unit, i, len(want))
		}
	}
}

func TestTextFromBrokenReader(t *testing.T) {
	broken := errors.New("broken")
	links := 0
	var last error
	for _, err := range newFilter(t, filter.Options{}).TextFrom(io.MultiReader(strings.NewReader("a.com b.com"), iotest.ErrReader(broken))) {
		if last = err; err == nil {
			links++
		}
	}
	if links != 2 || !errors.Is(last, broken) {
		t.Errorf("%d links, error %v", links, last)
	}
}
