package service

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/policy"
)

// names is the list of top-level domains, and its updates.
type names struct {
	keeper atomic.Pointer[tlds.Keeper] // for any goroutine
	news   chan *tlds.List             // lists to put into use
	logged listed                      // state of the list at the last call of log

	cancel  context.CancelFunc // ends run; nil while it does not run
	running sync.WaitGroup
}

// openNames reads the list that the configuration names. It does not use the network.
func openNames(file *config.File, log *slog.Logger) (*names, error) {
	keeper, err := tlds.Open(file.Refresh(log))
	if err != nil {
		return nil, err
	}
	n := &names{news: make(chan *tlds.List)}
	n.keeper.Store(keeper)
	return n, nil
}

// list returns the list in use.
func (n *names) list() *tlds.List { return n.keeper.Load().Current() }

// unknown passes the top-level domains of a message that the list lacks to the
// keeper, which asks the DNS for them later if the configuration allows.
func (n *names) unknown(r *report.Report) {
	for i := range r.Links {
		for _, finding := range r.Links[i].Verdict.Findings {
			if finding.Code == policy.CodeUnknownTLD {
				n.keeper.Load().Unknown(finding.Label)
			}
		}
	}
}

// listed has the facts about a list that the log has.
type listed struct {
	origin, version, file, note string
	names                       int
}

// log logs which list is in use, unless nothing changed since the last call.
func (n *names) log(log *slog.Logger) {
	keeper := n.keeper.Load()
	list := keeper.Current()
	l := listed{list.Origin.String(), list.Version, keeper.File(), keeper.Note(), list.Set.Len()}
	if l == n.logged {
		return
	}
	n.logged = l
	log.Info("top-level domains", "origin", l.origin, "version", l.version, "names", l.names, "file", l.file, "note", l.note)
}

// run updates the list in the background until halt, if the configuration says so.
func (n *names) run(refresh bool) {
	if !refresh {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	n.cancel = cancel
	keeper := n.keeper.Load()
	n.running.Go(func() {
		keeper.Run(ctx, func(list *tlds.List) {
			select {
			case n.news <- list:
			case <-ctx.Done():
			}
		})
	})
}

// halt ends run.
func (n *names) halt() {
	if n.cancel != nil {
		n.cancel()
		n.running.Wait()
		n.cancel = nil
	}
}

// replace continues with another keeper.
func (n *names) replace(keeper *tlds.Keeper, refresh bool) {
	if keeper == n.keeper.Load() {
		return
	}
	n.halt()
	n.keeper.Store(keeper)
	n.run(refresh)
}

// reopened returns the keeper for a configuration: the current one if its updates stay the same and
// the cache file is not newer, otherwise a new one. A new one reads the cache file again:
// `linkmilter tlds update` may have stored a newer list.
func (n *names) reopened(before, after *config.File, log *slog.Logger) (*tlds.Keeper, error) {
	if keeper := n.keeper.Load(); after.TLDs.Refresh && before.TLDs == after.TLDs && !keeper.HasNewerFile() {
		return keeper, nil
	}
	return tlds.Open(after.Refresh(log))
}
