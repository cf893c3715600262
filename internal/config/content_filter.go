package config

import (
	"crypto/tls"
	"fmt"
	"io/fs"
	"log/slog"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// ListenContentFilter says how the content filter listens on the addresses of the file,
// and on others.
func (f *File) ListenContentFilter() mailserver.ListenConfig {
	return mailserver.ListenConfig{
		SocketMode:  fs.FileMode(f.ContentFilter.SocketMode),
		SocketGroup: f.ContentFilter.SocketGroup,
		Allow:       prefixes(f.ContentFilter.Allow),
	}
}

// ContentFilterOptions returns the options of the content filter, which uses
// decides. nextHop is written as content_filter.next_hop is.
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
			Limits:         f.Work(),
			Allow:          prefixes(c.Allow),
			MaxConnections: c.MaxConnections,
		},
		NextHop: contentfilter.NextHop{
			Address: address,
			LMTP:    c.NextHopProtocol == LMTP,
			Timeout: time.Duration(c.NextHopTimeout),
		},
		Quarantine:    contentfilter.Quarantine{Maildir: c.Quarantine, Hold: c.Hold},
		Name:          c.Name,
		LMTP:          c.Protocol == LMTP,
		XForward:      prefixes(c.XForward),
		MaxHops:       c.MaxHops,
		MaxRecipients: c.MaxRecipients,
		MaxSize:       int64(c.MaxSize),
		Timeouts:      contentfilter.Timeouts{Command: time.Duration(c.Idle), Content: time.Duration(c.Content), Message: time.Duration(c.Message)},
	}
	if c.BareLineEnds == BarePassThrough {
		o.BareLineEnds = contentfilter.BarePass
	}
	switch c.NextHopTLS {
	case TLSMay:
		// Whoever can take STARTTLS out of the dialogue needs no certificate.
		o.NextHop.StartTLS, o.NextHop.TLS = contentfilter.TLSMay, &tls.Config{InsecureSkipVerify: true}
	case TLSRequire:
		o.NextHop.StartTLS = contentfilter.TLSMust
	}
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return contentfilter.Options{}, fmt.Errorf("content_filter.tls_cert: %w", err)
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	return o, nil
}

func (r *reader) validateContentFilter(f *File) {
	c, listen := &f.ContentFilter, f.ListenContentFilter()
	for i, address := range c.Listen {
		at := element("content_filter.listen", i)
		if err := listen.Check(mailserver.WithScheme(address)); err != nil {
			r.problem(at, "%v", err)
		} else if slices.Contains(c.Listen[:i], address) {
			r.problem(at, "%s stands twice", address)
		} else if slices.Contains(f.Milter.Listen, address) {
			r.problem(at, "%s stands in milter.listen too", address)
		}
	}
	r.validateNextHop(c)
	r.validateCertificate(c)
	positive(r, "content_filter.max_hops", c.MaxHops)
	r.validateGroup("content_filter.socket_group", c.SocketGroup)
	positive(r, "content_filter.max_connections", c.MaxConnections)
	positive(r, "content_filter.max_recipients", c.MaxRecipients)
	positive(r, "content_filter.idle_timeout", c.Idle)
	positive(r, "content_filter.content_timeout", c.Content)
	positive(r, "content_filter.message_timeout", c.Message)
	positive(r, "content_filter.next_hop_timeout", c.NextHopTimeout)
	if c.Name != "" && !hostname.IsHost(c.Name) && !hostname.IsLiteral(c.Name) {
		r.problem("content_filter.name", "%q is no name of a host, such as mx.example.com", c.Name)
	}
	if c.Quarantine != "" && !filepath.IsAbs(c.Quarantine) {
		r.problem("content_filter.quarantine", "%q is no absolute path of a Maildir", c.Quarantine)
	}
	if c.Hold != "" {
		if address, err := mail.ParseAddress(c.Hold); err != nil || address.Address != c.Hold {
			r.problem("content_filter.hold", "%q is no address, such as quarantine@example.com", c.Hold)
		}
		if c.Quarantine != "" {
			r.problem("content_filter.hold", "messages in quarantine go to one place: set quarantine or hold")
		}
	}
}

func (r *reader) validateNextHop(c *ContentFilter) {
	if c.NextHop == "" {
		// The command line may name it, but then it also says where to listen.
		if len(c.Listen) > 0 {
			r.problem("content_filter.listen", "needs content_filter.next_hop: where messages go on to")
		}
		return
	}
	network, address, err := mailserver.ParseAddr(mailserver.WithScheme(c.NextHop))
	if err != nil {
		r.problem("content_filter.next_hop", "%v", err)
		return
	}
	if network != "unix" && strings.HasSuffix(address, ":0") {
		r.problem("content_filter.next_hop", "%s: port 0 is no port to connect to", c.NextHop)
	}
	if slices.ContainsFunc(c.Listen, func(own string) bool {
		same, at, err := mailserver.ParseAddr(mailserver.WithScheme(own))
		return err == nil && same == network && at == address
	}) {
		r.problem("content_filter.next_hop", "%s is in content_filter.listen: messages would go round in circles", c.NextHop)
	}
}

func (r *reader) validateCertificate(c *ContentFilter) {
	switch {
	case c.TLSCert == "" && c.TLSKey == "":
	case c.TLSCert == "":
		r.problem("content_filter.tls_key", "needs content_filter.tls_cert")
	case c.TLSKey == "":
		r.problem("content_filter.tls_cert", "needs content_filter.tls_key")
	default:
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			r.problem("content_filter.tls_cert", "%v", err)
		}
	}
}
