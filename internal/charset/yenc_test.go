package charset

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// yEncoded returns a file in yEnc, with lines of n bytes.
func yEncoded(name, content string, n int) string {
	var b strings.Builder
	b.WriteString("=ybegin part=1 line=128 size=9 name=" + name + "\r\n=ypart begin=1 end=9\r\n")
	for i := range len(content) {
		switch c := content[i] + 42; c {
		case 0, '\n', '\r', '=':
			b.Write([]byte{'=', c + 64})
		default:
			b.WriteByte(c)
		}
		if i%n == n-1 {
			b.WriteString("\r\n")
		}
	}
	return b.String() + "\r\n=yend size=9\r\n"
}

func TestYEncoded(t *testing.T) {
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	want := []File{{"a b.html", []byte(all.String())}, {"c.txt", []byte("see you")}}
	text := "Hello\r\n" + yEncoded(want[0].Name, string(want[0].Content), 50) + "and\r\n" + yEncoded(want[1].Name, string(want[1].Content), 3)
	var got []File
	for file := range YEncoded(meter.New(t.Context()), []byte(text)) {
		got = append(got, file)
	}
	if len(got) != len(want) {
		t.Fatalf("%d files, want %d", len(got), len(want))
	}
	for i, file := range got {
		if file.Name != want[i].Name || string(file.Content) != string(want[i].Content) {
			t.Errorf("file %d: %q %q", i, file.Name, file.Content)
		}
	}
}
