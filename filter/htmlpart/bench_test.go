package htmlpart_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/internal/test/load"
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

// slow are sources of which a tree takes much longer than the tokens: what a parser moves
// out of tables, copies, or opens again.
var slow = map[string]string{
	"unclosed":        "<b><p>An ordinary sentence, as people write them.",
	"formats":         "<font color=red size=2><b><i><p>x",
	"links in tables": "<table><a href=http://example.org/>x",
	"tables in links": "<table><a href=http://example.org/>x<table><a href=http://example.net/>y</a></table>",
	"tables in bold":  "<b><a href=http://example.org/><table>x",
	"adoption":        "<b><a href=http://example.org/><div>x</b><p>y</a>",
	"nobr":            "<nobr><a href=http://example.org/>x<nobr>",
	"attributes":      `<p a=1 b="2" c='3' d e=5 data-f="6" onclick="f()">x</p>`,
	"same attributes": `<b a=1 b="2" c='3' d e=5 data-f="6">x`,
	"entities":        "&amp;&lt;&nbsp;&#65;&eacute; word ",
	"SVG and MathML":  "<svg><a href=http://example.org/>x</a></svg><math><mtext>y</mtext></math>",
	"in and out":      "<svg><foreignObject><p>x<math><mi><svg><desc>",
	"templates":       "<template><a href=http://example.org/>x</template>",
	"cells":           "<table><td>x",
	"options":         "<select><option><a href=http://example.org/>x",
	"framesets":       "<frameset><a href=http://example.org/>x",
	"frames":          "<iframe><b>x",
	"headings":        "<h1><a href=http://example.org/>x<h2>",
	"forms":           "<form action=http://example.org/><input name=x><button>x</button></form>",
	"selections":      "<select><option value=1>An option<option value=2>Another</select>",
	"nested formats":  "<b><i><u><font color=red><a href=http://example.org/>x</a></font></u></i></b>",
	"crossed formats": "<b><i><u><font color=red><a href=http://example.org/>x</b></i></u></font></a>",
	"crossed tables":  "<table><b><tr><i><td><a href=http://example.org/>x</b></a></td></i></tr></table>",
	"pictures":        "<svg><g><text x=1 y=2>An ordinary text</text><a xlink:href=http://example.org/><rect/></a></g></svg>",
}

// BenchmarkReadIrregular reads HTML with elements that end in another order: a newsletter,
// and sources that are slow.
func BenchmarkReadIrregular(b *testing.B) {
	sources := map[string]string{"newsletter": irregular()}
	for name, piece := range slow {
		sources[name] = strings.Repeat(piece, (256<<10)/len(piece))
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(sources[name])))
			b.ReportAllocs()
			for b.Loop() {
				readAll(b, sources[name])
			}
		})
	}
}

// readAll reads a source that may be too complex.
func readAll(tb testing.TB, source string) {
	tb.Helper()
	for _, err := range htmlpart.Read(tb.Context(), source, 4<<20) {
		if err != nil && !errors.Is(err, htmlpart.ErrTooComplex) {
			tb.Fatal(err)
		}
	}
}

// readTokens reads the tokens of a source and nothing of them.
func readTokens(source string) {
	tokens := nethtml.NewTokenizer(strings.NewReader(source))
	for tokens.Next() != nethtml.ErrorToken {
		for _, more := tokens.TagName(); more; {
			_, _, more = tokens.TagAttr()
		}
	}
}

// TestCostOfReading: reading takes a few times as long as the tokens of a newsletter,
// whatever the source.
func TestCostOfReading(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	const size, most = 512 << 10, 25 // half as many are usual, and ten times as many without bounds
	measure := func(read func()) time.Duration {
		start := load.CPU(t)
		read()
		return load.CPU(t) - start
	}
	letters := strings.Repeat(newsletter(), size/len(newsletter())+1)[:size]
	for _, name := range slices.Sorted(maps.Keys(slow)) {
		source := strings.Repeat(slow[name], size/len(slow[name]))
		reading, tokens := time.Hour, time.Hour
		for range 4 {
			tokens = min(tokens, measure(func() { readTokens(letters) }))
			reading = min(reading, measure(func() { readAll(t, source) }))
		}
		t.Logf("%s: %.1f times, %.0f MB/s", name, float64(reading)/float64(tokens), size/1e6/reading.Seconds())
		if reading > most*tokens {
			t.Errorf("%s: reading takes %v, the tokens of a newsletter %v", name, reading, tokens)
		}
	}
}

// BenchmarkTokenizer is the peer: it reads a newsletter and nothing of it.
func BenchmarkTokenizer(b *testing.B) {
	source := newsletter()
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		readTokens(source)
	}
}
