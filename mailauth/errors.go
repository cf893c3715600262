package mailauth

import "errors"

// Reasons for which a message is not signed.
var (
	// ErrNoKey: the signer does not have a key for the domain.
	ErrNoKey = errors.New("no DKIM key for the domain")
	// ErrNotSevenBit: a mail server may convert the message on its way; see [SevenBit].
	ErrNotSevenBit = errors.New("the message is not 7-bit")
	// ErrHeader: the header is malformed, does not have exactly one From, has too many
	// fields to sign, or has an empty field that servers fill.
	ErrHeader = errors.New("the header cannot be signed")
)
