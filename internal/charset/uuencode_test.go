package charset

import (
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
)

func TestUuencoded(t *testing.T) {
	text := "before\r\nbegin 644 two words.txt\r\n#86)C\r\n\x80\r\n`\r\nend\r\nbetween\nbegin 600 b\n"
	var names []string
	for file := range Uuencoded(meter.New(t.Context()), []byte(text)) {
		names = append(names, file.Name+":"+string(file.Content))
	}
	if want := []string{"two words.txt:abc", "b:"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
