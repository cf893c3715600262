//go:build linux

package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadableLink sends a link through each server. The text stays byte for byte, and HTML beside
// it shows the link readable and opens the same URL.
func TestReadableLink(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		without, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
		if without.Body != lf(linkText) {
			t.Fatalf("the server itself changed the body: %s", firstDifference(lf(linkText), without.Body))
		}
		text, html := readAlternative(t, with)
		if text != strings.TrimSuffix(lf(linkText), "\n") && text != lf(linkText) {
			t.Errorf("text part: %s", firstDifference(lf(linkText), text))
		}
		for _, want := range []string{`href="` + typedLink + `"`, ">" + strings.TrimPrefix(readableLink, "https://") + "<"} {
			if !strings.Contains(html, want) {
				t.Errorf("HTML part lacks %q:\n%s", want, html)
			}
		}
		// Only fields that describe the body are changed, moved or added.
		if diff := cmp.Diff(withoutContent(without.Header), withoutContent(with.Header)); diff != "" {
			t.Errorf("header fields changed (-without +with linkmilter):\n%s", diff)
		}
	})
}

// TestUnchanged sends messages that must arrive as without linkmilter, and reads the reason in its
// log.
func TestUnchanged(t *testing.T) {
	const pgp = `multipart/signed; boundary="=_s"; micalg=pgp-sha512; protocol="application/pgp-signature"`
	signed := "--=_s\r\nContent-Type: " + textPlain + "\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + linkText +
		"\r\n--=_s\r\nContent-Type: application/pgp-signature\r\n\r\n" +
		"-----BEGIN PGP SIGNATURE-----\r\n\r\niHUEABYKAB0WIQ==\r\n-----END PGP SIGNATURE-----\r\n\r\n--=_s--\r\n"
	tests := []struct {
		name    string
		message []byte
		reason  string // in the log
	}{
		{"no links", compose(textPlain, noLink), "nothing-to-change"},
		{"empty body", compose(textPlain, ""), ""},
		{"signed", compose(pgp, signed), "signed"},
		{"DKIM-Signature", compose(textPlain, linkText, "DKIM-Signature: v=1; d=example.test; b=AAAA"), "dkim-signed"},
		{"mailing list", compose(textPlain, linkText, "List-Id: <l.example.test>"), "list"},
		{"unknown charset", compose("text/plain; charset=x-klingon", linkText), "unknown-charset"},
		{"broken MIME: no boundary", compose("multipart/mixed", linkText), "missing-boundary"},
		{"broken MIME: two Content-Type fields", compose(textPlain, linkText, "Content-Type: text/html"), "duplicate-content-type"},
		{"broken MIME: undecodable", compose(textPlain, "\xff\xfe "+linkText), "undecodable"},
	}
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				env := Envelope{Params: "BODY=8BITMIME"}
				without := deliver(t, p.Server, "plain", env, test.message)
				with, queueID := send(t, Dial(t, p.Addr("filtered")), p.Server, env, test.message)
				if with.Body != without.Body {
					t.Errorf("body changed: %s", firstDifference(without.Body, with.Body))
				}
				if diff := cmp.Diff(without.Header, with.Header); diff != "" {
					t.Errorf("header changed (-without +with linkmilter):\n%s", diff)
				}
				line := p.linkmilter.WaitLog(t, "queue_id="+queueID)
				if !strings.Contains(line, test.reason) {
					t.Errorf("the log does not say %q: %s", test.reason, line)
				}
			})
		}
	})
}
