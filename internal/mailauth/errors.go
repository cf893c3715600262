package mailauth

import "errors"

// ErrNotSevenBit says that a message is not signed since a mail server may convert it on
// its way: it has bytes above 127, NUL, lines of more than 980 bytes or mixed line ends.
var ErrNotSevenBit = errors.New("the message is not 7-bit")

// Other reasons for which a message is not signed.
var (
	// errNoKey: the signer does not have a key for the domain.
	errNoKey = errors.New("no DKIM key for the domain")
	// errUnsignable: the header is malformed, does not have exactly one From, has too many
	// fields to sign, or has an empty field that servers fill.
	errUnsignable = errors.New("the header cannot be signed")
)
