package correspondents

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/policy"
)

// A Book has the correspondents of the operator's users. Until Use names a file it learns nothing, and
// knows nobody. Several goroutines may use it.
type Book struct {
	log  *slog.Logger
	lost atomic.Uint64

	mu    sync.RWMutex
	store *store // nil: no file
}

// New returns a book without a file.
func New(log *slog.Logger) *Book { return &Book{log: log} }

// Options say where the knowledge is, and how long it is kept.
type Options struct {
	File string // "": nothing is learnt and known
	// Valkey is the URL of a Valkey or Redis server by which several machines share what they learn; "": this
	// machine learns alone.
	Valkey string
	Days   int // for which a correspondent is kept to whom nobody writes; 0: for ever
}

// closeTime limits how long a file takes to close.
const closeTime = 5 * time.Second

// Use keeps the knowledge in a file from now on, and leaves the file used before. If it is the same, it is
// read again where another process changed it. Use does not wait for the disk, except for what the file
// before still has to get.
func (b *Book) Use(o Options) {
	b.mu.Lock()
	before := b.store
	if before != nil && before.path == o.File && before.share.server() == o.Valkey {
		before.days.Store(int64(o.Days))
		before.Tend()
		b.mu.Unlock()
		return
	}
	b.store = nil
	if o.File != "" {
		b.store = newStore(o, &b.lost, b.log)
	}
	b.mu.Unlock()
	if before != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		before.close(ctx)
	}
}

// Close writes what the file still has to get and closes it.
func (b *Book) Close() { b.Use(Options{}) }

// Lost returns how many messages were not learnt from because the file could not be written.
func (b *Book) Lost() uint64 { return b.lost.Load() }

// file returns the store, nil without a file.
func (b *Book) file() *store {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.store
}

// A State says how much is known now.
type State struct {
	File      string // "": nothing is learnt
	Domains   int    // to which users write
	Addresses int
	Problem   error // with the file, or nil
	Advice    string
	Alone     error // why nothing is shared with other machines, or nil
}

// State returns how much is known now.
func (b *Book) State() State {
	s := b.file()
	if s == nil {
		return State{}
	}
	state := State{File: s.path, Problem: s.Failed(), Alone: s.share.failed()}
	if state.Problem != nil {
		state.Advice = adviceOn(state.Problem)
	}
	state.Domains, state.Addresses = s.known.size()
	return state
}

// maxRecipients is the number of recipients beyond which a message is a mailing: it says nothing about
// whom its sender knows.
const maxRecipients = 50

// Learn learns from a message that was accepted: whom a user of the operator wrote to.
func (b *Book) Learn(e *mailserver.Event, now time.Time) {
	s := b.file()
	env := e.Envelope
	if s == nil || env == nil || e.Report == nil || !e.Report.Personal || e.Action > rule.ActionTag || len(env.Recipients) > maxRecipients {
		return
	}
	_, own, _ := splitAddress(env.Sender)
	seen := sighting{user: strings.Clone(env.Sender), day: dayOf(now)}
	for _, recipient := range env.Recipients {
		address, domain, ok := splitAddress(recipient)
		if !ok || domain == own || strings.HasSuffix(own, "."+domain) {
			continue // colleagues
		}
		seen.addresses = append(seen.addresses, address)
		if !slices.Contains(seen.domains, domain) {
			seen.domains = append(seen.domains, strings.Clone(domain))
		}
	}
	if len(seen.domains) > 0 {
		s.Add(seen)
	}
}

// splitAddress returns an address in the form in which it counts, in lower case and without a tag
// ("anna+news@example.com"), and its registrable domain, A-labels.
func splitAddress(text string) (address, domain string, ok bool) {
	at := strings.LastIndexByte(text, '@')
	if at <= 0 {
		return "", "", false
	}
	host := text[at+1:]
	host, err := hostname.ASCII(host)
	if err != nil || hostname.IsIP(host) {
		return "", "", false
	}
	domain = hostname.Registrable(host)
	local, _, _ := strings.Cut(text[:at], "+")
	return strings.ToLower(local) + "@" + host, domain, strings.Contains(domain, ".") && local != ""
}

// dayOf returns the days since 1970.
func dayOf(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }

// Domain returns what is known of a registrable domain, A-labels.
func (b *Book) Domain(domain string) policy.Correspondent {
	s := b.file()
	if s == nil {
		return policy.Correspondent{}
	}
	return s.known.Domain(domain)
}

// Near appends the domains of correspondents that have one of the keys.
func (b *Book) Near(dst []string, keys []uint64) []string {
	s := b.file()
	if s == nil {
		return dst
	}
	return s.known.Near(dst, keys)
}

// HasAddress reports whether users wrote to an address. ok is false while the file is not read.
func (b *Book) HasAddress(address string) (has, ok bool) {
	s := b.file()
	if s == nil {
		return false, false
	}
	return s.known.HasAddress(address)
}

// Generation returns a number that changes with each new domain.
func (b *Book) Generation() uint64 {
	s := b.file()
	if s == nil {
		return 0
	}
	return s.known.Generation()
}
