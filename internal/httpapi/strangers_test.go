package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestStrangersDoNotFillTheLog: for any number of requests without a token, with a wrong one, or
// from web pages, the log has one line a minute. The metric counts each.
func TestStrangersDoNotFillTheLog(t *testing.T) {
	tokens, err := parseTokens([]byte("0123456789abcdefghij mx1\n"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	counted := map[string]int{}
	s := start(t, Options{Credentials: Credentials{Tokens: tokens}, ObserveRequest: func(route string, status int, _ time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		counted[fmt.Sprint(route, " ", status)]++
	}})
	send := func(method, path, token, site string) {
		r, err := http.NewRequest(method, "http://"+s.address+path, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		answer, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	methods := []string{"GET", "POST", "PUT", "OPTIONS"}
	paths := []string{"/v1/check", "/v1/explain", "/v1/openapi.json", "/", "/v1/nothing"}
	sent := 0
	for _, method := range methods {
		for _, path := range paths {
			for _, token := range []string{"", "wrong", "0123456789abcdefghijk"} {
				for _, site := range []string{"", "cross-site"} {
					send(method, path, token, site)
					sent++
				}
			}
		}
	}
	send("DELETE", "/v1/check", "0123456789abcdefghij", "") // a client with a token has a line for each refused request
	send("DELETE", "/v1/check", "0123456789abcdefghij", "")
	if text := s.log.String(); strings.Count(text, `msg="requests refused"`) != 1 || strings.Count(text, `msg="request refused"`) != 2 || strings.Contains(text, "wrong\"") {
		t.Errorf("the log has\n%s", text)
	}
	mu.Lock()
	defer mu.Unlock()
	refused := 0
	for key, n := range counted {
		if strings.HasSuffix(key, " 401") || strings.HasSuffix(key, " 403") {
			refused += n
		}
	}
	if refused != sent {
		t.Errorf("counted %d of %d: %v", refused, sent, counted)
	}
}
