package opening

import (
	"testing"

	"github.com/linkmilter/linkmilter/internal/filekind"
)

// TestHeadsWithin: the beginnings of files are found behind line ends, tags, quote marks and
// indents, but not in a sentence.
func TestHeadsWithin(t *testing.T) {
	for text, want := range map[string]heads{
		"":                            {},
		"-----BEGIN PGP MESSAGE-----": {Kind: filekind.Encrypted},
		"-----BEGIN PGP MESSAGE, PART 1/2-----\n":                            {Kind: filekind.Encrypted},
		"hi\n-----BEGIN PKCS7-----\n":                                        {Kind: filekind.Encrypted},
		"<p>-----BEGIN CMS-----</p>":                                         {Kind: filekind.Encrypted},
		"> > -----BEGIN PGP MESSAGE-----\n":                                  {Kind: filekind.Encrypted},
		"hi\r\n\t-----BEGIN PGP MESSAGE-----\r\n":                            {Kind: filekind.Encrypted},
		"-----BEGIN PGP SIGNATURE-----":                                      {},
		"write -----BEGIN PGP MESSAGE----- first":                            {},
		"hi\r-----BEGIN PGP MESSAGE-----\r\rhQ\r-----END PGP MESSAGE-----":   {Kind: filekind.Encrypted},
		"read -----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----":  {Kind: filekind.Encrypted},
		"hi\n(This file must be converted with BinHex 4.0)\n":                {Kind: filekind.Archive},
		"hi\n(This file must be converted with BinHex)\n-----BEGIN CMS-----": {Kind: filekind.Encrypted},
		"begin 644 a.txt\n":                                                  {Uuencode: true},
		"<br>begin 644 a.txt\n":                                              {Uuencode: true},
		"to begin 644 times\n":                                               {},
		"hi\n=ybegin line=128 size=9\nbegin":                                 {Uuencode: true, YEnc: true},
		"\n":                                                                 {},
		">":                                                                  {},
	} {
		if got := HeadsWithin(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
