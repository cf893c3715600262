package mailserver

import (
	"strings"
	"testing"
)

func TestParseAddr(t *testing.T) {
	tests := []struct {
		in, network, address string
		err                  string // substring; "": none
	}{
		{in: "inet:8895@127.0.0.1", network: "tcp4", address: "127.0.0.1:8895"},
		{in: "inet:8895@localhost", network: "tcp4", address: "localhost:8895"},
		{in: "inet:127.0.0.1:8895", network: "tcp4", address: "127.0.0.1:8895"},
		{in: "inet:localhost:8895", network: "tcp4", address: "localhost:8895"},
		{in: "inet:0@127.0.0.1", network: "tcp4", address: "127.0.0.1:0"},
		{in: "INET:08895@127.0.0.1", network: "tcp4", address: "127.0.0.1:8895"},
		{in: "inet:[::1]:8895", network: "tcp6", address: "[::1]:8895"},
		{in: "inet6:8895@::1", network: "tcp6", address: "[::1]:8895"},
		{in: "inet6:8895@[::1]", network: "tcp6", address: "[::1]:8895"},
		{in: "inet6:[::1]:8895", network: "tcp6", address: "[::1]:8895"},
		{in: "inet6:8895@localhost", network: "tcp6", address: "localhost:8895"},
		{in: "unix:/run/linkmilter/milter.sock", network: "unix", address: "/run/linkmilter/milter.sock"},
		{in: "local:/run/linkmilter/milter.sock", network: "unix", address: "/run/linkmilter/milter.sock"},
		{in: "/run/linkmilter/milter.sock", network: "unix", address: "/run/linkmilter/milter.sock"},
		{in: "unix:milter.sock", network: "unix", address: "milter.sock"},

		{in: "", err: "no scheme"},
		{in: "8895", err: "no scheme"},
		{in: "127.0.0.1:8895", err: "unknown scheme"},
		{in: "tcp:127.0.0.1:8895", err: "unknown scheme"},
		{in: "inet:", err: "no port"},
		{in: "inet:8895", err: "no host"},
		{in: "inet:8895@", err: "no host"},
		{in: "inet::8895", err: "no host"},
		{in: "inet:127.0.0.1", err: "no port"},
		{in: "inet:127.0.0.1:", err: "port"},
		{in: "inet:smtp@127.0.0.1", err: "port"},
		{in: "inet:65536@127.0.0.1", err: "port"},
		{in: "inet:-1@127.0.0.1", err: "port"},
		{in: "inet:8895@127.0.0.1:25", err: "not an IP address or host name"},
		{in: "inet:8895@256.1.1.1", err: "not an IP address or host name"},
		{in: "inet:8895@a b", err: "not an IP address or host name"},
		{in: "inet:8895@a..b", err: "not an IP address or host name"},
		{in: "inet:8895@-a.example", err: "not an IP address or host name"},
		{in: "inet:8895@bücher.example", err: "not an IP address or host name"},
		{in: "inet:8895@...", err: "not an IP address or host name"},
		{in: "inet6:8895@127.0.0.1", err: "not an IPv6 address"},
		{in: "inet6:::1:8895", err: "brackets"},
		{in: "inet6:[::1]", err: "no port"},
		{in: "inet6:[::1:8895", err: "missing ]"},
		{in: "inet6:8895@[::1", err: "missing ]"},
		{in: "unix:", err: "no path"},
		{in: "unix:@abstract", err: "abstract"},
		{in: "unix:/a\x00b", err: "NUL"},
		{in: "unix:/" + strings.Repeat("x", 107), err: "107"},
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			network, address, err := ParseAddr(test.in)
			if test.err != "" {
				if err == nil {
					t.Fatalf("no error, but %s %s", network, address)
				}
				if !strings.Contains(err.Error(), test.err) || !strings.HasPrefix(err.Error(), "address ") {
					t.Fatalf("error %q, want it to say %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if network != test.network || address != test.address {
				t.Errorf("%s %s, want %s %s", network, address, test.network, test.address)
			}
		})
	}
}
