package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestHTTPErrors: an error about an address or certificate names it, and says what is needed.
func TestHTTPErrors(t *testing.T) {
	cert, key := certificate(t)
	_, other := certificate(t)
	for _, c := range []struct {
		listen, cert, key string
		want              []string
	}{
		{"127.0.0.1:8897", cert, key, nil},
		{"http://127.0.0.1:8897", cert, key, []string{"http.listen[0]", `"http://127.0.0.1:8897": a URL (want 127.0.0.1:8897)`}},
		{"127.0.0.1:8897", cert, other, []string{"http.tls_cert", cert, other, "does not match"}},
		{"127.0.0.1:8897", t.TempDir(), key, []string{"http.tls_cert", "not a regular file"}},
		{"127.0.0.1:8897", cert + "x", key, []string{"http.tls_cert", cert + "x", "PEM"}},
		{"127.0.0.1:8897", cert, key + "x", []string{"http.tls_key", key + "x"}},
	} {
		_, err := Parse("test", fmt.Appendf(nil, "[http]\nlisten = [%q]\ntls_cert = %q\ntls_key = %q\n", c.listen, c.cert, c.key))
		if (err != nil) != (c.want != nil) {
			t.Errorf("%+v: %v", c, err)
		}
		for _, want := range c.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%q is not in %v", want, err)
			}
		}
	}
}
