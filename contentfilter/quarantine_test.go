package contentfilter

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// kept returns the messages in a Maildir, and fails if anything is left in tmp.
func kept(tb testing.TB, dir string) []string {
	tb.Helper()
	if left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*")); len(left) > 0 {
		tb.Errorf("left behind: %q", left)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "new", "*"))
	if err != nil {
		tb.Fatal(err)
	}
	var texts []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// A held message lies in the folder, with its envelope on top.
func TestQuarantineFolder(t *testing.T) {
	rest := strings.Repeat("0123456789abcde\r\n", 2000)
	for name, text := range map[string]string{"whole": "", "beginning": rest} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sub", "quarantine")
			hop := newSink(t)
			s := start(t, Options{
				Options:    mailserver.Options{Filter: acting(rule.ActionQuarantine), Limits: mailserver.Limits{MaxMessage: 10_000}},
				NextHop:    NextHop{Address: hop.address()},
				Quarantine: Quarantine{Maildir: dir},
			})
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			c.say("MAIL FROM:<a@example.org>", "250")
			c.say("RCPT TO:<b@example.net>", "250")
			c.say("RCPT TO:<ü@example.net>", "250")
			c.say("DATA", "354")
			c.send(plain + text + ".\r\n")
			c.want("250 2.0.0 Ok: ")
			c.exchange(plain)
			all := kept(t, dir)
			if len(all) != 2 || len(hop.messages()) != 0 {
				t.Fatalf("%d kept, %d delivered", len(all), len(hop.messages()))
			}
			top := regexp.MustCompile(`^X-Linkmilter-Quarantined: filter\.example\.org;\r\n id=[!-~]+;\r\n from=<a@example\.org>;\r\n recipients=2\r\nReceived: from `)
			if !slices.ContainsFunc(all, func(m string) bool { return top.MatchString(m) && strings.HasSuffix(m, "\r\n"+tagged+text) }) {
				t.Errorf("kept %q", all)
			}
			info, err := os.Stat(filepath.Join(dir, "new"))
			if err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}

// TestQuarantineKeepsRecipientsApart: no message in quarantine names its recipients, whatever their
// number and its way there. The file beside it, or the log, names each as it came.
func TestQuarantineKeepsRecipientsApart(t *testing.T) {
	for _, place := range []string{"Maildir", "hold"} {
		for _, n := range []int{1, 2, 50} {
			t.Run(fmt.Sprintf("%s, %d", place, n), func(t *testing.T) {
				hop, dir := newSink(t), t.TempDir()
				o := Options{Options: mailserver.Options{Filter: acting(rule.ActionQuarantine)}, NextHop: NextHop{Address: hop.address()}}
				o.Quarantine.Maildir = dir
				if place == "hold" {
					o.Quarantine = Quarantine{Hold: "hold@example.org"}
				}
				s := start(t, o)
				c := s.dial()
				c.say("EHLO client.example.org", "250")
				c.say("MAIL FROM:<a@example.org>", "250")
				var want []string
				for i := range n {
					address := fmt.Sprintf("secret%d@%s.example.net", i, strings.Repeat("x", i))
					if i == 0 {
						address = "secret+ü@example.net"
					}
					want = append(want, "to=<"+address+">")
					c.say("RCPT TO:<"+address+">", "250")
				}
				c.say("DATA", "354")
				c.send(plain + ".\r\n")
				c.want("250 2.0.0 Ok: ")
				var copies, envelope string
				if place == "hold" {
					copies = hop.one().content
					m := regexp.MustCompile(`msg=held .* from=(\S+) to="?([^"\n]*)`).FindStringSubmatch(s.log.String())
					if m == nil {
						t.Fatal("not logged")
					}
					envelope = "from=" + m[1] + "\nto=" + strings.ReplaceAll(m[2], ", ", "\nto=") + "\n"
				} else {
					copies = strings.Join(kept(t, dir), "")
					paths, _ := filepath.Glob(filepath.Join(dir, "*.envelope"))
					if len(paths) != 1 {
						t.Fatalf("envelopes %q", paths)
					}
					if _, err := os.Stat(filepath.Join(dir, "new", strings.TrimSuffix(filepath.Base(paths[0]), ".envelope"))); err != nil {
						t.Error(err)
					}
					if info, err := os.Stat(paths[0]); err != nil || info.Mode().Perm() != 0o600 {
						t.Errorf("%v, %v", info, err)
					}
					text, _ := os.ReadFile(paths[0])
					envelope = string(text)
				}
				if strings.Contains(copies, "secret") || !strings.Contains(copies, fmt.Sprintf("\r\n recipients=%d\r\n", n)) {
					t.Errorf("copy %q", copies)
				}
				if want := "from=<a@example.org>\n" + strings.Join(want, "\n") + "\n"; envelope != want {
					t.Errorf("envelope\n%s\nwant\n%s", envelope, want)
				}
			})
		}
	}
}

// Addresses of any kind make a field that is ASCII, in lines that are not too long.
func TestQuarantineField(t *testing.T) {
	for sender, want := range map[string]string{
		"":                        "<>",
		`a\b@example.net`:         `<a\x{5C}b@example.net>`,
		strings.Repeat("ü", 2000): `<` + strings.Repeat(`\x{FC}`, 151) + "...>",
	} {
		field := quarantineField("mx.example.org", "4A\r\nB", sender, 3)
		if field != "X-Linkmilter-Quarantined: mx.example.org;\r\n id=4A\\x{D}\\x{A}B;\r\n from="+want+";\r\n recipients=3\r\n" {
			t.Errorf("%q", field)
		}
		for line := range strings.SplitSeq(field, "\r\n") {
			if len(line) > 998 {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	}
}

// failing is a file on a full disk, where one of the steps fails.
type failing struct {
	maildirFile
	write, sync, close error
	room               int
}

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n, _ := f.maildirFile.Write(p[:f.room])
		f.room = 0
		return n, f.write
	}
	f.room -= len(p)
	return f.maildirFile.Write(p)
}

func (f *failing) Sync() error {
	if f.sync != nil {
		return f.sync
	}
	return f.maildirFile.Sync()
}

func (f *failing) Close() error { return errors.Join(f.maildirFile.Close(), f.close) }

// TestQuarantineFails: if the message cannot be written, the client gets a temporary error and
// keeps it.
func TestQuarantineFails(t *testing.T) {
	tests := []struct {
		name   string
		file   failing
		create error
		reply  string
	}{
		{name: "no space for the name", create: syscall.ENOSPC, reply: "452 4.3.1"},
		{name: "no space at the beginning", file: failing{write: syscall.ENOSPC}, reply: "452 4.3.1"},
		{name: "no space in the middle", file: failing{write: syscall.ENOSPC, room: 100}, reply: "452 4.3.1"},
		{name: "quota", file: failing{write: syscall.EDQUOT, room: 100}, reply: "452 4.3.1"},
		{name: "sync", file: failing{sync: syscall.EIO, room: 1 << 20}, reply: "451 4.3.0"},
		{name: "close", file: failing{close: syscall.EIO, room: 1 << 20}, reply: "451 4.3.0"},
		{name: "no permission", create: syscall.EACCES, reply: "451 4.3.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			hop := newSink(t)
			var events []mailserver.Event
			var full atomic.Bool
			full.Store(true)
			create := func(path string) (maildirFile, error) {
				if full.Load() && tt.create != nil {
					return nil, tt.create
				}
				file, err := createExclusive(path)
				if !full.Load() || err != nil {
					return file, err
				}
				f := tt.file
				f.maildirFile = file
				return &f, nil
			}
			s := start(t, Options{
				Options:    mailserver.Options{Filter: acting(rule.ActionQuarantine), Observe: func(e *mailserver.Event) { events = append(events, *e) }},
				NextHop:    NextHop{Address: hop.address()},
				Quarantine: Quarantine{Maildir: dir},
			})
			s.quarantine.create = create
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			if got := c.exchange(plain); !strings.HasPrefix(got, tt.reply) {
				t.Errorf("reply %q", got)
			}
			if n := len(kept(t, dir)) + len(hop.messages()); n != 0 {
				t.Errorf("%d messages", n)
			}
			if e := events[0]; e.ActionReason != reasonQuarantine || e.Action != rule.ActionNone || e.Tagged {
				t.Errorf("event %+v", e)
			}
			full.Store(false)
			if got := c.exchange(plain); !strings.HasPrefix(got, "250") || len(kept(t, dir)) != 1 {
				t.Errorf("with space again: %q", got)
			}
		})
	}
}

// A hold address gets the message in place of its recipients.
func TestHoldAddress(t *testing.T) {
	rest := strings.Repeat("0123456789abcde\r\n", 2000)
	for name, lmtp := range map[string]bool{"SMTP": false, "LMTP": true} {
		for _, more := range []string{"", rest} {
			t.Run(name, func(t *testing.T) {
				hop := newSink(t)
				hop.lmtp = lmtp
				s := start(t, Options{
					Options:    mailserver.Options{Filter: acting(rule.ActionQuarantine), Limits: mailserver.Limits{MaxMessage: 10_000}},
					LMTP:       lmtp,
					NextHop:    NextHop{Address: hop.address(), LMTP: lmtp},
					Quarantine: Quarantine{Hold: "hold@example.org"},
				})
				c := s.dial()
				c.say(map[bool]string{false: "EHLO", true: "LHLO"}[lmtp]+" client.example.org", "250")
				c.say("MAIL FROM:<a@example.org>", "250")
				c.say("RCPT TO:<b@example.net>", "250")
				c.say("RCPT TO:<c@example.net>", "250")
				c.say("DATA", "354")
				c.send(plain + more + ".\r\n")
				c.want("250 2.0.0 Ok: queued as ABC")
				if lmtp {
					c.want("250 2.0.0 Ok: queued as ABC")
				}
				d := hop.one()
				if got := strings.Join(d.lines, "|"); got != "MAIL FROM:<a@example.org>|RCPT TO:<hold@example.org>" {
					t.Errorf("delivered to %s", got)
				}
				if !strings.HasPrefix(d.content, "X-Linkmilter-Quarantined: filter.example.org;\r\n id=") ||
					!strings.Contains(d.content, ";\r\n from=<a@example.org>;\r\n recipients=2\r\nReceived: ") ||
					!strings.HasSuffix(d.content, "\r\n"+tagged+more) {
					t.Errorf("delivered %q", d.content)
				}
			})
		}
	}
}

// TestHoldAddressFails: if the next hop refuses the hold address, the client keeps the message, and
// nobody gets it.
func TestHoldAddressFails(t *testing.T) {
	for at, want := range map[string]string{
		"RCPT TO:<hold": "451 4.3.0", "second MAIL": "451 4.3.0", "DATA": "550 no", ".": "550 no", "RSET": "451 4.4.2", "close": "451 4.4.2",
	} {
		t.Run(at, func(t *testing.T) {
			hop := newSink(t)
			mails := 0
			hop.answer = func(line string) string {
				if strings.HasPrefix(line, "MAIL") {
					if mails++; mails > 1 && at == "second MAIL" {
						return "550 no"
					}
				}
				if at == "close" && strings.HasPrefix(line, "RCPT TO:<hold") {
					return "close"
				}
				if strings.HasPrefix(line, at) {
					return "550 no"
				}
				return ""
			}
			s := start(t, Options{Options: mailserver.Options{Filter: acting(rule.ActionQuarantine)}, NextHop: NextHop{Address: hop.address()}, Quarantine: Quarantine{Hold: "hold@example.org"}})
			c := s.dial()
			c.say("EHLO client.example.org", "250")
			if got := c.exchange(plain); !strings.HasPrefix(got, want) {
				t.Errorf("reply %q, want %q", got, want)
			}
			if n := len(hop.messages()); n != 0 {
				t.Errorf("%d messages", n)
			}
		})
	}
}
