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

// TestQuarantineExpiresByItsKeys: the keys of the configuration bound the quarantine by age and by
// size.
func TestQuarantineExpiresByItsKeys(t *testing.T) {
	for key, kept := range map[string]int{"quarantine_days = 2": 1, "quarantine_days = 1": 0, "quarantine_size = 1": 0, "quarantine_size = 1000": 1, "": 1} {
		path := quarantineWith(t)
		then := time.Now().Add(-36 * time.Hour)
		if err := os.Chtimes(filepath.Join(path, "new", "1.mx"), then, then); err != nil {
			t.Fatal(err)
		}
		r := run(t, smtpTable(filepath.Join(t.TempDir(), "smtp"), newNextHop(t), "quarantine = \""+path+"\"", key))
		r.logs.wait(t, "for=smtp", 1)
		if kept == 0 {
			r.logs.wait(t, "quarantine expired", 1)
		}
		if err := r.stop(t); err != nil {
			t.Error(err)
		}
		left, err := filepath.Glob(path + "/new/*")
		if err != nil || len(left) != kept {
			t.Errorf("%q: %q are left, %v", key, left, err)
		}
	}
}
