package service

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-message/textproto"
	gomilter "github.com/emersion/go-milter"
)

// patience is how long tests wait for what must happen.
const patience = 30 * time.Second

// logs keeps what is logged, and tells when there is more.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed and replaced by each write
}

func newLogs() *logs { return &logs{more: make(chan struct{})} }

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.more)
	l.more = make(chan struct{})
	return l.text.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait waits until text was logged count times, and returns the whole log.
func (l *logs) wait(tb testing.TB, text string, count int) string {
	tb.Helper()
	return l.until(tb, text, func(all string) bool { return strings.Count(all, text) >= count })
}

// until waits for a log that is as wanted.
func (l *logs) until(tb testing.TB, what string, wanted func(string) bool) string {
	tb.Helper()
	deadline := time.After(patience)
	for {
		l.mu.Lock()
		all, more := l.text.String(), l.more
		l.mu.Unlock()
		if wanted(all) {
			return all
		}
		select {
		case <-more:
		case <-deadline:
			tb.Fatalf("not logged: %s\n%s", what, all)
		}
	}
}

// after returns what follows text in the line that has it, up to a space.
func (l *logs) after(tb testing.TB, text string) string {
	tb.Helper()
	_, rest, found := strings.Cut(l.String(), text)
	if !found {
		tb.Fatalf("%q was not logged:\n%s", text, l)
	}
	value, _, _ := strings.Cut(rest, "\n")
	value, _, _ = strings.Cut(value, " ")
	return value
}

// running is a service that runs.
type running struct {
	over    bool // wait returned
	logs    *logs
	config  string // path of its file
	socket  string // on which it listens
	signals chan os.Signal
	ended   chan error
}

// run starts a service with a configuration and waits until it listens.
// It listens on a Unix socket.
func run(tb testing.TB, document string) *running {
	tb.Helper()
	folder := tb.TempDir()
	r := &running{
		logs:    newLogs(),
		config:  filepath.Join(folder, "linkmilter.toml"),
		socket:  filepath.Join(folder, "s"),
		signals: make(chan os.Signal, 1),
		ended:   make(chan error, 1),
	}
	r.write(tb, document)
	go func() {
		r.ended <- Run(context.Background(), Options{
			Config: r.config, Milter: []string{"unix:" + r.socket}, Version: "test", Log: r.logs, Signals: r.signals,
		})
	}()
	tb.Cleanup(func() { // a test that is skipped half-way leaves no service behind
		if !r.over {
			select {
			case r.signals <- syscall.SIGTERM:
			default:
			}
			select {
			case <-r.ended:
			case <-time.After(patience):
			}
		}
		if tb.Failed() {
			all := r.logs.String()
			tb.Logf("log:\n%s", all[max(0, len(all)-4000):])
		}
	})
	r.logs.wait(tb, "for=milter", 1)
	return r
}

func (r *running) write(tb testing.TB, document string) {
	tb.Helper()
	if err := os.WriteFile(r.config, []byte(document), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// reload writes the file and lets the service read it.
func (r *running) reload(tb testing.TB, document string) {
	tb.Helper()
	r.write(tb, document)
	reloads := func(all string) int {
		return strings.Count(all, "configuration in use") + strings.Count(all, "old configuration stays in use")
	}
	before := reloads(r.logs.String())
	r.signals <- syscall.SIGHUP
	r.logs.until(tb, "a reload", func(all string) bool { return reloads(all) > before })
}

// stop stops the service and returns its error.
func (r *running) stop(tb testing.TB) error {
	tb.Helper()
	r.signals <- syscall.SIGTERM
	return r.wait(tb)
}

func (r *running) wait(tb testing.TB) error {
	tb.Helper()
	select {
	case err := <-r.ended:
		r.over = true
		return err
	case <-time.After(patience):
		tb.Fatal("the service does not end")
		return nil
	}
}

// mta is a connection to the milter.
type mta struct {
	client  *gomilter.Client
	session *gomilter.ClientSession
	added   []string // values of the header fields that were added to messages
}

// connect connects as a mail server whose client is a stranger.
func (r *running) connect(tb testing.TB) *mta {
	tb.Helper()
	return connect(tb, r.socket)
}

func connect(tb testing.TB, socket string) *mta {
	tb.Helper()
	client := gomilter.NewClientWithOptions("unix", socket, gomilter.ClientOptions{
		ActionMask: gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody | gomilter.OptQuarantine,
	})
	session, err := client.Session()
	if err != nil {
		tb.Fatal(err)
	}
	m := &mta{client: client, session: session}
	if _, err := session.Conn("client.example.net", gomilter.FamilyInet, 2525, "192.0.2.7"); err != nil {
		tb.Fatal(err)
	}
	return m
}

func (m *mta) close() {
	_ = m.session.Close()
	_ = m.client.Close()
}

// hindi has a link that reads better than it was typed.
const hindi = "https://hi.wikipedia.org/wiki/%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80\r\n"

// numeric has a link with a finding.
const numeric = "http://192.0.2.1/\r\n"

// begin sends all of a message but its end.
func (m *mta) begin(tb testing.TB) {
	tb.Helper()
	var header textproto.Header
	header.Add("Subject", "test")
	header.Add("From", "a@example.org")
	if _, err := m.session.Mail("a@example.org", nil); err != nil {
		tb.Fatal(err)
	}
	if _, err := m.session.Rcpt("b@example.com", nil); err != nil {
		tb.Fatal(err)
	}
	if _, err := m.session.Header(header); err != nil {
		tb.Fatal(err)
	}
}

// end sends the body, and returns the fate of the message: "edited", "kept" or the code of a
// refusal.
func (m *mta) end(tb testing.TB, body string) string {
	tb.Helper()
	outcome, err := m.finish(body)
	if err != nil {
		tb.Fatal(err)
	}
	return outcome
}

func (m *mta) finish(body string) (string, error) {
	changes, action, err := m.session.BodyReadFrom(strings.NewReader(body))
	switch {
	case err != nil:
		return "", err
	case action.Code == gomilter.ActReplyCode:
		return strconv.Itoa(action.SMTPCode), nil
	}
	for _, change := range changes {
		if change.Code == gomilter.ActAddHeader {
			m.added = append(m.added, change.HeaderValue)
		}
	}
	for _, change := range changes {
		if change.Code == gomilter.ActReplBody {
			return "edited", nil
		}
	}
	return "kept", nil
}

// send sends a whole message.
func (m *mta) send(tb testing.TB, body string) string {
	tb.Helper()
	m.begin(tb)
	return m.end(tb, body)
}

// checkNoGoroutines fails the test if one of the project's goroutines lives on.
func checkNoGoroutines(tb testing.TB) {
	tb.Helper()
	deadline := time.Now().Add(patience)
	for {
		left := ownGoroutines()
		switch {
		case len(left) == 0:
			return
		case time.Now().After(deadline):
			tb.Errorf("goroutines live on:\n%s", strings.Join(left, "\n\n"))
			return
		}
		// A goroutine that has done its work may not have ended yet.
		runtime.Gosched()
	}
}

// ownGoroutines returns the stacks of goroutines that run code of the project,
// apart from tests.
func ownGoroutines() []string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var left []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		own := strings.Contains(stack, "linkmilter/milter.") || strings.Contains(stack, "linkmilter/internal/")
		if own && !strings.Contains(stack, "testing.tRunner") && !strings.Contains(stack, "testing.(*") {
			left = append(left, stack)
		}
	}
	return left
}
