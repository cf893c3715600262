package browser

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestIsOwnAddress: only the address at which a request arrived is the listener's own. A name is
// not, wherever it leads.
func TestIsOwnAddress(t *testing.T) {
	arrived := func(r *http.Request, address net.Addr) *http.Request {
		return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, address))
	}
	v4, v6 := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8896}, &net.TCPAddr{IP: net.ParseIP("2001:db8::7"), Port: 8896}
	for _, c := range []struct {
		host    string
		address net.Addr
		want    bool
	}{
		{"192.0.2.7:8896", v4, true},
		{"192.0.2.7", v4, true},
		{"[::ffff:192.0.2.7]:8896", v4, true},
		{"[2001:db8::7]:8896", v6, true},
		{"[2001:db8::7]", v6, true},
		{"192.0.2.8:8896", v4, false},
		{"[2001:db8::8]:8896", v6, false},
		{"rebound.example:8896", v4, false},
		{"192.0.2.7.example", v4, false},
		{"", v4, false},
		{"192.0.2.7:8896", &net.UnixAddr{Name: "/run/admin.sock"}, false},
		{"192.0.2.7:8896", nil, false},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Host = c.host
		if c.address != nil {
			r = arrived(r, c.address)
		}
		if got := IsOwnAddress(r); got != c.want {
			t.Errorf("host %q at %v: %v, want %v", c.host, c.address, got, c.want)
		}
	}
}
