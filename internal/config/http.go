package config

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/httpapi"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/secretfile"
)

// ListenHTTP says how the HTTP API listens on the addresses of the file, and on others.
func (f *File) ListenHTTP() mailserver.ListenConfig {
	return mailserver.ListenConfig{
		SocketMode:  fs.FileMode(f.HTTP.SocketMode),
		SocketGroup: f.HTTP.SocketGroup,
		Allow:       f.HTTP.Allow,
	}
}

// HTTPOptions returns the options of the HTTP API, which calls decides for each message.
func (f *File) HTTPOptions(decides mailserver.Filter, log *slog.Logger) httpapi.Options {
	h := &f.HTTP
	host, _ := os.Hostname() // without it the tags have a general name
	return httpapi.Options{
		Host: cmp.Or(f.ContentFilter.Name, host),
		Options: mailserver.Options{
			Filter:         decides,
			Log:            log,
			Details:        f.Log.Details(),
			Limits:         f.Work(),
			Allow:          h.Allow,
			MaxConnections: h.MaxConnections,
		},
		Credentials: h.credentials,
		Timeouts:    httpapi.Timeouts{Idle: time.Duration(h.Idle), Request: time.Duration(h.Request)},
	}
}

// Credentials returns the certificate and the tokens as they were when the configuration
// was read.
func (h *HTTP) Credentials() httpapi.Credentials { return h.credentials }

// CheckAddress returns an error for an address that other machines can reach without the keys that
// this needs: see proven.
func (h *HTTP) CheckAddress(address string) error {
	if strings.Contains(address, "://") {
		return fmt.Errorf("address %q: a URL (want 127.0.0.1:8897)", address)
	}
	if _, _, err := mailserver.ParseAddr(mailserver.WithScheme(address)); err != nil {
		return err
	}
	return h.proven(address, mailserver.ListenConfig{}.Check(mailserver.WithScheme(address)) == nil)
}

// CheckListener is CheckAddress for a listener.
func (h *HTTP) CheckListener(l net.Listener) error {
	return h.proven(l.Addr().String(), mailserver.ListenConfig{}.CheckListener(l) == nil)
}

// proven returns an error for an address that other machines can reach, unless the keys for tokens
// and TLS are set. local says that only this machine reaches it.
func (h *HTTP) proven(address string, local bool) error {
	var missing []string
	for _, need := range []struct {
		key string
		set bool
	}{
		{"http.allow", len(h.Allow) > 0},
		{"http.tls_cert", h.TLSCert != ""},
		{"http.tls_key", h.TLSKey != ""},
		{"http.token_file", h.TokenFile != ""},
	} {
		if !need.set {
			missing = append(missing, need.key)
		}
	}
	if local || len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("address %q: other machines can reach it (want %s, or 127.0.0.1)", address, list(missing, "and"))
}

func (r *reader) validateHTTP(f *File) {
	h := &f.HTTP
	for i, address := range h.Listen {
		at := element("http.listen", i)
		if err := h.CheckAddress(address); err != nil {
			r.problem(at, "%v", err)
		} else if slices.Contains(h.Listen[:i], address) {
			r.problem(at, "address %q: listed twice (want it once)", address)
		} else if key := f.alsoIn(address); key != "" {
			r.problem(at, "address %q: also in %s (want another port or path)", address, key)
		}
	}
	r.readCertificate(h)
	if h.TokenFile == "" || r.withoutKeys {
		return
	}
	var err error
	if h.credentials.Tokens, err = httpapi.ReadTokens(h.TokenFile); err != nil {
		r.problem("http.token_file", "%v", err)
	}
}

// alsoIn returns another key that also has the address of the HTTP API, or "".
func (f *File) alsoIn(address string) string {
	network, at, err := mailserver.ParseAddr(mailserver.WithScheme(address))
	if err != nil {
		return ""
	}
	for _, other := range []struct {
		key       string
		addresses []string
	}{{"milter.listen", f.Milter.Listen}, {"content_filter.listen", f.ContentFilter.Listen}, {"admin.listen", []string{f.Admin.Listen}}} {
		if slices.ContainsFunc(other.addresses, func(address string) bool {
			n, a, err := mailserver.ParseAddr(mailserver.WithScheme(address))
			return err == nil && n == network && a == at
		}) {
			return other.key
		}
	}
	return ""
}

// readCertificate reads the certificate of the HTTP API and its key.
func (r *reader) readCertificate(h *HTTP) {
	switch {
	case h.TLSCert == "" && h.TLSKey == "":
		return
	case h.TLSCert == "":
		r.problem("http.tls_key", "file %q: a key without a certificate (want tls_cert, too)", h.TLSKey)
		return
	case h.TLSKey == "":
		r.problem("http.tls_cert", "file %q: a certificate without its key (want tls_key, too)", h.TLSCert)
		return
	case r.withoutKeys:
		return
	}
	key, advice, err := secretfile.Read(h.TLSKey)
	if err != nil {
		if advice != "" {
			err = errors.New(err.Error() + " (" + advice + ")")
		}
		r.problem("http.tls_key", "file %q: %v", h.TLSKey, err)
		return
	}
	chain, err := readRegular(h.TLSCert)
	if err != nil {
		r.problem("http.tls_cert", "file %q: %v (want a certificate in PEM that the account of linkmilter may read)", h.TLSCert, err)
		return
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		r.problem("http.tls_cert", "file %q with the key in %q: %v (want a certificate and its key, in PEM)", h.TLSCert, h.TLSKey, err)
		return
	}
	h.credentials.Certificate = &pair
}

// readRegular reads a regular file. Opening a named pipe would wait for its writer.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	data, err := os.ReadFile(path)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return data, err
}
