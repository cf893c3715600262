package filter_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// TestAddressAsWebUser: other programs read an address that begins with "www." as a URL with a user
// name.
func TestAddressAsWebUser(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		text string
		want bool
	}{
		{"see www.paypal.com@evil.example.net/login now", true},
		{"see www.paypal.com@evil.example.net?x=1 now", true},
		{"see www.paypal.com@evil.example.net#login now", true},
		{"see www.paypal.com@evil.example.net:8080 now", true},
		{"see WWW.paypal.com@evil.example.net/ now", true},
		{"see (www.kestrel.com@evil.example.net/login)", true},
		{"see www.paypal.com@evil.example.net now", true},
		{"see www.paypal.com@evil.example.net, now", true},
		{"see www.paypa1.com@evil.example.net now", true},

		{"see www.kestrel.com@gmail.com now", false},
		{"see www.kestrel.com@gmail.com: now", false},
		{"see www.kestrel.com@gmail.com? Now", false},
		{"see www.anna@example.com/x now", false},
		{"see www.example.com@example.com/x now", false},
		{"see www.paypal.com@paypal.com now", false},
		{"see www-data@example.com/x now", false},
		{"see mailto:www.kestrel.com@example.com now", false},
		{"see paypal.com@example.com now", false},
	} {
		if got := worstLink(f.Scan([]byte(utf8Text(test.text+"\r\n")))) >= policy.SeverityMedium; got != test.want {
			t.Errorf("%s: found %t, want %t", test.text, got, test.want)
		}
		subject := "From: a@example.com\r\nSubject: " + test.text + "\r\n\r\nHello\r\n"
		if got := worstLink(f.Scan([]byte(subject))) >= policy.SeverityMedium; got != test.want {
			t.Errorf("Subject: %s: found %t, want %t", test.text, got, test.want)
		}
	}
}
