//go:build linux

package faults

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/test/e2e"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// The load of a soak: for each of the two programs.
const (
	milterSenders = 4
	smtpSenders   = 3
	meanPause     = 900 * time.Millisecond // between two messages of a sender
)

// TestSoak sends mail through two linkmilters for as long as $LINKMILTER_SOAK says (`make soak`),
// and harms both by faults drawn at random, with the seed $LINKMILTER_SOAK_SEED if it is set. One
// of them is also killed and restarted. The other runs to the end, and must not grow.
func TestSoak(t *testing.T) {
	setting := os.Getenv("LINKMILTER_SOAK")
	if setting == "" {
		t.Skip("only with LINKMILTER_SOAK, as `make soak` sets it")
	}
	duration, err := time.ParseDuration(setting)
	if err != nil {
		t.Fatal(err)
	}
	s := newSoak(t, seedOf(t), duration)
	s.run()
	s.conclude()
}

// seedOf returns the seed that the environment has, or another one each time.
func seedOf(tb testing.TB) uint64 {
	tb.Helper()
	setting := os.Getenv("LINKMILTER_SOAK_SEED")
	if setting == "" {
		return rand.Uint64N(1e9)
	}
	seed, err := strconv.ParseUint(setting, 10, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return seed
}

// soak is a run.
type soak struct {
	tb       testing.TB
	seed     uint64
	duration time.Duration
	out      io.Writer // the terminal and a file
	account  *traffic.Account
	corpus   *traffic.Corpus
	sent     atomic.Uint64 // number of the next message
	slow     slowTraffic
	mortal   *victim // may be killed
	lasting  *victim
}

// victim is a program with its traffic.
type victim struct {
	*program
	name   string
	faults []fault
	gate   sync.RWMutex // held for reading while a sender sends

	mu   sync.Mutex
	done map[string]int // faults, by kind
	now  string         // the fault at work
}

func newSoak(tb testing.TB, seed uint64, duration time.Duration) *soak {
	tb.Helper()
	// The folder stays for those who look into a failure.
	dir, err := os.MkdirTemp("", fmt.Sprintf("linkmilter-soak-%d-", seed))
	if err != nil {
		tb.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "progress"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { file.Close() })
	s := &soak{tb: tb, seed: seed, duration: duration, out: io.MultiWriter(os.Stdout, file), account: traffic.NewAccount()}
	s.say("seed %d (LINKMILTER_SOAK_SEED=%d repeats the faults), %v, folder %s", seed, seed, duration, dir)
	s.mortal, s.lasting = s.newVictim("mortal", dir, true), s.newVictim("lasting", dir, false)
	return s
}

func (s *soak) say(format string, args ...any) {
	fmt.Fprintf(s.out, time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
}

// newVictim starts a program.
func (s *soak) newVictim(name, dir string, restarts bool) *victim {
	s.tb.Helper()
	dir = filepath.Join(dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		s.tb.Fatal(err)
	}
	v := &victim{name: name, program: newProgram(s.tb, e2e.Binary(s.tb), dir, s.account), done: make(map[string]int)}
	if s.corpus == nil {
		f := v.filter(s.tb)
		s.corpus = traffic.NewCorpus(f, s.seed)
		small := traffic.NewCorpusOf(f, traffic.Compose(traffic.Linked, 2000, rand.New(rand.NewPCG(s.seed, 2))), traffic.Compose(traffic.Hostile, 2000, rand.New(rand.NewPCG(s.seed, 3))))
		s.slow = slowTraffic{s.account, func() (*traffic.Message, error) { return small.Message(s.sent.Add(1)) }}
	}
	for _, f := range harm(s.slow) {
		switch {
		case f.restarts && !restarts:
		case f.possible != nil && !f.possible(v.program):
			s.say("%s: fault %q left out: not possible here (want root)", name, f.name)
		default:
			v.faults = append(v.faults, f)
		}
	}
	if err := v.start(); err != nil {
		s.tb.Fatal(err)
	}
	return v
}

// run does everything but the conclusion.
func (s *soak) run() {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), s.duration)
	defer cancel()
	var sending sync.WaitGroup
	for _, v := range []*victim{s.mortal, s.lasting} {
		for i := range milterSenders + smtpSenders {
			sending.Go(func() { s.send(ctx, v, i) })
		}
	}
	// Memory is measured when caches and the list of flagged messages are full.
	rest(ctx, s.duration/12)
	before := s.measure(s.lasting)
	var harming sync.WaitGroup
	for i, v := range []*victim{s.mortal, s.lasting} {
		harming.Go(func() { s.harm(ctx, v, rand.New(rand.NewPCG(s.seed, uint64(10+i)))) })
	}
	s.report(ctx, begin)
	harming.Wait()
	sending.Wait()
	after := s.measure(s.lasting)
	s.compare(before, after)
}

// send sends one message after the other until ctx ends.
func (s *soak) send(ctx context.Context, v *victim, i int) {
	r := rand.New(rand.NewPCG(s.seed, uint64(100+i)))
	send, end := newSender(v.program, s.account, i)
	defer end()
	for rest(ctx, time.Duration(r.ExpFloat64()*float64(meanPause))); ctx.Err() == nil; rest(ctx, time.Duration(r.ExpFloat64()*float64(meanPause))) {
		if !v.gate.TryRLock() {
			end() // who waits has no connection
			v.gate.RLock()
		}
		m, err := s.corpus.Message(s.sent.Add(1))
		if err == nil {
			// A message that is on its way when the time is over still goes through.
			grace, cancel := context.WithTimeout(context.Background(), s.duration+5*time.Minute)
			err = send(grace, m)
			cancel()
		}
		v.gate.RUnlock()
		if err != nil {
			s.tb.Error(err)
			return
		}
	}
}

// noReplies are the replies that a mail server with version 6 of the protocol does
// without.
const noReplies = gomilter.OptNoConnReply | gomilter.OptNoHeloReply | gomilter.OptNoMailReply | gomilter.OptNoRcptReply |
	gomilter.OptNoDataReply | gomilter.OptNoHeaderReply | gomilter.OptNoEOHReply | gomilter.OptNoBodyReply

// harm draws and does faults until ctx ends.
func (s *soak) harm(ctx context.Context, v *victim, r *rand.Rand) {
	for ctx.Err() == nil {
		f := v.faults[r.IntN(len(v.faults))]
		v.note(f.name)
		if err := f.do(ctx, v.program, r); err != nil {
			s.problem("%s: %s: %v", v.name, f.name, err)
		}
		v.note("")
		if v.ended() {
			s.problem("%s: linkmilter ended by itself: %s", v.name, v.last)
			if err := v.start(); err != nil {
				s.problem("%s: %v", v.name, err)
				return
			}
		}
		rest(ctx, seconds(r, 2, 15))
	}
}

func (s *soak) problem(format string, args ...any) {
	s.say("PROBLEM: "+format, args...)
	s.tb.Errorf(format, args...)
}

// note notes the fault that begins; "": that none is at work.
func (v *victim) note(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.now = name; name != "" {
		v.done[name]++
	}
}

// report says how it goes once a minute until ctx ends.
func (s *soak) report(ctx context.Context, begin time.Time) {
	for said := 0; ctx.Err() == nil; rest(ctx, time.Minute) {
		s.say("%4.0f min %s; now %s, %s", time.Since(begin).Minutes(), inWords(s.account.Totals()), s.mortal.state(), s.lasting.state())
		problems := s.account.Problems()
		for ; said < len(problems); said++ {
			s.say("PROBLEM: %s", problems[said])
		}
	}
}

func (v *victim) state() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	resident, _ := v.memory("VmRSS:")
	now := v.now
	if now == "" {
		now = "at peace"
	}
	return fmt.Sprintf("%s %s %.0f MiB", v.name, now, resident)
}

func inWords(t traffic.Totals) string {
	return fmt.Sprintf("sent %d, edited or tagged %d, same %d, passed as sent %d, tried again %d, repeated %d, lost %d, damaged %d, doubled %d",
		t.Sent, t.Filtered, t.Same, t.Original, t.Retries, t.Repeated, t.Lost, t.Damaged, t.Doubled)
}

// measure stops the traffic of a program for a moment and measures it.
func (s *soak) measure(v *victim) footprint {
	v.gate.Lock()
	defer v.gate.Unlock()
	time.Sleep(2 * time.Second) // for connections that just ended
	f, err := v.footprint()
	if err != nil {
		s.problem("%s: %v", v.name, err)
	}
	s.say("%s: %+v", v.name, f)
	return f
}

// Growth that does not count: fragments of the heap, and a request for the list of top-level
// domains that is under way.
const (
	moreHeap  = 8 // MiB
	moreCount = 4
	// mostResident is what limits.memory of the settings allows: twice that for each of
	// two servers, and 64 MiB.
	mostResident = 4*128 + 64
)

// compare checks that a program has not grown.
func (s *soak) compare(before, after footprint) {
	if after.heap > before.heap*1.1+moreHeap || after.goroutines > before.goroutines+moreCount || after.files > before.files+moreCount {
		s.problem("linkmilter has grown from %+v to %+v", before, after)
	}
	if after.highest > mostResident {
		s.problem("linkmilter took %.0f MiB, want %d at most", after.highest, mostResident)
	}
}

// conclude prints the tables and checks the account.
func (s *soak) conclude() {
	totals := s.account.Close()
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nfault\t%s\t%s\n", s.mortal.name, s.lasting.name)
	for _, f := range harm(s.slow) {
		fmt.Fprintf(table, "%s\t%d\t%d\n", f.name, s.mortal.done[f.name], s.lasting.done[f.name])
	}
	for i, way := range namesWays {
		fmt.Fprintf(table, "list served: %s\t%d\t%d\n", way, s.mortal.names.asked[i].Load(), s.lasting.names.asked[i].Load())
	}
	fmt.Fprintln(table, "\nlines of the log, WARN and above")
	mortal, lasting := s.mortal.log.counts(), s.lasting.log.counts()
	all := maps.Clone(mortal)
	maps.Copy(all, lasting)
	for _, message := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(table, "%s\t%d\t%d\n", message, mortal[message], lasting[message])
	}
	table.Flush()
	s.say("%s, not settled %d", inWords(totals), totals.Unsettled)
	if !totals.OK() || totals.Unsettled > 0 || totals.Filtered < totals.Sent/10 {
		s.problem("messages: %+v\n%s", totals, strings.Join(s.account.Problems(), "\n"))
	}
	if n := mortal["panic"] + lasting["panic"]; n > 0 {
		s.problem("%d panics in the log", n)
	}
	for _, v := range []*victim{s.mortal, s.lasting} {
		log, err := v.log.text()
		if err != nil {
			s.problem("%s: %v", v.name, err)
		}
		for _, line := range overruns(log) {
			s.problem("%s: %s", v.name, line)
		}
	}
	if s.tb.Failed() {
		s.say("FAILED, seed %d", s.seed)
		return
	}
	s.say("PASSED, seed %d", s.seed)
}
