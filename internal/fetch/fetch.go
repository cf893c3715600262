// Package fetch gets files that others publish and change, such as lists, over HTTPS and keeps them
// on disk. It requests only newer versions, and bounds time and size.
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

// Validators identify the version of a list that is on disk (RFC 9110 §8.8). The zero value stands
// for no version.
type Validators struct {
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// An Answer is the answer of a server to the request for a list.
type Answer struct {
	Unchanged   bool // the version on disk is the newest
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

// Fetch requests the list. With validators it requests only a newer version (RFC 9110 §13.1). It
// passes the body to read, which must limit the size.
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
