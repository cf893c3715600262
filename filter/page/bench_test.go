package page_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// newsletter returns HTML of 100 KB with 100 links, in the style of newsletters.
func newsletter() string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><head><title>News</title><style>td{padding:0}</style></head><body><table>")
	for i := range 100 {
		fmt.Fprintf(&b, `<tr><td align="center" style="font-size:0px;padding:10px 25px;word-break:break-word;">`+
			`<div style="font-family:Arial,sans-serif;font-size:13px;line-height:1.5;text-align:left;color:#333333;">`+
			`<a href="https://news.example.com/click?id=%d&amp;user=anna" target="_blank" style="color:#0066cc;text-decoration:none;">`+
			`<b>Story</b> number %d&nbsp;&raquo;</a>%s</div></td></tr>`+"\n", i, i,
			strings.Repeat(" An ordinary sentence, as people write them (e.g. to friends).", 10))
	}
	return b.String() + "</table></body></html>"
}

// styled returns a newsletter with 20 KB of style sheet, as mail programs add it to each message:
// comments, rules for single programs, and classes of a grid for small screens.
func styled() string {
	var b strings.Builder
	b.WriteString("<style type=\"text/css\">\n/* What it does: stops <table> from being wider & centers it. */\n" +
		"#outlook a { padding: 0; }\n.ExternalClass, .ExternalClass p, .ExternalClass td { line-height: 100%; }\n" +
		"img { border: 0; outline: none; -ms-interpolation-mode: bicubic; }\n@font-face { font-family: 'Lato'; src: url(https://fonts.example.com/lato.woff2) format('woff2'); }\n")
	for i := range 100 {
		fmt.Fprintf(&b, "@media only screen and (max-width: %dpx) {\n  table.body td.column-%d { width: %d%% !important; padding: 0 16px !important; }\n"+
			"  .button-%d a:hover { background-color: #3498db !important; border-color: #34495e; text-decoration: none; }\n}\n", 480+i, i, i+1, i)
	}
	return strings.Replace(newsletter(), "<style>", b.String(), 1)[:40<<10]
}

// BenchmarkReadStyled reads a newsletter of 40 KB of which half is a style sheet.
func BenchmarkReadStyled(b *testing.B) { benchmarkReading(b, styled()) }

// BenchmarkRead reads a newsletter.
func BenchmarkRead(b *testing.B) {
	source := newsletter()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		links := 0
		for item := range page.Read(b.Context(), source, 4<<20) {
			if item.Element != "" {
				links++
			}
		}
		if links != 100 {
			b.Fatalf("%d links", links)
		}
	}
}

// irregular returns a newsletter with elements that end in another order than they begin, as many
// have them. So its tree is read, too.
func irregular() string {
	return strings.NewReplacer("<b>Story</b>", "<b><font size=2>Story</b></font>", "</div></td>", "</td></div>").Replace(newsletter())
}

// BenchmarkReadIrregular reads a newsletter with elements that end in another order.
func BenchmarkReadIrregular(b *testing.B) { benchmarkReading(b, irregular()) }

// BenchmarkReadHostile reads HTML that is hard to read.
func BenchmarkReadHostile(b *testing.B) {
	hostile := markup.Hostile()
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		b.Run(name, func(b *testing.B) { benchmarkReading(b, hostile[name](128<<10)) })
	}
}

func benchmarkReading(b *testing.B, source string) {
	b.Helper()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		readAll(b, source)
	}
}

// readAll reads a source that may be too complex.
func readAll(tb testing.TB, source string) {
	tb.Helper()
	for _, err := range page.Read(tb.Context(), source, 4<<20) {
		if err != nil && !errors.Is(err, page.ErrTooComplex) {
			tb.Fatal(err)
		}
	}
}

// readTokens reads the tokens of a source and does nothing with them.
func readTokens(source string) {
	tokens := nethtml.NewTokenizer(strings.NewReader(source))
	for tokens.Next() != nethtml.ErrorToken {
		for _, more := tokens.TagName(); more; {
			_, _, more = tokens.TagAttr()
		}
	}
}

// BenchmarkTokenizer is the comparison: it only reads the tokens of a newsletter.
func BenchmarkTokenizer(b *testing.B) {
	source := newsletter()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		readTokens(source)
	}
}
