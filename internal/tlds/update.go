package tlds

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// A SaveError says that a list was fetched and is in use, but could not be
// stored: the next start will not know it.
type SaveError struct {
	File string
	Err  error
}

func (e *SaveError) Error() string {
	return fmt.Sprintf("the new list is in use, but could not be saved to %s: %v", e.File, e.Err)
}

func (e *SaveError) Unwrap() error { return e.Err }

// An Outcome says what an update has changed.
type Outcome struct {
	List     *List // in use now
	Previous *List // in use before
	// Unchanged reports that the server had no newer list.
	Unchanged bool
}

// Added returns the names that are in the list now and were not before, sorted.
func (o Outcome) Added() []string { return missing(o.Previous.Set, o.List.Set) }

// Removed returns the names that were in the list before and are not now, sorted.
func (o Outcome) Removed() []string { return missing(o.List.Set, o.Previous.Set) }

// Update asks the server for a newer list, checks it, stores it, and takes it
// into use. On an error the list at hand stays in use, unless the error is a
// SaveError. Beside the list in memory it looks at the cache file again, which
// another process may have updated.
func (k *Keeper) Update(ctx context.Context) (Outcome, error) {
	k.updating.Lock()
	defer k.updating.Unlock()
	now := time.Now()
	previous := k.base
	n := k.freshest(now)

	a, err := k.fetcher.fetch(ctx, n)
	if err != nil {
		return Outcome{}, err
	}
	if a.unchanged {
		n.Checked = now
		k.use(checkedAt(k.base, now))
		return Outcome{k.base, previous, true}, k.saved(k.cache.saveNotes(k.base, n))
	}
	next, err := k.accept(a.text, now)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: not used: %w", k.fetcher.url, err)
	}
	unchanged := bytes.Equal(next.text, k.base.text)
	k.use(next)
	n = notes{URL: k.fetcher.url, ETag: a.etag, LastModified: a.lastModified, Checked: now}
	return Outcome{next, previous, unchanged}, k.save(next, n)
}

// freshest makes the list of the cache file the one at hand if it is newer. It
// returns the notes to ask the server with: none, unless they are about the
// list at hand and this server.
func (k *Keeper) freshest(now time.Time) notes {
	stored, n, why := k.stored(now)
	if why != "" || stored.Updated.Before(k.base.Updated) && k.base.text != nil {
		return notes{}
	}
	k.use(stored)
	if n.URL != k.fetcher.url {
		return notes{}
	}
	return n
}

// accept reads a list that was fetched, and checks it against the one at hand.
func (k *Keeper) accept(text []byte, now time.Time) (*List, error) {
	next, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := check(next, now); err != nil {
		return nil, err
	}
	if err := checkReplaces(next, k.base); err != nil {
		return nil, err
	}
	next.Origin, next.Checked = OriginNetwork, now
	return next, nil
}

// save stores a list, if there is a place for it.
func (k *Keeper) save(l *List, n notes) error {
	if k.cache.path == "" {
		return nil
	}
	return k.saved(k.cache.save(l, n))
}

func (k *Keeper) saved(err error) error {
	if err != nil {
		return &SaveError{k.cache.path, err}
	}
	return nil
}

func checkedAt(l *List, now time.Time) *List {
	same := *l
	same.Checked = now
	return &same
}

// use takes a list into use, with the names that the DNS knows and it lacks.
func (k *Keeper) use(l *List) {
	k.base = l
	var extra []string
	for _, name := range k.current.Load().Extra {
		if !l.Set.Contains(name) {
			extra = append(extra, name)
		}
	}
	if len(extra) > 0 {
		if more, err := l.with(extra); err == nil {
			l = more
		}
	}
	k.current.Store(l)
}
