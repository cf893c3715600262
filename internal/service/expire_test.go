package service

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/quarantine"
)

// TestQuarantineExpires: the service deletes old messages with their envelopes, and names them.
func TestQuarantineExpires(t *testing.T) {
	path := t.TempDir()
	if err := os.Mkdir(filepath.Join(path, "new"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old", "young"} {
		message := filepath.Join(path, "new", name)
		for file, text := range map[string]string{message: "Subject: x\r\n\r\n", filepath.Join(path, name+".envelope"): "from=<>\nto=<a@example.com>\n"} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	then := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(filepath.Join(path, "new", "old"), then, then); err != nil {
		t.Fatal(err)
	}
	logs := newLogs()
	s := &service{log: slog.New(slog.NewTextHandler(logs, nil))}
	s.expireOnce(path, quarantine.Retention{Age: 24 * time.Hour})
	left, err := filepath.Glob(path + "/*/*")
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "young" {
		t.Errorf("%q %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(path, "old.envelope")); !os.IsNotExist(err) {
		t.Error("its envelope stays", err)
	}
	if all := logs.String(); !strings.Contains(all, `msg="quarantine expired" name=old`) || strings.Count(all, "\n") != 1 {
		t.Error(all)
	}
	s.expireOnce(filepath.Join(path, "none"), quarantine.Retention{Age: time.Hour})
	if !strings.Contains(logs.String(), `level=WARN msg="quarantine not expired"`) {
		t.Error(logs)
	}
}
