package htmlpart_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// hostile are sources of about n bytes that are hard for parsers, or for this package.
var hostile = map[string]func(n int) string{
	"bold":                     func(n int) string { return strings.Repeat("<b>", n/3) },
	"nested":                   func(n int) string { return strings.Repeat("<div>", n/5) },
	"different formats":        func(n int) string { return numbered(n/4, "<b a%d>") + strings.Repeat("<p>x", n*3/16) },
	"formats closed in tables": func(n int) string { return numbered(n, "<b a%d><table></b></table>") },
	"same formats":             func(n int) string { return strings.Repeat("<font color=red>", 3) + strings.Repeat("<p>x", n/4) },
	"adoption":                 func(n int) string { return strings.Repeat("<a><div><b><p></a></b>", n/22) },
	"attributes of formats":    func(n int) string { return strings.Repeat("<b "+numbered(n/600, "a%d ")+">", 500) },
	"attributes of body": func(n int) string {
		return "<body " + numbered(n/2, "a%d ") + ">" + strings.Repeat("<body x>", n/16)
	},
	"new attributes of body": func(n int) string { return numbered(n, "<body a%d>") },
	"one tag":                func(n int) string { return "<a " + numbered(n, "a%d ") + ">" },
	"attribute":              func(n int) string { return "<a x=\"" + strings.Repeat("x", n) + "\">" },
	"tags in attributes":     func(n int) string { return "<svg>" + strings.Repeat(`<a x="`, n/6) },
	"tags in quotes":         func(n int) string { return "<svg>" + strings.Repeat(`<a "`, n/4) },
	"raw text in SVG":        func(n int) string { return "<svg>" + strings.Repeat("<style>", n/7) },
	"raw text with ends":     func(n int) string { return "<svg>" + strings.Repeat("<style><a href=x></style>", n/25) },
	"other ways":             func(n int) string { return "<svg></svg>" + strings.Repeat("<title><b x=</title>", n/20) },
	"CDATA":                  func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[", n/9) },
	"CDATA with ends":        func(n int) string { return "<svg>" + strings.Repeat("<![CDATA[x>]]>", n/14) },
	"links in SVG": func(n int) string {
		return "<svg>" + strings.Repeat("<a href=http://example.com>", 500) + strings.Repeat("x ", n/2)
	},
	"open link": func(n int) string {
		return "<svg><a href=http://example.com>" + strings.Repeat("<i hidden>x</i>", n/15)
	},
	"doubts": func(n int) string {
		return strings.Repeat("<a href=http://x.example>a<i hidden>x</i>b<i style=opacity:0>y</i></a>", n/72)
	},
	"bases": func(n int) string { return numbered(n, "<base href=http://a%d.example/>") },
	"relative links": func(n int) string {
		return numbered(100, "<base href=http://a%d.example/"+strings.Repeat("x", 4000)+"/>") + strings.Repeat("<a href=x>", n/10)
	},
	"labels": func(n int) string { return "<a href=http://x.example>" + strings.Repeat("<img alt=xxxxxxxxx>", n/19) },
	"frames": func(n int) string { return numbered(n, "<iframe srcdoc=%d>") },
	"frame":  func(n int) string { return "<iframe srcdoc='" + strings.Repeat("<b>", n/3) + "'>" },
	"sheet": func(n int) string {
		return "<style>" + numbered(n/2, ".a%d{display:none}") + "</style>" + strings.Repeat("<p class=a>", n/22)
	},
	"selectors":       func(n int) string { return "<style>" + strings.Repeat("{", n) },
	"sheets":          func(n int) string { return strings.Repeat("<style>", n/7) },
	"declarations":    func(n int) string { return "<p style=\"" + strings.Repeat("display:none;", n/13) + "\">" },
	"important":       func(n int) string { return "<p style=\"" + numbered(n, "a%d:x!important;") + "\">" },
	"comments of CSS": func(n int) string { return "<p style=\"" + strings.Repeat("/*", n/2) + "\">" },
	"entities": func(n int) string {
		return `<!DOCTYPE x [<!ENTITY a "&b;&b;&b;&b;"><!ENTITY b "&c;&c;&c;&c;"><!ENTITY c "&d;&d;&d;&d;"><!ENTITY d "` + strings.Repeat("x", 1000) + `">]><x>` + strings.Repeat("&a;", n/3)
	},
	"declared": func(n int) string { return "<!DOCTYPE x [" + numbered(n, `<!ENTITY a%d "x">`) + "]>" },
	"parameters": func(n int) string {
		return "<!DOCTYPE x [<!ENTITY % a '%b;%b;%b;'><!ENTITY % b '%a;%a;%a;'>" + strings.Repeat("%a;", n/3) + "]>"
	},
	"default attributes": func(n int) string {
		return "<!DOCTYPE x [<!ATTLIST a href CDATA 'http://x.example/'>]>" + strings.Repeat("<a>", n/3)
	},
	"conditional comments": func(n int) string {
		return "<a href=http://x.example>" + strings.Repeat("<!--[if mso]>x<![endif]-->", n/27)
	},
	"conditional comments without ends": func(n int) string {
		return "<a href=http://x.example>" + strings.Repeat("<![if !a]>", n/10)
	},
	"conditional comments with one end": func(n int) string {
		return "<a href=http://x.example>" + strings.Repeat("<![if !a]>", n/10) + "<![endif]>"
	},
	"conditional comments in tags": func(n int) string {
		return "<a href=http://x.example><!--[if a]>x<![endif]-->" + strings.Repeat("<![if !", n/7)
	},
	"generated texts": func(n int) string {
		return "<style>" + numbered(n/2, ".a%d::before{content:'x.example'}") + "</style>" + strings.Repeat("<a href=x class=a1>x</a>", n/50)
	},
	"scripts":   func(n int) string { return "<script>" + strings.Repeat("http://x.example/ ", n/18) },
	"raw texts": func(n int) string { return strings.Repeat("<xmp>", n/5) },
	"animations": func(n int) string {
		return "<svg><a>" + strings.Repeat("<set attributename=href to=http://x.example/>", n/45)
	},
	"noscript":  func(n int) string { return strings.Repeat("<noscript><style>", n/17) },
	"templates": func(n int) string { return strings.Repeat("<template>", n/10) },
	"selects":   func(n int) string { return strings.Repeat("<select><option>", n/16) },
	"cells":     func(n int) string { return "<table>" + strings.Repeat("<td>x", n/5) },
	"misplaced": func(n int) string { return "<table>" + strings.Repeat("x<b>", n/4) },
	"buttons":   func(n int) string { return "<form action=http://x.example/>" + strings.Repeat("<button>x", n/9) },
}

// numbered repeats a format with numbers up to about n bytes.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// asked is a context that counts how often it is asked.
type asked struct {
	context.Context
	times int
	last  time.Time
	gap   time.Duration // the longest time without being asked
}

func (c *asked) Err() error {
	c.times++
	c.gap = max(c.gap, time.Since(c.last))
	c.last = time.Now()
	return c.Context.Err()
}

// TestHostile: what is hard takes a bounded time and memory, and asks the context.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	const size, most = 4 << 20, 300 << 20
	for name, shape := range hostile {
		t.Run(name, func(t *testing.T) {
			source := shape(size)
			peak := peakOf(func() {
				start := time.Now()
				ctx := &asked{Context: t.Context(), last: start}
				var last error
				items := 0
				for _, err := range htmlpart.Read(ctx, source, 16<<20) {
					if last = err; err == nil {
						items++
					}
				}
				took := time.Since(start)
				t.Logf("%d items in %s, asked %d times, at least every %s, %v", items, took, ctx.times, ctx.gap, last)
				if took > 60*time.Second {
					t.Error("takes too long")
				}
				if ctx.times < len(source)/(64<<10) {
					t.Error("the context was not asked")
				}
			})
			if t.Logf("%d MiB", peak>>20); peak > most {
				t.Errorf("%d MiB of memory, %d at most", peak>>20, most>>20)
			}
		})
	}
}

// peakOf returns by how many bytes the heap was larger at most while work ran.
func peakOf(work func()) uint64 {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), now.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	work()
	close(done)
	<-stopped
	return peak.Load() - min(peak.Load(), before.HeapInuse)
}
