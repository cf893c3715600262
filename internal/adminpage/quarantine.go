package adminpage

import (
	"cmp"
	"context"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/quarantine"
	"github.com/linkmilter/linkmilter/internal/rendering"
)

// A Quarantine is the one of the content filter. Who opens the pages can read and release its messages:
// the service gives one only where the pages need a password.
type Quarantine struct {
	Open func() (*quarantine.Folder, error)
	// Release sends a message to its recipients and deletes it.
	Release func(ctx context.Context, folder *quarantine.Folder, name string) error
}

const (
	// maxHeld is how many messages in quarantine a page lists.
	maxHeld = 200
	// maxShown is how large a message may be that is shown, in bytes, and maxSource how much of its
	// source is.
	maxShown, maxSource = 8 << 20, 64 << 10
	// releaseTime is how long the release of messages may take.
	releaseTime = 2 * time.Minute
	// maxForm bounds the forms, in bytes.
	maxForm = 256 << 10
)

type quarantinePage struct {
	frame
	Off      string // why there is no quarantine
	Chosen   map[string]string
	Codes    []string
	Problem  string
	Messages []quarantine.Message
	All      int
	Token    string
	Outcomes []outcome
}

// An outcome says what became of a message.
type outcome struct{ Name, Done, Problem string }

// quarantineKeys are the parameters of a request that choose messages in quarantine.
var quarantineKeys = []string{"code", "from", "to", "days"}

func (p *Page) serveQuarantine(w http.ResponseWriter, r *http.Request) {
	p.listQuarantine(w, r.URL.Query(), nil)
}

// listQuarantine answers with the messages that values choose, and with what became of others.
func (p *Page) listQuarantine(w http.ResponseWriter, values url.Values, outcomes []outcome) {
	data := quarantinePage{frame: p.frame("Quarantine"), Off: p.options.QuarantineOff, Chosen: map[string]string{}, Codes: codes(), Token: p.token, Outcomes: outcomes}
	for _, key := range quarantineKeys {
		data.Chosen[key] = history.Bounded(values.Get(key))
	}
	if p.options.Quarantine != nil {
		list, err := p.held(heldFilter(values, p.now()))
		if err != nil {
			data.Problem = history.Bounded(err.Error())
		}
		slices.Reverse(list) // the newest first
		data.All, data.Messages = len(list), list[:min(len(list), maxHeld)]
	}
	p.render(w, "quarantine.html", data)
}

// heldFilter reads what a request chooses, as the flags of the commands do.
func heldFilter(values url.Values, now time.Time) quarantine.Filter {
	which := quarantine.Filter{Code: strings.TrimSpace(values.Get("code")), From: strings.Fields(values.Get("from")), To: strings.Fields(values.Get("to"))}
	if days, err := strconv.Atoi(values.Get("days")); err == nil && days > 0 && days < 36500 {
		which.Before = now.AddDate(0, 0, -days)
	}
	return which
}

// held returns messages in quarantine, the oldest first.
func (p *Page) held(which quarantine.Filter) ([]quarantine.Message, error) {
	folder, err := p.options.Quarantine.Open()
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Select(which)
}

type heldPage struct {
	frame
	Message  quarantine.Message
	Token    string
	TooLarge bool
	Source   string
	Cut      bool // the source goes on
}

func (p *Page) serveHeld(w http.ResponseWriter, r *http.Request) {
	m, content, ok := p.heldOf(w, r)
	if !ok {
		return
	}
	data := heldPage{frame: p.frame("Message in quarantine"), Message: m, Token: p.token, TooLarge: content == nil}
	data.Cut = len(content) > maxSource
	data.Source = printable.Lines(string(content[:min(len(content), maxSource)]))
	w.Header().Set("Content-Security-Policy", framesPolicy)
	p.render(w, "held.html", data)
}

func (p *Page) serveHeldRendering(w http.ResponseWriter, r *http.Request) {
	_, content, ok := p.heldOf(w, r)
	if !ok {
		return
	}
	frameHeaders(w.Header())
	_, _ = w.Write(rendering.Of(content)) // the client is gone otherwise
}

// heldOf returns the message that a request names, and its content unless it is too large. Without one
// it answers.
func (p *Page) heldOf(w http.ResponseWriter, r *http.Request) (m quarantine.Message, content []byte, ok bool) {
	if p.options.Quarantine == nil {
		http.NotFound(w, r)
		return m, nil, false
	}
	folder, err := p.options.Quarantine.Open()
	if err == nil {
		defer folder.Close()
		m, err = folder.Get(r.PathValue("name"))
	}
	if err == nil && m.Size <= maxShown {
		content, err = folder.Read(m.Name)
	}
	if err != nil {
		http.Error(w, printable.Text(err.Error()), http.StatusNotFound)
	}
	return m, content, err == nil
}

type surePage struct {
	frame
	Do       string
	Messages []quarantine.Message
	Token    string
}

// changeQuarantine releases or deletes messages: first it asks, then it acts.
func (p *Page) changeQuarantine(w http.ResponseWriter, r *http.Request) {
	if !p.readForm(w, r) {
		return
	}
	do, names := r.PostForm.Get("do"), r.PostForm["name"]
	if p.options.Quarantine == nil || do != "release" && do != "delete" {
		http.NotFound(w, r)
		return
	}
	folder, err := p.options.Quarantine.Open()
	if err != nil {
		http.Error(w, printable.Text(err.Error()), http.StatusInternalServerError)
		return
	}
	defer folder.Close()
	if r.PostForm.Get("sure") != "" {
		// A recorder of tests has no deadline.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(releaseTime + time.Minute))
		p.listQuarantine(w, nil, p.act(r, folder, do, names))
		return
	}
	data := surePage{frame: p.frame("Are you sure?"), Do: do, Token: p.token}
	for _, name := range names[:min(len(names), maxHeld)] {
		if m, err := folder.Get(name); err == nil {
			data.Messages = append(data.Messages, m)
		}
	}
	p.render(w, "sure.html", data)
}

// act releases or deletes messages and logs each with who asked for it.
func (p *Page) act(r *http.Request, folder *quarantine.Folder, do string, names []string) (all []outcome) {
	p.acting.Lock() // two clicks do not release a message twice
	defer p.acting.Unlock()
	// A client that goes away does not end a release halfway.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), releaseTime)
	defer cancel()
	for _, name := range names[:min(len(names), maxHeld)] {
		m, err := folder.Get(name)
		done := "deleted"
		if do == "release" {
			done = "released"
		}
		switch {
		case err != nil:
		case do == "release":
			err = p.options.Quarantine.Release(ctx, folder, name)
		default:
			err = folder.Delete(name)
		}
		log := p.options.Log.With("name", mailserver.Safe(name), "queue_id", mailserver.Safe(m.QueueID), "user", userOf(r), "client", clientOf(r))
		if err != nil {
			log.Warn("quarantine not changed", "wanted", do, "error", printable.Text(err.Error()))
			all = append(all, outcome{Name: name, Done: "not " + done, Problem: history.Bounded(err.Error())})
			continue
		}
		if do == "release" {
			log.Info("quarantine released")
		} else {
			log.Info("quarantine deleted")
		}
		p.noteFate(ctx, &m, done+" by "+cmp.Or(userOf(r), "an operator")+", "+p.now().Local().Format("2006-01-02 15:04"))
		all = append(all, outcome{Name: name, Done: done})
	}
	return all
}

// noteFate notes in the history what an operator did with a message of the quarantine.
func (p *Page) noteFate(ctx context.Context, held *quarantine.Message, done string) {
	p.where.forget()
	list, err := p.options.History.Find(ctx, &history.Query{Text: held.QueueID, Action: "quarantine", From: held.Time.Add(-sameMessage), To: held.Time.Add(sameMessage)}, maxHeld)
	if err != nil || held.QueueID == "" {
		return // the log has it
	}
	for _, m := range list {
		if m.QueueID == held.QueueID {
			// The log has it where this fails.
			_, _, _ = p.options.History.Change(ctx, m.ID, func(m *history.Message) { m.Later = history.Bounded(done) })
		}
	}
}

// readForm reads a form that changes something. It answers where the form is not one of these pages: a
// page of a stranger cannot know the token.
func (p *Page) readForm(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return false
	}
	if subtle.ConstantTimeCompare([]byte(r.PostForm.Get("token")), []byte(p.token)) != 1 {
		http.Error(w, "the form is not one of this service, or older than its start: load the page again", http.StatusForbidden)
		return false
	}
	return true
}

// userOf returns the name that a client logged in with, for the log. The password is the same for all.
func userOf(r *http.Request) string {
	user, _, _ := r.BasicAuth()
	return mailserver.Safe(user)
}

// clientOf returns the address of a client for the log.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return "local"
	}
	return host
}

// whereabouts remembers for a moment which messages are in quarantine, by their queue ids.
type whereabouts struct {
	mu    sync.Mutex
	asked time.Time
	held  map[string]quarantine.Message
}

// whereaboutsTime is how long it is remembered.
const whereaboutsTime = 5 * time.Second

// of returns the message in quarantine that a flagged message became.
func (a *whereabouts) of(p *Page, m *history.Message) (quarantine.Message, bool) {
	if p.options.Quarantine == nil || m.QueueID == "" || m.Action != "quarantine" {
		return quarantine.Message{}, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := p.now(); a.held == nil || now.Sub(a.asked) > whereaboutsTime {
		list, err := p.held(quarantine.Filter{})
		if err != nil {
			return quarantine.Message{}, false
		}
		a.asked, a.held = now, make(map[string]quarantine.Message)
		for _, h := range list {
			a.held[h.QueueID] = h
		}
	}
	// Mail servers use queue ids again.
	h, ok := a.held[m.QueueID]
	return h, ok && h.Time.Sub(m.Time).Abs() < sameMessage
}

// forget makes the next request ask again.
func (a *whereabouts) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = nil
}

// sameMessage is how far the times of a flagged message and of its file may be apart.
const sameMessage = 10 * time.Minute

// heldAt returns the address of the page of a message in quarantine.
func heldAt(name string) string { return fmt.Sprintf("/quarantine/%s", url.PathEscape(name)) }
