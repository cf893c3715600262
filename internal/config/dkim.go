package config

import (
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailauth"
)

// Signing returns the options for signing with DKIM.
func (f *File) Signing() mailauth.SignerOptions { return f.DKIM.options() }

// Signer returns the DKIM signer, with the keys as they were when the file was read,
// or nil if the file does not name any.
func (f *File) Signer() *mailauth.Signer { return f.DKIM.signer }

func (d *DKIM) options() mailauth.SignerOptions {
	o := mailauth.SignerOptions{
		Headers:          d.Headers,
		Oversign:         d.Oversign,
		Canonicalization: d.Canonicalization,
		Expiry:           time.Duration(d.Expire),
		EightBit:         mailauth.EightBit(d.EightBit),
	}
	for _, k := range d.Keys {
		o.Keys = append(o.Keys, mailauth.Key(k))
	}
	return o
}

// validateDKIM reads the keys, and notes each problem at its place.
func (r *reader) validateDKIM(d *DKIM) {
	before := len(r.problems)
	note := func(path string, err error) {
		if err != nil {
			// LoadKey puts its advice, a sentence, on a separate line.
			r.problem(path, "%s", strings.ReplaceAll(err.Error(), "\n", ". "))
		}
	}
	signs := func(o mailauth.SignerOptions) error {
		_, err := mailauth.NewSigner(o)
		return err
	}
	note("dkim.headers", signs(mailauth.SignerOptions{Headers: d.Headers}))
	if d.Oversign != nil {
		note("dkim.oversign", signs(mailauth.SignerOptions{Oversign: d.Oversign}))
	}
	note("dkim.expire", signs(mailauth.SignerOptions{Expiry: time.Duration(d.Expire)}))
	if r.withoutKeys {
		return
	}
	for i, k := range d.Keys {
		_, err := mailauth.LoadKey(mailauth.Key(k))
		note(element("dkim.key", i), err)
	}
	if len(d.Keys) == 0 || len(r.problems) > before {
		return
	}
	signer, err := mailauth.NewSigner(d.options())
	note("dkim.key", err) // contradictions between valid values
	d.signer = signer
}
