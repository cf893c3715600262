package httpapi

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

func TestMain(m *testing.M) {
	text := func(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
		raw, err := io.ReadAll(body)
		return string(raw), err
	}
	openapi3filter.RegisterBodyDecoder("message/rfc822", text)
	openapi3filter.RegisterBodyDecoder("message/global", text)
	os.Exit(m.Run())
}

// loadDefinition returns the definition of the API, and checks that it and its examples are valid.
func loadDefinition(tb testing.TB) *openapi3.T {
	tb.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(definition)
	if err != nil {
		tb.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return doc
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// A testServer is a server that listens, with a client that validates each answer.
type testServer struct {
	*Server
	tb      testing.TB
	address string
	log     *lockedBuffer
	doc     *openapi3.T
	client  *http.Client
	filter  *filter.Filter
}

// newFilter returns a filter with the built-in rules.
func newFilter(tb testing.TB) *filter.Filter {
	tb.Helper()
	f, err := filter.New(filter.Options{Rules: rule.Builtin(), ID: "mx.example.com"})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// start starts a server with the options, on 127.0.0.1.
func start(tb testing.TB, o Options) *testServer {
	tb.Helper()
	s := &testServer{tb: tb, log: new(lockedBuffer), filter: newFilter(tb), client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true, ExpectContinueTimeout: time.Minute}}}
	s.doc = loadDefinition(tb)
	explainer, err := explain.New(s.filter, engine.Options{MaxLinks: 10_000})
	if err != nil {
		tb.Fatal(err)
	}
	o.Log = slog.New(slog.NewTextHandler(s.log, nil))
	o.Judges = func() (*filter.Filter, *explain.Explainer) { return s.filter, explainer }
	if o.Filter == nil {
		o.Filter = s.filter
	}
	if s.Server, err = NewServer(o); err != nil {
		tb.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s.address = l.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	tb.Cleanup(func() {
		if err := s.Shutdown(context.Background()); err != nil {
			tb.Error(err)
		}
		if err := <-ended; err != mailserver.ErrServerClosed {
			tb.Errorf("Serve: %v", err)
		}
	})
	return s
}

// request returns a request to the server.
func (s *testServer) request(method, path, kind, content string) *http.Request {
	s.tb.Helper()
	r, err := http.NewRequest(method, "http://"+s.address+path, strings.NewReader(content))
	if err != nil {
		s.tb.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// do sends a request and checks the answer against the definition. If the server accepted the
// request, it checks that, too.
func (s *testServer) do(r *http.Request) (*http.Response, string) {
	s.tb.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(content))
	response, err := s.client.Do(r)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(content))
	s.validate(r, response, text)
	return response, string(text)
}

// validate compares a request and its answer with the definition.
func (s *testServer) validate(r *http.Request, response *http.Response, text []byte) {
	s.tb.Helper()
	item := s.doc.Paths.Find(r.URL.Path)
	if item == nil {
		if response.StatusCode != http.StatusNotFound {
			s.tb.Errorf("%s: status %d", r.URL, response.StatusCode)
		}
		return
	}
	method := r.Method
	if response.StatusCode == http.StatusMethodNotAllowed {
		method, _, _ = strings.Cut(response.Header.Get("Allow"), ",")
	}
	head := method == http.MethodHead
	if head {
		method = http.MethodGet
	}
	input := &openapi3filter.RequestValidationInput{
		Request: r,
		Route:   &routers.Route{Spec: s.doc, Path: r.URL.Path, PathItem: item, Method: method, Operation: item.GetOperation(method)},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, ExcludeResponseBody: head},
	}
	if response.StatusCode == http.StatusOK {
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			s.tb.Errorf("request: %v", err)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Options: input.Options,
	}
	answer.SetBodyBytes(text)
	if err := openapi3filter.ValidateResponse(context.Background(), answer); err != nil {
		s.tb.Errorf("answer with status %d: %v\n%.300s", response.StatusCode, err, text)
	}
}
