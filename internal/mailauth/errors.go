package mailauth

import "errors"

// Reasons for which a message is not signed.
var (
	// errNoKey: the signer does not have a key for the domain.
	errNoKey = errors.New("no DKIM key for the domain")
	// errUnsignable: the header is malformed, does not have exactly one From, has too many
	// fields to sign, or has an empty field that servers fill.
	errUnsignable = errors.New("the header cannot be signed")
)
