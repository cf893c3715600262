package lists

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/fetch"
	"github.com/linkmilter/linkmilter/policy"
)

// A Set has the lists of a configuration. Several goroutines may use it at once.
type Set struct {
	folder    string
	transport http.RoundTripper
	log       *slog.Logger
	lists     atomic.Pointer[[]*list]
	changed   chan struct{} // signals that the lists were replaced

	using sync.Mutex // held while replacing the lists
}

// Options configure a Set.
type Options struct {
	// Folder is where the lists and their indexes are; "" means the folder "lists" in
	// [fetch.Folder].
	Folder string
	// Log gets a line when a list changes, and when it cannot be updated; nil means no log.
	Log *slog.Logger
	// Transport sends the requests; nil means the default of [fetch.New].
	Transport http.RoundTripper
}

// New returns a Set without lists.
func New(o Options) *Set {
	s := &Set{folder: o.Folder, transport: o.Transport, log: o.Log, changed: make(chan struct{}, 1)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.folder == "" {
		// If there is no folder, each update returns an error.
		if folder, err := fetch.Folder(); err == nil {
			s.folder = filepath.Join(folder, "lists")
		}
	}
	s.lists.Store(&[]*list{})
	return s
}

// Use replaces the lists by those of other sources, as far as the disk has them. It does not use
// the network. Lists whose source stays the same keep their state.
func (s *Set) Use(sources []Source) {
	s.using.Lock()
	defer s.using.Unlock()
	before := *s.lists.Load()
	all := make([]*list, 0, len(sources))
	for _, source := range sources {
		l := &list{source: source, folder: s.folder, transport: s.transport, log: s.log, shared: &shared{hits: new(atomic.Uint64)}}
		i := slices.IndexFunc(before, func(b *list) bool { return b.source.Name == source.Name })
		if i >= 0 {
			l.hits = before[i].hits
		}
		if i >= 0 && before[i].source.sameIndex(&source) {
			// The old and the new list share their state, so a request that is under way is not
			// lost.
			l.shared = before[i].shared
			v := l.current.Load()
			l.current.CompareAndSwap(v, l.freshest())
		} else {
			l.open()
		}
		all = append(all, l)
	}
	s.lists.Store(&all)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Run keeps the lists fresh until ctx ends, one at a time.
func (s *Set) Run(ctx context.Context) {
	for {
		next, wait := s.next(time.Now())
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-s.changed:
			timer.Stop()
			continue
		case <-timer.C:
		}
		if next != nil {
			next.look(ctx)
			now := time.Now()
			next.due = now.Add(next.pause(now))
		}
	}
}

// next returns the list that is due first.
func (s *Set) next(now time.Time) (first *list, wait time.Duration) {
	for _, l := range *s.lists.Load() {
		if l.due.IsZero() {
			l.due = now.Add(l.pause(now))
		}
		if first == nil || l.due.Before(first.due) {
			first = l
		}
	}
	if first == nil {
		return nil, time.Hour
	}
	// If the clock was wrong before, the request must not wait for ever.
	return first, min(max(first.due.Sub(now), 0), max(first.source.every(), time.Minute))
}

// Update requests newer versions of the lists with names, or of all lists if there are no names. It
// skips lists whose interval is not over, unless force is set. With accept it uses versions of any
// size. It calls done after each list.
func (s *Set) Update(ctx context.Context, names []string, force, accept bool, done func(State, error)) error {
	all := *s.lists.Load()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(l *list) bool { return l.source.Name == name }) {
			return fmt.Errorf("list %q: not in the configuration", name)
		}
	}
	var errs []error
	for _, l := range all {
		if len(names) > 0 && !slices.Contains(names, l.source.Name) {
			continue
		}
		var err error
		if v := l.freshest(); force || accept || l.source.URL == "" || time.Since(v.notes.Tried) >= l.source.every() || !v.notes.Source.sameIndex(&l.source) {
			err = l.update(ctx, accept)
		}
		errs = append(errs, err)
		done(l.state(time.Now()), err)
	}
	return errors.Join(errs...)
}

// A State has what people should know about a list.
type State struct {
	Source
	Summary
	Checked time.Time // when its source confirmed it; zero: never
	Changed time.Time
	Tried   time.Time
	Path    string // path of its text
	Size    int64
	Hits    uint64
	Problem error // why there is no newer one
	Stale   bool  // its source did not confirm it for long
}

func (l *list) state(now time.Time) State {
	v := l.current.Load()
	n := &v.notes
	return State{
		Source: l.source, Summary: n.Summary, Checked: n.Checked, Changed: n.Changed, Tried: n.Tried, Path: l.text(), Size: n.Size, Hits: l.hits.Load(), Problem: v.err,
		Stale: n.Checked.IsZero() && v.err != nil || !n.Checked.IsZero() && v.age(now) > l.source.stale(),
	}
}

// States returns the state of each list.
func (s *Set) States() []State {
	now := time.Now()
	var all []State
	for _, l := range *s.lists.Load() {
		all = append(all, l.state(now))
	}
	return all
}

// Of returns the lists for messages of a rule.
func (s *Set) Of(rule string) policy.Lists { return view{s, rule, true} }

// Quiet returns the lists for all rules. Its hits are not counted, since it is for links of past
// messages.
func (s *Set) Quiet() policy.Lists { return view{s, "", false} }

// ByRule reports whether some list is only for some rules.
func (s *Set) ByRule() bool {
	return slices.ContainsFunc(*s.lists.Load(), func(l *list) bool { return len(l.source.Rules) > 0 })
}

// Find returns the lines about a link in lists that are for all rules.
func (s *Set) Find(link engine.Link) []policy.Listed { return s.find(link, "", true) }

// A view has the lists that are used for the messages of a rule.
type view struct {
	*Set
	rule   string
	counts bool
}

func (v view) Find(link engine.Link) []policy.Listed { return v.find(link, v.rule, v.counts) }

var targets = sync.Pool{New: func() any { return new(target) }}

// find returns the lines of lists that have a link: for each list only the most exact line.
func (s *Set) find(link engine.Link, rule string, counts bool) (found []policy.Listed) {
	all := *s.lists.Load()
	var wants [kinds]bool
	for _, l := range all {
		for k, n := range l.current.Load().notes.Summary.Kinds {
			wants[k] = wants[k] || n > 0
		}
	}
	if wants == [kinds]bool{} {
		return nil
	}
	t := targets.Get().(*target)
	defer targets.Put(t)
	t.set(link, wants)
	today := dayOf(time.Now())
	for _, l := range all {
		if !l.source.isFor(rule) {
			continue
		}
		if r, at := l.lookUp(t, today); at != nil {
			if counts {
				l.hits.Add(1)
			}
			found = append(found, policy.Listed{
				List: l.source.Name, Line: int(r.line), Label: string(t.text[at.from:at.to]), IsURL: at.kind >= kindPrefix,
				Allow: l.source.Means == Allow, Watch: l.source.Means == Watch, Severity: l.source.severity(),
			})
		}
	}
	return found
}

// lookUp returns the most exact line about a target and its key, or nil. If reading the index fails
// because of the disk, the list is empty until its index is built again.
func (l *list) lookUp(t *target, today day) (r record, at *lookup) {
	v := l.current.Load()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			r, at = record{}, nil
			broken := &version{index: &index{}, err: fmt.Errorf("index not read: %v", fault)}
			if l.current.CompareAndSwap(v, broken) {
				l.log.Error("list not read", "list", l.source.Name, "error", fault)
			}
		}
	}()
	for i := range t.lookups {
		look := &t.lookups[i]
		if v.notes.Summary.Kinds[look.kind] == 0 {
			continue
		}
		if r, ok := v.index.find(look.key); ok && l.counts(r, today) {
			return r, look
		}
	}
	return record{}, nil
}
