package service

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

// everything is a resolver that knows every name.
type everything struct{}

func (everything) LookupNS(context.Context, string) ([]*net.NS, error) {
	return []*net.NS{{Host: "ns.example."}}, nil
}

// A top-level domain that the list lacks is asked for once a message holds it,
// and the list that has it is taken into use.
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
