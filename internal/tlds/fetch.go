package tlds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// DefaultURL is where IANA publishes the list.
const DefaultURL = "https://data.iana.org/TLD/tlds-alpha-by-domain.txt"

const (
	userAgent      = "linkmilter (+https://github.com/linkmilter/linkmilter)"
	maxRedirects   = 5
	defaultTimeout = time.Minute
)

// A fetcher asks one server for the list.
type fetcher struct {
	url     string
	client  *http.Client
	timeout time.Duration // for everything: connection, redirects, body
}

// An answer is what the server said.
type answer struct {
	unchanged    bool   // the current list is the newest
	text         []byte // else the list
	etag         string
	lastModified string
}

func newFetcher(address string, transport http.RoundTripper, timeout time.Duration) (*fetcher, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if err := onlyHTTPS(u); err != nil {
		return nil, err
	}
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.DisableKeepAlives = true // once a day
		own.MaxResponseHeaderBytes = 64 << 10
		transport = own
	}
	return &fetcher{url: address, timeout: timeout, client: &http.Client{Transport: transport, CheckRedirect: checkRedirect}}, nil
}

func onlyHTTPS(u *url.URL) error {
	if u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("URL %s: not https:// (anyone on the path could change the list)", u.Redacted())
	}
	return nil
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	return onlyHTTPS(next.URL)
}

// fetch requests the list, or, if the notes have validators, a newer list than
// theirs (RFC 9110 §13.1).
func (f *fetcher) fetch(ctx context.Context, n notes) (answer, error) {
	limited, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	a, err := f.ask(limited, n)
	if err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return answer{}, fmt.Errorf("%s did not send the list within %s", f.url, f.timeout)
	}
	return a, err
}

func (f *fetcher) ask(ctx context.Context, n notes) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url, http.NoBody)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("User-Agent", userAgent)
	if n.ETag != "" {
		request.Header.Set("If-None-Match", n.ETag)
	}
	if n.LastModified != "" {
		request.Header.Set("If-Modified-Since", n.LastModified)
	}
	response, err := f.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	asked := n.ETag != "" || n.LastModified != ""
	switch {
	case response.StatusCode == http.StatusNotModified && asked:
		return answer{unchanged: true}, nil
	case response.StatusCode != http.StatusOK:
		return answer{}, fmt.Errorf("%s answered %s", f.url, response.Status)
	}
	text, err := readAll(response.Body)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return answer{}, fmt.Errorf("%s broke off in the middle of the list: %w", f.url, err)
	}
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", f.url, err)
	}
	return answer{text: text, etag: response.Header.Get("ETag"), lastModified: response.Header.Get("Last-Modified")}, nil
}
