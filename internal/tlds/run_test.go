package tlds

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// A wire is a server within the process, so that the clock of the tests can be fast. It answers as
// the test says, and notes the time of each request.
type wire struct {
	mu     sync.Mutex
	answer func() (status int, text []byte)
	asked  []time.Time
}

// questions returns when it was asked.
func (w *wire) questions() []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asked)
}

// set changes the answer from now on, and forgets the questions.
func (w *wire) set(answer func() (int, []byte)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer, w.asked = answer, nil
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asked = append(w.asked, time.Now())
	status, text := w.answer()
	w.mu.Unlock()
	if status == 0 {
		return nil, errors.New("network is unreachable")
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(bytes.NewReader(text)), Request: r}, nil
}

// upToDate answers with a list of the hour.
func upToDate() (int, []byte) { return http.StatusOK, listOf(time.Now(), names()) }

// unreachable is a network that is down.
func unreachable() (int, []byte) { return 0, nil }

// pauses returns the time between the questions.
func (w *wire) pauses() []time.Duration {
	var list []time.Duration
	asked := w.questions()
	for i := 1; i < len(asked); i++ {
		list = append(list, asked[i].Sub(asked[i-1]))
	}
	return list
}

// running starts Run in the bubble of synctest, whose clock begins in the year
// 2000, on the day after the built-in list. It ends with the test.
func running(t *testing.T, o Options, w *wire) (k *Keeper, published *[]*List) {
	t.Helper()
	time.Sleep(time.Until(day.AddDate(0, 0, 1)))
	if o.File == "" {
		o.File = newFile(t)
	}
	o.Transport = w
	k, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	published = new([]*List)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.Run(ctx, func(l *List) { *published = append(*published, l) })
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return k, published
}

// pass lets a time pass, and waits for what happens in it.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func within(t *testing.T, what string, got, want, share time.Duration) {
	t.Helper()
	if got < want-want/share || got > want+want/share {
		t.Errorf("%s is %s, want %s, more or less", what, got, want)
	}
}

// TestRunDaily: the keeper asks once a day, and publishes a list only if its names differ.
func TestRunDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{answer: upToDate}
		k, published := running(t, Options{}, w)
		pass(fetch.FirstWithin)
		if len(w.questions()) != 1 || len(*published) != 0 || k.Current().Origin != OriginNetwork {
			t.Fatalf("%d questions, %d publications, list %s", len(w.questions()), len(*published), k.Current().Origin)
		}
		pass(10 * 24 * time.Hour)
		if n := len(w.questions()); n < 10 || n > 12 {
			t.Errorf("%d questions in ten days", n)
		}
		for _, p := range w.pauses() {
			within(t, "the pause", p, 24*time.Hour, 10)
		}
		if len(*published) != 0 {
			t.Errorf("%d publications of the same names", len(*published))
		}
		different := slices.Compact(w.pauses())
		w.set(func() (int, []byte) { return http.StatusOK, listOf(time.Now(), withLine("LINKMILTERTEST")) })
		pass(27 * time.Hour)
		if len(*published) != 1 || !(*published)[0].Set.Contains("linkmiltertest") || !sameNames((*published)[0], k.Current()) {
			t.Errorf("%d publications", len(*published))
		}
		if len(different) < 5 {
			t.Errorf("the pauses are the same: %s", different)
		}
	})
}

// TestRunBackOff: while the server fails, the pauses grow up to a day. After an answer, they begin
// again.
func TestRunBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w := &wire{answer: unreachable}
		k, published := running(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, w)
		pass(5 * 24 * time.Hour)
		want := fetch.FirstRetry
		for _, p := range w.pauses() {
			within(t, "the pause", p, want, 10)
			want = min(2*want, 24*time.Hour)
		}
		if n := len(w.questions()); n < 10 || n > 15 {
			t.Errorf("%d questions in five days", n)
		}
		if len(*published) != 0 || k.Current().Origin != OriginBuiltin {
			t.Errorf("%d publications, list %s", len(*published), k.Current().Origin)
		}
		if text := log.String(); !strings.Contains(text, "network is unreachable") || !strings.Contains(text, "age=") {
			t.Errorf("log %s", text)
		}
		w.set(upToDate)
		pass(27 * time.Hour)
		w.set(func() (int, []byte) { return http.StatusServiceUnavailable, nil })
		pass(27 * time.Hour)
		if p := w.pauses(); len(p) < 2 {
			t.Errorf("pauses %s", p)
		} else {
			within(t, "the first pause after a good answer", p[0], fetch.FirstRetry, 10)
		}
	})
}

// TestRunSaysOnceThatThereIsNoNetwork: while the network is down, the log has one line, whatever
// the errors. After an answer, it has another line when the network is down again.
func TestRunSaysOnceThatThereIsNoNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		down := &wire{answer: unreachable}
		k, _ := running(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, down)
		lines := func() int { return strings.Count(log.String(), "top-level domains not updated") }
		pass(30 * 24 * time.Hour)
		if lines() != 1 || k.Current().Origin != OriginBuiltin {
			t.Errorf("%d lines in a month without a network, list %s:\n%s", lines(), k.Current().Origin, log.String())
		}
		down.set(upToDate)
		pass(48 * time.Hour)
		down.set(unreachable)
		pass(5 * 24 * time.Hour)
		if lines() != 2 {
			t.Errorf("%d lines after a network that came and went:\n%s", lines(), log.String())
		}
		down.set(func() (int, []byte) { return http.StatusServiceUnavailable, nil })
		pass(5 * 24 * time.Hour)
		if lines() != 3 {
			t.Errorf("%d lines: another reason is said once, too:\n%s", lines(), log.String())
		}
	})
}

// TestListOfPackage: the list that the package installs is used if it is newer than the built-in
// one. A damaged or older one is not.
func TestListOfPackage(t *testing.T) {
	for name, c := range map[string]struct {
		text []byte
		want Origin
	}{
		"newer":   {listOf(time.Now(), withLine("LINKMILTERTEST")), OriginPackage},
		"older":   {listOf(Builtin().Updated.AddDate(0, 0, -1), names()), OriginBuiltin},
		"damaged": {[]byte("# Version"), OriginBuiltin},
		"none":    {nil, OriginBuiltin},
	} {
		path := filepath.Join(t.TempDir(), "list")
		if c.text != nil {
			if err := os.WriteFile(path, c.text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		k, err := Open(Options{File: newFile(t), Package: path})
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Current(); got.Origin != c.want || got.Set.Contains("linkmiltertest") != (c.want == OriginPackage) || k.Note() == "" {
			t.Errorf("%s: %s, note %q", name, got.Origin, k.Note())
		}
	}
}

// TestRunAfterRestart: a process that is restarted often does not ask the server often.
func TestRunAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{answer: upToDate}
		file := newFile(t)
		k, _ := running(t, Options{File: file}, w)
		pass(fetch.FirstWithin)
		start := w.questions()[0]
		other := &wire{answer: upToDate}
		time.Sleep(time.Hour)
		next, err := Open(Options{File: file, Transport: other})
		must(t, err)
		if next.Current().Version != k.Current().Version {
			t.Errorf("version %s after a restart", next.Current().Version)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go next.Run(ctx, func(*List) {})
		pass(22 * time.Hour)
		if len(other.questions()) != 0 {
			t.Errorf("asked %s after the last time", other.questions()[0].Sub(start))
		}
		pass(2 * time.Hour)
		if len(other.questions()) != 1 {
			t.Errorf("%d questions after a day", len(other.questions()))
		}
	})
}

// TestRunWrongClock: if the last check seems to be in the future, the next one is still soon.
func TestRunWrongClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := newFile(t)
		w := &wire{answer: func() (int, []byte) { return http.StatusOK, listOf(day, names()) }}
		time.Sleep(time.Until(day.AddDate(10, 0, 0)))
		k, err := Open(Options{File: file, Transport: w})
		must(t, err)
		_, err = k.Update(t.Context())
		must(t, err)
		for range 100 {
			// As if the clock had been set back by ten years.
			pause := fetch.FirstPause(k.Current().Checked, k.every, day.AddDate(0, 0, 1))
			if pause > 24*time.Hour+fetch.FirstWithin {
				t.Fatalf("the first pause is %s", pause)
			}
		}
	})
}

// TestRunUnsaved: a full disk does not make the Keeper ask the server more often.
func TestRunUnsaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{answer: func() (int, []byte) { return http.StatusOK, listOf(time.Now(), withLine("LINKMILTERTEST")) }}
		var log bytes.Buffer
		_, published := running(t, Options{File: "/dev/null/list", Log: slog.New(slog.NewTextHandler(&log, nil))}, w)
		pass(3 * 24 * time.Hour)
		if n := len(w.questions()); n < 3 || n > 4 {
			t.Errorf("%d questions in three days", n)
		}
		if len(*published) != 1 || !strings.Contains(log.String(), "not saved") {
			t.Errorf("%d publications, log %s", len(*published), &log)
		}
	})
}

// TestRunEnds: the end of the context ends a download as well.
func TestRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		time.Sleep(time.Until(day))
		var log bytes.Buffer
		k, err := Open(Options{File: newFile(t), Transport: hang, Timeout: time.Hour, Log: slog.New(slog.NewTextHandler(&log, nil))})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			k.Run(ctx, func(*List) { t.Error("published") })
		}()
		pass(fetch.FirstWithin)
		cancel()
		<-done
		if log.Len() != 0 {
			t.Errorf("log %s", &log)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
