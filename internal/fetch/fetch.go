// Package fetch gets files over HTTPS that others publish and change, such as lists: only if they
// are new, within a size and a time, and keeps them on disk.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	userAgent    = "linkmilter (+https://github.com/linkmilter/linkmilter)"
	maxRedirects = 5
)

// A Fetcher asks one server for a list.
type Fetcher struct {
	url     string
	client  *http.Client
	timeout time.Duration // for everything: connection, redirects, body
}

// Validators say which list is here already (RFC 9110 §8.8). The zero value is none.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// An Answer is what the server said of a list.
type Answer struct {
	Unchanged   bool // the list that is here is the newest
	Validators  Validators
	ContentType string
}

// New returns a Fetcher of a URL, which must be https. Without a transport it uses one with the
// proxy variables of the environment.
func New(address string, transport http.RoundTripper, timeout time.Duration) (*Fetcher, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if err := onlyHTTPS(u); err != nil {
		return nil, err
	}
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.DisableKeepAlives = true // the next request is hours away
		own.MaxResponseHeaderBytes = 64 << 10
		transport = own
	}
	return &Fetcher{url: address, timeout: timeout, client: &http.Client{Transport: transport, CheckRedirect: checkRedirect}}, nil
}

// URL returns the address of the list.
func (f *Fetcher) URL() string { return f.url }

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

// Fetch requests the list, or, with validators, a newer list than theirs (RFC 9110 §13.1). It gives
// the body to read, which must stop at a size of its own.
func (f *Fetcher) Fetch(ctx context.Context, v Validators, read func(io.Reader) error) (Answer, error) {
	limited, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	a, err := f.ask(limited, v, read)
	if err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return Answer{}, fmt.Errorf("%s did not send the list within %s", f.url, f.timeout)
	}
	return a, err
}

func (f *Fetcher) ask(ctx context.Context, v Validators, read func(io.Reader) error) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url, http.NoBody)
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("User-Agent", userAgent)
	if v.ETag != "" {
		request.Header.Set("If-None-Match", v.ETag)
	}
	if v.LastModified != "" {
		request.Header.Set("If-Modified-Since", v.LastModified)
	}
	response, err := f.client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotModified && v != Validators{}:
		return Answer{Unchanged: true, Validators: v}, nil
	case response.StatusCode != http.StatusOK:
		return Answer{}, fmt.Errorf("%s answered %s", f.url, response.Status)
	}
	err = read(response.Body)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return Answer{}, fmt.Errorf("%s broke off in the middle of the list: %w", f.url, err)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", f.url, err)
	}
	header := response.Header
	return Answer{Validators: Validators{header.Get("ETag"), header.Get("Last-Modified")}, ContentType: header.Get("Content-Type")}, nil
}
