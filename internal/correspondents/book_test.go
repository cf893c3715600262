package correspondents

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// logged collects the lines of a log.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newTest(tb testing.TB, path string) (*Book, *logged) {
	tb.Helper()
	l := new(logged)
	b := New(slog.New(slog.NewTextHandler(l, nil)))
	b.Use(Options{File: path, Days: 730})
	tb.Cleanup(b.Close)
	return b, l
}

func until(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not within 20 s: %s", what)
		}
	}
}

// settle waits until all that was learnt is known.
func settle(tb testing.TB, b *Book) {
	tb.Helper()
	until(tb, "all is written", b.file().IsFresh)
}

// today is the day of the tests.
var today = time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)

// sent is a message of a user on a day after today that was accepted.
func sent(sender string, recipients ...string) *mailserver.Event {
	return &mailserver.Event{Report: &report.Report{Personal: true}, Envelope: &envelope.Envelope{Sender: sender, Recipients: recipients}}
}

// Two users, or three days, make a domain count. Both survive a restart, in files that only their owner
// reads, and none of them has an address in clear.
func TestLearn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "correspondents.db")
	b, _ := newTest(t, path)
	b.Learn(sent("anna@own.example", "Karl+tag@Mail.Kupferwerk.DE"), today)
	b.Learn(sent("bert@own.example", "info@kupferwerk.de"), today)
	for day := range 3 {
		b.Learn(sent("anna@own.example", "x@holzhandel-nord.de", "y@holzhandel-nord.de"), today.AddDate(0, 0, day))
	}
	b.Learn(sent("anna@own.example", "once@seldom-met.de"), today)
	b.Learn(sent("anna@own.example", "twice@seldom-met.de"), today.Add(time.Hour))
	check := func(b *Book) {
		t.Helper()
		settle(t, b)
		for domain, want := range map[string]policy.Correspondent{
			"kupferwerk.de": {Days: 1, Several: true}, "holzhandel-nord.de": {Days: 3}, "seldom-met.de": {Days: 1}, "unknown.de": {}, "own.example": {},
		} {
			if got := b.Domain(domain); got != want {
				t.Errorf("%s: %+v, want %+v", domain, got, want)
			}
		}
		for address, want := range map[string]bool{"karl@mail.kupferwerk.de": true, "KARL@mail.kupferwerk.de": true, "y@holzhandel-nord.de": true, "z@holzhandel-nord.de": false} {
			if got, ok := b.HasAddress(address); got != want || !ok {
				t.Errorf("%s: %v, want %v", address, got, want)
			}
		}
		if s := b.State(); s.Domains != 2 || s.Addresses != 6 || s.Problem != nil {
			t.Errorf("state %+v", s)
		}
	}
	check(b)
	b.Close()
	if b.Domain("kupferwerk.de").Days != 0 {
		t.Error("a closed book knows somebody")
	}
	for _, file := range []string{path, KeyFile(path)} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	again, _ := newTest(t, path)
	check(again)
	again.Close()
	content, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(content), "karl") || strings.Contains(string(content), "anna") || !strings.Contains(string(content), "kupferwerk.de") {
		t.Errorf("the file has an address, or no domain: %v", err)
	}
}

// Nothing is learnt from what was not accepted, from programs, mailings and other hosts, nor about
// colleagues.
func TestNotLearnt(t *testing.T) {
	b, _ := newTest(t, filepath.Join(t.TempDir(), "correspondents.db"))
	events := map[string]*mailserver.Event{
		"rejected":   sent("anna@own.example", "x@a-partner.de"),
		"held":       sent("anna@own.example", "x@a-partner.de"),
		"impersonal": sent("anna@own.example", "x@a-partner.de"),
		"unread":     {Envelope: &envelope.Envelope{Sender: "anna@own.example", Recipients: []string{"x@a-partner.de"}}},
		"no filter":  {Report: &report.Report{Personal: true}},
		"mailing":    sent("anna@own.example"),
		"colleague":  sent("anna@sub.own.example", "bert@own.example"),
		"address":    sent("anna@own.example", "x@[192.0.2.1]", "x@192.0.2.1", "x", "@a-partner.de", "x@com", "x@-.de", "x@"),
	}
	events["rejected"].Action, events["held"].Action = rule.ActionReject, rule.ActionQuarantine
	events["impersonal"].Report.Personal = false
	for i := range maxRecipients + 1 {
		events["mailing"].Envelope.Recipients = append(events["mailing"].Envelope.Recipients, fmt.Sprintf("x%d@a-partner.de", i))
	}
	for _, e := range events {
		b.Learn(e, today)
	}
	b.Learn(sent("anna@own.example", "x@last.de"), today)
	settle(t, b)
	if s := b.State(); s.Addresses != 1 || b.Domain("last.de").Days != 1 || b.Domain("a-partner.de").Days != 0 || b.Domain("own.example").Days != 0 {
		t.Errorf("%+v", s)
	}
}

// Whom nobody writes to is forgotten.
func TestRetention(t *testing.T) {
	path := filepath.Join(t.TempDir(), "correspondents.db")
	b, _ := newTest(t, path)
	b.Learn(sent("anna@own.example", "x@former.de"), time.Now().AddDate(-3, 0, 0))
	b.Learn(sent("anna@own.example", "x@present.de"), time.Now())
	settle(t, b)
	b.Close()
	again, _ := newTest(t, path)
	settle(t, again)
	until(t, "the former one is forgotten", func() bool { return again.Domain("former.de").Days == 0 })
	if again.Domain("present.de").Days != 1 || again.State().Addresses != 1 {
		t.Errorf("%+v", again.State())
	}
}

// A corrupt file costs what was learnt, and learning goes on in a new one.
func TestCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "correspondents.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	b, l := newTest(t, path)
	b.Learn(sent("anna@own.example", "x@a-partner.de"), today)
	until(t, "a new file", func() bool { return b.Domain("a-partner.de").Days == 1 })
	if _, err := os.Stat(path + ".corrupt"); err != nil || !strings.Contains(l.String(), "file of correspondents is corrupt, begun anew") {
		t.Errorf("%v\n%s", err, l)
	}
}

// Without the key the hashes are of no use: they go, and domains stay.
func TestKeyLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "correspondents.db")
	b, _ := newTest(t, path)
	b.Learn(sent("anna@own.example", "x@a-partner.de"), today)
	b.Learn(sent("bert@own.example", "x@a-partner.de"), today)
	settle(t, b)
	b.Close()
	if err := os.Remove(KeyFile(path)); err != nil {
		t.Fatal(err)
	}
	again, l := newTest(t, path)
	settle(t, again)
	if s := again.State(); s.Domains != 1 || s.Addresses != 0 || !strings.Contains(l.String(), "key of correspondents changed, addresses forgotten") {
		t.Errorf("%+v\n%s", s, l)
	}
}

// A broken key, one that all may read, a folder in place of the file, a file of another program: nothing is learnt, the log says
// why, and nothing waits.
func TestNotUsed(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.db")
	if err := os.WriteFile(KeyFile(broken), []byte("no key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open.db")
	if err := os.WriteFile(KeyFile(open), []byte(strings.Repeat("ab", keySize)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, open, dir, filepath.Join(dir, "missing", "x.db")} {
		b, l := newTest(t, path)
		b.Learn(sent("anna@own.example", "x@a-partner.de"), today)
		until(t, "a problem", func() bool { return b.State().Problem != nil && strings.Contains(l.String(), "advice=") })
		if s := b.State(); s.Advice == "" || b.Domain("a-partner.de").Days != 0 || !strings.Contains(l.String(), "correspondents not written, mail goes on") {
			t.Errorf("%s: %+v\n%s", path, s, l)
		}
		if _, ok := b.HasAddress("x@a-partner.de"); ok {
			t.Errorf("%s: addresses count as known", path)
		}
	}
}

// A full disk costs what is learnt meanwhile, beyond what waits, and nothing that is known.
func TestFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, needs root to mount a small disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("SKIPPED, cannot mount: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	b, l := newTest(t, filepath.Join(dir, "correspondents.db"))
	defer b.Close()
	b.Learn(sent("anna@own.example", "x@before.de"), today)
	settle(t, b)
	b.file().SetRetry(20 * time.Millisecond)
	for i := 0; b.State().Problem == nil && i < 100*sqlfile.Queued; i++ {
		b.Learn(sent("anna@own.example", fmt.Sprintf("x%d@partner-%d.de", i, i)), today)
		if i%100 == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	if s := b.State(); sqlfile.FaultOf(s.Problem) != sqlfile.FaultFull || !strings.Contains(s.Advice, "free space") {
		t.Fatalf("%+v", s)
	}
	start := time.Now()
	for i := range 3 * sqlfile.Queued {
		b.Learn(sent("anna@own.example", fmt.Sprintf("y@later-%d.de", i)), today)
	}
	if took := time.Since(start); took > 2*time.Second || b.Lost() == 0 {
		t.Errorf("%s, %d lost", took, b.Lost())
	}
	if b.Domain("before.de").Days != 1 || !strings.Contains(l.String(), "correspondents not written, mail goes on") {
		t.Errorf("what was known is lost\n%s", l)
	}
}

// Several goroutines learn and look up at once, while the file changes.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	b, _ := newTest(t, filepath.Join(dir, "a.db"))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				b.Learn(sent("anna@own.example", fmt.Sprintf("x@partner-%d-%d.de", g, i%50)), today)
				b.Domain("partner-1-1.de")
				_, _ = b.HasAddress("x@partner-1-1.de")
				b.Near(nil, policy.NearKeys("partner-2-7.de"))
				b.Generation()
			}
		})
	}
	for i := range 6 {
		time.Sleep(30 * time.Millisecond)
		b.Use(Options{File: filepath.Join(dir, fmt.Sprintf("%c.db", 'a'+i%2))})
	}
	cancel()
	wg.Wait()
}

// The index finds each domain by each of its keys, before and after keys move to the sorted list.
func TestIndex(t *testing.T) {
	var x index
	for i := range 5000 {
		x.add(fmt.Sprintf("partner%dwerk.de", i))
		if i%1000 == 999 {
			x.settle()
		}
	}
	for _, i := range []int{0, 1, 999, 1000, 4998, 4999} {
		domain := fmt.Sprintf("partner%dwerk.de", i)
		for _, key := range policy.NearKeys(domain) {
			found := false
			for _, name := range x.find(nil, []uint64{key}) {
				found = found || name == domain
			}
			if !found {
				t.Errorf("%s is not found", domain)
			}
		}
	}
	if got := x.find(nil, policy.NearKeys("anotherfirm.com")); len(got) > 0 {
		t.Errorf("found %s", got)
	}
}
