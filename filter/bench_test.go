package filter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// BenchmarkMessage takes whole messages through all stages.
func BenchmarkMessage(b *testing.B) {
	const sentence = "This is an ordinary sentence, as people write them in their mail (e.g. to friends).\r\n"
	link := "https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"
	filler := func(n int) string { return strings.Repeat(sentence, n/len(sentence)) }
	for _, bench := range []struct {
		name, text string
		edited     bool
		rules      []rule.Rule
	}{
		{"4KB_no_links", filler(4 << 10), false, nil},
		{"10KB_3_links", filler(4<<10) + link + "\r\n" + filler(3<<10) + "See " + link + " and " + link + ".\r\n" + filler(3<<10), true, nil},
		{"10KB_3_links_rewritten", filler(4<<10) + link + "\r\n" + filler(3<<10) + "See " + link + " and " + link + ".\r\n" + filler(3<<10), true, readable()["plain"]},
		{"100KB_100_links", strings.Repeat(filler(900)+link+"\r\n", 100), true, nil},
		{"3MB_1_link", link + "\r\n" + filler(3<<20), true, nil},
		{"3MB_1_link_rewritten", link + "\r\n" + filler(3<<20), true, readable()["plain"]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			f, err := filter.New(filter.Options{Rules: bench.rules})
			if err != nil {
				b.Fatal(err)
			}
			raw := []byte(text(bench.text))
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if result := f.Message(context.Background(), localUser(), raw); (result.Edited != nil) != bench.edited {
					b.Fatalf("edited %v: %s", result.Edited != nil, result.Report)
				}
			}
		})
	}
}

// BenchmarkHTML reads and judges HTML of 100 KB with 100 links.
func BenchmarkHTML(b *testing.B) {
	const sentence = "This is an ordinary sentence, as people write them in their mail (e.g. to friends). "
	const row = `<tr><td align="center" style="font-size:0px;padding:10px"><div style="font-size:13px">` +
		`<a href="https://news.example.com/click?id=1&amp;user=anna" target="_blank" style="color:#06c">www.example.com</a> `
	raw := htmlMessage("<table>" + strings.Repeat(row+strings.Repeat(sentence, 9)+"</div></td></tr>\r\n", 100) + "</table>")
	f := newFilter(b, filter.Options{})
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if report := f.Scan(raw); len(report.Links) != 100 {
			b.Fatalf("%d links", len(report.Links))
		}
	}
}
