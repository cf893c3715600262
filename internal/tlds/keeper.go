package tlds

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// Options configure a Keeper. The zero value fetches IANA's list once a day, stores
// it in the default file, and does not ask the DNS.
type Options struct {
	// URL is where the list is; "" means DefaultURL. Only https is allowed.
	URL string
	// File is the cache file; "" means DefaultFile. Its notes are in the file with
	// ".json" added to the name.
	File string
	// Package is the list that was installed with the program; "" means PackageFile.
	Package string
	// Every is the time between two requests for a newer list; 0 means DefaultEvery.
	// Less than MinEvery is an error.
	Every time.Duration
	// Timeout bounds one download as a whole; 0 means a minute.
	Timeout time.Duration
	// DNS is asked for names that the list lacks; nil means never.
	DNS *Checker
	// Log gets a line when the list changes, and when a fetch fails; nil means
	// no log.
	Log *slog.Logger
	// Transport sends the requests; nil means one that uses the proxy variables
	// of the environment.
	Transport http.RoundTripper
}

// MinEvery is the smallest Options.Every: IANA makes a list a day.
const MinEvery = time.Hour

// DefaultURL is where IANA publishes the list.
const DefaultURL = "https://data.iana.org/TLD/tlds-alpha-by-domain.txt"

const defaultTimeout = time.Minute

// DefaultEvery is the default of Options.Every.
const DefaultEvery = 24 * time.Hour

// maxWaiting is how many names may wait for the DNS. Senders choose the names, so the
// Keeper drops further ones.
const maxWaiting = 64

// A Keeper holds the current list of top-level domains, and replaces it by newer
// ones. Several goroutines may use it at once.
type Keeper struct {
	fetcher *fetch.Fetcher
	cache   cache // a cache with path "" keeps nothing
	shipped *List // the list that came with the program
	every   time.Duration
	dns     *Checker
	log     *slog.Logger

	current atomic.Pointer[List]
	unknown chan string // names to ask the DNS for

	updating sync.Mutex // held while replacing the list
	base     *List      // the current list without extra names
	note     string
}

// Open returns a Keeper of the list in the cache file, or of the one that came with the program
// if the file is missing, damaged, or older; Note says why. It does not use the network. An
// error means that the options are not valid.
func Open(o Options) (*Keeper, error) {
	k := &Keeper{every: o.Every, dns: o.DNS, log: o.Log, unknown: make(chan string, maxWaiting)}
	if k.log == nil {
		k.log = slog.New(slog.DiscardHandler)
	}
	switch {
	case o.Every == 0:
		k.every = DefaultEvery
	case o.Every < MinEvery:
		return nil, fmt.Errorf("top-level domains: interval %s: too short (want at least %s)", o.Every, MinEvery)
	}
	switch {
	case o.Timeout == 0:
		o.Timeout = defaultTimeout
	case o.Timeout < 0:
		return nil, fmt.Errorf("top-level domains: negative time limit %s", o.Timeout)
	}
	if o.URL == "" {
		o.URL = DefaultURL
	}
	var err error
	if k.fetcher, err = fetch.New(o.URL, o.Transport, o.Timeout); err != nil {
		return nil, fmt.Errorf("top-level domains: %w", err)
	}
	k.cache.path = o.File
	if o.File == "" {
		// A service without a home folder has no cache folder, so its list is only in memory.
		k.cache.path, err = DefaultFile()
	}
	k.shipped = shipped(cmp.Or(o.Package, PackageFile), time.Now())
	k.base, _, k.note = k.stored(time.Now())
	if err != nil {
		k.note = err.Error()
	}
	k.current.Store(k.base)
	return k, nil
}

// Current returns the list in use.
func (k *Keeper) Current() *List { return k.current.Load() }

// File returns the path of the cache file, or "" if no folder for it is known.
func (k *Keeper) File() string { return k.cache.path }

// Note says why Open used the built-in list. It is "" if Open used the cache file.
func (k *Keeper) Note() string { return k.note }

// stored returns the list of the cache file with its notes, if it is valid and not older than the
// one that came with the program. Otherwise it returns the latter and the reason.
func (k *Keeper) stored(now time.Time) (list *List, n notes, why string) {
	if k.cache.path == "" {
		return k.shipped, notes{}, "no cache file"
	}
	list, n, err := k.cache.load(now)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k.shipped, notes{}, k.cache.path + " does not exist yet"
	case err != nil:
		return k.shipped, notes{}, err.Error()
	case tooOld(list, k.shipped):
		return k.shipped, notes{}, fmt.Sprintf("%s is dated %s, older than the %s list", k.cache.path, list.Updated.Format(time.DateOnly), k.shipped.Origin)
	}
	return list, n, ""
}

// HasNewerFile reports whether the cache file has a newer list than the one in use, which another
// process stored.
func (k *Keeper) HasNewerFile() bool {
	k.updating.Lock()
	defer k.updating.Unlock()
	list, _, why := k.stored(time.Now())
	return why == "" && list.Updated.After(k.base.Updated)
}
