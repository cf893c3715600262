package dnslist

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/recent"
	"github.com/linkmilter/linkmilter/policy"
)

// Bounds of the work for a message and for all.
const (
	maxHosts   = 20      // of a message; the first links count
	maxAtATime = 256     // questions of all messages
	maxAnswers = 1 << 15 // that are kept

	shortestKept = time.Minute
	longestKept  = time.Hour
	unknownKept  = 5 * time.Minute // an answer without a time to live

	failuresToPause = 5
	pauseFailed     = time.Minute
	pauseRefused    = 10 * time.Minute
)

// DefaultTime is how long a message waits at most, unless it is configured; LongestTime is the longest time.
const (
	DefaultTime = time.Second
	LongestTime = 10 * time.Second
)

// Options say what a Set asks.
type Options struct {
	Zones   []Zone
	Servers []string      // resolvers, as host:port; none: those of the system
	Time    time.Duration // how long a message waits at most; 0: DefaultTime
}

// A Set asks zones. Several goroutines may use it at once.
type Set struct {
	log     *slog.Logger
	now     func() time.Time
	used    atomic.Pointer[used]
	answers *recent.Table[answer] // by the name that was asked
	room    chan struct{}

	using sync.Mutex // held while replacing the zones
}

// used are the options in use.
type used struct {
	Options
	zones []*zone
}

// A zone is a Zone with what happened to its questions.
type zone struct {
	Zone
	failures atomic.Int64 // in a row
	paused   atomic.Int64 // until this time in Unix nanoseconds
	counts   [results]atomic.Uint64
}

// An answer is what a zone says about a host.
type answer struct {
	until   time.Time
	listed  bool
	address [4]byte
}

// A Result is what became of a question.
type Result uint8

// The results.
const (
	ResultClean   Result = iota // not listed
	ResultListed                // listed
	ResultKept                  // answered from memory
	ResultFailed                // no answer in time, or none that makes sense
	ResultRefused               // the list does not answer this resolver
	ResultPaused                // not asked, since the list failed or refused before
	ResultSkipped               // not asked, since too many questions wait
	results
)

// String returns the name of the result in metrics.
func (r Result) String() string {
	return [...]string{"clean", "listed", "kept", "failed", "refused", "paused", "skipped"}[r]
}

// New returns a Set that asks nobody.
func New(log *slog.Logger) *Set {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Set{log: log, now: time.Now, answers: recent.NewTable[answer](maxAnswers), room: make(chan struct{}, maxAtATime)}
	s.used.Store(&used{})
	return s
}

// Use puts other options into use. Zones that stay the same keep their counts and pauses.
func (s *Set) Use(o Options) {
	s.using.Lock()
	defer s.using.Unlock()
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if len(o.Servers) == 0 && len(o.Zones) > 0 {
		o.Servers = systemServers(resolvConf)
	}
	next := &used{Options: o}
	for _, z := range o.Zones {
		i := slices.IndexFunc(s.used.Load().zones, func(before *zone) bool { return before.Zone == z })
		if i >= 0 {
			next.zones = append(next.zones, s.used.Load().zones[i])
		} else {
			next.zones = append(next.zones, &zone{Zone: z})
		}
	}
	s.used.Store(next)
}

// Asks reports whether a zone is configured.
func (s *Set) Asks() bool { return len(s.used.Load().zones) > 0 }

// Ask asks the zones about hosts, A-labels in lower case, and returns the listings by registrable domain or
// address. It returns when all answered, after Options.Time, or when ctx ends; what did not answer counts as
// not listed. It keeps late answers for the next message.
func (s *Set) Ask(ctx context.Context, hosts []string) map[string][]policy.Listed {
	u := s.used.Load()
	var domains []string
	for _, host := range hosts {
		if domain := hostname.Registrable(host); !slices.Contains(domains, domain) && len(domains) < maxHosts {
			domains = append(domains, domain)
		}
	}
	type said struct {
		domain string
		zone   *zone
		answer
	}
	answers, waiting := make(chan said, len(domains)*len(u.zones)), 0
	// The message's end does not end a question, whose answer the next message may need.
	lasting := context.WithoutCancel(ctx)
	for _, z := range u.zones {
		for _, domain := range domains {
			name, ok := z.question(domain)
			if !ok {
				continue
			}
			if a := s.answers.Get(name); a != nil && s.now().Before(a.until) {
				z.counts[ResultKept].Add(1)
				answers <- said{domain, z, *a}
				waiting++
				continue
			}
			if !s.mayAsk(z) {
				continue
			}
			waiting++
			go func() {
				defer func() { <-s.room }()
				within, cancel := context.WithTimeout(lasting, u.Time)
				defer cancel()
				answers <- said{domain, z, s.answer(within, u.Servers, z, name)}
			}()
		}
	}
	wait, cancel := context.WithTimeout(ctx, u.Time)
	defer cancel()
	var found map[string][]policy.Listed
	for range waiting {
		select {
		case <-wait.Done():
			return found
		case a := <-answers:
			if !a.listed {
				continue
			}
			if found == nil {
				found = make(map[string][]policy.Listed)
			}
			found[a.domain] = append(found[a.domain], policy.Listed{
				List: a.zone.Name, Label: a.domain, Watch: a.zone.Watch, Severity: a.zone.severity(),
				Answer: fmt.Sprintf("%d.%d.%d.%d", a.address[0], a.address[1], a.address[2], a.address[3]),
			})
		}
	}
	return found
}

// mayAsk reports whether a zone may be asked now, and takes room for the question.
func (s *Set) mayAsk(z *zone) bool {
	if s.now().UnixNano() < z.paused.Load() {
		z.counts[ResultPaused].Add(1)
		return false
	}
	select {
	case s.room <- struct{}{}:
		return true
	default:
		z.counts[ResultSkipped].Add(1)
		return false
	}
}

// answer asks the servers in turn, twice, and keeps the answer.
func (s *Set) answer(ctx context.Context, servers []string, z *zone, name string) answer {
	deadline, _ := ctx.Deadline()
	const rounds = 2
	each := time.Until(deadline) / time.Duration(rounds*len(servers))
	var err error
	for i := range rounds * len(servers) {
		var r reply
		within, cancel := context.WithTimeout(ctx, each)
		r, err = ask(within, servers[i%len(servers)], name)
		cancel()
		if err == nil {
			return s.keep(z, name, &r)
		}
	}
	s.fails(z, err)
	return answer{}
}

// keep keeps a reply as long as it says, within bounds.
func (s *Set) keep(z *zone, name string, r *reply) answer {
	ttl := unknownKept
	if r.ttl >= 0 {
		ttl = min(max(r.ttl, shortestKept), longestKept)
	}
	a := answer{until: s.now().Add(ttl)}
	for _, address := range r.addresses {
		switch z.meaning(address) {
		case listed:
			a.listed, a.address = true, address
		case refused:
			z.counts[ResultRefused].Add(1)
			s.pause(z, pauseRefused, "block list refuses to answer", "answer", fmt.Sprintf("%d.%d.%d.%d", address[0], address[1], address[2], address[3]))
			return answer{}
		case foreign:
			s.fails(z, fmt.Errorf("address %d.%d.%d.%d: not of a list", address[0], address[1], address[2], address[3]))
			return answer{}
		}
	}
	z.failures.Store(0)
	result := ResultClean
	if a.listed {
		result = ResultListed
	}
	z.counts[result].Add(1)
	s.answers.Put(name, a)
	return a
}

// fails counts a failure. After several in a row the zone is not asked for a while.
func (s *Set) fails(z *zone, err error) {
	z.counts[ResultFailed].Add(1)
	if z.failures.Add(1) >= failuresToPause {
		z.failures.Store(0)
		s.pause(z, pauseFailed, "block list not asked for a while", "error", err)
	}
}

// pause stops the questions to a zone for some time.
func (s *Set) pause(z *zone, d time.Duration, message, key string, value any) {
	now := s.now()
	if before := z.paused.Load(); before < now.UnixNano() && z.paused.CompareAndSwap(before, now.Add(d).UnixNano()) {
		s.log.Warn(message, "list", z.Name, key, value, "for", d)
	}
}

// A State is what happened to the questions of a zone since the start.
type State struct {
	Name   string
	Counts map[Result]uint64
	Paused bool
}

// States returns the state of each zone.
func (s *Set) States() []State {
	var all []State
	for _, z := range s.used.Load().zones {
		state := State{Name: z.Name, Counts: make(map[Result]uint64), Paused: s.now().UnixNano() < z.paused.Load()}
		for r := range results {
			state.Counts[r] = z.counts[r].Load()
		}
		all = append(all, state)
	}
	return all
}
