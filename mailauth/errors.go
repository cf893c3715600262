package mailauth

import "errors"

// Reasons for which a message is not signed.
var (
	// ErrNoKey: there is no key for the domain.
	ErrNoKey = errors.New("no DKIM key for the domain")
	// ErrNotSevenBit: the message may be written in another form on its way; see [SevenBit].
	ErrNotSevenBit = errors.New("the message is not 7-bit")
	// ErrHeader: the header is malformed, has not exactly one From, has too many
	// of the fields that are signed, or an empty one that servers fill.
	ErrHeader = errors.New("the header cannot be signed")
)
