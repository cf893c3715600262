package admin

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func testOptions() Options {
	return Options{
		Hosts: []string{"mx.example.org", "[2001:db8::1]"},
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "metric 1\n")
		}),
		Healthy:  func(context.Context) error { return nil },
		Degraded: func() string { return "" },
		Ready:    func() error { return nil },
	}
}

func TestPaths(t *testing.T) {
	sick := testOptions()
	sick.Healthy = func(context.Context) error { return errors.New("the milter does not answer") }
	sick.Ready = func() error { return errors.New("stopping") }
	degraded := testOptions()
	degraded.Degraded = func() string { return "history not written" }
	tests := []struct {
		name, method, path string
		options            Options
		status             int
		body               string
	}{
		{"metrics", "GET", "/metrics", testOptions(), 200, "metric 1\n"},
		{"healthy", "GET", "/healthz", testOptions(), 200, "ok\n"},
		{"ready", "GET", "/readyz", testOptions(), 200, "ok\n"},
		{"degraded", "GET", "/healthz", degraded, 200, "ok\nhistory not written\n"},
		{"degraded and ready", "GET", "/readyz", degraded, 200, "ok\n"},
		{"not healthy", "GET", "/healthz", sick, 503, "the milter does not answer\n"},
		{"not ready", "GET", "/readyz", sick, 503, "stopping\n"},
		{"head", "HEAD", "/healthz", sick, 503, "the milter does not answer\n"},
		{"another path", "GET", "/", testOptions(), 404, ""},
		{"no profiler", "GET", "/debug/pprof/", testOptions(), 404, ""},
		{"another method", "POST", "/healthz", testOptions(), 405, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			Handler(tt.options).ServeHTTP(w, httptest.NewRequest(tt.method, "http://127.0.0.1:8896"+tt.path, nil))
			if w.Code != tt.status || tt.body != "" && w.Body.String() != tt.body {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, tt.status, tt.body)
			}
		})
	}
}

// Health checks and Prometheus name a node by its address.
func TestOwnAddress(t *testing.T) {
	for host, want := range map[string]int{"10.0.0.11:8896": 200, "10.0.0.12:8896": 421, "rebound.example": 421} {
		r := httptest.NewRequest("GET", "http://"+host+"/readyz", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(10, 0, 0, 11), Port: 8896}))
		w := httptest.NewRecorder()
		Handler(testOptions()).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", host, w.Code, want)
		}
	}
}

// TestHosts: the listener answers only for its own names. A stranger's name that leads to 127.0.0.1
// would make it part of the stranger's site.
func TestHosts(t *testing.T) {
	tests := []struct {
		host   string
		status int
	}{
		{"127.0.0.1:8896", 200},
		{"127.0.0.1", 200},
		{"127.1.2.3:1", 200},
		{"[::1]:8896", 200},
		{"[::1]", 200},
		{"localhost:8896", 200},
		{"LocalHost", 200},
		{"mx.example.org:8896", 200},
		{"MX.example.org", 200},
		{"[2001:db8::1]:8896", 200},
		{"example.org", 421},
		{"evil.mx.example.org", 421},
		{"mx.example.org.evil.example", 421},
		{"localhost.evil.example:8896", 421},
		{"127.0.0.1.evil.example", 421},
		{"192.0.2.1:8896", 421},
		{"0.0.0.0:8896", 421},
		{"", 421},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/healthz", nil)
			r.Host = tt.host
			w := httptest.NewRecorder()
			Handler(testOptions()).ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
		})
	}
}

func TestOtherSites(t *testing.T) {
	tests := []struct {
		name   string
		header map[string]string
		status int
	}{
		{"a program", nil, 200},
		{"typed into a browser", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"a page of its own", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8896"}, 200},
		{"another site", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"another port of this machine", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"another site in an old browser", map[string]string{"Origin": "https://evil.example"}, 403},
		{"a sandboxed page", map[string]string{"Origin": "null"}, 403},
		{"nonsense", map[string]string{"Origin": "http://%zz"}, 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "http://127.0.0.1:8896/metrics", nil)
			for name, value := range tt.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			Handler(testOptions()).ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
		})
	}
}

// TestHealthHasADeadline: a health check learns by its context when nobody waits for the answer any
// more.
func TestHealthHasADeadline(t *testing.T) {
	o := testOptions()
	o.Healthy = func(ctx context.Context) error {
		if _, ok := ctx.Deadline(); !ok {
			return errors.New("no deadline")
		}
		return nil
	}
	w := httptest.NewRecorder()
	Handler(o).ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/healthz", nil))
	if w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestServer: errors of the HTTP library go to the log, and headers are limited.
func TestServer(t *testing.T) {
	var logged bytes.Buffer
	server := NewServer(Handler(testOptions()), slog.New(slog.NewTextHandler(&logged, nil)))
	server.ErrorLog.Print("from net/http")
	if !strings.Contains(logged.String(), "level=WARN") || !strings.Contains(logged.String(), "from net/http") {
		t.Errorf("log %q", logged.String())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", 64<<10)+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d", response.StatusCode)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

func TestProfiler(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pprof")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := NewProfiler(slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}
	client := &http.Client{Transport: transport}
	response, err := client.Get("http://unix/debug/pprof/goroutine?debug=1")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(body), "goroutine profile:") {
		t.Errorf("%v %.100q", err, body)
	}
	response.Body.Close()
	transport.CloseIdleConnections()
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	<-served
}
