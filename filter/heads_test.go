package filter

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/mime"
)

// TestHeadsWithin finds the heads of files behind line ends, tags, quote marks and indents, and
// none in a sentence.
func TestHeadsWithin(t *testing.T) {
	for text, want := range map[string]heads{
		"":                            {},
		"-----BEGIN PGP MESSAGE-----": {kind: kindEncrypted},
		"-----BEGIN PGP MESSAGE, PART 1/2-----\n":                            {kind: kindEncrypted},
		"hi\n-----BEGIN PKCS7-----\n":                                        {kind: kindEncrypted},
		"<p>-----BEGIN CMS-----</p>":                                         {kind: kindEncrypted},
		"> > -----BEGIN PGP MESSAGE-----\n":                                  {kind: kindEncrypted},
		"hi\r\n\t-----BEGIN PGP MESSAGE-----\r\n":                            {kind: kindEncrypted},
		"-----BEGIN PGP SIGNATURE-----":                                      {},
		"write -----BEGIN PGP MESSAGE----- first":                            {},
		"hi\r-----BEGIN PGP MESSAGE-----\r\rhQ\r-----END PGP MESSAGE-----":   {kind: kindEncrypted},
		"read -----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----":  {kind: kindEncrypted},
		"hi\n(This file must be converted with BinHex 4.0)\n":                {kind: kindArchive},
		"hi\n(This file must be converted with BinHex)\n-----BEGIN CMS-----": {kind: kindArchive},
		"begin 644 a.txt\n":                                                  {uuencode: true},
		"<br>begin 644 a.txt\n":                                              {uuencode: true},
		"to begin 644 times\n":                                               {},
		"hi\n=ybegin line=128 size=9\nbegin":                                 {uuencode: true, yEnc: true},
		"\n":                                                                 {},
		">":                                                                  {},
	} {
		if got := headsWithin(text, false); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
		m := mime.Parse(t.Context(), []byte("\n"+text), mime.Limits{})
		content, err := m.Text(m.Root)
		if err != nil {
			continue
		}
		_, noHead := m.Unambiguous(m.Root, content)
		if got := headsWithin(content, noHead && !strings.Contains(text, "<")); got != want {
			t.Errorf("%q in a message: %+v, want %+v", text, got, want)
		}
	}
}

// TestKnownHeads: headsWithin finds the same heads where mime knows that no line begins a file.
func TestKnownHeads(t *testing.T) {
	pieces := []string{
		"begin", " 644 a", "=ybegin ", "(This file must be converted with BinHex", "-----BEGIN ", "CMS-----", "PGP MESSAGE-----", "-----END PGP MESSAGE-----",
		"\n", "\n", "\r\n", "\n> ", "\n>>", "\n ", "\n\t", "a", "be", "-", "=", "(", " ", "\x00", "\r",
	}
	random := rand.New(rand.NewPCG(1, 1))
	known := 0
	for range 100_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		m := mime.Parse(t.Context(), []byte("\n"+b.String()), mime.Limits{})
		text, err := m.Text(m.Root)
		if err != nil {
			continue
		}
		if _, noHead := m.Unambiguous(m.Root, text); !noHead {
			continue
		}
		known++
		if got, want := headsWithin(text, true), headsWithin(text, false); got != want {
			t.Fatalf("%q: %+v, want %+v", text, got, want)
		}
	}
	if known < 10_000 {
		t.Errorf("known of only %d texts", known)
	}
}
