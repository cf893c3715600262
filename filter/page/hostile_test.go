package page_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/test/markup"
)

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

// TestHostile: sources that are hard to read take limited time and memory, and Read asks the
// context often.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	const most = 300 << 20
	size := long.Rows(4<<20, 256<<10)
	for name, shape := range markup.Hostile() {
		t.Run(name, func(t *testing.T) {
			source := shape(size)
			peak := peakOf(func() {
				start := time.Now()
				ctx := &asked{Context: t.Context(), last: start}
				var last error
				items := 0
				for _, err := range page.Read(ctx, source, 16<<20) {
					if last = err; err == nil {
						items++
					}
				}
				took := time.Since(start)
				t.Logf("%d items in %s, asked %d times, at least every %s, %v", items, took, ctx.times, ctx.gap, last)
				if took > 60*time.Second {
					t.Error("takes too long")
				}
				if ctx.times == 0 {
					t.Error("the context was not asked")
				}
			})
			if t.Logf("%d MiB", peak>>20); peak > most {
				t.Errorf("%d MiB of memory, %d at most", peak>>20, most>>20)
			}
		})
	}
}

// TestSelectorsOfManySteps: a selector that has to try many combinations of ancestors takes no
// longer than others. Its rule then counts as if it may match any element.
func TestSelectorsOfManySteps(t *testing.T) {
	for _, selector := range []string{"z b b b b b b b b", "z>b b b b:not(z b b b b)", "i~b~b~b~b", "i~b b~b b"} {
		source := "<style>" + selector + "{display:none}</style>" + strings.Repeat("<b></b>", 5000) + strings.Repeat("<b>", 400) +
			"<a href=http://x.example/>o.ne<b>two</b></a>"
		start := time.Now()
		shows(t, source, "o.ne")
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s takes %s", selector, took)
		}
	}
	shows(t, "<svg></p><textarea>"+strings.Repeat("<b>", 1<<17)+"</textarea><a href=http://x.example/>o.ne", "o.ne")
}

// peakOf returns by how many bytes the heap grew at most while work ran.
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
