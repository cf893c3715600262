package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// talk sends bytes on a connection and returns all that comes until the server closes it.
func (s *testServer) talk(tb testing.TB, sent string) string {
	tb.Helper()
	c := s.dial(tb)
	if _, err := io.WriteString(c, sent); err != nil {
		tb.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil && len(got) == 0 {
		tb.Fatal(err)
	}
	return string(got)
}

func (s *testServer) dial(tb testing.TB) net.Conn {
	tb.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestRawRequests: bytes that a client may send, but that no HTTP library would.
func TestRawRequests(t *testing.T) {
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 10 << 10}}, Timeouts: Timeouts{Request: time.Second, Idle: time.Second}})
	head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n", len(spoofed))
	for name, c := range map[string]struct{ sent, want string }{
		"HTTP/1.0":             {"POST /v1/check HTTP/1.0\r\nHost: localhost\r\nContent-Type: message/rfc822\r\n" + length + "\r\n" + spoofed, "HTTP/1.0 200 OK"},
		"chunks":               {head + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nFrom:\r\n6\r\n a@b\r\n\r\n0\r\n\r\n", "HTTP/1.1 200 OK"},
		"bad chunk":            {head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400 "},
		"endless chunks":       {head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("400\r\n"+strings.Repeat("x", 1024)+"\r\n", 11), "HTTP/1.1 413 "},
		"length and chunks":    {head + length + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n", "HTTP/1.1 400 "},
		"negative length":      {head + "Content-Length: -1\r\n\r\n", "HTTP/1.1 400 "},
		"huge length":          {head + "Content-Length: 9223372036854775807\r\n\r\n", "HTTP/1.1 413 "},
		"beyond 64 bits":       {head + "Content-Length: 99999999999999999999\r\n\r\n", "HTTP/1.1 400 "},
		"continue":             {head + length + "Expect: 100-continue\r\nConnection: close\r\n\r\n" + spoofed, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"},
		"continue, but large":  {head + "Content-Length: 20000\r\nExpect: 100-continue\r\n\r\n", "HTTP/1.1 413 "},
		"another expectation":  {head + length + "Expect: tea\r\n\r\n", "HTTP/1.1 417 "},
		"no host":              {"POST /v1/check HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
		"another version":      {"POST /v1/check HTTP/3.0\r\nHost: localhost\r\n\r\n", "HTTP/1.1 505 "},
		"HTTP/2 at once":       {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 "},
		"large header":         {head + "X: " + strings.Repeat("x", 100<<10) + "\r\n\r\n", "HTTP/1.1 431 "},
		"folded header":        {head + " folded\r\n\r\n", "HTTP/1.1 415 "},
		"CONNECT":              {"CONNECT example.net:25 HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 421 "},
		"whole URL":            {"GET http://example.net/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 421 "},
		"options of all":       {"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404 "},
		"foreign options":      {"OPTIONS * HTTP/1.1\r\nHost: example.net\r\n\r\n", "HTTP/1.1 421 "},
		"dots":                 {"GET /x/../v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404 "},
		"body on a definition": {"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 200 "},
		"body cut short":       {"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 408 "},
		"silence":              {"", ""},
		"half a header":        {"POST /v1/check HTTP/1.1\r\nHost: lo", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.talk(t, c.sent); !strings.HasPrefix(got, c.want) || c.want == "" && strings.Contains(got, " 200 ") {
				t.Errorf("got %.300q\nwant %q", got, c.want)
			}
		})
	}
}

// TestSlowBody: a body that does not come in time is refused, and its memory is free.
func TestSlowBody(t *testing.T) {
	s := start(t, Options{Timeouts: Timeouts{Request: 300 * time.Millisecond}})
	begun := time.Now()
	r := s.request("POST", "/v1/check", "message/rfc822", "")
	reader, writer := io.Pipe()
	r.Body, r.ContentLength = reader, -1
	go func() {
		for range 50 {
			if _, err := writer.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		_ = writer.Close()
	}()
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(text), "http.request_timeout") || err != nil {
		t.Errorf("%s %s, %v", response.Status, text, err)
	}
	s.validate(s.request("POST", "/v1/check", "message/rfc822", "x"), response, text)
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("took %s", took)
	}
	if used := s.Stats().Memory; used != 0 {
		t.Errorf("%d bytes in use", used)
	}
}

// TestHostileJSON: deep, huge and odd documents are refused at little cost.
func TestHostileJSON(t *testing.T) {
	s := start(t, Options{})
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"deep lists":   {`{"links": ` + strings.Repeat("[", 500_000), 400},
		"deep objects": {strings.Repeat(`{"links":`, 100_000), 400},
		"long number":  {`{"links": [` + strings.Repeat("9", 1<<20) + `]}`, 400},
		"long text":    {`{"links": ["https://example.com/` + strings.Repeat("x", 1<<20) + `"]}`, 200},
		"dots":         {`{"links": ["` + strings.Repeat("a.", 500_000) + `"]}`, 200},
		"escapes":      {`{"links": ["` + strings.Repeat(`\ud800`, 100_000) + `"]}`, 200},
		"too large":    {`{"links": ["` + strings.Repeat("x", maxJSON) + `"]}`, 413},
		"many names":   {`{` + strings.Repeat(`"links":["a"],`, 50_000) + `"links":["a"]}`, 400},
		"never ending": {`{"links": [` + strings.Repeat(`"",`, 600_000), 413},
		"two names":    {`{"links": ["a.com"], "links": ["b.com"]}`, 400},
		"other case":   {`{"LINKS": ["a.com"]}`, 400},
		"null text":    {`{"links": ["a.com", null]}`, 400},
		"list":         {`["a.com"]`, 400},
		"unfinished":   {`{"links": ["a.com"`, 400},
		"white space":  {strings.Repeat(" ", 1<<20), 400},
		"NUL":          {"{\"links\": [\"a\x00\"]}", 400},
		"10,001 links": {links(10_001), 413},
		"10,000 links": {links(10_000), 200},
	} {
		begun := time.Now()
		r := s.request("POST", "/v1/check", "application/json", c.body)
		// Without this field, a refusal may reset the connection while the client still sends.
		r.Header.Set("Expect", "100-continue")
		response, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != c.status || err != nil || !json.Valid(text) {
			t.Errorf("%s: %s, want %d\n%.300s, %v", name, response.Status, c.status, text, err)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
	if used := s.Stats().Memory; used != 0 {
		t.Errorf("%d bytes in use", used)
	}
}

// TestMemoryOfAnswer: a link that its answer repeats reserves memory for the answer, too.
func TestMemoryOfAnswer(t *testing.T) {
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Memory: 8 << 20}}})
	for path, key := range map[string]string{"/v1/check": "links", "/v1/explain": "inputs"} {
		for size, want := range map[int]int{100 << 10: http.StatusOK, 1 << 20: http.StatusServiceUnavailable} {
			body := fmt.Sprintf("{%q: [%q]}", key, "https://example.com/"+strings.Repeat("x", size))
			response, text := s.do(s.request("POST", path, "application/json", body))
			if response.StatusCode != want {
				t.Errorf("%s, %d bytes: %s, want %d\n%.300s", path, size, response.Status, want, text)
			}
		}
	}
	if used := s.Stats().Memory; used != 0 {
		t.Errorf("%d bytes in use", used)
	}
}

// links returns a request with n links.
func links(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("https://p\u0430ypal%d.com/", i)
	}
	body, err := json.Marshal(map[string][]string{"links": list})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// TestLateLinks: a request for links that takes longer than limits.time is refused, not answered in
// part.
func TestLateLinks(t *testing.T) {
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Time: time.Millisecond}}})
	response, text := s.do(s.request("POST", "/v1/check", "application/json", links(10_000)))
	if response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "limits.time") {
		t.Errorf("%s %.300s", response.Status, text)
	}
}

// TestLateMessage: for a message that takes longer than limits.time, the answer has what was found
// until then.
func TestLateMessage(t *testing.T) {
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Time: time.Millisecond}}})
	got := s.check("", spoofed[:strings.Index(spoofed, "https")]+strings.Repeat("https://p\u0430ypal.com/a\r\n", 10_000))
	if got.Outcome == "complete" || len(got.Reasons) != 1 || got.Reasons[0] != "deadline" {
		t.Errorf("outcome %s, reasons %q", got.Outcome, got.Reasons)
	}
}

// TestCanceledRequest: the work on a message ends when its client leaves, and the log says
// so.
func TestCanceledRequest(t *testing.T) {
	entered, left := make(chan struct{}), make(chan error, 1)
	s := start(t, Options{Options: mailserver.Options{
		Limits: mailserver.Limits{Time: time.Hour},
		Filter: filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
			close(entered)
			<-ctx.Done()
			left <- context.Cause(ctx)
			return filter.Result{}
		}),
	}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	if _, err := s.client.Do(s.request("POST", "/v1/check", "message/rfc822", spoofed).WithContext(ctx)); err == nil {
		t.Fatal("an answer")
	}
	select {
	case <-left:
	case <-time.After(10 * time.Second):
		t.Fatal("the filter works on")
	}
	for !strings.Contains(s.log.String(), "not_done=canceled") {
		time.Sleep(time.Millisecond)
	}
}

// TestDrain: at a shutdown, an open request is answered, an idle connection ends, and no new one
// begins.
func TestDrain(t *testing.T) {
	entered, goOn := make(chan struct{}), make(chan struct{})
	var calls atomic.Int32
	s := start(t, Options{Options: mailserver.Options{Filter: filterFunc(func(context.Context, envelope.Envelope, []byte) filter.Result {
		if calls.Add(1) == 1 {
			close(entered)
			<-goOn
		}
		return filter.Result{}
	})}})
	idle := s.dial(t)
	if _, err := io.WriteString(idle, "HEAD /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	buffered := bufio.NewReader(idle)
	if response, err := http.ReadResponse(buffered, &http.Request{Method: http.MethodHead}); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(err)
	}
	answered := make(chan string, 1)
	go func() {
		response, err := s.client.Do(s.request("POST", "/v1/check", "message/rfc822", spoofed))
		if err != nil {
			answered <- err.Error()
			return
		}
		_ = response.Body.Close()
		answered <- response.Status
	}()
	<-entered
	ended := make(chan error, 1)
	go func() { ended <- s.Shutdown(context.Background()) }()
	if _, err := buffered.ReadByte(); err != io.EOF {
		t.Errorf("the idle connection: %v", err)
	}
	if c, err := net.Dial("tcp", s.address); err == nil {
		_ = c.Close()
		t.Error("a connection after the shutdown")
	}
	select {
	case err := <-ended:
		t.Fatalf("the shutdown did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(goOn)
	if got := <-answered; got != "200 OK" {
		t.Errorf("the open request: %s", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCut: a shutdown that does not wait cuts open requests.
func TestCut(t *testing.T) {
	entered := make(chan struct{})
	s := start(t, Options{Options: mailserver.Options{Limits: mailserver.Limits{Time: time.Hour}, Filter: filterFunc(func(ctx context.Context, _ envelope.Envelope, _ []byte) filter.Result {
		close(entered)
		<-ctx.Done()
		return filter.Result{}
	})}})
	go func() { _, _ = s.client.Do(s.request("POST", "/v1/check", "message/rfc822", spoofed)) }()
	<-entered
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Shutdown(ctx); err == nil {
		t.Error("no error")
	}
}

// TestConnectionLimit: beyond max_connections a connection waits, and is then served.
func TestConnectionLimit(t *testing.T) {
	s := start(t, Options{Options: mailserver.Options{MaxConnections: 1}})
	first := s.dial(t)
	if _, err := io.WriteString(first, "GET /v1/op"); err != nil {
		t.Fatal(err)
	}
	for s.Stats().Connections == 0 {
		time.Sleep(time.Millisecond)
	}
	answered := make(chan int, 1)
	go func() {
		response, _ := s.do(s.request("GET", "/v1/openapi.json", "", ""))
		answered <- response.StatusCode
	}()
	for s.Stats().AtLimit == 0 {
		time.Sleep(time.Millisecond)
	}
	select {
	case <-answered:
		t.Fatal("served beyond the limit")
	case <-time.After(50 * time.Millisecond):
	}
	_ = first.Close()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("status %d", status)
	}
}
