package config

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// The values of content_filter.next_hop_tls other than "never".
const (
	tlsMay     = "may"
	tlsRequire = "require"
)

// ListenContentFilter says how the content filter listens on the addresses of the file,
// and on others.
func (f *File) ListenContentFilter() mailserver.ListenConfig {
	return mailserver.ListenConfig{
		SocketMode:  fs.FileMode(f.ContentFilter.SocketMode),
		SocketGroup: f.ContentFilter.SocketGroup,
		Allow:       f.ContentFilter.Allow,
	}
}

// ContentFilterOptions returns the options of the content filter, which calls decides for each
// message. nextHop has the form of content_filter.next_hop.
func (f *File) ContentFilterOptions(nextHop string, decides mailserver.Filter, log *slog.Logger) (contentfilter.Options, error) {
	c := &f.ContentFilter
	_, address, err := mailserver.ParseAddr(mailserver.WithScheme(nextHop))
	if err != nil {
		return contentfilter.Options{}, fmt.Errorf("next hop: %w", err)
	}
	o := contentfilter.Options{
		Options: mailserver.Options{
			Filter:         decides,
			Log:            log,
			Details:        f.Log.Details(),
			Limits:         f.Work(),
			Allow:          c.Allow,
			MaxConnections: c.MaxConnections,
		},
		NextHop: contentfilter.NextHop{
			Address: address,
			LMTP:    c.NextHopLMTP,
			Timeout: time.Duration(c.NextHopTimeout),
		},
		Quarantine:       contentfilter.Quarantine{Maildir: c.Quarantine, Hold: c.Hold},
		Name:             c.Name,
		LMTP:             c.LMTP,
		XForward:         c.XForward,
		PassBareLineEnds: c.PassBareLineEnds,
		MaxHops:          c.MaxHops,
		MaxRecipients:    c.MaxRecipients,
		MaxSize:          int64(c.MaxSize),
		Timeouts:         contentfilter.Timeouts{Command: time.Duration(c.Idle), Content: time.Duration(c.Content), Message: time.Duration(c.Message)},
	}
	useTLS(&o.NextHop, c.NextHopTLS)
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return contentfilter.Options{}, fmt.Errorf("content_filter.tls_cert: %w", err)
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	return o, nil
}

// useTLS sets how a connection to a server is encrypted.
func useTLS(hop *contentfilter.NextHop, how string) {
	switch how {
	case tlsMay:
		// An attacker who can remove STARTTLS from the session needs no certificate.
		hop.TLS = &tls.Config{InsecureSkipVerify: true}
	case tlsRequire:
		hop.TLS, hop.RequireTLS = &tls.Config{}, true
	}
}
