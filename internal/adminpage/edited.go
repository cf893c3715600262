package adminpage

import (
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/rendering"
)

// ObserveEdit keeps a message that was edited, if Options.Renderings asks for it. The
// message may be changed afterwards.
func (p *Page) ObserveEdit(env *envelope.Envelope, raw []byte, result *filter.Result) {
	if p.options.Renderings == 0 || result.Plan.Empty() || result.Edited == nil || result.Report.DryRun {
		return
	}
	p.edited.add(edited{
		ID: rand.Text(), Time: p.now(), QueueID: history.Bounded(env.QueueID), MessageID: history.Bounded(result.Report.Header.MessageID),
		Rule: result.Report.Rule, Before: raw, After: result.Edited,
	})
}

type editedListPage struct {
	frame
	Most int
	List []edited
}

func (p *Page) serveEditedList(w http.ResponseWriter, _ *http.Request) {
	p.render(w, "edited_list.html", editedListPage{p.frame("Before and after"), p.options.Renderings, p.edited.newest()})
}

type editedPage struct {
	frame
	Message edited
}

func (p *Page) serveEdited(w http.ResponseWriter, r *http.Request) {
	if e, ok := p.editedOf(w, r); ok {
		w.Header().Set("Content-Security-Policy", framesPolicy)
		p.render(w, "edited.html", editedPage{p.frame("Before and after " + e.QueueID), e})
	}
}

// editedOf returns the edited message that a request names. If there is none, it answers 404.
func (p *Page) editedOf(w http.ResponseWriter, r *http.Request) (edited, bool) {
	id := r.PathValue("id")
	e, ok := p.edited.find(func(e *edited) bool { return e.ID == id })
	if !ok {
		http.Error(w, "no such message: it is older than those that are kept", http.StatusNotFound)
	}
	return e, ok
}

func (p *Page) serveRendering(w http.ResponseWriter, r *http.Request) {
	e, ok := p.editedOf(w, r)
	if !ok {
		return
	}
	var raw []byte
	switch r.PathValue("form") {
	case "before":
		raw = e.Before
	case "after":
		raw = e.After
	default:
		http.NotFound(w, r)
		return
	}
	frameHeaders(w.Header())
	_, _ = w.Write(rendering.Of(raw)) // the client is gone otherwise
}

// Bounds in bytes of the edited messages that are kept, both forms together.
const (
	maxEdited    = 1 << 20  // of one message
	maxAllEdited = 16 << 20 // of all messages
)

// edited is a message before and after its edit.
type edited struct {
	ID            string
	Time          time.Time
	QueueID       string
	MessageID     string
	Rule          string
	Before, After []byte
}

func (e *edited) size() int { return len(e.Before) + len(e.After) }

// editions keep the newest edited messages in memory. Several goroutines may use them.
type editions struct {
	mu   sync.Mutex
	most int
	list []edited // the oldest first
	size int      // bytes of all messages
}

// add keeps a copy of a message and drops the oldest ones that no longer fit. A message that is too
// large is not kept.
func (k *editions) add(e edited) {
	if e.size() > maxEdited {
		return
	}
	e.Before, e.After = slices.Clone(e.Before), slices.Clone(e.After)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, e)
	k.size += e.size()
	for len(k.list) > k.most || k.size > maxAllEdited {
		k.size -= k.list[0].size()
		k.list = slices.Delete(k.list, 0, 1)
	}
}

// newest returns all messages, the newest first.
func (k *editions) newest() []edited {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := slices.Clone(k.list)
	slices.Reverse(list)
	return list
}

// find returns the newest message that matches.
func (k *editions) find(matches func(*edited) bool) (edited, bool) {
	for _, e := range k.newest() {
		if matches(&e) {
			return e, true
		}
	}
	return edited{}, false
}
