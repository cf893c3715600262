package dnslist

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/linkmilter/linkmilter/policy"
)

// A server is a DNS server on this machine that has the zones of the tests.
type server struct {
	address string
	mu      sync.Mutex
	asked   []string
	records map[string][4]byte // by name, without the final dot
	ttl     uint32
	silent  bool // it does not answer
	wrong   bool // it first sends replies to other questions
	code    dnsmessage.RCode
}

func newServer(t *testing.T, records map[string][4]byte) *server {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &server{address: conn.LocalAddr().String(), records: records, ttl: 300}
	go func() {
		buffer := make([]byte, maxReply)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			for _, packet := range s.replies(buffer[:n]) {
				_, _ = conn.WriteTo(packet, from)
			}
		}
	}()
	return s
}

// with changes how the server answers.
func (s *server) with(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *server) replies(packet []byte) (packets [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var m dnsmessage.Message
	if err := m.Unpack(packet); err != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	name := strings.TrimSuffix(q.Name.String(), ".")
	s.asked = append(s.asked, name)
	if s.silent {
		return nil
	}
	m.Response, m.RCode = true, s.code
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: s.ttl}
	if a, ok := s.records[name]; ok {
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: a}}}
	} else if s.code == dnsmessage.RCodeSuccess {
		m.RCode = dnsmessage.RCodeNameError
		head.Type = dnsmessage.TypeSOA
		m.Authorities = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.SOAResource{NS: q.Name, MBox: q.Name, MinTTL: 150}}}
	}
	if s.wrong {
		other := m
		other.ID++
		other.RCode, other.Answers = dnsmessage.RCodeSuccess, []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 1, 2}}}}
		forged, _ := other.Pack()
		packets = append(packets, forged, []byte("?"))
	}
	reply, _ := m.Pack()
	return append(packets, reply)
}

// questions returns the names that were asked since the last call, sorted.
func (s *server) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	slices.Sort(asked)
	return asked
}

func newSet(s *server, zones ...Zone) *Set {
	set := New(nil)
	set.Use(Options{Zones: zones, Servers: []string{s.address}, Time: 500 * time.Millisecond})
	return set
}

// TestAnswers: each form of list has its listings and its refusals. A refusal is no listing.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		zone   string
		answer [4]byte
		want   Result
	}{
		{"dbl.test", [4]byte{127, 0, 1, 2}, ResultListed},
		{"dbl.test", [4]byte{127, 0, 1, 4}, ResultListed},
		{"dbl.test", [4]byte{127, 0, 1, 104}, ResultListed},
		{"key.zrd.test", [4]byte{127, 0, 2, 2}, ResultListed},
		{"dbl.test", [4]byte{127, 0, 1, 255}, ResultRefused},
		{"dbl.test", [4]byte{127, 255, 255, 252}, ResultRefused},
		{"dbl.test", [4]byte{127, 255, 255, 254}, ResultRefused},
		{"dbl.test", [4]byte{127, 255, 255, 255}, ResultRefused},
		{"dbl.test", [4]byte{127, 0, 0, 2}, ResultFailed},
		{"multi.surbl.test", [4]byte{127, 0, 0, 8}, ResultListed},
		{"multi.surbl.test", [4]byte{127, 0, 0, 80}, ResultListed},
		{"multi.surbl.test", [4]byte{127, 0, 0, 1}, ResultRefused},
		{"multi.uribl.test", [4]byte{127, 0, 0, 2}, ResultListed},
		{"multi.uribl.test", [4]byte{127, 0, 0, 14}, ResultListed},
		{"multi.uribl.test", [4]byte{127, 0, 0, 4}, ResultClean},
		{"multi.uribl.test", [4]byte{127, 0, 0, 8}, ResultClean},
		{"multi.uribl.test", [4]byte{127, 0, 0, 1}, ResultRefused},
		{"bad.test", [4]byte{127, 0, 0, 2}, ResultListed},
		{"bad.test", [4]byte{127, 0, 0, 1}, ResultRefused},
		{"bad.test", [4]byte{127, 255, 255, 254}, ResultRefused},
		{"bad.test", [4]byte{203, 0, 113, 7}, ResultFailed},
	} {
		t.Run(fmt.Sprint(test.zone, test.answer), func(t *testing.T) {
			s := newServer(t, map[string][4]byte{"evil.de." + test.zone: test.answer})
			set := newSet(s, Zone{Name: "own", Zone: test.zone})
			found := set.Ask(t.Context(), []string{"www.evil.de"})
			if (len(found["evil.de"]) == 1) != (test.want == ResultListed) {
				t.Errorf("found %+v", found)
			}
			if state := set.States()[0]; state.Counts[test.want] != 1 || state.Paused != (test.want == ResultRefused) {
				t.Errorf("counts %v, paused %t", state.Counts, state.Paused)
			}
		})
	}
}

// TestQuestions: a list is asked about registrable domains alone, and about addresses only if it takes them.
func TestQuestions(t *testing.T) {
	s := newServer(t, nil)
	set := newSet(s, Zone{Name: "dbl", Zone: "dbl.test"}, Zone{Name: "surbl", Zone: "multi.surbl.test"})
	hosts := []string{
		"a.b.evil.de", "c.evil.de", "evil.co.uk", "xn--bcher-kva.example.de", "mine.github.io", "203.0.113.7",
		"github.io", "co.uk", "de", "intranet", "printer.lan", "host.local", "www.example.com", "1.0.0.127.in-addr.arpa",
		"192.168.1.1", "127.0.0.1", "[2001:db8::1]", "", "..", "under_score.de",
	}
	if found := set.Ask(t.Context(), hosts); found != nil {
		t.Errorf("%+v", found)
	}
	want := []string{
		"7.113.0.203.multi.surbl.test",
		"evil.co.uk.dbl.test", "evil.co.uk.multi.surbl.test", "evil.de.dbl.test", "evil.de.multi.surbl.test",
		"example.de.dbl.test", "example.de.multi.surbl.test", "mine.github.io.dbl.test", "mine.github.io.multi.surbl.test",
	}
	if got := s.questions(); !slices.Equal(got, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestManyHosts: a message with many hosts asks about the first ones.
func TestManyHosts(t *testing.T) {
	s := newServer(t, nil)
	set := newSet(s, Zone{Name: "dbl", Zone: "dbl.test"})
	var hosts []string
	for i := range 500 {
		hosts = append(hosts, fmt.Sprintf("evil%d.de", i))
	}
	set.Ask(t.Context(), hosts)
	if n := len(s.questions()); n != maxHosts {
		t.Errorf("%d questions", n)
	}
}

// TestAnswersAreKept: listings and their lack are kept as long as they say, within bounds.
func TestAnswersAreKept(t *testing.T) {
	for _, test := range []struct {
		name, host string
		ttl        uint32
		kept       time.Duration
	}{
		{"listed", "evil.de", 300, 300 * time.Second},
		{"not listed", "good.de", 300, 150 * time.Second},
		{"for a second", "evil.de", 1, shortestKept},
		{"for a year", "evil.de", 365 * 86400, longestKept},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t, map[string][4]byte{"evil.de.dbl.test": {127, 0, 1, 2}})
			s.with(func() { s.ttl = test.ttl })
			set := newSet(s, Zone{Name: "dbl", Zone: "dbl.test"})
			now := time.Now()
			set.now = func() time.Time { return now }
			for i, step := range []time.Duration{0, test.kept - time.Second, 2 * time.Second} {
				now = now.Add(step)
				found := set.Ask(t.Context(), []string{test.host})
				if asked := len(s.questions()); asked != []int{1, 0, 1}[i] || (len(found) > 0) != (test.host == "evil.de") {
					t.Errorf("step %d: %d questions, found %+v", i, asked, found)
				}
			}
		})
	}
}

// lines is a log that goroutines may write.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestSilentServer: a message waits for no longer than the time, and after some failures not at all.
func TestSilentServer(t *testing.T) {
	s := newServer(t, nil)
	s.with(func() { s.silent = true })
	var log lines
	set := New(slog.New(slog.NewTextHandler(&log, nil)))
	set.Use(Options{Zones: []Zone{{Name: "dbl", Zone: "dbl.test"}}, Servers: []string{s.address}, Time: 100 * time.Millisecond})
	for i := range failuresToPause {
		start := time.Now()
		if found := set.Ask(t.Context(), []string{fmt.Sprintf("evil%d.de", i)}); found != nil {
			t.Errorf("%+v", found)
		}
		if took := time.Since(start); took > 300*time.Millisecond {
			t.Errorf("waited %s", took)
		}
	}
	for range 100 { // the last question may still be under way
		if set.States()[0].Paused && log.String() != "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.questions()
	start := time.Now()
	set.Ask(t.Context(), []string{"other.de"})
	if took := time.Since(start); took > 50*time.Millisecond || len(s.questions()) > 0 {
		t.Errorf("asked again, %s", took)
	}
	if !strings.Contains(log.String(), "block list not asked for a while") {
		t.Errorf("log: %s", log.String())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	set.Use(Options{Zones: []Zone{{Name: "other", Zone: "other.test"}}, Servers: []string{s.address}, Time: 10 * time.Second})
	start = time.Now()
	if set.Ask(ended, []string{"evil.de"}); time.Since(start) > 100*time.Millisecond {
		t.Error("it outlives the message")
	}
}

// TestForgedReplies: replies to other questions, and garbage, do not count.
func TestForgedReplies(t *testing.T) {
	s := newServer(t, nil)
	s.with(func() { s.wrong = true })
	set := newSet(s, Zone{Name: "dbl", Zone: "dbl.test"})
	if found := set.Ask(t.Context(), []string{"good.de"}); found != nil {
		t.Errorf("%+v", found)
	}
}

// TestServerFails: an error is no answer, and is not kept.
func TestServerFails(t *testing.T) {
	s := newServer(t, nil)
	s.with(func() { s.code = dnsmessage.RCodeServerFailure })
	set := newSet(s, Zone{Name: "dbl", Zone: "dbl.test"})
	for range 2 {
		set.Ask(t.Context(), []string{"good.de"})
		if len(s.questions()) == 0 {
			t.Error("a failure was kept")
		}
	}
	if n := set.States()[0].Counts[ResultFailed]; n != 2 {
		t.Errorf("%d failures", n)
	}
}

// TestSecondServer: if the first resolver is silent, the second answers in time.
func TestSecondServer(t *testing.T) {
	first, second := newServer(t, nil), newServer(t, map[string][4]byte{"evil.de.dbl.test": {127, 0, 1, 2}})
	first.with(func() { first.silent = true })
	set := New(nil)
	set.Use(Options{Zones: []Zone{{Name: "dbl", Zone: "dbl.test", Watch: true}}, Servers: []string{first.address, second.address}, Time: time.Second})
	found := set.Ask(t.Context(), []string{"evil.de"})
	if l := found["evil.de"]; len(l) != 1 || !l[0].Watch || l[0].Severity != policy.SeverityInfo || l[0].Answer != "127.0.1.2" || l[0].List != "dbl" {
		t.Errorf("%+v", found)
	}
}

// TestZones: names of lists, and what is no zone.
func TestZones(t *testing.T) {
	for zone, want := range map[Zone]string{
		{Name: "dbl", Zone: "dbl.spamhaus.org"}:              "",
		{Name: "dqs", Zone: "secretkey.dbl.dq.spamhaus.net"}: "",
		{Name: "", Zone: "dbl.spamhaus.org"}:                 "name: ",
		{Name: "a b", Zone: "dbl.spamhaus.org"}:              "name: ",
		{Name: "dbl", Zone: ""}:                              "zone: ",
		{Name: "dbl", Zone: "spamhaus"}:                      "zone: ",
		{Name: "dbl", Zone: "https://spamhaus.org"}:          "zone: ",
	} {
		if err := zone.Validate(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v", zone, err)
		}
	}
	for zone, want := range map[string]Format{
		"dbl.spamhaus.org": FormatDBL, "key.dbl.dq.spamhaus.net": FormatDBL, "multi.surbl.org": FormatSURBL,
		"multi.uribl.com": FormatURIBL, "bl.example.net": FormatAny,
	} {
		z := Zone{Zone: zone}
		if got := z.format(); got != want {
			t.Errorf("%s: %s", zone, got)
		}
	}
}

// TestResolvConf: the resolvers are those of the system.
func TestResolvConf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "resolv.conf")
	if err := os.WriteFile(path, []byte("# x\nsearch lan\nnameserver 192.0.2.53\nnameserver 2001:db8::53\nnameserver x\noptions edns0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := systemServers(path); !slices.Equal(got, []string{"192.0.2.53:53", "[2001:db8::53]:53"}) {
		t.Errorf("%q", got)
	}
	if got := systemServers(path + "x"); !slices.Equal(got, []string{"127.0.0.1:53"}) {
		t.Errorf("without a file: %q", got)
	}
}
