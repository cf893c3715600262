//go:build unix

package filter_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// htmlOfSize returns a message with HTML of about a size, like a newsletter, with a number of
// over-escaped links that may become readable.
func htmlOfSize(size, links int) []byte {
	const block = `<tr><td align="center" style="font-size:0px;padding:10px 25px;word-break:break-word;">` +
		"<div style=\"font-family:Arial,sans-serif;font-size:13px;color:#333333;\">An ordinary sentence, as people write them &amp; send them.\r\n" +
		`<a href="https://news.example.com/click?id=%d&amp;user=anna" style="color:#0066cc;"><b>Story</b> %d&nbsp;&raquo;</a></div></td></tr>` + "\r\n"
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><head><title>News</title><style>td{padding:0}</style></head><body><table>")
	for i := 0; b.Len() < size || links > 0; i++ {
		fmt.Fprintf(&b, block, i, i)
		// The links are spread over the size.
		for ; links > 0 && b.Len() >= size/(links+1); links-- {
			fmt.Fprintf(&b, `<tr><td><a href="%s?n=%d">%s?n=%d</a></td></tr>`+"\r\n", escapedURL, links, escapedURL, links)
			if b.Len() < size {
				links--
				break
			}
		}
	}
	return htmlMessage(b.String() + "</table></body></html>\r\n")
}

// A work is one thing that a filter does with a message.
type work struct {
	f      *filter.Filter
	edited bool
	raw    []byte
}

// costs measures the processor time of works, which take turns over several rounds, and returns the
// least for each.
func costs(tb testing.TB, rounds int, works ...work) []float64 {
	tb.Helper()
	least := make([]float64, len(works))
	for round := range rounds {
		for i, w := range works {
			const bytes = 8 << 20 // so that each work collects its own garbage
			n := 1 + bytes/len(w.raw)
			runtime.GC()
			before := loadtest.CPU(tb)
			for range n {
				if r := w.f.Message(tb.Context(), localUser(), w.raw).Report; r.Edited != w.edited {
					tb.Fatal(r)
				}
			}
			if cost := (loadtest.CPU(tb) - before).Seconds() / float64(n); round == 0 || cost < least[i] {
				least[i] = cost
			}
		}
	}
	return least
}

// BenchmarkEditRatio reports how many times as long as reading alone it takes to read and edit a
// message.
func BenchmarkEditRatio(b *testing.B) {
	reads, edits := htmlFilters(b)
	for _, size := range []int{4 << 10, 100 << 10, 1 << 20} {
		for _, links := range []int{1, 20, 500} {
			b.Run(fmt.Sprintf("%dKB/%dlinks", size>>10, links), func(b *testing.B) {
				raw := htmlOfSize(size, links)
				reading, editing := math.Inf(1), math.Inf(1)
				for b.Loop() {
					c := costs(b, 1, work{reads, false, raw}, work{edits, true, raw})
					reading, editing = min(reading, c[0]), min(editing, c[1])
				}
				b.ReportMetric(editing/reading, "edit/read")
				b.ReportMetric(float64(len(raw)), "bytes")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// TestCostOfEdit: to read and edit HTML takes a few times as long as to read it, whatever its size
// and number of links. Twice the HTML takes twice the time.
func TestCostOfEdit(t *testing.T) {
	needTables(t)
	long.Only(t)
	reads, edits := htmlFilters(t)
	const rounds, attempts = 4, 3 // other tests may disturb an attempt
	for _, links := range []int{1, 20, 500} {
		const size = 128 << 10
		raw, twice := htmlOfSize(size, links), htmlOfSize(2*size, 2*links)
		var ratio, growth float64
		for attempt := 0; attempt == 0 || attempt < attempts && (ratio > 4.5 || growth > 2.4); attempt++ {
			c := costs(t, rounds, work{reads, false, raw}, work{edits, true, raw}, work{edits, true, twice})
			ratio, growth = c[1]/c[0], c[2]/c[1]
			t.Logf("%d links: an edit takes %.2f times as long as reading, one of twice as much %.2f times as long", links, ratio, growth)
		}
		if ratio > 4.5 { // usually 3 to 4: an edit reads twice, and the proof reads three sources
			t.Errorf("%d links: an edit takes %.1f times as long as reading", links, ratio)
		}
		if growth > 2.4 { // quadratic time would be 4
			t.Errorf("%d links: twice as much takes %.1f times as long", links, growth)
		}
	}
}

// TestAllocationsOfEdit: twice the HTML takes twice the allocations, also if links are quoted,
// flagged, or in elements without an end tag.
func TestAllocationsOfEdit(t *testing.T) {
	needTables(t)
	_, edits := htmlFilters(t)
	for name, piece := range map[string]string{
		"readable": `<p><a href="` + escapedURL + `">` + escapedURL + "</a>\r\n",
		"bare":     "<div>" + escapedURL + "</div>\r\n",
		"quoted":   escapedURL + "<blockquote>" + escapedURL + "</blockquote>\r\n",
		"flagged":  "<b><a href=" + lookLike + "><i>x</i></a>\r\n",
		"open":     "<p><span>" + escapedURL + "</x>\r\n",
		"comments": `<!--[if mso]><v:rect href="` + lookLike + `"><![endif]-->` + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			allocations := func(n int) float64 {
				raw := htmlMessage(strings.Repeat(piece, n))
				return testing.AllocsPerRun(2, func() { edits.Message(t.Context(), localUser(), raw) })
			}
			const pieces = 100
			if once, twice := allocations(pieces), allocations(2*pieces); twice > 2.5*once {
				t.Errorf("%.0f allocations, for twice as much %.0f", once, twice)
			}
		})
	}
}
