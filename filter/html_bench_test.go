package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// htmlNewsletter returns a message with HTML of about 1 KB for each story. Every tenth story has an
// over-escaped link, the last one a flagged link.
func htmlNewsletter(stories int) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><head><title>News</title><style>td{padding:0}</style></head><body><table>")
	for i := range stories {
		link := fmt.Sprintf(`<a href="https://news.example.com/click?id=%d&amp;user=anna" style="color:#0066cc;"><b>Story</b> %d&nbsp;&raquo;</a>`, i, i)
		if i%10 == 0 {
			link = `<a href="` + escapedURL + `">` + escapedURL + `</a>`
		}
		fmt.Fprintf(&b, `<tr><td align="center" style="font-size:0px;padding:10px 25px;word-break:break-word;">`+
			"<div style=\"font-family:Arial,sans-serif;font-size:13px;color:#333333;\">%s%s</div></td></tr>\r\n",
			link, strings.Repeat(" An ordinary sentence, as people write them.\r\n", 15))
	}
	return htmlMessage(b.String() + "<tr><td><a href=" + lookLike + ">x</a></td></tr></table>\r\n")
}

// htmlFilters returns a filter that only reads, and one that also edits HTML.
func htmlFilters(tb testing.TB) (reads, edits *filter.Filter) {
	tb.Helper()
	return newFilter(tb, filter.Options{Rules: []rule.Rule{{Name: "all"}}}), editing(tb, rule.FlaggedUnlink)
}

func benchmarkHTML(b *testing.B, f *filter.Filter, edited bool) {
	raw := htmlNewsletter(100)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if r := f.Message(b.Context(), localUser(), raw).Report; r.Edited != edited {
			b.Fatal(r)
		}
	}
}

// BenchmarkReadHTMLPart only reads, to compare with BenchmarkEditHTMLPart.
func BenchmarkReadHTMLPart(b *testing.B) {
	reads, _ := htmlFilters(b)
	benchmarkHTML(b, reads, false)
}

// BenchmarkEditHTMLPart reads, edits and proves the HTML of a newsletter.
func BenchmarkEditHTMLPart(b *testing.B) {
	_, edits := htmlFilters(b)
	benchmarkHTML(b, edits, true)
}
