package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// firstSeen returns hosts that no judge has seen before, in ASCII or beyond.
func firstSeen(tb testing.TB, beyond bool, n int) []engine.Link {
	tb.Helper()
	stems := strings.Fields("mail shop kundenservice portal garden harbor window static assets newsletter bakery travel meridian cornerstone")
	syllables := strings.Fields("ba ke ri to na mu so vel dan por tik sel wa gro fen hu")
	if beyond {
		stems = strings.Fields("müller bäckerei garten-köln привет новости λόγος こんにちは 新闻 도서관 école señora łódź")
	}
	links := make([]engine.Link, n)
	for i := range links {
		links[i] = parse(tb, fmt.Sprintf("https://www.%s%s.%s/", stems[i%len(stems)], syllables[i&15]+syllables[i>>4&15]+syllables[i>>8&15]+syllables[i>>12&15], []string{"com", "de", "org", "co.uk"}[i%4]))
	}
	return links
}

// skeletons is a map with a few skeletons: to look one up is the least work that a judge could do.
var skeletons = map[string]bool{"paypal": true}

// countSkeletons looks up the skeleton of each label of the hosts.
func countSkeletons(links []engine.Link) (found int) {
	for _, link := range links {
		for label := range strings.SplitSeq(link.UnicodeHost(), ".") {
			if skeletons[uts39.Skeleton(label)] {
				found++
			}
		}
	}
	return found
}

// BenchmarkFirstSeen is the time for 64 hosts that were not seen before, and for the lookup of their skeletons.
func BenchmarkFirstSeen(b *testing.B) {
	for name, beyond := range map[string]bool{"ASCII": false, "others": true} {
		links := firstSeen(b, beyond, 1<<14)
		j := newJudge(b, policy.Options{Protected: []string{"northgate.co.uk", "kestrelquix.org"}})
		j.Link(parse(b, "https://www.paypäl.com/")) // reads the lists
		batch := func(i int) []engine.Link { return links[i*64%len(links):][:64] }
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				for _, link := range batch(i) {
					j.Link(link)
				}
			}
		})
		b.Run(name+"/skeleton", func(b *testing.B) {
			for i := range b.N {
				countSkeletons(batch(i))
			}
		})
	}
}

// TestFirstSeen: to judge a new host takes little longer than to look up its skeletons, measured in
// the same run. The test compares the least of many turns, since other programs use the machine,
// too.
func TestFirstSeen(t *testing.T) {
	for name, test := range map[string]struct {
		beyond bool
		most   float64
	}{"ASCII": {false, mostASCII}, "others": {true, mostOthers}} {
		links := firstSeen(t, test.beyond, 1<<14)
		j := newJudge(t, policy.Options{Protected: []string{"northgate.co.uk", "kestrelquix.org"}})
		j.Link(parse(t, "https://www.paypäl.com/"))
		judged, bare := time.Hour, time.Hour
		for i := range 400 {
			batch := links[i*32%len(links):][:32]
			start := time.Now()
			for _, link := range batch {
				j.Link(link)
			}
			judged = min(judged, time.Since(start))
			start = time.Now()
			countSkeletons(batch)
			bare = min(bare, time.Since(start))
		}
		ratio := float64(judged) / float64(bare)
		t.Logf("%s: %s a host, %s for its skeletons: %.1f times", name, judged/32, bare/32, ratio)
		if ratio > test.most {
			t.Errorf("%s: %.1f times as long as skeletons, want %.1f", name, ratio, test.most)
		}
	}
}

// How many times as long as a bare lookup the judge may take.
const (
	mostASCII  = 7
	mostOthers = 10
)
