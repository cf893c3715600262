package chromium

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// A tab is a page of a browser that a test controls by the DevTools protocol, over pipes.
type tab struct {
	tb      testing.TB
	in      *os.File
	out     *bufio.Reader
	session string
	calls   int
	observe func(message) // gets each event; may be nil
}

// A message is one of the DevTools protocol, in either direction.
type message struct {
	ID      int            `json:"id,omitempty"`
	Session string         `json:"sessionId,omitempty"`
	Method  string         `json:"method,omitempty"`
	Params  map[string]any `json:"params,omitempty"`
	Result  struct {
		Target  string                 `json:"targetId"`
		Session string                 `json:"sessionId"`
		Loader  string                 `json:"loaderId"`
		Info    struct{ Title string } `json:"targetInfo"`
		Value   struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	} `json:"result,omitzero"`
}

// openTab starts a browser that reaches only 127.0.0.1. It ends with the test.
func openTab(tb testing.TB) *tab {
	tb.Helper()
	browser := env.Command(tb, "chromium")
	toBrowser, in, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "chromium-")
	if err != nil {
		tb.Fatal(err)
	}
	command := exec.CommandContext(tb.Context(), browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-site-isolation-trials", "--disable-features=BackForwardCache", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	command.ExtraFiles = []*os.File{toBrowser, fromBrowser} // file descriptors 3 and 4
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	tb.Cleanup(func() {
		in.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
		out.Close()
		// Other processes of the browser may still write, until they see that it ended.
		for range 100 {
			if err = os.RemoveAll(profile); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		tb.Error(err)
	})
	t := &tab{tb: tb, in: in, out: bufio.NewReader(out)}
	target := t.call("Target.createTarget", map[string]any{"url": "about:blank"}).Result.Target
	t.session = t.call("Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}).Result.Session
	t.call("Page.enable", nil)
	return t
}

// call calls a method and returns the answer.
func (t *tab) call(method string, params map[string]any) message {
	t.tb.Helper()
	call := t.send(method, params)
	for {
		m := t.next()
		if m.ID == call {
			return m
		}
		t.answer(m)
	}
}

// await waits for an event.
func (t *tab) await(event string) {
	t.tb.Helper()
	for {
		m := t.next()
		if m.Method == event {
			return
		}
		t.answer(m)
	}
}

// answer gives the browser an empty page if the message is its request for one.
func (t *tab) answer(m message) {
	t.tb.Helper()
	if t.observe != nil {
		t.observe(m)
	}
	if m.Method == "Fetch.requestPaused" {
		t.send("Fetch.fulfillRequest", map[string]any{
			"requestId": m.Params["requestId"], "responseCode": 200,
			"responseHeaders": []any{map[string]any{"name": "Content-Type", "value": "text/plain"}},
		})
	}
}

// send calls a method. The answer has the number of the call.
func (t *tab) send(method string, params map[string]any) (call int) {
	t.tb.Helper()
	t.calls++
	encoded, err := json.Marshal(message{ID: t.calls, Session: t.session, Method: method, Params: params})
	if err != nil {
		t.tb.Fatal(err)
	}
	if _, err := t.in.Write(append(encoded, 0)); err != nil {
		t.tb.Fatal(err)
	}
	return t.calls
}

// next returns the next message of the browser.
func (t *tab) next() (m message) {
	t.tb.Helper()
	encoded, err := t.out.ReadBytes(0)
	if err != nil {
		t.tb.Fatalf("chromium: %v", err)
	}
	if err := json.Unmarshal(encoded[:len(encoded)-1], &m); err != nil {
		t.tb.Fatal(err)
	}
	return m
}
