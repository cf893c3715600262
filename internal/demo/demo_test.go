package demo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestRunShowsEverySample(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"hi.wikipedia.org/wiki/महात्मा_गांधी",
		"ja.wikipedia.org/wiki/東京都写真美術館",
		"ar.wikipedia.org/wiki/خط_عربي",
		"https://www.xn--pypal-4ve.com/confirm",
		"flagged high: mixed-script",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo does not show %q", want)
		}
	}
	if n := strings.Count(out.String(), "byte for byte as sent"); n != 4 {
		t.Errorf("%d of 4 text parts are shown to be as sent", n)
	}
}

// urlWriter sends the URL that it is told.
type urlWriter chan string

func (w urlWriter) Write(p []byte) (int, error) {
	w <- regexp.MustCompile(`http://\S+`).FindString(string(p))
	return len(p), nil
}

func TestWebShowsSampleMail(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	url, ended := make(urlWriter, 1), make(chan error, 1)
	go func() { ended <- Web(ctx, url, "v1", "127.0.0.1:0") }()
	select {
	case err := <-ended:
		t.Fatal(err)
	case at := <-url:
		for path, wants := range map[string][]string{
			"":         {"Messages: 11", "v1"},
			"findings": {"www.xn--pypal-4ve.com", "looks like paypal.com", "text-target-mismatch", "5 flagged"},
			"edited":   {"1-hindi@example.org", "2-japanese@example.org", "3-arabic@example.org"},
		} {
			for _, want := range wants {
				if body := get(t, at+path); !strings.Contains(body, want) {
					t.Errorf("no %q on %q:\n%s", want, path, body)
				}
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestWebReportsWhatFails(t *testing.T) {
	if err := Web(t.Context(), io.Discard, "v1", "192.0.2.1:80"); err == nil || !strings.Contains(err.Error(), "not a loopback address") {
		t.Errorf("error %v", err)
	}
	if err := Web(t.Context(), brokenWriter{}, "v1", "127.0.0.1:0"); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestRunReportsAWriterThatFails(t *testing.T) {
	if err := Run(t.Context(), brokenWriter{}); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}
