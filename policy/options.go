package policy

import "github.com/linkmilter/linkmilter/engine/tld"

// Options configure a Judge. The zero value has the defaults.
type Options struct {
	// Severities replace the severity of all findings of a code.
	// SeverityNone turns the code off.
	Severities map[Code]Severity
	// Protected has domains that other hosts must not look like, in addition to
	// the built-in list: the domains of the operator. U-labels or A-labels.
	Protected []string
	// Brands has domains that phishing imitates, in addition to the built-in list. Unlike
	// with Protected, the same name below another suffix is honest. U-labels or A-labels.
	Brands []string
	// Block has hosts with a finding of CodeBlocked: `example.com` is that host alone,
	// `.example.com` every host below it. With a date behind it, as in
	// `example.com 2027-01-31`, a host counts through that day.
	Block []string
	// Allow has hosts, in the form of Block, that have no findings, also where a link of
	// another host passes on to them. Allow wins over Block.
	Allow []string
	// WithoutBrands says that other hosts may look like the domains of the built-in
	// list.
	WithoutBrands bool
	// TLDs has the top-level domains that exist; nil means tld.Builtin().
	TLDs *tld.Set
}
