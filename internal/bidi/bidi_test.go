package bidi_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/bidi"
)

// marked returns a URL with brackets around the pieces to isolate.
func marked(url string) string {
	var b strings.Builder
	for piece, isolate := range bidi.Segments(url) {
		if isolate {
			piece = "⟦" + piece + "⟧"
		}
		b.WriteString(piece)
	}
	return b.String()
}

func TestSegments(t *testing.T) {
	for name, want := range map[string]string{
		"path, query and fragment": "https://example.com/⟦أب⟧/⟦جد⟧?x=1&⟦ه⟧=⟦و⟧#⟦ز⟧",
		"nothing to isolate":       "https://example.com/日本?x=é#y",
		"labels of a host":         "https://⟦مثال⟧.⟦إختبار⟧/",
		"without a scheme":         "⟦مثال⟧.⟦إختبار⟧:8080/⟦أ⟧",
		"a path segment is whole":  "https://example.com/⟦ملف-جديد.pdf⟧/x",
		"Hebrew words":             "https://he.wikipedia.org/wiki/⟦ירושלים_(עיר)⟧",
		"Arabic digits":            "https://example.com/⟦١٢⟧/⟦٣٤⟧",
		"an address":               "⟦مثال⟧@⟦موقع⟧.com",
		"mailto":                   "mailto:⟦مثال⟧@example.com?subject=⟦عنوان⟧",
		"defanged":                 "hxxps[:]//⟦مثال⟧[.]com/⟦أب⟧",
		"slashes behind the host":  "example.com//⟦أ.ب⟧",
		"a URL in a URL":           "https://example.com/?u=https://⟦مثال.com⟧/",
		"invalid UTF-8":            "https://example.com/\xff/⟦أ⟧",
		"empty":                    "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := marked(strings.NewReplacer("⟦", "", "⟧", "").Replace(want)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestIsolated(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/é": "https://example.com/é",
		"https://example.com/أ": "\u2066https://example.com/\u2068أ\u2069\u2069",
	} {
		if got := bidi.Isolated(url); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}

// TestSegmentsStop: the iterator ends when its caller does.
func TestSegmentsStop(t *testing.T) {
	for range bidi.Segments("https://أ/ب?ج=د") {
		break
	}
}

// FuzzSegments: the pieces together are the URL, and no piece to isolate has a slash.
func FuzzSegments(f *testing.F) {
	f.Add("https://example.com/أب/جد?x=1&ه=و#ز")
	f.Add("أ//@ب[.]/\xff")
	f.Fuzz(func(t *testing.T, url string) {
		var b strings.Builder
		for piece, isolate := range bidi.Segments(url) {
			if piece == "" || isolate && strings.ContainsAny(piece, "/?#&=;") {
				t.Errorf("%q: piece %q", url, piece)
			}
			b.WriteString(piece)
		}
		if b.String() != url {
			t.Errorf("%q became %q", url, b.String())
		}
	})
}
