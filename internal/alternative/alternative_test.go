package alternative_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/alternative"
)

// in returns links for pieces of a text. pairs has each piece as typed and as shown; both open the
// same page.
func in(tb testing.TB, text string, pairs ...string) []alternative.Link {
	tb.Helper()
	var links []alternative.Link
	pos := 0
	for i := 0; i < len(pairs); i += 2 {
		at := strings.Index(text[pos:], pairs[i])
		if at < 0 {
			tb.Fatalf("%q is not in %q", pairs[i], text[pos:])
		}
		start := pos + at
		pos = start + len(pairs[i])
		links = append(links, alternative.Link{Start: start, End: pos, Href: "https://example.com/", Display: pairs[i+1]})
	}
	return links
}

// TestAlternativeShowsTheText checks invariant I3 on texts of every kind.
func TestAlternativeShowsTheText(t *testing.T) {
	for _, test := range []struct {
		name, text string
		links      []string
	}{
		{name: "empty", text: ""},
		{name: "one line without an end", text: "Hello"},
		{name: "one line", text: "Hello\n"},
		{name: "only empty lines", text: "\n\n\n"},
		{name: "CRLF", text: "one\r\ntwo\r\n\r\nthree\r\n"},
		{name: "CR", text: "one\rtwo\r\rthree"},
		{name: "mixed line ends", text: "one\r\ntwo\nthree\r\r\nfour"},
		{name: "paragraphs", text: "one\ntwo\n\nthree\n\n\n\nfour\n"},
		{name: "markup", text: "<script>alert('1')</script> & \"quotes\" &lt; <!-- --> ]]>\n"},
		{name: "references", text: "&amp; &nbsp; &#0; &notit; &copy\n"},
		{name: "runs of spaces", text: "a  b   c    d\n"},
		{name: "indents", text: " one\n  two\n    four\n"},
		{name: "spaces at the end", text: "one \ntwo  \n   \n-- \nsignature\n"},
		{name: "no-break spaces typed", text: "10\u00a0km \u00a0 x\n"},
		{name: "tabs", text: "a\tb\n\tindented\nabcdefgh\tx\n12345678901\ty\n"},
		{name: "tabs after wide characters", text: "日本\tx\nनमस्ते\ty\n"},
		{name: "form feed", text: "one\n\ftwo\n"},
		{name: "control characters", text: "a\x00b\x1bc\x7fd\u0085e\n"},
		{name: "invalid UTF-8", text: "a\xffb\xe0\xa4\n"},
		{name: "replacement character typed", text: "a\ufffdb\n"},
		{name: "quotes", text: "Anna wrote:\n> one\n> two\n>> deeper\n>>> deepest\n> back\nreply\n"},
		{name: "spaced quote marks", text: "> > two\n>  > spaces\n> > > three\n"},
		{name: "quote without a space", text: ">one\n>>two\n"},
		{name: "empty quoted lines", text: "> one\n>\n> \n>  \n> two\n"},
		{name: "indented quote mark is text", text: " > text\n"},
		{name: "sixty levels", text: strings.Repeat(">", 60) + " deep\n" + strings.Repeat("> ", 60) + "deep\n"},
		{name: "levels that jump", text: ">>> a\nb\n>> c\n> d\n>>>> e\n"},
		{name: "table", text: "Item      Price\nApples     1.20\n\nPears      0.80\n"},
		{name: "drawing", text: "┌──┐\n│ab│\n└──┘\n+--+\n|ab|\n"},
		{
			name: "link", text: "See https://example.com/%E0%A4%85 now.\n",
			links: []string{"https://example.com/%E0%A4%85", "https://example.com/अ"},
		},
		{
			name: "links that touch everything", text: "a.com b.com\n> c.com\n d.com ",
			links: []string{"a.com", "A", "b.com", "", "c.com", "C", "d.com", "D"},
		},
		{name: "link that ends the text", text: "see example.com", links: []string{"example.com", ""}},
		{name: "display with markup", text: "see x.com", links: []string{"x.com", "<b>&amp;\"'</b>"}},
		{name: "display with spaces", text: "see x.com .", links: []string{"x.com", "  a  b\t "}},
		{name: "display of spaces alone", text: "see x.com", links: []string{"x.com", " "}},
		{name: "display with line ends", text: "see x.com", links: []string{"x.com", "a\r\nb"}},
		{name: "tab after a shorter display", text: "x.example.com/%41\ty\n", links: []string{"x.example.com/%41", "x.example.com/A"}},
		{name: "Hindi", text: "नमस्ते, यह देखें: https://hi.wikipedia.org/wiki/%E0%A4%85 ।\n", links: []string{"https://hi.wikipedia.org/wiki/%E0%A4%85", "https://hi.wikipedia.org/wiki/अ"}},
		{name: "Arabic", text: "مرحبا\n> اقتباس\n>> example.com\n"},
		{name: "emoji", text: "👩‍👩‍👧‍👦 👍🏽 \U0001F1EE\U0001F1F3\n"},
		{name: "lists", text: "To do:\n\n  * one\n      - deeper\n  * two\n\n  1. first\n 10. tenth\n\ta) tabbed\n"},
		{name: "signature", text: "Hello\n\n-- \nAnna\n\n> quoted\n> -- \n> Bert\n"},
		{name: "1 MB", text: strings.Repeat("A sentence of some words, and  two spaces.\r\n> quoted\t<once>\r\n>> twice\r\n\r\n", 1<<20/76)},
		{name: "a very long line", text: strings.Repeat("word ", 2000) + strings.Repeat("x", 5000) + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			links := in(t, test.text, test.links...)
			compare(t, test.text, links)
		})
	}
}

// compare fails if the alternative of a text does not show the text.
func compare(tb testing.TB, text string, links []alternative.Link) {
	tb.Helper()
	doc := alternative.Alternative(text, links)
	got, err := toText(doc)
	if err != nil {
		tb.Fatalf("%v in:\n%s", err, doc)
	}
	if diff := cmp.Diff(expected(text, links), got, cmp.AllowUnexported(shown{}, quoted{})); diff != "" {
		tb.Errorf("the alternative shows something else (-text +alternative):\n%s\nof\n%s", diff, doc)
	}
}

// TestGenerator: the document says which program wrote it.
func TestGenerator(t *testing.T) {
	if doc := alternative.Alternative("x", nil); !strings.Contains(doc, `<meta name="generator" content="linkmilter">`) {
		t.Errorf("no generator in:\n%s", doc)
	}
}

// body cuts the frame off a document.
func body(tb testing.TB, doc string) string {
	tb.Helper()
	_, rest, ok := strings.Cut(doc, "line-height:1.45\">\n")
	rest, end := strings.CutSuffix(rest, "</body></html>\n")
	if !ok || !end {
		tb.Fatalf("no frame around:\n%s", doc)
	}
	return rest
}

func TestMarkup(t *testing.T) {
	for _, test := range []struct {
		name, text string
		links      []alternative.Link
		want       string
	}{
		{
			name: "a paragraph and its lines", text: "one\r\ntwo\r\n",
			want: "<div dir=\"auto\">one<br>\ntwo</div>\n",
		},
		{
			name: "empty lines between paragraphs", text: "one\n\n\ntwo\n",
			want: "<div dir=\"auto\">one</div>\n<div dir=\"auto\"><br><br>two</div>\n",
		},
		{
			name: "empty lines before a quote and at the end", text: "one\n\n> two\n\n\n",
			want: "<div dir=\"auto\">one</div>\n<div><br></div>\nLTR<div dir=\"auto\">two</div>\n</blockquote>\n<div><br><br></div>\n",
		},
		{
			name: "lines break at the last space of a run", text: "a   b\n",
			want: "<div dir=\"auto\">a&nbsp;&nbsp; b</div>\n",
		},
		{
			name: "an indent does not break", text: "  b \n",
			want: "<div dir=\"auto\">&nbsp;&nbsp;b&nbsp;</div>\n",
		},
		{
			name: "a link is isolated", text: "x y.z w\n",
			links: []alternative.Link{{Start: 2, End: 5, Href: "http://y.z/?a&b='", Display: "y.z<"}},
			want:  "<div dir=\"auto\">x <bdi><a href=\"http://y.z/?a&amp;b=&#39;\">y.z&lt;</a></bdi> w</div>\n",
		},
		{
			name: "components from right to left are isolated", text: "x y.z w\n",
			links: []alternative.Link{{Start: 2, End: 5, Href: "http://y.z/", Display: "y.z/أب/جد?x=ه"}},
			want:  "<div dir=\"auto\">x <bdi dir=\"ltr\"><a href=\"http://y.z/\">y.z/<bdi>أب</bdi>/<bdi>جد</bdi>?x=<bdi>ه</bdi></a></bdi> w</div>\n",
		},
		{
			name: "a link without a target is shown", text: "xn--a.com\n",
			links: []alternative.Link{{Start: 0, End: 9, Display: "xn--a.com"}},
			want:  "<div dir=\"auto\"><bdi>xn--a.com</bdi></div>\n",
		},
		{
			name: "a table is monospaced, the text around is not", text: "Hello\n\na   b\nc   d\n\nx   y\n\nbye   now\nand then\n\nlate   r\n",
			want: "<div dir=\"auto\">Hello</div>\n" +
				"<div dir=\"auto\" MONO><br>a&nbsp;&nbsp; b<br>\nc&nbsp;&nbsp; d</div>\n" +
				"<div dir=\"auto\" MONO><br>x&nbsp;&nbsp; y</div>\n" +
				"<div dir=\"auto\" MONO><br>bye&nbsp;&nbsp; now<br>\nand then</div>\n" +
				"<div dir=\"auto\"><br>late&nbsp;&nbsp; r</div>\n",
		},
		{
			name: "tabs in neighbouring lines are a table", text: "a\tb\nc\td\n",
			want: "<div dir=\"auto\" MONO>a&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; b<br>\nc&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; d</div>\n",
		},
		{
			name: "an indented list is not a table", text: "    one\n    two\n",
			want: "<div dir=\"auto\">&nbsp;&nbsp;&nbsp;&nbsp;one<br>\n&nbsp;&nbsp;&nbsp;&nbsp;two</div>\n",
		},
		{
			name: "quotes", text: "> a\n>> b\nc\n",
			want: "LTR<div dir=\"auto\">a</div>\nLTR<div dir=\"auto\">b</div>\n</blockquote>\n</blockquote>\n<div dir=\"auto\">c</div>\n",
		},
		{
			name: "the bar of a quote from right to left", text: "> שלום\n",
			want: "RTL<div dir=\"auto\">שלום</div>\n</blockquote>\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := strings.NewReplacer(
				" MONO", " style=\"font-family:Consolas,Menlo,'DejaVu Sans Mono',monospace\"",
				"LTR", "<blockquote type=\"cite\" style=\"margin:0 0 0 .8ex;border-left:2px solid #bbb;padding-left:1ex\">\n",
				"RTL", "<blockquote type=\"cite\" style=\"margin:0 .8ex 0 0;border-right:2px solid #bbb;padding-right:1ex\">\n",
			).Replace(test.want)
			got := body(t, alternative.Alternative(test.text, test.links))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHrefsThatAreNotLinked(t *testing.T) {
	for name, href := range map[string]string{
		"script":           "javascript:alert(1)",
		"data":             "data:text/html,x",
		"relative":         "//example.com/",
		"scheme alone":     "https:",
		"white space":      "https://example.com/ x",
		"control":          "https://example.com/\x01",
		"not ASCII":        "https://example.com/अ",
		"script in a line": "java\nscript:alert(1)",
	} {
		t.Run(name, func(t *testing.T) {
			doc := alternative.Alternative("link", []alternative.Link{{End: 4, Href: href}})
			if want := "<div dir=\"auto\"><bdi>link</bdi></div>\n"; body(t, doc) != want {
				t.Errorf("got %q, want %q", body(t, doc), want)
			}
		})
	}
	for _, href := range []string{"HTTP://example.com/", "https://example.com/", "ftp://example.com/", "mailto:a@example.com"} {
		if doc := alternative.Alternative("link", []alternative.Link{{End: 4, Href: href}}); !strings.Contains(doc, href) {
			t.Errorf("%s is not linked", href)
		}
	}
}

func TestLinksOutOfPlaceAreText(t *testing.T) {
	const text = "> one two\nthree"
	for name, link := range map[string]alternative.Link{
		"over a line end":      {Start: 6, End: 12},
		"over a quote mark":    {Start: 0, End: 5},
		"empty":                {Start: 3, End: 3},
		"backwards":            {Start: 5, End: 3},
		"behind the text":      {Start: 12, End: 99},
		"starts after the end": {Start: 99, End: 120},
		"before the text":      {Start: -1, End: 3},
	} {
		t.Run(name, func(t *testing.T) {
			link.Href, link.Display = "https://example.com/", "shown"
			if got, want := alternative.Alternative(text, []alternative.Link{link}), alternative.Alternative(text, nil); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// full is a writer that fails after n bytes.
type full struct {
	n      int
	writes int // calls after the first failure
}

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if f.n < 0 {
		f.writes++
	}
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestWriteStops: a deeply quoted text becomes a hundred times as long. Write stops when the writer
// fails.
func TestWriteStops(t *testing.T) {
	deep := strings.Repeat(strings.Repeat(">", 50)+"\n\n", 10_000)
	w := &full{n: 1 << 20}
	if err := alternative.Write(w, deep, nil); !errors.Is(err, errFull) || w.writes > 0 {
		t.Errorf("%v, %d writes after the error", err, w.writes)
	}
}

// FuzzAlternative is invariant I3 on any text: the document shows the text,
// and nothing in text, display or target breaks out of its place.
func FuzzAlternative(f *testing.F) {
	f.Add("See https://example.com/ and\r\n> quote  \tx\r\n", "shown <b>", "https://example.com/\"'>", uint16(4), uint16(20))
	f.Add("\t日本 \x00<\xff\n>>> > \r-- \n", "  ", "javascript:x", uint16(1), uint16(3))
	f.Add("xx أ.com \t", "أ.com/ب ?ج=\t د ", "https://example.com/", uint16(3), uint16(8))
	f.Add("00\xd9\xd9\xd90000", "\xa0֠", "0", uint16(4), uint16(2))
	f.Fuzz(func(t *testing.T, text, display, href string, start, length uint16) {
		text = normalised(text)
		var links []alternative.Link
		for at := int(start); length > 0 && at < len(text); at += 2 * int(length) {
			end := at + int(length)
			if utf8.RuneStart(text[at]) && (end >= len(text) || utf8.RuneStart(text[end])) {
				links = append(links, alternative.Link{Start: at, End: end, Href: href, Display: display})
			}
		}
		compare(t, text, links)
	})
}

func BenchmarkAlternative(b *testing.B) {
	paragraph := "Guten Tag, hier der Artikel: https://de.wikipedia.org/wiki/%C3%9Cbersicht, viel Vergnügen.\r\n> zitiert  zweimal\r\n\r\n"
	for name, n := range map[string]int{"4KB": 36, "1MB": 9000} {
		text := strings.Repeat(paragraph, n)
		var links []alternative.Link
		for i := range n {
			at := i*len(paragraph) + strings.Index(paragraph, "https")
			links = append(links, alternative.Link{
				Start: at, End: at + len("https://de.wikipedia.org/wiki/%C3%9Cbersicht"),
				Href: "https://de.wikipedia.org/wiki/%C3%9Cbersicht", Display: "https://de.wikipedia.org/wiki/Übersicht",
			})
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				alternative.Alternative(text, links)
			}
		})
	}
}
