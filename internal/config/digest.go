package config

import (
	"fmt"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/contentfilter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// IsSent reports whether anybody is told.
func (d *Digest) IsSent() bool { return len(d.To)+len(d.Users) > 0 }

// IsDue reports whether the time of the digest has come on the day of now.
func (d *Digest) IsDue(now time.Time) bool {
	at, err := time.Parse("15:04", d.At)
	return err == nil && 60*now.Hour()+now.Minute() >= 60*at.Hour()+at.Minute()
}

func (r *reader) validateDigest(d *Digest) {
	if d.Server == "" {
		return
	}
	network, address, err := mailserver.ParseAddr(mailserver.WithScheme(d.Server))
	switch {
	case err != nil:
		r.problem("digest.server", "%v", err)
	case network != "unix" && strings.HasSuffix(address, ":0"):
		r.problem("digest.server", "address %q: port 0 is not valid (want 1 to 65535)", d.Server)
	}
}

// DigestServer returns the server that takes the digest: that of the content filter if the table names
// none.
func (f *File) DigestServer(nextHop contentfilter.NextHop) (contentfilter.NextHop, error) {
	if f.Digest.Server == "" {
		return nextHop, nil
	}
	_, address, err := mailserver.ParseAddr(mailserver.WithScheme(f.Digest.Server))
	if err != nil {
		return nextHop, fmt.Errorf("digest.server: %w", err)
	}
	server := contentfilter.NextHop{Address: address, Timeout: nextHop.Timeout}
	useTLS(&server, f.Digest.ServerTLS)
	return server, nil
}
