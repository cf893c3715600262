package service

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// quarantineWith makes a Maildir with a message to anna@example.org.
func quarantineWith(tb testing.TB) (path string) {
	tb.Helper()
	path = tb.TempDir()
	for _, folder := range []string{"tmp", "new", "cur"} {
		if err := os.Mkdir(filepath.Join(path, folder), 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	for name, text := range map[string]string{"new/1.mx": "Subject: see www.example.net\r\n\r\n", "1.mx.envelope": "from=<>\nto=<anna@example.org>\n"} {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	then := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(path, "new/1.mx"), then, then); err != nil {
		tb.Fatal(err)
	}
	return path
}

// hurryDigest lets the service look for a digest at once.
func hurryDigest(tb testing.TB) {
	tb.Helper()
	before := digestEvery
	digestEvery = time.Millisecond
	tb.Cleanup(func() { digestEvery = before })
}

func digestTable(path, server string) string {
	return fmt.Sprintf("quarantine = %q\n[digest]\nat = \"00:00\"\nto = [\"root@example.org\"]\nusers = [\"@example.org\"]\nserver = %q\n", path, server)
}

// TestDigestOfTheDay: the service tells operators and users by a server of its own, once a day also if
// it starts again.
func TestDigestOfTheDay(t *testing.T) {
	hurryDigest(t)
	hop, post, path := newNextHop(t), newNextHop(t), quarantineWith(t)
	for start := range 2 {
		socket := filepath.Join(t.TempDir(), "smtp")
		r := run(t, smtpTable(socket, hop, digestTable(path, post.addr))+"[log]\nlevel = \"debug\"\n")
		if start > 0 {
			r.logs.wait(t, "digest sent by another process", 1)
		} else {
			r.logs.wait(t, "sent=2", 1)
			all := <-post.messages + <-post.messages
			for _, want := range []string{"To: <root@example.org>", "To: <anna@example.org>", "www[.]example[.]net"} {
				if !strings.Contains(all, want) {
					t.Errorf("no %s:\n%s", want, all)
				}
			}
		}
		if err := r.stop(t); err != nil {
			t.Error(err)
		}
	}
	if len(post.messages)+len(hop.messages) > 0 {
		t.Error("told twice, or by the next hop")
	}
}

// TestDigestHoldsUpNoMail: a server that is down is logged and counted, and one that says nothing holds
// up neither mail nor the end of the service.
func TestDigestHoldsUpNoMail(t *testing.T) {
	hurryDigest(t)
	hop := newNextHop(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	down, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down.Close()
	for _, server := range []net.Listener{silent, down} {
		socket := filepath.Join(t.TempDir(), "smtp")
		r := run(t, smtpTable(socket, hop, digestTable(quarantineWith(t), server.Addr().String()))+"[admin]\nlisten = \"127.0.0.1:0\"\n")
		r.logs.wait(t, "for=smtp", 1)
		if server == down {
			r.logs.wait(t, `level=WARN msg="digest not sent"`, 1)
			if all := r.logs.String(); !strings.Contains(all, "sent=0 missed=2") || strings.Contains(all, "anna") {
				t.Error(all)
			}
			r.logs.wait(t, "for=admin", 1)
			_, body := get(t, "http://"+r.logs.after(t, "for=admin address=tcp:")+"/metrics")
			if !strings.Contains(body, `linkmilter_log_warnings_total{level="warn",msg="digest not sent"} 1`) {
				t.Error(body)
			}
		} else {
			conn, err := silent.Accept() // the service waits for a greeting
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		}
		if reply := sendSMTP(t, "unix", socket, "Hello\r\n"); !strings.HasPrefix(reply, "250") {
			t.Error(reply)
		}
		<-hop.messages
		start := time.Now()
		if err := r.stop(t); err != nil || time.Since(start) > patience/2 {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	}
}
