package adminpage

import (
	"crypto/rand"
	"net/http"

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

// editedOf returns the message that a request names. Without one it answers 404.
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
	h := w.Header()
	h.Set("Content-Security-Policy", framePolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(rendering.Of(raw)) // the client is gone otherwise
}
