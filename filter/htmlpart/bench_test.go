package htmlpart_test

import (
	"fmt"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// newsletter returns HTML as newsletters are written, of 100 KB with 100 links.
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

// BenchmarkRead reads a newsletter.
func BenchmarkRead(b *testing.B) {
	source := newsletter()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		links := 0
		for item := range htmlpart.Read(b.Context(), source, 4<<20) {
			if item.Element != "" {
				links++
			}
		}
		if links != 100 {
			b.Fatalf("%d links", links)
		}
	}
}

// irregular returns a newsletter as many are written: with elements that end in another
// order, so that its tree is read, too.
func irregular() string {
	return strings.NewReplacer("<b>Story</b>", "<b><font size=2>Story</b></font>", "</div></td>", "</td></div>").Replace(newsletter())
}

// BenchmarkReadIrregular reads HTML with elements that end in another order: a newsletter,
// and the worst of them.
func BenchmarkReadIrregular(b *testing.B) {
	for _, bench := range []struct{ name, source string }{
		{"newsletter", irregular()},
		{"unclosed", strings.Repeat("<b><p>An ordinary sentence, as people write them.", 2000)},
		{"tables", strings.Repeat("<table><a href=http://example.org/>x<table><a href=http://example.net/>y</a></table>", 1000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.source)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range htmlpart.Read(b.Context(), bench.source, 4<<20) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkTokenizer is the peer: it reads a newsletter and nothing of it.
func BenchmarkTokenizer(b *testing.B) {
	source := newsletter()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		tokens := nethtml.NewTokenizer(strings.NewReader(source))
		for tokens.Next() != nethtml.ErrorToken {
			tokens.Token()
		}
	}
}
