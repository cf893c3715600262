package lists

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A site is a server with a list. It answers 304 to a client that has the list.
type site struct {
	mu      sync.Mutex
	handler http.HandlerFunc // answers in place of the list
	text    string
	asked   []int
}

func (s *site) set(text string, handler http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.handler = text, handler
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handler != nil {
		s.handler(w, r)
		return
	}
	etag := fmt.Sprintf("%q", fmt.Sprintf("%d-%.10q", len(s.text), s.text)[:8])
	etag = strings.ReplaceAll(etag, "\\", "")
	w.Header().Set("ETag", etag)
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		s.asked = append(s.asked, http.StatusNotModified)
		return
	}
	s.asked = append(s.asked, http.StatusOK)
	io.WriteString(w, s.text)
}

// fetched returns a set with one list of a site, fetched once.
func fetched(t *testing.T, s *site, change func(*Source)) *Set {
	t.Helper()
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	set := New(Options{Folder: filepath.Join(t.TempDir(), "cache"), Transport: server.Client().Transport})
	source := Source{Name: "feed", URL: server.URL, Means: Block}
	if change != nil {
		change(&source)
	}
	set.Use([]Source{source})
	if err := update(t, set); err != nil {
		t.Fatal(err)
	}
	return set
}

func update(t *testing.T, set *Set) error {
	t.Helper()
	return set.Update(t.Context(), nil, true, false, func(State, error) {})
}

func hostsOf(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "host%d.example\n", from+i)
	}
	return b.String()
}

// TestMisbehaving: whatever is wrong with a feed, the old list stays in use, in memory and on disk,
// and the state names the problem.
func TestMisbehaving(t *testing.T) {
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"404", http.NotFound, "answered 404"},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, hostsOf(0, 100))
		}, "broke off"},
		{"HTML", say("<!DOCTYPE html><title>Sign in</title>"), "a web page"},
		{"text that says it is HTML", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, hostsOf(0, 2000))
		}, "a web page"},
		{"empty", say(""), "0 entries in place of 2000"},
		{"half", say(hostsOf(0, 900)), "900 entries in place of 2000"},
		{"more than double", say(hostsOf(0, 4100)), "4100 entries in place of 2000"},
		{"nothing that can be read", say(strings.Repeat("what is this\n", 3000)), "0 entries in place of 2000"},
		{"a document that is cut off", say(`{"list": ["a.example", "b.exa`), "cut off"},
		{"a document that is nested", say(strings.Repeat("[", 1000)), "nested too deep"},
		{"a value without end", say(`{"list": ["` + strings.Repeat("a", 6<<20)), "too long"},
		{"without end", func(w http.ResponseWriter, r *http.Request) {
			block := bytes.Repeat([]byte("host.example\n"), 5000)
			for r.Context().Err() == nil {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}, "larger than 10000000 bytes"},
		{"http", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}, "not https"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &site{text: hostsOf(0, 2000)}
			set := fetched(t, s, func(source *Source) { source.MaxSize = 10_000_000 })
			before := disk(t, set)
			s.set("", test.handler)
			err := update(t, set)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want %q", err, test.want)
			}
			state := set.States()[0]
			if state.Problem == nil || !strings.Contains(state.Problem.Error(), test.want) || state.Entries != 2000 {
				t.Errorf("state: %d entries, problem %v", state.Entries, state.Problem)
			}
			if !has(t, set, "http://host1999.example/") || has(t, set, "http://host2000.example/") {
				t.Error("another list is in use")
			}
			if after := disk(t, set); after != before {
				t.Error("another list is on disk")
			}
			again := New(Options{Folder: set.folder})
			again.Use([]Source{(*set.lists.Load())[0].source})
			if !has(t, again, "http://host7.example/") || again.States()[0].Problem == nil {
				t.Error("a later process has no list, or does not know the problem")
			}
			if left, _ := filepath.Glob(filepath.Join(set.folder, ".*")); len(left) > 0 {
				t.Errorf("files are left: %q", left)
			}
			s.set(hostsOf(100, 2000), nil)
			if err := update(t, set); err != nil || set.States()[0].Problem != nil || !has(t, set, "http://host2099.example/") {
				t.Errorf("after that: %v, %v", err, set.States()[0].Problem)
			}
		})
	}
}

// disk returns the list and the index on disk.
func disk(t *testing.T, set *Set) string {
	t.Helper()
	var all []byte
	for _, name := range []string{"feed.list", "feed.index"} {
		text, err := os.ReadFile(filepath.Join(set.folder, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

// TestConfirmed: a list whose size changed much comes into use if the server sends it again and
// again, or if the operator accepts it.
func TestConfirmed(t *testing.T) {
	s := &site{text: hostsOf(0, 2000)}
	set := fetched(t, s, nil)
	s.set(hostsOf(0, 5000), nil)
	for i := range confirmations {
		if err := update(t, set); (err == nil) != (i == confirmations-1) {
			t.Fatalf("answer %d: %v", i+1, err)
		}
	}
	s.set(hostsOf(0, 10), nil)
	if err := update(t, set); err == nil {
		t.Fatal("no error")
	}
	if err := set.Update(t.Context(), []string{"feed"}, false, true, func(State, error) {}); err != nil || set.States()[0].Entries != 10 {
		t.Errorf("accepted: %v, %d entries", err, set.States()[0].Entries)
	}
}

// TestUnchanged: a server is asked with the ETag of the list, and within the interval not at all.
func TestUnchanged(t *testing.T) {
	s := &site{text: hostsOf(0, 10)}
	set := fetched(t, s, nil)
	checked := set.States()[0].Checked
	if err := update(t, set); err != nil || len(s.asked) != 2 || s.asked[1] != http.StatusNotModified || !set.States()[0].Checked.After(checked) {
		t.Errorf("%v, answers %v", err, s.asked)
	}
	if err := set.Update(t.Context(), nil, false, false, func(State, error) {}); err != nil || len(s.asked) != 2 {
		t.Errorf("within the interval: %v, answers %v", err, s.asked)
	}
	again := New(Options{Folder: set.folder, Transport: set.transport})
	again.Use([]Source{(*set.lists.Load())[0].source})
	if _, wait := again.next(time.Now()); wait < 50*time.Minute || wait > time.Hour {
		t.Errorf("a new process asks in %s", wait)
	}
	if err := again.Update(t.Context(), []string{"other"}, false, false, func(State, error) {}); err == nil {
		t.Error("no error for a list that is not there")
	}
}

// TestAge: lines that are too old do not count, even if the list still has them. Nor do lines after
// their last day.
func TestAge(t *testing.T) {
	s := &site{text: "old.example\n"}
	set := fetched(t, s, func(source *Source) { source.Age = 30 * 24 * time.Hour })
	l := (*set.lists.Load())[0]
	today := dayOf(time.Now())
	for since, want := range map[day]bool{today: true, today - 30: true, today - 31: false} {
		if got := l.counts(record{since: since}, today); got != want {
			t.Errorf("%d days: %t", today-since, got)
		}
	}
	if l.counts(record{since: today, until: today - 1}, today) || !l.counts(record{since: today, until: today}, today) {
		t.Error("the last day")
	}
}

// TestReload: a reload adds and removes lists while others look links up, and keeps unchanged lists
// with their counts of hits.
func TestReload(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) Source {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Source{Name: name, File: path, Means: Block}
	}
	a, b := write("a", hostsOf(0, 3000)), write("b", hostsOf(5000, 3000))
	set := New(Options{Folder: filepath.Join(folder, "cache")})
	set.Use([]Source{a})
	if err := update(t, set); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	var lookers sync.WaitGroup
	for range 4 {
		lookers.Go(func() {
			for !ended.Load() {
				if !has(t, set, "http://host7.example/") {
					t.Error("a link is not listed during a reload")
					return
				}
			}
		})
	}
	for i := range 20 {
		set.Use([]Source{a, b})
		a.Severity++
		a.Severity %= 4
		if err := os.WriteFile(a.File, []byte(hostsOf(-i, 3000)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := update(t, set); err != nil {
			t.Fatal(err)
		}
		set.Use([]Source{a})
	}
	ended.Store(true)
	lookers.Wait()
	if set.States()[0].Hits == 0 || has(t, set, "http://host5001.example/") {
		t.Errorf("%d hits, or a list that is no longer there", set.States()[0].Hits)
	}
}

// TestRun: the service reads a file again when it changes.
func TestRun(t *testing.T) {
	set := setOf(t, "one.example\n", Source{})
	l := (*set.lists.Load())[0]
	if err := os.WriteFile(l.source.File, []byte("one.example\ntwo.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.look(t.Context())
	if !has(t, set, "http://two.example/") {
		t.Error("the file was not read again")
	}
	if pause := l.pause(time.Now()); pause != lookEvery {
		t.Errorf("pause %s", pause)
	}
}

// TestDiskFails: an index that cannot be read any more flags nothing, is reported, and is built
// again.
func TestDiskFails(t *testing.T) {
	set := setOf(t, hostsOf(0, 5000), Source{})
	l := (*set.lists.Load())[0]
	if err := os.Truncate(l.path(".index"), 0); err != nil {
		t.Fatal(err)
	}
	if has(t, set, "http://host7.example/") {
		t.Skip("the system still has the pages")
	}
	if s := set.States()[0]; s.Problem == nil {
		t.Error("no problem in the state")
	}
	if err := update(t, set); err != nil || !has(t, set, "http://host7.example/") {
		t.Errorf("not built again: %v", err)
	}
}

// TestNotes: the file of notes is JSON, and notes for another configuration are ignored.
func TestNotes(t *testing.T) {
	set := setOf(t, "one.example\n", Source{})
	l := (*set.lists.Load())[0]
	text, err := os.ReadFile(l.path(".json"))
	if err != nil || !json.Valid(text) {
		t.Fatalf("%s, %v", text, err)
	}
	other := l.source
	other.Match = MatchBelow
	set.Use([]Source{other})
	if has(t, set, "http://one.example/") {
		t.Error("an index with other keys is in use")
	}
	if err := update(t, set); err != nil || !has(t, set, "http://www.one.example/") {
		t.Errorf("not built again: %v", err)
	}
}

// TestAllComeDue: each list is fetched when it is due, also beside files that are checked often and
// a server that fails.
func TestAllComeDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		var mu sync.Mutex
		asked := make(map[string]int)
		requests := func(host string) int {
			mu.Lock()
			defer mu.Unlock()
			return asked[host]
		}
		set := New(Options{Folder: filepath.Join(folder, "cache"), Transport: wire(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			asked[r.URL.Host]++
			mu.Unlock()
			if r.URL.Host == "fails.example" {
				return nil, errors.New("no route")
			}
			w := httptest.NewRecorder()
			w.WriteString("evil.example\n")
			return w.Result(), nil
		})})
		var sources []Source
		for _, name := range []string{"a", "b"} {
			source := Source{Name: name, File: filepath.Join(folder, name), Means: Block}
			if err := os.WriteFile(source.File, []byte(name+".example\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			sources = append(sources, source)
		}
		sources = append(sources, Source{Name: "fails", URL: "https://fails.example/", Means: Block}, Source{Name: "works", URL: "https://works.example/", Means: Block})
		set.Use(sources)
		ctx, cancel := context.WithCancel(t.Context())
		var run sync.WaitGroup
		run.Go(func() { set.Run(ctx) })
		time.Sleep(time.Minute)
		for _, host := range []string{"a", "b", "evil"} {
			if !has(t, set, "http://"+host+".example/") {
				t.Errorf("%s is not listed after a minute", host)
			}
		}
		set.Use(sources)
		time.Sleep(24 * time.Hour)
		if n := requests("works.example"); n < 22 || n > 27 {
			t.Errorf("%d requests in a day", n)
		}
		if n := requests("fails.example"); n < 20 || n > 35 {
			t.Errorf("%d requests of a server that fails in a day", n)
		}
		if err := os.WriteFile(sources[1].File, []byte("b.example\nb2.example\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if !has(t, set, "http://b2.example/") {
			t.Error("the second file was not read again")
		}
		cancel()
		run.Wait()
	})
}

// A wire answers requests.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }
