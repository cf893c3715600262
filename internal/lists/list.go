package lists

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// A list is a list of the configuration with its state.
type list struct {
	source    Source
	folder    string
	transport http.RoundTripper
	log       *slog.Logger
	due       time.Time // time of the next request; zero if not known yet; only Run uses it
	*shared
}

// shared is the state that a list keeps when the configuration is read again and its source stays
// the same.
type shared struct {
	hits     *atomic.Uint64 // how many links were on the list
	updating sync.Mutex
	current  atomic.Pointer[version]
}

// A version is the content of a list at one time. It does not change.
type version struct {
	index *index
	notes notes
	err   error // why there is no newer version, or nil
	fails int   // requests in a row that failed
}

// notes is the content of the JSON file beside the index.
type notes struct {
	Source Source `json:"source"` // from which the index was made
	fetch.Validators
	Checked  time.Time `json:"checked"`  // when the server confirmed the list, or its file was read
	Changed  time.Time `json:"changed"`  // when its entries last changed
	Tried    time.Time `json:"tried"`    // time of the last request
	Modified time.Time `json:"modified"` // modification time of the operator's file
	Size     int64     `json:"size"`     // size of the list
	// Sum is the hash of the index. It tells whether the notes belong to this index, because the
	// two files are replaced one after the other.
	Sum     uint64  `json:"sum,string"`
	Summary Summary `json:"summary"`
	// Refused is how many times in a row a new version was refused because of its size.
	Refused int    `json:"refused,omitempty"`
	Problem string `json:"problem,omitempty"` // problem of the last request
}

func (l *list) path(ending string) string { return filepath.Join(l.folder, l.source.Name+ending) }

// text returns the path of the list as it was fetched.
func (l *list) text() string {
	if l.source.URL == "" {
		return l.source.File
	}
	return l.path(".list")
}

// open reads the index and the notes of the list from disk. It does not use the network.
func (l *list) open() {
	v := &version{index: &index{}}
	n, err := l.loadNotes()
	if err == nil && !n.Source.sameIndex(&l.source) {
		err = errors.New("the configuration of the list has changed")
	}
	if err == nil {
		v.index, err = openIndex(l.path(".index"), n.Sum)
	}
	switch {
	case err == nil:
		v.notes = n
		if n.Problem != "" {
			v.err = errors.New(n.Problem)
		}
	case errors.Is(err, os.ErrNotExist):
		v = &version{index: &index{}}
	default:
		v = &version{index: &index{}, err: err}
	}
	l.current.Store(v)
}

func (l *list) loadNotes() (n notes, err error) {
	text, err := os.ReadFile(l.path(".json"))
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	return n, err
}

func (l *list) saveNotes(n notes) error {
	text, err := json.MarshalIndent(n, "", "\t")
	if err != nil {
		return err
	}
	return fetch.Replace(l.path(".json"), fetch.Write(append(text, '\n')))
}

// A RefusedError says that a list was fetched but not used because it has far fewer or more entries
// than before.
type RefusedError struct{ Had, Has int }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%d entries in place of %d: not used yet (after %d such answers it is, or by linkmilter lists update --accept)", e.Has, e.Had, confirmations)
}

const (
	// confirmations is how many answers in a row must have the unusual size before it is accepted.
	confirmations = 3
	// fewEntries is the number of entries up to which any change of size is accepted.
	fewEntries = 1000
)

func isStrange(had, has int) bool {
	return had > 0 && max(had, has) > fewEntries && (has > 2*had || 2*has < had)
}

// update asks for a newer list, reads it and puts it into use. After an error the version before
// stays in use. With accept, a version of any size is used.
func (l *list) update(ctx context.Context, accept bool) error {
	l.updating.Lock()
	defer l.updating.Unlock()
	if err := os.MkdirAll(l.folder, 0o755); err != nil {
		return err
	}
	now := time.Now()
	v := l.freshest()
	n := v.notes
	n.Tried, n.Problem = now, ""
	next, err := l.renew(ctx, v, n, accept, now)
	if err != nil {
		n.Problem = err.Error()
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			n.Refused++
		}
		failed := *v
		failed.notes, failed.err, failed.fails = n, err, v.fails+1
		if ctx.Err() == nil {
			l.current.Store(&failed)
			err = errors.Join(err, l.saveNotes(n))
		}
		return err
	}
	l.current.Store(next)
	return nil
}

// freshest returns the version on disk if another process made a newer one, or the current one.
func (l *list) freshest() *version {
	v := l.current.Load()
	n, err := l.loadNotes()
	if err != nil || n.Sum == v.notes.Sum || !n.Source.sameIndex(&l.source) || n.Changed.Before(v.notes.Changed) {
		return v
	}
	if x, err := openIndex(l.path(".index"), n.Sum); err == nil {
		return &version{index: x, notes: n, fails: v.fails}
	}
	return v
}

// renew returns the version that the source has now.
func (l *list) renew(ctx context.Context, v *version, n notes, accept bool, now time.Time) (*version, error) {
	isSame := n.Source.sameIndex(&l.source) && n.Sum != 0
	n.Source = l.source
	if l.source.URL == "" {
		info, err := os.Stat(l.source.File)
		if err != nil {
			return nil, err
		}
		if isSame && info.ModTime().Equal(n.Modified) && info.Size() == n.Size {
			n.Checked = now
			return &version{index: v.index, notes: n}, nil
		}
		n.Modified, n.Size = info.ModTime(), info.Size()
		if limit := l.maxSize(); n.Size > limit {
			return nil, tooLarge(limit)
		}
		file, err := os.Open(l.source.File)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return l.build(ctx, file, v, n, true, now)
	}
	fetcher, err := fetch.New(l.source.URL, l.transport, fetchTime)
	if err != nil {
		return nil, err
	}
	have := n.Validators
	if !isSame {
		have = fetch.Validators{} // the index must be made anew in any case
	}
	var temp *os.File
	a, err := fetcher.Fetch(ctx, have, func(r io.Reader) (err error) {
		temp, n.Size, err = l.download(r)
		return err
	})
	if temp != nil {
		defer os.Remove(temp.Name())
		defer temp.Close()
	}
	if err != nil {
		return nil, err
	}
	if a.Unchanged {
		n.Checked, n.Refused = now, 0
		return &version{index: v.index, notes: n}, l.saveNotes(n)
	}
	if kind, _, err := mime.ParseMediaType(a.ContentType); err == nil && kind == "text/html" {
		return nil, fmt.Errorf("%s: %w", l.source.URL, errHTML)
	}
	n.Validators = a.Validators
	next, err := l.build(ctx, temp, v, n, accept, now)
	if err != nil {
		return nil, err
	}
	return next, os.Rename(temp.Name(), l.text())
}

func (l *list) maxSize() int64 {
	if l.source.MaxSize > 0 {
		return l.source.MaxSize
	}
	return DefaultMaxSize
}

func tooLarge(limit int64) error {
	return fmt.Errorf("the list is larger than %d bytes (want a larger max_size if it should be)", limit)
}

// download writes a list to a temporary file in the same folder.
func (l *list) download(r io.Reader) (*os.File, int64, error) {
	temp, err := os.CreateTemp(l.folder, "."+l.source.Name+"-*")
	if err != nil {
		return nil, 0, err
	}
	limit := l.maxSize()
	n, err := io.Copy(temp, io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = tooLarge(limit)
	}
	if err == nil {
		err = errors.Join(temp.Chmod(0o644), temp.Sync())
	}
	if err == nil {
		_, err = temp.Seek(0, io.SeekStart)
	}
	return temp, n, err
}

// build reads a list and makes its index.
func (l *list) build(ctx context.Context, from io.Reader, v *version, n notes, accept bool, now time.Time) (*version, error) {
	s := &sink{ctx: ctx, builder: &builder{folder: l.folder}, match: l.source.Match, suffixes: l.source.Means == Watch}
	defer s.builder.close()
	if err := s.read(from, l.source.Format, l.source.Column); err != nil {
		return nil, err
	}
	before := v.index
	had := before.n
	if !v.notes.Source.sameIndex(&l.source) {
		had = 0 // the list, or the form of its keys, is another one
	}
	path := l.path(".index")
	strange := &RefusedError{Had: had}
	err := fetch.Replace(path, func(w io.Writer) error {
		d, sum, err := s.builder.write(ctx, w, before, dayOf(now))
		if err != nil {
			return err
		}
		if !accept && isStrange(had, d.entries) && n.Refused+1 < confirmations {
			strange.Has = d.entries
			return strange
		}
		n.Sum = sum
		s.summary.Entries, s.summary.Duplicates, s.summary.Added, s.summary.Removed = d.entries, d.duplicates, d.added, d.removed
		return nil
	})
	if err != nil {
		return nil, err
	}
	n.Summary, n.Checked, n.Refused = s.summary, now, 0
	if n.Sum != v.notes.Sum || n.Changed.IsZero() {
		n.Changed = now
	}
	x, err := openIndex(path, n.Sum)
	if err != nil {
		return nil, err
	}
	return &version{index: x, notes: n}, l.saveNotes(n)
}

// Read reads a file as a list of the configuration would be read, and returns what it found.
func Read(path string, format Format, column string, match Match) (Summary, error) {
	file, err := os.Open(path)
	if err != nil {
		return Summary{}, err
	}
	defer file.Close()
	s := &sink{ctx: context.Background(), builder: &builder{folder: os.TempDir()}, match: match}
	defer s.builder.close()
	if err := s.read(file, format, column); err != nil {
		return s.summary, err
	}
	d, _, err := s.builder.write(context.Background(), io.Discard, &index{}, 0)
	s.summary.Entries, s.summary.Duplicates = d.entries, d.duplicates
	return s.summary, err
}

// counts reports whether a record counts on a day.
func (l *list) counts(r record, today day) bool {
	if r.until != 0 && r.until < today {
		return false
	}
	age := int(l.source.Age / (24 * time.Hour))
	return age == 0 || int(r.since)+age >= int(today)
}

// look runs an update and logs the outcome.
func (l *list) look(ctx context.Context) {
	before := l.current.Load()
	err := l.update(ctx, false)
	now := l.current.Load()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		if before.err == nil || before.err.Error() != err.Error() || l.source.URL != "" {
			l.log.Warn("list not updated", "list", l.source.Name, "error", err, "age", now.age(time.Now()).Round(time.Minute))
		}
	case now.notes.Sum != before.notes.Sum:
		of := &now.notes.Summary
		l.log.Info("list updated", "list", l.source.Name, "format", string(of.Format), "entries", of.Entries, "unread_lines", of.UnreadLines(), "added", of.Added, "removed", of.Removed)
	}
}

// age returns the time since the source confirmed the list.
func (v *version) age(now time.Time) time.Duration {
	if v.notes.Checked.IsZero() {
		return 0
	}
	return now.Sub(v.notes.Checked)
}

// pause returns the time until the next request.
func (l *list) pause(now time.Time) time.Duration {
	v := l.current.Load()
	every := l.source.every()
	switch {
	case l.source.URL == "" && (v.fails > 0 || !v.notes.Checked.IsZero()):
		return every
	case v.fails > 0:
		return fetch.Pause(every, v.fails)
	case v.notes.Tried.IsZero(), !v.notes.Source.sameIndex(&l.source):
		return 0
	}
	return min(max(v.notes.Tried.Add(every).Sub(now), 0), every)
}
