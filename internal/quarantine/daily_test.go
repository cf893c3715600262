package quarantine

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/test/linkify"
)

// got returns who got a digest since the last call, and forgets it.
func (h *hop) got() (readers string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	readers, h.taken = strings.Join(h.taken, " "), nil
	return readers
}

// morning is the time of a digest.
func morning(day int) time.Time { return time.Date(2026, 11, day, 7, 0, 0, 0, time.Local) }

// TestDigestGoesOnceADay: of processes that share a Maildir or start again, one tells of a message,
// once. Without messages nobody is told.
func TestDigestGoesOnceADay(t *testing.T) {
	h := &hop{}
	daily := Daily{To: []string{"root@example.org"}, Users: []string{"@example.org"}, From: "root@example.org", Host: "mx.example.org", Hop: h.serve(t, false)}
	f := fill(t, map[string][]string{"1.mx": {"anna@example.org"}, "2.mx": {"bert@example.net"}})
	age(t, f, "1.mx", morning(10).Add(-time.Hour))
	age(t, f, "2.mx", morning(10).Add(time.Hour)) // after the digest
	var group sync.WaitGroup
	taken := make(chan error, 8)
	for range cap(taken) {
		group.Go(func() {
			_, _, err := f.Tell(t.Context(), daily, morning(10))
			taken <- err
		})
	}
	group.Wait()
	close(taken)
	others := 0
	for err := range taken {
		if errors.Is(err, ErrDayTaken) {
			others++
		} else if err != nil {
			t.Error(err)
		}
	}
	if got := h.got(); got != "root@example.org anna@example.org" || others != cap(taken)-1 {
		t.Errorf("told %q, %d others", got, others)
	}
	for day, want := range []string{11: "root@example.org", 12: "", 13: ""} {
		if day < 11 {
			continue
		}
		if _, _, err := f.Tell(t.Context(), daily, morning(day)); err != nil || h.got() != want {
			t.Errorf("day %d: %v, want %q", day, err, want)
		}
	}
	if days, err := filepath.Glob(f.path + "/digest.*"); err != nil || len(days) != 1 {
		t.Errorf("files of days: %q %v", days, err)
	}
}

// TestDigestIsTriedAgain: who got no digest gets one of both days the next day; the others are not
// told twice. Who never gets one is told of a week at most.
func TestDigestIsTriedAgain(t *testing.T) {
	h := &hop{refuses: []string{"anna@example.org"}}
	daily := Daily{Users: []string{"@example.org"}, From: "root@example.org", Host: "mx.example.org", Hop: h.serve(t, false)}
	f := fill(t, map[string][]string{"1.mx": {"anna@example.org", "bert@example.org"}, "2.mx": {"anna@example.org"}})
	age(t, f, "1.mx", morning(10).Add(-time.Hour))
	age(t, f, "2.mx", morning(12).Add(-time.Hour))
	for day := 10; day < 12; day++ {
		want := map[int]string{10: "bert@example.org"}[day]
		sent, missed, err := f.Tell(t.Context(), daily, morning(day))
		if got := h.got(); got != want || missed != 1 || sent != strings.Count(want, "@") {
			t.Errorf("day %d: told %q, sent %d, missed %d", day, got, sent, missed)
		}
		if err == nil || !strings.Contains(err.Error(), "550") || strings.Contains(err.Error(), "anna") {
			t.Errorf("day %d: error %v", day, err)
		}
	}
	// A server that is down, and a process that was killed while it sent.
	down := daily
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down.Hop.Address = l.Addr().String()
	l.Close()
	if sent, missed, err := f.Tell(t.Context(), down, morning(12)); sent != 0 || missed != 1 || err == nil {
		t.Errorf("server down: sent %d, missed %d, %v", sent, missed, err)
	}
	if err := os.WriteFile(filepath.Join(f.path, "digest.2026-11-13"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	h.refuses = nil
	h.mu.Unlock()
	if _, _, err := f.Tell(t.Context(), daily, morning(14)); err != nil || h.got() != "anna@example.org" {
		t.Error(err)
	}
	for _, name := range []string{"Name:    1[.]mx", "Name:    2[.]mx", "held 2 messages since 2026-11-09 07h00"} {
		if !strings.Contains(h.content, name) {
			t.Errorf("no %s:\n%s", name, h.content)
		}
	}
	for day, want := range map[int]string{16: "bert@example.org", 20: ""} {
		f := fill(t, map[string][]string{"1.mx": {"bert@example.org"}})
		age(t, f, "1.mx", morning(10).Add(-time.Hour))
		h.refuses = []string{"bert@example.org"}
		for failed := 10; failed < day; failed++ {
			if _, missed, _ := f.Tell(t.Context(), daily, morning(failed)); (missed == 1) != (failed < 17) {
				t.Errorf("day %d: missed %d", failed, missed)
			}
		}
		h.refuses = nil
		if _, _, err := f.Tell(t.Context(), daily, morning(day)); err != nil || h.got() != want {
			t.Errorf("day %d: %v, want %q", day, err, want)
		}
	}
}

// TestDigestWaitsForNoServer: a server that accepts a connection and says nothing does not hold up the
// end of the process.
func TestDigestWaitsForNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		conn, err := l.Accept()
		if err == nil {
			defer conn.Close()
		}
		cancel()
		<-t.Context().Done()
	}()
	f := fill(t, map[string][]string{"1.mx": {"anna@example.org"}})
	age(t, f, "1.mx", morning(10).Add(-time.Hour))
	start := time.Now()
	_, missed, err := f.Tell(ctx, Daily{To: []string{"root@example.org"}, Hop: contentfilter.NextHop{Address: l.Addr().String()}}, morning(10))
	if err == nil || missed != 1 || time.Since(start) > 10*time.Second {
		t.Errorf("missed %d, %v after %s", missed, err, time.Since(start))
	}
	// The file of the day says so.
	state, err := f.lastTold("", morning(11))
	if err != nil || !slices.Equal([]string{"root@example.org"}, keys(state.Missed)) {
		t.Errorf("%+v %v", state, err)
	}
}

func keys(m map[string]time.Time) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	return names
}

// TestNoProgramLinksADigest: four programs that make links of texts find none in a digest, whatever
// sender and subject are. (One links the word localhost, which is the reader's own machine.)
func TestNoProgramLinksADigest(t *testing.T) {
	var texts []string
	for _, text := range []string{
		"https://paypal.com/login?a=b#c", "HTTP://PAYPAL.COM", "//paypal.com/x", "ftp://1.2.3.4/", "http://[2001:db8::1]/", "1.2.3.4", "0x7f.1",
		"www.paypal.com", "paypal.com", "pаypal.com/x", "例え.jp", "例え。jp", "paypal．com", "paypal｡com", "münchen.de", "a.b.co.uk:443/", "mailto:eve@evil.example", "eve@evil.example",
		"eve＠evil.example", "tel:+49301234567", "javascript:alert(1)", "data:text/html,x", "bitcoin:1A2b", "xmpp:eve@evil.example", "hxxps://evil.example", "evil[.]example", "evil(dot)example.com",
		"[www.evil.example]", "<https://evil.example>", "\"evil.example\"", "a,evil.example;b", "evil.example/\u202egpj.exe", "https:evil.example", "https:\\\\evil.example", "smb://evil.example/x", "\\\\evil.example\\x",
	} {
		d := Digest{To: "anna@example.org", Now: morning(10), Since: morning(9), Messages: []Message{{Name: "17." + text, Time: morning(9), Sender: text, Subject: "See " + text + " now", Codes: []string{"lookalike"}}}}
		texts = append(texts, d.Text())
	}
	for i, found := range linkify.Find(t, texts) {
		for program, links := range found {
			for _, l := range links {
				t.Errorf("%s: %q in\n%s", linkify.Programs[program], texts[i][l.Start:l.End], texts[i])
			}
		}
	}
}
