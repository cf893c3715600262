//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/logging"
)

// TestSyslogNG: syslog-ng sends each line of the log to Loki and OpenSearch, with the time
// and the node that linkmilter wrote.
func TestSyslogNG(t *testing.T) {
	t.Parallel()
	syslogNG := unpackPackages(t, "syslog-ng-core", "syslog-ng-mod-http")
	store := newLogStore(t)
	folder := tempDir(t)
	file := filepath.Join(folder, "linkmilter.json")
	lines := jsonLog(t)
	writeFile(t, file, strings.Join(lines, "")+"panic: not JSON\n", 0o644)
	configuration := "@version: 3.35\n" + read(t, "deploy/syslog-ng/linkmilter.conf")
	for shipped, here := range map[string]string{
		"/var/log/linkmilter/linkmilter.json": file, "http://127.0.0.1:3100": store.URL, "http://127.0.0.1:9200": store.URL,
	} {
		if !strings.Contains(configuration, `"`+shipped) {
			t.Fatalf("the configuration lacks %s", shipped)
		}
		configuration = strings.ReplaceAll(configuration, shipped, here)
	}
	main := filepath.Join(folder, "main.conf")
	writeFile(t, main, configuration, 0o644)
	modules, err := filepath.Glob(syslogNG.path("usr/lib/syslog-ng/[0-9]*"))
	if err != nil || len(modules) != 1 {
		t.Fatal(modules, err)
	}
	cmd := exec.Command(syslogNG.path("usr/sbin/syslog-ng"), "--foreground", "--no-caps", "--stderr", "--module-path="+modules[0], "--cfgfile="+main,
		"--persist-file="+filepath.Join(folder, "persist"), "--pidfile="+filepath.Join(folder, "pid"), "--control="+filepath.Join(folder, "control"))
	cmd.Env = []string{"LD_LIBRARY_PATH=" + syslogNG.libraryPath()}
	startProcess(t, "syslog-ng", cmd)
	store.wait(t, len(lines))
	if !slices.Equal(store.loki, lines) {
		t.Errorf("Loki got\n%s", strings.Join(store.loki, ""))
	}
	if !slices.Equal(store.openSearch, lines) {
		t.Errorf("OpenSearch got\n%s", strings.Join(store.openSearch, ""))
	}
}

// jsonLog returns lines of the log as the service writes them, with text that JSON escapes.
func jsonLog(t *testing.T) []string {
	t.Helper()
	var out bytes.Buffer
	log, err := logging.New(&out, logging.JSON, slog.LevelInfo)
	if err != nil {
		t.Fatal(err)
	}
	log = log.With("node", "mx1")
	log.Info("message", "queue_id", "D9", "message_id", `<"a'\b"@größe.example>`, "findings", []string{"lookalike", "mixed-script"}, "duration", time.Millisecond)
	log.Warn("message", "queue_id", "D10", "stack", "a\n\tb")
	record := slog.NewRecord(time.Now().Truncate(time.Second), slog.LevelInfo, "start", 0) // a time without a fraction
	if err := log.Handler().Handle(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(out.String()))
}

// logStore takes lines as Loki and OpenSearch do.
type logStore struct {
	*httptest.Server
	mu               sync.Mutex
	loki, openSearch []string
	got              chan struct{}
}

func newLogStore(t *testing.T) *logStore {
	s := &logStore{got: make(chan struct{}, 100)}
	handler := http.NewServeMux()
	take := func(pattern string, read func(body []byte) []string, into *[]string) {
		handler.HandleFunc("POST "+pattern, func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			s.mu.Lock()
			*into = append(*into, read(body)...)
			s.mu.Unlock()
			s.got <- struct{}{}
			w.WriteHeader(http.StatusNoContent)
		})
	}
	take("/loki/api/v1/push", func(body []byte) []string { return lokiLines(t, body) }, &s.loki)
	take("/_bulk", func(body []byte) []string { return bulkLines(t, body) }, &s.openSearch)
	s.Server = httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// wait waits until both have some lines.
func (s *logStore) wait(t *testing.T, lines int) {
	t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		complete := len(s.loki) >= lines && len(s.openSearch) >= lines
		s.mu.Unlock()
		if complete {
			return
		}
		select {
		case <-s.got:
		case <-late:
			t.Fatalf("Loki got %d lines, OpenSearch %d", len(s.loki), len(s.openSearch))
		}
	}
}

// written is what linkmilter wrote into a line.
type written struct {
	Time  time.Time
	Level string
	Node  string
}

func decode[T any](t *testing.T, text []byte) (value T) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Errorf("%v in %s", err, text)
	}
	return value
}

// lokiLines returns the lines of a push, and checks their labels and times.
func lokiLines(t *testing.T, body []byte) (lines []string) {
	push := decode[struct {
		Streams []struct {
			Stream map[string]string
			Values [][2]string
		}
	}](t, body)
	for _, stream := range push.Streams {
		for _, value := range stream.Values {
			line := decode[written](t, []byte(value[1]))
			want := strconv.FormatInt(line.Time.Truncate(time.Microsecond).UnixNano(), 10)
			if labels := stream.Stream; value[0] != want || len(labels) != 3 || labels["job"] != "linkmilter" || labels["node"] != line.Node || labels["level"] != line.Level {
				t.Errorf("time %s (want %s), labels %v of %s", value[0], want, labels, value[1])
			}
			lines = append(lines, value[1]+"\n")
		}
	}
	return lines
}

// bulkLines returns the documents of a bulk request, and checks their indices.
func bulkLines(t *testing.T, body []byte) (lines []string) {
	all := slices.Collect(strings.Lines(string(body)))
	if len(all)%2 != 0 {
		t.Errorf("%d lines in %s", len(all), body)
		return nil
	}
	for i := 0; i < len(all); i += 2 {
		action := decode[map[string]map[string]string](t, []byte(all[i]))
		line := decode[written](t, []byte(all[i+1]))
		if want := "linkmilter-" + line.Time.Format("2006.01.02"); action["create"]["_index"] != want {
			t.Errorf("action %s, want index %s", all[i], want)
		}
		lines = append(lines, all[i+1])
	}
	return lines
}
