package mailserver

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// logLines keeps what is logged.
type logLines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// limitLine is one line about the limit.
type limitLine struct {
	Time   time.Time
	Msg    string
	Waited int
	Limit  int
}

func (l *logLines) lines(t *testing.T) []limitLine {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []limitLine
	for text := range strings.Lines(l.text.String()) {
		var line limitLine
		if err := json.Unmarshal([]byte(text), &line); err != nil || line.Msg != "connection limit reached" || line.Limit != 7 {
			t.Fatalf("%v: %s", err, text)
		}
		all = append(all, line)
	}
	return all
}

// TestConnectionLimitIsLoggedOnceAMinute: if 100 connections a second wait, the log has one line a
// minute, which counts them.
func TestConnectionLimitIsLoggedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines logLines
		l := newLimitLog(slog.New(slog.NewJSONHandler(&lines, nil)), 7)
		for range 100 * 150 {
			l.Note("tcp:127.0.0.1:1")
			time.Sleep(10 * time.Millisecond)
		}
		l.Stop()
		all, counted := lines.lines(t), 0
		for _, line := range all {
			counted += line.Waited
		}
		if len(all) != 4 || all[0].Waited != 1 || counted != 100*150 || all[1].Time.Sub(all[0].Time) != time.Minute {
			t.Errorf("%+v", all)
		}
	})
}

// TestConnectionLimitCountsAll: at any rate of waiting connections, the first line comes at once,
// the next ones a minute apart, and the counts include every connection.
func TestConnectionLimitCountsAll(t *testing.T) {
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			var lines logLines
			l := newLimitLog(slog.New(slog.NewJSONHandler(&lines, nil)), 7)
			began := time.Now()
			events := 1 + random.IntN(50)
			for range events {
				l.Note("unix:/s")
				time.Sleep(time.Duration(random.Int64N(int64(40 * time.Second))))
			}
			l.Stop()
			time.Sleep(2 * rareEvery)
			all, counted := lines.lines(t), 0
			for i, line := range all {
				counted += line.Waited
				if i > 0 && i < len(all)-1 && line.Time.Sub(all[i-1].Time) < rareEvery || line.Waited == 0 {
					t.Errorf("seed %d: %+v", seed, all)
				}
			}
			if counted != events || !all[0].Time.Equal(began) || all[0].Waited != 1 {
				t.Errorf("seed %d: %d of %d events: %+v", seed, counted, events, all)
			}
		})
	}
}
