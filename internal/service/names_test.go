package service

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// everything is a resolver that knows every name.
type everything struct{}

func (everything) LookupNS(context.Context, string) ([]*net.NS, error) {
	return []*net.NS{{Host: "ns.example."}}, nil
}

// TestUnknownNamesAreAskedFor: if a message has a top-level domain that the list lacks, the service
// asks the DNS for it, and uses the list with that name from then on.
func TestUnknownNamesAreAskedFor(t *testing.T) {
	checker, err := tlds.NewChecker(tlds.CheckerOptions{Resolver: everything{}})
	if err != nil {
		t.Fatal(err)
	}
	keeper, err := tlds.Open(tlds.Options{
		URL: "https://127.0.0.1:1/", File: filepath.Join(t.TempDir(), "tlds.txt"), DNS: checker, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	n := &names{news: make(chan *tlds.List)}
	n.keeper.Store(keeper)
	n.run(true)
	defer n.halt()
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report := f.Scan([]byte("Subject: x\r\n\r\nhttp://example.zzqq/ and http://example.com/\r\n"))
	n.unknown(&report)
	select {
	case list := <-n.news:
		if !list.Set.Contains("zzqq") {
			t.Error("the list lacks the name")
		}
	case <-t.Context().Done():
		t.Error("no list came")
	}
}

// TestListIsLoggedOnce: a reload logs which list is in use only if another one is.
func TestListIsLoggedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tlds.txt")
	document := func(level string) string {
		return fmt.Sprintf("[tlds]\nfile = %q\n[log]\nlevel = %q\n", path, level)
	}
	r := run(t, document("info"))
	logged := func(want int) {
		t.Helper()
		if got := strings.Count(r.logs.String(), `msg="top-level domains"`); got != want {
			t.Errorf("logged %d times, want %d:\n%s", got, want, r.logs.String())
		}
	}
	r.reload(t, document("debug"))
	r.reload(t, document("info"))
	r.connect(t).close() // after the reload
	logged(1)
	path += ".other"
	r.reload(t, document("info"))
	r.logs.wait(t, `msg="top-level domains"`, 2)
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	logged(2)
}
