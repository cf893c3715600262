//go:build unix

// Package load measures processor time, and how many messages a server takes beside
// a peer that does as little as possible.
package load

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Links are lines of text with three links.
const Links = "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE for more,\r\n" +
	"or www.example.org/a/b?c=d, or write to info@example.org.\r\n"

// NewLinks returns lines of text with three links like those of Links. Another n gives
// other links.
func NewLinks(n int) string {
	return strings.NewReplacer(
		"%E0%A4%AE%E0%A4%B9", fmt.Sprintf("%%E0%%A4%%AE%%E0%%A4%%B9%d", n),
		"/a/b", fmt.Sprintf("/a/b%d", n),
		"info@", fmt.Sprintf("info%d@", n),
	).Replace(Links)
}

// Prose returns lines of text without links, of size bytes.
func Prose(size int) string {
	const sentence = "The meeting on Tuesday at 10:30 is in room 4.17 (second floor), e.g. by the stairs; bring the papers, please.\r\n"
	return strings.Repeat(sentence, size/len(sentence)+1)[:size-2] + "\r\n"
}

// CPU is the time that the process, of a benchmark its clients and servers, has had on
// the processors. On a busy machine it says more than the clock.
func CPU(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// CheckGrowth fails the test where large, which has twice as much to do as small, takes
// more than limit times its processor time. Other work on the machine disturbs long runs
// more. So CheckGrowth times two runs of small together beside one of large, and takes
// the best of several. The heap keeps its memory, and garbage is collected before each
// run, not within it. A failed attempt is repeated with more runs, and counts no more,
// since the clock may once show too little.
func CheckGrowth(tb testing.TB, limit float64, small, large func()) {
	tb.Helper()
	const noise = 200 * time.Microsecond // a smaller difference
	defer debug.SetGCPercent(debug.SetGCPercent(5000))
	measure := func(run func()) time.Duration {
		runtime.GC()
		begin := CPU(tb)
		run()
		return CPU(tb) - begin
	}
	var twoSmall, oneLarge time.Duration
	for attempt, rounds := range []int{3, 12, 12, 12, 12, 12, 12} {
		time.Sleep(time.Duration(min(attempt, 1)) * time.Second)
		twoSmall, oneLarge = math.MaxInt64, math.MaxInt64
		for range rounds {
			twoSmall = min(twoSmall, measure(func() { small(); small() }))
			oneLarge = min(oneLarge, measure(large))
		}
		if float64(oneLarge-noise) <= limit/2*float64(twoSmall) {
			return
		}
	}
	tb.Errorf("twice the work takes %v, %.2f times as long", oneLarge, 2*float64(oneLarge)/float64(twoSmall))
}

// Load is what one server took.
type Load struct {
	Sent    int // messages
	elapsed time.Duration
	cpu     time.Duration
}

// Turn has all clients send at once. send sends what one client, by its number, has to
// send in a turn, and returns how many messages that were.
func (l *Load) Turn(tb testing.TB, clients int, send func(client int) (sent int)) {
	tb.Helper()
	sent := make([]int, clients)
	var sending sync.WaitGroup
	start, cpu := time.Now(), CPU(tb)
	for i := range clients {
		sending.Go(func() { sent[i] = send(i) })
	}
	sending.Wait()
	l.elapsed += time.Since(start)
	l.cpu += CPU(tb) - cpu
	for _, n := range sent {
		l.Sent += n
	}
}

// rate is in messages a second.
func (l *Load) rate() float64 { return float64(l.Sent) / l.elapsed.Seconds() }

// cost is in microseconds of processor time a message.
func (l *Load) cost() float64 { return float64(l.cpu.Microseconds()) / float64(l.Sent) }

// Report reports both rates, the peer's under its name, and how ours compares: 1 is as
// good as the peer, in messages a second and in processor time.
func Report(b *testing.B, ours, peer *Load, name string) {
	b.ReportMetric(peer.rate(), name+"/s")
	b.ReportMetric(ours.rate(), "messages/s")
	b.ReportMetric(ours.rate()/peer.rate(), "ratio")
	b.ReportMetric(peer.cost()/ours.cost(), "cpu-ratio")
	b.ReportMetric(ours.cost(), "cpu-us/message")
}
