package logging

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coreos/go-systemd/v22/journal"
)

// lines are what the tests log.
func lines(log *slog.Logger) {
	log.Debug("details")
	log.Info("message", "queue_id", "4Xq1", "reasons", []string{"signed", "list"})
	log.With("listener", "tcp:127.0.0.1:8895").Warn("two\nlines")
	log.Error("panic")
	log.WithGroup("g").Info("grouped", "level", "kept")
}

func TestFormats(t *testing.T) {
	withoutJournal(t)
	tests := []struct {
		format Format
		want   string
	}{
		{Journal, `<6>msg=message queue_id=4Xq1 reasons="[signed list]"
<4>msg="two\nlines" listener=tcp:127.0.0.1:8895
<3>msg=panic
<6>msg=grouped g.level=kept
`},
		{Text, `time=T level=INFO msg=message queue_id=4Xq1 reasons="[signed list]"
time=T level=WARN msg="two\nlines" listener=tcp:127.0.0.1:8895
time=T level=ERROR msg=panic
time=T level=INFO msg=grouped g.level=kept
`},
		{JSON, `{"time":"T","level":"INFO","msg":"message","queue_id":"4Xq1","reasons":["signed","list"]}
{"time":"T","level":"WARN","msg":"two\nlines","listener":"tcp:127.0.0.1:8895"}
{"time":"T","level":"ERROR","msg":"panic"}
{"time":"T","level":"INFO","msg":"grouped","g":{"level":"kept"}}
`},
	}
	times := regexp.MustCompile(`(time=|"time":")[^ "]+`)
	for _, tt := range tests {
		t.Run(string(tt.format), func(t *testing.T) {
			var out bytes.Buffer
			log, err := New(&out, tt.format, slog.LevelInfo)
			if err != nil {
				t.Fatal(err)
			}
			lines(log)
			if got := times.ReplaceAllString(out.String(), "${1}T"); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
	if _, err := New(&bytes.Buffer{}, "xml", slog.LevelInfo); err == nil {
		t.Error("an unknown format was accepted")
	}
}

func TestDebugLevel(t *testing.T) {
	withoutJournal(t)
	var out bytes.Buffer
	level := new(slog.LevelVar)
	log, err := New(&out, Journal, level)
	if err != nil {
		t.Fatal(err)
	}
	log.Debug("before")
	level.Set(slog.LevelDebug)
	log.Debug("after")
	if got := out.String(); got != "<7>msg=after\n" {
		t.Errorf("got %q", got)
	}
}

// TestAuto: the format journal is chosen if the output is the stream of the journal.
func TestAuto(t *testing.T) {
	withoutJournal(t)
	file, err := os.CreateTemp(t.TempDir(), "stream")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	tests := []struct {
		name, stream string
		journal      bool
	}{
		{"no journal", "", false},
		{"the journal", fmt.Sprintf("%d:%d", stat.Dev, stat.Ino), true},
		{"the stream of another process", fmt.Sprintf("%d:%d", stat.Dev, stat.Ino+1), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("JOURNAL_STREAM", tt.stream)
			if err := file.Truncate(0); err != nil {
				t.Fatal(err)
			}
			log, err := New(file, Auto, slog.LevelInfo)
			if err != nil {
				t.Fatal(err)
			}
			log.Info("x")
			text, err := os.ReadFile(file.Name())
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "<6>") != tt.journal {
				t.Errorf("got %q", text)
			}
		})
	}
}

// TestJournalConcurrently: lines of several goroutines do not mix, and keep their levels.
func TestJournalConcurrently(t *testing.T) {
	withoutJournal(t)
	var out bytes.Buffer
	log, err := New(&out, Journal, slog.LevelInfo)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for range 100 {
				log.Info("a")
				log.Warn("b")
			}
		})
	}
	group.Wait()
	if a, b := strings.Count(out.String(), "<6>msg=a\n"), strings.Count(out.String(), "<4>msg=b\n"); a != 1000 || b != 1000 {
		t.Errorf("%d and %d whole lines", a, b)
	}
}

// withoutJournal keeps a test from the journal of this machine.
func withoutJournal(t *testing.T) {
	t.Helper()
	before := journalSender
	journalSender = func() sender { return nil }
	t.Cleanup(func() { journalSender = before })
}

// TestJournalFields: the journal gets an entry with a field for each attribute. If it refuses the
// entry, it gets a line.
func TestJournalFields(t *testing.T) {
	var out bytes.Buffer
	var got []string
	refuse := false
	send := func(message string, priority journal.Priority, fields map[string]string) error {
		if refuse {
			return errors.New("too large")
		}
		got = append(got, fmt.Sprint(message, priority, fields))
		return nil
	}
	log := slog.New(newJournal(&out, slog.LevelInfo, send))
	log.With("listener", "tcp:1").WithGroup("g").With("a", 1).Warn("message", "queue_id", "4Xq1", slog.Group("in-ner", "b", []string{"x", "y"}))
	refuse = true
	log.Error("large", "k", "v")
	want := []string{`msg=message listener=tcp:1 g.a=1 g.queue_id=4Xq1 g.in-ner.b="[x y]"4 ` +
		`map[LINKMILTER_G_A:1 LINKMILTER_G_IN_NER_B:[x y] LINKMILTER_G_QUEUE_ID:4Xq1 LINKMILTER_LISTENER:tcp:1]`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if out.String() != "<3>msg=large k=v\n" {
		t.Errorf("written %q", out.String())
	}
}
