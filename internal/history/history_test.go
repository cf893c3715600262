package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/sqlfile"
	"github.com/linkmilter/linkmilter/policy"
)

// patience is how long a test waits for a writer.
const patience = 20 * time.Second

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

// newTest returns a history and its log.
func newTest(tb testing.TB) (*History, *logged) {
	tb.Helper()
	l := new(logged)
	h := New(10, slog.New(slog.NewTextHandler(l, nil)))
	tb.Cleanup(h.Close)
	return h, l
}

// start is the time of the first message of a test.
var start = time.Now().Add(-time.Hour).Truncate(time.Second).UTC()

// newMessages returns messages a second apart.
func newMessages(n int) []Message {
	var all []Message
	for i := range n {
		at := start.Add(time.Duration(i) * time.Second)
		host := fmt.Sprintf("www.host%d.xn--pypal-4ve.com", i%7)
		all = append(all, Message{
			ID: firstID(at) + ID(i), Time: at, QueueID: fmt.Sprintf("4Xq%d", i), MessageID: fmt.Sprintf("<%d@mail.example.net>", i), Client: "192.0.2.1",
			Sender: fmt.Sprintf("sender%d@example.net", i%11), Recipients: []string{"bob@example.com"}, Rule: []string{"inbound", "it's \"x\"*", "Others"}[i%3],
			Action: []string{"tag", "none"}[i%2], Worst: []policy.Severity{policy.SeverityMedium, policy.SeverityHigh}[i%5%2],
			Links: []Link{{
				Text: "https://" + host + "/\u94f6\u884c\u767b\u5f55", ASCIIHost: host, UnicodeHost: fmt.Sprintf("www.host%d.p\u0430ypal.com", i%7), LooksLike: "paypal.com",
				Findings: []policy.Finding{{Code: []policy.Code{policy.CodeLookalike, policy.CodeMixedScript}[i%4%2], Severity: policy.SeverityHigh, Detail: "looks like paypal.com"}},
			}},
		})
	}
	return all
}

// addAll adds messages and waits until the file has them.
func addAll(tb testing.TB, h *History, all []Message) {
	tb.Helper()
	for part := range slices.Chunk(all, sqlfile.Queued/2) {
		for _, m := range part {
			h.keep(m)
		}
		settle(tb, h)
	}
}

// settle waits until no message waits for the writer.
func settle(tb testing.TB, h *History) {
	tb.Helper()
	s := h.file()
	until(tb, "all is written", s.IsFresh)
}

func until(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not within %s: %s", patience, what)
		}
	}
}

// list returns the messages that a query chooses.
func list(tb testing.TB, h *History, q Query) []Message {
	tb.Helper()
	all, err := h.Find(context.Background(), &q, 1_000_000)
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// TestRestart: messages keep their addresses over a restart, in a file that only its owner can
// read.
func TestRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a ?b%20#.db")
	all := newMessages(600)
	for restart := range 3 {
		h, l := newTest(t)
		h.Use(path, Retention{})
		if restart == 0 {
			addAll(t, h, all)
		}
		settle(t, h)
		got := list(t, h, Query{})
		slices.Reverse(got)
		if diff := cmp.Diff(all, got); diff != "" {
			t.Fatalf("restart %d: %s", restart, diff)
		}
		m, ok, err := h.Get(context.Background(), all[5].ID)
		if !ok || err != nil || m.QueueID != "4Xq5" {
			t.Errorf("%v, %t, %v", m, ok, err)
		}
		if _, ok, err := h.Get(context.Background(), 1); ok || err != nil {
			t.Errorf("unknown id: %t, %v", ok, err)
		}
		h.Close()
		if l.String() != "" {
			t.Error(l)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/*"); len(left) != 1 {
		t.Errorf("files %q", left)
	}
}

// TestCloseWritesTheRest: when the service stops, messages that wait are written.
func TestCloseWritesTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	h, _ := newTest(t)
	h.Use(path, Retention{})
	for _, m := range newMessages(900) {
		h.keep(m)
	}
	h.Close()
	h.Use(path, Retention{})
	settle(t, h)
	if n := len(list(t, h, Query{})); n != 900 || h.Lost() != 0 {
		t.Errorf("%d messages, %d lost", n, h.Lost())
	}
}

// queries returns queries for the messages of newMessages; some select none.
func queries() []Query {
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	return []Query{
		{},
		{Text: "bob@example.com"},
		{Text: "BOB@EXAMPLE"},
		{Text: "sender1@"},
		{Text: "sender1"},
		{Text: "4xq17"},
		{Text: "paypal"},
		{Text: "p\u0430ypal.com"},
		{Text: "\u767b\u5f55"},
		{Text: "\u5f55\u767b"},
		{Text: "com example"},
		{Text: "example.com sender3"},
		{Text: "x"},
		{Text: "\" OR 1=1 --"},
		{Text: "words : paypal"},
		{Text: "NOT AND OR NEAR(a b)"},
		{Text: "*"},
		{Text: "paypal* ^bob"},
		{Text: "\x00\xff'; DROP TABLE message"},
		{Code: policy.CodeLookalike},
		{Code: "look"},
		{Code: "\"*"},
		{Severity: policy.SeverityHigh},
		{Severity: policy.SeverityMedium},
		{Severity: policy.SeverityLow},
		{Host: "www.host3.xn--pypal-4ve.com"},
		{Host: "xn--pypal-4ve.com"},
		{Host: "p\u0430ypal.com."},
		{Host: "com"},
		{Host: "host3"},
		{Host: "' OR '"},
		{Host: ".xn--pypal-4ve.com"},
		{Rule: "inbound"},
		{Rule: "it's \"x\"*"},
		{Rule: "others"},
		{Rule: "Others"},
		{Rule: "in"},
		{Action: "tag"},
		{Action: "t"},
		{From: at(50)},
		{To: at(50)},
		{From: at(20), To: at(40)},
		{From: at(40), To: at(20)},
		{From: at(-1 << 40), To: at(1 << 40)},
		{Text: "sender2", Code: policy.CodeMixedScript, Severity: policy.SeverityHigh, Rule: "inbound", Action: "none", Host: "xn--pypal-4ve.com", From: at(10)},
	}
}

// TestMemoryAndFileAgree: a query selects the same messages in memory and in the file, in the same
// order.
func TestMemoryAndFileAgree(t *testing.T) {
	h, _ := newTest(t)
	h.ring.most = 200
	h.Use(filepath.Join(t.TempDir(), "history.db"), Retention{})
	all := newMessages(200)
	addAll(t, h, all)
	chosen := 0
	check := func(q Query) {
		t.Helper()
		most := 1 + rand.IntN(250)
		want := h.ring.find(&q, most)
		got, err := h.Find(context.Background(), &q, most)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%+v, at most %d: %v\n%s", q, most, err, diff)
		}
		if n, err := h.Count(context.Background(), &q, most); n != len(want) || err != nil {
			t.Fatalf("%+v: %d, %v, want %d", q, n, err, len(want))
		}
		if len(want) > 0 {
			chosen++
		}
	}
	base := queries()
	for _, q := range base {
		check(q)
	}
	if chosen < 20 {
		t.Errorf("only %d queries choose a message", chosen)
	}
	for range 300 {
		q := base[rand.IntN(len(base))]
		other := base[rand.IntN(len(base))]
		q.Text, q.Rule, q.Host = q.Text+" "+other.Text, other.Rule, other.Host
		switch rand.IntN(3) {
		case 0:
			q.Before = all[rand.IntN(len(all))].ID
		case 1:
			q.After = all[rand.IntN(len(all))].ID
		}
		check(q)
	}
	for _, q := range base {
		var got []Message
		for m, err := range h.All(context.Background(), q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, m)
		}
		if diff := cmp.Diff(h.ring.find(&q, 1000), got); diff != "" {
			t.Errorf("%+v: %s", q, diff)
		}
	}
}

// FuzzQuery: for any form, the SQL statement is one of four, and file and memory agree.
func FuzzQuery(f *testing.F) {
	for _, q := range queries() {
		f.Add(q.Text, string(q.Code), q.Host, q.Rule, q.Action, false)
	}
	h := New(50, slog.New(slog.DiscardHandler))
	h.Use(filepath.Join(f.TempDir(), "history.db"), Retention{})
	f.Cleanup(h.Close)
	addAll(f, h, newMessages(50))
	statements := map[string]bool{}
	f.Fuzz(func(t *testing.T, text, code, host, rule, action string, rising bool) {
		q := Query{Text: text, Code: policy.Code(code), Host: host, Rule: rule, Action: action}
		if rising {
			q.After = 1
		}
		statement, _ := q.statement(5)
		if statements[statement] = true; len(statements) > 4 {
			t.Fatalf("%q", statement)
		}
		got, err := h.Find(context.Background(), &q, 5)
		if diff := cmp.Diff(h.ring.find(&q, 5), got); err != nil || diff != "" {
			t.Fatalf("%+v: %v\n%s", q, err, diff)
		}
	})
}

// TestCorruptFile: a corrupt file is renamed, and the history begins a new one, both at the start
// and later.
func TestCorruptFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	h, l := newTest(t)
	h.Use(path, Retention{})
	addAll(t, h, newMessages(3))
	if n := len(list(t, h, Query{})); n != 3 || h.State().Problem != nil || h.Lost() != 0 {
		t.Errorf("%d messages, %+v\n%s", n, h.State(), l)
	}
	if kept, err := os.ReadFile(path + ".corrupt"); err != nil || !strings.HasPrefix(string(kept), "no database") {
		t.Errorf("%.20q, %v", kept, err)
	}
	if strings.Count(l.String(), "\n") != 1 || !strings.Contains(l.String(), "history file is corrupt, begun anew") {
		t.Error(l)
	}
	h.Close()

	// All pages but the first are overwritten under the open file.
	h.Use(path, Retention{})
	settle(t, h)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(make([]byte, info.Size()-4096), 4096); err != nil {
		t.Fatal(err)
	}
	q := Query{Text: "paypal"}
	if _, err := h.Find(context.Background(), &q, 10); err == nil {
		t.Error("a corrupt file is read")
	}
	until(t, "a new file", func() bool { return strings.Count(l.String(), "begun anew") == 2 })
	addAll(t, h, newMessages(2))
	if n := len(list(t, h, Query{})); n != 2 || h.State().Problem != nil {
		t.Errorf("%d messages, %+v\n%s", n, h.State(), l)
	}
}

// TestLockedFile: if another process locks the file, messages do not wait, and none is lost until
// too many wait for the writer.
func TestLockedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	h, l := newTest(t)
	h.Use(path, Retention{})
	settle(t, h)
	h.file().SetRetry(50 * time.Millisecond)
	other, err := sqlfile.Connect(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	all := newMessages(3 * sqlfile.Queued)
	began := time.Now()
	for _, m := range all[:sqlfile.Queued/2] {
		h.keep(m)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("%s for %d messages", took, sqlfile.Queued/2)
	}
	until(t, "a problem", func() bool { return h.State().Problem != nil })
	if state := h.State(); !strings.Contains(state.Advice, "end the process") || h.Lost() != 0 {
		t.Errorf("%+v, %d lost", state, h.Lost())
	}
	for _, m := range all[sqlfile.Queued/2:] {
		h.keep(m)
	}
	if h.Lost() < sqlfile.Queued {
		t.Errorf("%d lost of %d", h.Lost(), len(all))
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	settle(t, h)
	if n := len(list(t, h, Query{})); n+int(h.Lost()) != len(all) || n < sqlfile.Queued || h.State().Problem != nil {
		t.Errorf("%d messages and %d lost, want %d; %+v", n, h.Lost(), len(all), h.State())
	}
	if n := strings.Count(l.String(), "\n"); n != 1 {
		t.Errorf("%d lines:\n%s", n, l)
	}
}

// TestFileNotUsed: files that the history must not or cannot change stay unchanged.
func TestFileNotUsed(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "foreign.db")
	newer := filepath.Join(dir, "newer.db")
	for path, statement := range map[string]string{foreign: "CREATE TABLE users (id INTEGER)", newer: fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 99", schema.Application)} {
		db, err := sqlfile.Connect(path, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]error{foreign: sqlfile.ErrForeign, newer: sqlfile.ErrNewer, dir: sqlfile.ErrNoFile, filepath.Join(dir, "missing", "x.db"): os.ErrNotExist} {
		h, l := newTest(t)
		h.Use(path, Retention{})
		h.keep(newMessages(1)[0])
		until(t, "a problem", func() bool { return h.State().Problem != nil })
		if state := h.State(); !errors.Is(state.Problem, want) || state.Advice == "" {
			t.Errorf("%s: %+v", path, state)
		}
		if n := len(list(t, h, Query{})); n != 1 {
			t.Errorf("%s: %d messages in memory", path, n)
		}
		h.Close()
		if h.Lost() != 1 || !strings.Contains(l.String(), "advice=") {
			t.Errorf("%s: %d lost\n%s", path, h.Lost(), l)
		}
	}
	if left, _ := filepath.Glob(dir + "/*.corrupt"); len(left) > 0 {
		t.Errorf("set aside: %q", left)
	}
}

// TestDiskFull: on a full disk, messages are lost and counted. The history goes on when there is
// room.
func TestDiskFull(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a small disk needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 300<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	h, _ := newTest(t)
	h.Use(filepath.Join(dir, "history.db"), Retention{})
	settle(t, h)
	h.file().SetRetry(20 * time.Millisecond)
	all := newMessages(4 * sqlfile.Queued)
	for i := 0; h.State().Problem == nil && i < sqlfile.Queued; i++ {
		h.keep(all[i])
		time.Sleep(time.Millisecond)
	}
	if state := h.State(); sqlfile.FaultOf(state.Problem) != sqlfile.FaultFull || !strings.Contains(state.Advice, "free space") {
		t.Fatalf("%+v", state)
	}
	for _, m := range all[sqlfile.Queued:] {
		h.keep(m)
	}
	if h.Lost() == 0 {
		t.Error("none lost")
	}
	before := len(list(t, h, Query{}))
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	until(t, "more messages", func() bool { return len(list(t, h, Query{})) > before })
}

// TestReadOnlyDisk: on a disk that is mounted read-only, the history waits until it can write.
func TestReadOnlyDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a disk needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	path := filepath.Join(dir, "history.db")
	all := newMessages(4)
	h, l := newTest(t)
	h.Use(path, Retention{})
	addAll(t, h, all[:2])
	h.Close()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("mount: %v", err)
	}
	h.Use(path, Retention{})
	h.file().SetRetry(20 * time.Millisecond)
	h.keep(all[2])
	until(t, "a problem and its log line", func() bool { return h.State().Problem != nil && l.String() != "" })
	if state := h.State(); sqlfile.FaultOf(state.Problem) != sqlfile.FaultRights || h.Lost() != 0 || strings.Count(l.String(), "\n") != 1 {
		t.Errorf("%+v, %d lost\n%s", state, h.Lost(), l)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	h.keep(all[3])
	until(t, "all messages", func() bool { return len(list(t, h, Query{})) == len(all) && h.State().Problem == nil })
}

// TestTwoProcesses: two processes may use one file.
func TestTwoProcesses(t *testing.T) {
	const n = 400
	if path := os.Getenv("HISTORY_PATH"); path != "" {
		h := New(10, slog.New(slog.NewTextHandler(os.Stderr, nil)))
		h.Use(path, Retention{})
		for range n {
			at := time.Now()
			h.keep(Message{ID: h.ids.next(at), Time: at, Worst: policy.SeverityHigh, Rule: fmt.Sprint(os.Getpid())})
			time.Sleep(100 * time.Microsecond)
		}
		h.Close()
		fmt.Println("lost", h.Lost())
		return
	}
	path := filepath.Join(t.TempDir(), "history.db")
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestTwoProcesses$")
			cmd.Env = append(os.Environ(), "HISTORY_PATH="+path)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "lost 0\n") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	running.Wait()
	h, _ := newTest(t)
	h.Use(path, Retention{})
	settle(t, h)
	rules := map[string]int{}
	for _, m := range list(t, h, Query{}) {
		rules[m.Rule]++
	}
	if len(rules) != 2 {
		t.Errorf("%v", rules)
	}
	for rule, got := range rules {
		if got != n {
			t.Errorf("%s: %d messages, want %d", rule, got, n)
		}
	}
}

// TestRetention: the oldest messages are deleted if they are too old, too many or too large. Then
// the index does not have them, and the file is smaller.
func TestRetention(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	h, _ := newTest(t)
	h.Use(path, Retention{})
	all := newMessages(2000)
	for i := range all[:500] {
		at := time.Now().AddDate(0, 0, -40).Add(time.Duration(i) * time.Second)
		all[i].ID, all[i].Time = firstID(at), at.UTC()
	}
	addAll(t, h, all)
	h.Close()
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	large := size()
	for _, c := range []struct {
		keep Retention
		want func(n int) bool
	}{
		{Retention{Days: 41}, func(n int) bool { return n == 2000 }},
		{Retention{Days: 39}, func(n int) bool { return n == 1500 }},
		{Retention{Rows: 1500}, func(n int) bool { return n == 1500 }},
		{Retention{Rows: 1101, Days: 39}, func(n int) bool { return n == 1101 }},
		{Retention{Size: large / 4}, func(n int) bool { return 0 < n && n <= 601 }},
	} {
		h, _ := newTest(t)
		h.Use(path, c.keep)
		settle(t, h)
		until(t, "old messages are gone", func() bool { return c.want(len(list(t, h, Query{}))) })
		h.Close()
		h.Use(path, Retention{})
		settle(t, h)
		n := len(list(t, h, Query{}))
		if found := len(list(t, h, Query{Text: "bob"})); !c.want(n) || found != n || list(t, h, Query{})[0].ID != all[1999].ID {
			t.Errorf("%+v: %d messages, the index has %d", c.keep, n, found)
		}
		h.Close()
	}
	if small := size(); small > large/2 {
		t.Errorf("%d bytes, before %d", small, large)
	}
}

// TestSwitch: while it works, the history can change to another file, and to none.
func TestSwitch(t *testing.T) {
	dir := t.TempDir()
	h, _ := newTest(t)
	all := newMessages(6)
	h.keep(all[0])
	for i, name := range []string{"a", "b", "", "a"} {
		path := ""
		if name != "" {
			path = filepath.Join(dir, name)
		}
		h.Use(path, Retention{})
		h.Use(path, Retention{Days: 3650}) // the same file stays open
		h.keep(all[i+1])
	}
	settle(t, h)
	var got []string
	for _, m := range list(t, h, Query{}) {
		got = append(got, m.QueueID)
	}
	if want := []string{"4Xq4", "4Xq1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	h.Close()
	if n := len(list(t, h, Query{})); n != 5 {
		t.Errorf("%d in memory", n)
	}
}

// TestIDs: IDs grow, even if the clock goes back, and survive as text.
func TestIDs(t *testing.T) {
	var g ids
	last := ID(0)
	for i := range 1000 {
		id := g.next(start.Add(-time.Duration(i) * time.Second))
		if id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		last = id
		text, _ := json.Marshal(id)
		var back ID
		if err := json.Unmarshal(text, &back); err != nil || back != id || len(text) != 18 {
			t.Fatalf("%s: %s, %v", text, back, err)
		}
	}
	for _, text := range []string{"", "1", "0x00000000000001", "ffffffffffffffff", "+000000000000001", "00000000000000AB", "000000000000000g", "00000000000000001"} {
		if err := new(ID).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is an id", text)
		}
	}
}

// TestBounds: the texts of hostile mail are cut.
func TestBounds(t *testing.T) {
	var m Message
	long := Bounded(strings.Repeat("\u202e", 1000))
	for range maxLinks {
		l := Link{Text: long, ASCIIHost: long, UnicodeHost: long}
		for range maxFindings {
			l.Findings = append(l.Findings, policy.Finding{Detail: long, Label: long})
		}
		m.addLink(l)
	}
	if n := len(m.Links); n != 1 {
		t.Errorf("%d links", n)
	}
	if len(boundedFindings(make([]policy.Finding, 100))) != maxFindings {
		t.Error("findings are not bounded")
	}
}

// BenchmarkFind looks into 100,000 messages.
func BenchmarkFind(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	h := New(0, slog.New(slog.DiscardHandler))
	defer h.Close()
	h.Use(path, Retention{})
	addAll(b, h, newMessages(100_000))
	for _, q := range append(queries(), Query{Rule: "inbound", Action: "tag", Code: policy.CodeMixedScript, Severity: policy.SeverityHigh, Text: "example.com nothing"}) {
		b.Run(fmt.Sprintf("%q", strings.Trim(strings.ReplaceAll(q.match(), "/", "_"), " ")), func(b *testing.B) {
			for b.Loop() {
				if _, err := h.Find(context.Background(), &q, 51); err != nil {
					b.Fatal(err)
				}
				if _, err := h.Count(context.Background(), &q, 1001); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInsert writes messages one transaction at a time.
func BenchmarkInsert(b *testing.B) {
	db, err := sqlfile.Open(context.Background(), filepath.Join(b.TempDir(), "history.db"), &schema)
	if err != nil {
		b.Fatal(err)
	}
	defer func(db *sql.DB) { _ = db.Close() }(db)
	all := newMessages(b.N)
	b.ResetTimer()
	for batch := range slices.Chunk(all, sqlfile.Batched) {
		if err := insert(context.Background(), db, batch); err != nil {
			b.Fatal(err)
		}
	}
}
