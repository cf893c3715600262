package correspondents

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// manyKnown returns as many domains and addresses.
func manyKnown(domains, addresses int) *known {
	k := new(known)
	key := make([]byte, keySize)
	all := make(map[string]policy.Correspondent, domains)
	for i := range domains {
		all[nthDomain(i)] = policy.Correspondent{Days: 5, Several: true}
	}
	hashes := make([]uint64, 0, addresses)
	for i := range addresses {
		h := fnv.New64a()
		_ = binary.Write(h, binary.LittleEndian, uint64(i))
		hashes = append(hashes, h.Sum64()*0x9e3779b97f4a7c15)
	}
	k.replace(key, all, hashes)
	return k
}

// nthDomain returns one of many domains.
func nthDomain(i int) string {
	var name []byte
	for n := uint64(i+1) * 0x9e3779b97f4a7c15; n > 1<<40; n /= 20 {
		name = append(name, "bcdfghklmnprstvwz"[n%17], "aeiou"[n/17%5])
	}
	return string(name) + ".de"
}

// BenchmarkLookup is what a message of a stranger costs: his address, his domain, and three hosts that no
// message named before, among a million domains and ten million addresses (with LINKMILTER_LONG=1).
func BenchmarkLookup(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	k := manyKnown(long.Rows(1_000_000, 20_000), long.Rows(10_000_000, 200_000))
	runtime.GC()
	runtime.ReadMemStats(&after)
	judge, err := policy.New(policy.Options{Correspondents: k, WithoutBrands: true})
	if err != nil {
		b.Fatal(err)
	}
	hosts := make([]engine.Link, 0, 3<<12)
	for i := range cap(hosts) {
		link, err := engine.ParseLink("https://www." + nthDomain(i+50_000_000) + "/")
		if err != nil {
			b.Fatal(err)
		}
		hosts = append(hosts, link)
	}
	without := judge.WithoutCorrespondents()
	run := func(j *policy.Judge) func(b *testing.B) {
		return func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				for n := range 3 {
					j.Link(hosts[(3*i+n)%len(hosts)])
				}
				j.IsFirstContact("someone@elsewhere.example", "elsewhere.example")
			}
		}
	}
	b.Run("with", func(b *testing.B) {
		run(judge)(b)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB")
	})
	b.Run("without", run(without))
	names := make([]string, 0, 1<<12)
	for i := range cap(names) {
		names = append(names, fmt.Sprintf("someone%d@elsewhere.example", i))
	}
	b.Run("address", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = k.HasAddress(names[i%len(names)])
		}
	})
}
