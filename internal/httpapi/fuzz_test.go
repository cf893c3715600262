package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// FuzzCheck: no request makes the server fail. Each answer is JSON with a status of the definition,
// and all memory is given back.
func FuzzCheck(f *testing.F) {
	for _, seed := range []struct{ kind, query, body string }{
		{"message/rfc822", "", spoofed},
		{"message/global", "edit=true&auth=true", escaped},
		{"message/rfc822", "from=%3C%3E&to=a@example.net&to=&client=::1&helo=x&host=y&daemon=z&queue_id=q", "\r\n"},
		{"application/json", "", `{"links": ["https://example.com/", "a@example.net", ""]}`},
		{"application/json", "", "{\"links\": [\"\xff\"]}"},
		{"application/json", "", strings.Repeat("[", 1000)},
		{"message/rfc822; charset=\"", "client=1&%", "x"},
	} {
		f.Add(seed.kind, seed.query, seed.body)
	}
	s := start(f, Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 64 << 10, Time: time.Second}}})
	h := &handler{core: s.core, log: s.Log()}
	known := map[int]bool{http.StatusOK: true}
	for _, status := range []int{400, 413, 415, 503} {
		known[status] = true
	}
	f.Fuzz(func(t *testing.T, kind, query, body string) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/check", strings.NewReader(body))
		r.URL.RawQuery = query
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if !known[w.Code] || !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if (w.Code != http.StatusOK) != strings.HasPrefix(w.Body.String(), `{"error":"`) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if used := s.Stats().Memory; used != 0 {
			t.Errorf("%d bytes in use", used)
		}
	})
}

// BenchmarkCheck is a message with a link over a connection that stays open.
func BenchmarkCheck(b *testing.B) {
	s := start(b, Options{})
	s.client.Transport = &http.Transport{}
	for b.Loop() {
		response, err := s.client.Do(s.request("POST", "/v1/check?client=192.0.2.1", "message/rfc822", spoofed))
		if err != nil || response.StatusCode != http.StatusOK {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			b.Fatal(err)
		}
		_ = response.Body.Close()
	}
}
