package dns_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/dns"
)

func TestServe(t *testing.T) {
	long := "v=DKIM1; p=" + strings.Repeat("A", 700)
	server := dns.Serve(t, map[string]string{"a._domainkey.example.test": "short", "B.example.test.": long})
	for _, network := range []string{"udp", "tcp"} {
		resolver := net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server)
		}}
		for name, want := range map[string]string{"a._domainkey.example.test.": "short", "b.example.test.": long} {
			// A resolver joins the strings of a record.
			got, err := resolver.LookupTXT(t.Context(), name)
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%s over %s: %q, %v", name, network, got, err)
			}
		}
		_, err := resolver.LookupTXT(t.Context(), "c.example.test.")
		var missing *net.DNSError
		if !errors.As(err, &missing) || !missing.IsNotFound {
			t.Errorf("a name that does not exist, over %s: %v", network, err)
		}
	}
}
