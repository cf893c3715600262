package tlds

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

// A SaveError says that a fetched list is in use, but could not be stored: the next
// start will not have it.
type SaveError struct {
	File string
	Err  error
}

func (e *SaveError) Error() string {
	return fmt.Sprintf("the new list is in use, but could not be saved to %s: %v", e.File, e.Err)
}

func (e *SaveError) Unwrap() error { return e.Err }

// An Outcome is the result of an update.
type Outcome struct {
	List     *List // list in use now
	Previous *List // list in use before
	// Unchanged reports that the server does not have a newer list.
	Unchanged bool
}

// Added returns the names that the update added, sorted.
func (o Outcome) Added() []string { return missing(o.Previous.Set, o.List.Set) }

// Removed returns the names that the update removed, sorted.
func (o Outcome) Removed() []string { return missing(o.List.Set, o.Previous.Set) }

// Update asks the server for a newer list, checks it, stores it, and puts it into
// use. On an error other than a SaveError the current list stays in use. Update first
// reads the cache file again, since another process may have updated it.
func (k *Keeper) Update(ctx context.Context) (Outcome, error) {
	k.updating.Lock()
	defer k.updating.Unlock()
	now := time.Now()
	previous := k.base
	n := k.freshest(now)

	var text []byte
	a, err := k.fetcher.Fetch(ctx, n.Validators, func(r io.Reader) (err error) {
		text, err = readAll(r)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	if a.Unchanged {
		n.Checked = now
		k.use(checkedAt(k.base, now))
		return Outcome{k.base, previous, true}, k.saved(k.cache.saveNotes(k.base, n))
	}
	next, err := k.accept(text, now)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: not used: %w", k.fetcher.URL(), err)
	}
	unchanged := bytes.Equal(next.text, k.base.text)
	k.use(next)
	n = notes{URL: k.fetcher.URL(), Validators: a.Validators, Checked: now}
	return Outcome{next, previous, unchanged}, k.save(next, n)
}

// freshest makes the list of the cache file the current one if it is newer. It
// returns the notes for the request, which are empty unless they are about the
// current list and this server.
func (k *Keeper) freshest(now time.Time) notes {
	stored, n, why := k.stored(now)
	if why != "" || stored.Updated.Before(k.base.Updated) && k.base.text != nil {
		return notes{}
	}
	k.use(stored)
	if n.URL != k.fetcher.URL() {
		return notes{}
	}
	return n
}

// accept reads a fetched list, and checks it against the current one.
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

// save stores a list, if the Keeper has a cache file.
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

// use puts a list into use, with the extra names from the DNS.
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
