package correspondents

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/linkmilter/linkmilter/policy"
)

// machine returns a book that shares by a server, with the key of the others.
func machine(t *testing.T, server, path string) (*Book, *logged) {
	t.Helper()
	l := new(logged)
	b := New(slog.New(slog.NewTextHandler(l, nil)))
	b.Use(Options{File: path, Valkey: "redis://" + server, Days: 730})
	t.Cleanup(b.Close)
	return b, l
}

// keyed makes paths of files for machines that have the same key.
func keyed(t *testing.T, n int) (paths []string) {
	t.Helper()
	for range n {
		path := filepath.Join(t.TempDir(), "correspondents.db")
		if err := os.WriteFile(KeyFile(path), []byte(strings.Repeat("ab", keySize)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// knows waits until a book knows a domain as it is wanted, and an address of it.
func knows(t *testing.T, b *Book, domain string, want policy.Correspondent) {
	t.Helper()
	until(t, domain+" is known", func() bool {
		has, _ := b.HasAddress("x@" + domain)
		return b.Domain(domain) == want && has
	})
}

// Three machines learn as one: two users on two machines make a domain count on the third. They go on while
// the server is away, and bring together what they learnt when it is back, each of them after a restart,
// too.
func TestShare(t *testing.T) {
	server := miniredis.RunT(t)
	paths := keyed(t, 3)
	var books []*Book
	for _, path := range paths {
		b, _ := machine(t, server.Addr(), path)
		books = append(books, b)
	}
	books[0].Learn(sent("anna@own.example", "x@a-partner.de"), today)
	knows(t, books[2], "a-partner.de", policy.Correspondent{Days: 1})
	books[1].Learn(sent("bert@own.example", "x@a-partner.de"), today)
	for _, b := range books {
		knows(t, b, "a-partner.de", policy.Correspondent{Days: 1, Several: true})
	}

	server.Close()
	until(t, "the server is missed", func() bool { return books[0].State().Alone != nil })
	books[0].Learn(sent("anna@own.example", "x@b-partner.de"), time.Now())
	knows(t, books[0], "b-partner.de", policy.Correspondent{Days: 1})
	books[1].Close()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	knows(t, books[2], "b-partner.de", policy.Correspondent{Days: 1})
	again, _ := machine(t, server.Addr(), paths[1])
	knows(t, again, "b-partner.de", policy.Correspondent{Days: 1})
	until(t, "all is well", func() bool { return books[0].State().Alone == nil })

	// Without its stream, as after a loss of its memory, the server serves on.
	server.FlushAll()
	again.Learn(sent("bert@own.example", "x@c-partner.de"), time.Now())
	knows(t, books[0], "c-partner.de", policy.Correspondent{Days: 1})
}

// A new machine gets what the others knew before there was a server.
func TestShareWhatIsKnown(t *testing.T) {
	paths := keyed(t, 2)
	alone, _ := newTest(t, paths[0])
	for i := range 3 * aMessage {
		alone.Learn(sent("anna@own.example", fmt.Sprintf("x@partner-%d.de", i)), today)
		if i%100 == 0 {
			settle(t, alone)
		}
	}
	settle(t, alone)
	alone.Close()
	server := miniredis.RunT(t)
	machine(t, server.Addr(), paths[0])
	fresh, _ := machine(t, server.Addr(), paths[1])
	knows(t, fresh, "partner-0.de", policy.Correspondent{Days: 1})
	knows(t, fresh, fmt.Sprintf("partner-%d.de", 3*aMessage-1), policy.Correspondent{Days: 1})
}

// Machines with different keys do not share: the hashes of one mean nothing to the other.
func TestShareOtherKey(t *testing.T) {
	server := miniredis.RunT(t)
	first, _ := machine(t, server.Addr(), filepath.Join(t.TempDir(), "a.db"))
	first.Learn(sent("anna@own.example", "x@a-partner.de"), today)
	knows(t, first, "a-partner.de", policy.Correspondent{Days: 1})
	until(t, "the first one shares", func() bool { return server.Exists(streamMark) })
	other, l := machine(t, server.Addr(), filepath.Join(t.TempDir(), "b.db"))
	until(t, "a problem", func() bool { return other.State().Alone != nil })
	if !strings.Contains(l.String(), "correspondents not shared, learnt here alone") || !strings.Contains(l.String(), "another key") || other.Domain("a-partner.de").Days != 0 {
		t.Errorf("%s", l)
	}
}

// A server that does not answer delays neither learning nor the end.
func TestShareAway(t *testing.T) {
	b, _ := machine(t, "192.0.2.1:6379", filepath.Join(t.TempDir(), "a.db"))
	b.Learn(sent("anna@own.example", "x@a-partner.de"), today)
	knows(t, b, "a-partner.de", policy.Correspondent{Days: 1})
	start := time.Now()
	b.Close()
	if took := time.Since(start); took > closeTime {
		t.Errorf("closing took %s", took)
	}
}
