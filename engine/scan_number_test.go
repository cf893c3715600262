package engine_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// TestNumbersBehindSlashes: in default mode, a number that hides an IPv4 address, behind a scheme
// and any number of slashes, is the host of a suspect. Browsers read it so.
func TestNumbersBehindSlashes(t *testing.T) {
	for _, tt := range []struct{ text, suspect string }{
		{"http:/2130706433", "http:/2130706433"},
		{`see http:\\127.1/x now`, `http:\\127.1/x`},
		{`(HTTPS:\/0X7F.1:80).`, `HTTPS:\/0X7F.1:80`},
		{`ftp:\0177.0.0.1, x`, `ftp:\0177.0.0.1`},
		{"http:/0x7f.1:80` x", "http:/0x7f.1:80"},
		{"http:/0x7f.1|x", "http:/0x7f.1"},
		{"-http:/127.1.", "-http:/127.1"[1:]},
		{"http:/8080 https:/443 http:/1.x C:/127.1 D:\\127.1 xhttp:\\127.1", ""},
		{"http:/127.1.invalid http:/127.1-x http:\\127.1é.com", ""},
	} {
		links := newScanner(t, engine.Options{Suspects: true}).Append(nil, tt.text)
		if tt.suspect == "" {
			for _, l := range links {
				if l.Reason == engine.ReasonObfuscatedIP {
					t.Errorf("%s: %s", tt.text, describe(links))
				}
			}
			continue
		}
		if len(links) != 1 || links[0].Text != tt.suspect || links[0].Reason != engine.ReasonObfuscatedIP || links[0].ASCIIHost() != "127.0.0.1" {
			t.Errorf("%s: %s, want %s", tt.text, describe(links), tt.suspect)
		}
		if plain := newScanner(t, engine.Options{}).Append(nil, tt.text); len(plain) > 0 {
			t.Errorf("%s: without suspects %s", tt.text, describe(plain))
		}
	}
}
