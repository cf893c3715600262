package filter_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/mime"
)

// repeated returns line repeated as often as it fits into n bytes.
func repeated(line string, n int) string { return strings.Repeat(line, n/len(line)) }

// TestMemory limits the memory beside the message and the result: 256 KiB, and the largest text
// once. For format=flowed it allows that text twice, with and without soft line breaks. A text that
// is not as declared may take as much as all its readings. All allocations count, even if they are
// not needed at the same time.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("allocations of the race detector count too")
	}
	const (
		header   = "From: a@example.com\r\nMIME-Version: 1.0\r\n"
		link     = "See https://de.wikipedia.org/wiki/%C3%9Cbersicht please.\r\n"
		sentence = "This is an ordinary sentence, as people write them in their mail (e.g. to friends).\r\n"
	)
	inBase64 := func(content string) string {
		encoded := base64.StdEncoding.EncodeToString([]byte(content))
		var b strings.Builder
		for len(encoded) > 76 {
			b.WriteString(encoded[:76] + "\r\n")
			encoded = encoded[76:]
		}
		return b.String() + encoded + "\r\n"
	}
	part := func(charset, encoding, body string) string {
		return "Content-Type: text/plain; charset=" + charset + "\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n" + body
	}
	koi8r, err := charmap.KOI8R.NewEncoder().String(repeated("Обычное предложение, каких в письмах много.\r\n", 6<<20))
	if err != nil {
		t.Fatal(err)
	}
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().String(repeated("メールに書かれる普通の文章です。\r\n", 6<<20))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, message string
		edited        bool
	}{
		{
			"10 MB of attachments beside a short text", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + part("us-ascii", "7bit", link) +
				"\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n" + inBase64("%PDF-1.7\n"+repeated("attached", 6<<20)) + "--b--\r\n", true,
		},
		{"3 MB of text", part("us-ascii", "7bit", link+repeated(sentence, 3<<20)), true},
		{"3 MB of text in base64", part("utf-8", "base64", inBase64(link+repeated(sentence, 3<<20))), true},
		{"3 MB of text in quoted-printable", part("utf-8", "quoted-printable", link+repeated("=C3=BC text =\r\nwith soft line breaks\r\n", 3<<20)), true},
		{"3 MB of flowed text", part("us-ascii; format=flowed", "7bit", link+repeated("This is a paragraph \r\nof two lines.\r\n", 3<<20)), true},
		{"3 MB in one line", part("us-ascii", "7bit", link+repeated("word ", 3<<20)+"\r\n"), true},
		{"10 MB of text", part("us-ascii", "7bit", link+repeated(sentence, 10<<20)), false},
		{"10 MB of text in base64", part("utf-8", "base64", inBase64(repeated(sentence, 7<<20))), false},
		{"10 MB of flowed text", part("us-ascii; format=flowed", "7bit", repeated("This is a paragraph \r\nof two lines.\r\n", 10<<20)), false},
		{"KOI8-R", part("koi8-r", "8bit", koi8r), false},
		{"not as declared", part("iso-8859-1", "8bit", "\x93"+repeated(sentence, 10<<20)), false},
		{"not as declared, nor UTF-8", part("utf-8", "8bit", "\x93"+repeated(sentence, 10<<20)), false},
		{"Shift_JIS", part("shift_jis", "8bit", shiftJIS), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFilter(t, filter.Options{})
			raw := []byte(header + test.message)
			if result := f.Message(t.Context(), localUser(), raw); (result.Edited != nil) != test.edited {
				t.Fatal(result.Report) // so that tables that are made once exist
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			result := f.Message(t.Context(), localUser(), raw)
			runtime.ReadMemStats(&after)
			output, text := len(result.Edited), 0
			for _, e := range result.Plan.Body {
				output += len(e.New)
			}
			m := mime.Parse(context.Background(), raw, mime.Limits{})
			for leaf := range m.Leaves() {
				if strings.HasPrefix(test.name, "not as declared") || test.name == "Shift_JIS" {
					text = sizeOfReadings(m, leaf)
				} else if decoded, err := m.Text(leaf); err == nil {
					text = max(text, len(decoded))
					if strings.Contains(test.message, "format=flowed") {
						text = 2 * len(m.Body(leaf)) // before and after its lines are joined
					}
				}
			}
			used := int(after.TotalAlloc-before.TotalAlloc) - output - text
			t.Logf("%d bytes, text of %d, output of %d: %d KiB beyond these", len(raw), text, output, used>>10)
			if used > 256<<10 {
				t.Errorf("%d KiB, want 256 at most", used>>10)
			}
			if result.Edited != nil && !bytes.Contains(result.Edited, []byte("multipart/alternative")) {
				t.Error("no alternative")
			}
		})
	}
}

// TestMemoryOfAttachedMessages: many small parts take more than their own size, but within a bound,
// since parts of attached messages count for the limit of parts.
func TestMemoryOfAttachedMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("allocations of the race detector count too")
	}
	inner := "--a\r\n\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 400) + "--b--\r\n"
	raw := []byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/digest; boundary=a\r\n\r\n" + strings.Repeat(inner, 400) + "--a--\r\n")
	f := newFilter(t, filter.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result := f.Message(t.Context(), localUser(), raw)
	runtime.ReadMemStats(&after)
	used := int(after.TotalAlloc - before.TotalAlloc)
	t.Logf("%d bytes: %d KiB, %s", len(raw), used>>10, result.Report)
	if used > 2<<20 {
		t.Errorf("%d KiB, want 2048 at most", used>>10)
	}
}

// sizeOfReadings returns the size of all readings of a leaf, and of what the decoders keep beside
// them.
func sizeOfReadings(m *mime.Message, leaf *mime.Part) int {
	size := 0
	for content := range m.Contents(leaf) {
		for text := range m.Texts(leaf, content) {
			size += 2*len(text) + len(content)
		}
	}
	return size
}
