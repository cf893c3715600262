package filter

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Options configure a [Filter]. The zero value is what linkmilter does without
// a configuration.
type Options struct {
	// Engine selects how links are found. Its MaxLinks counts the links of a
	// whole message, and is 10,000 where it is zero.
	Engine engine.Options
	// Policy selects how links are judged.
	Policy policy.Options
	// Limits bound the work on a message and the size of the result.
	Limits Limits
	// Rules say what is done with which message: the first whose When matches
	// decides. Where there are none, [BuiltinRules] apply.
	Rules []Rule

	// ID names this filter in the header fields that it writes: the name of the
	// mail host, as in Authentication-Results (RFC 8601). It begins with a letter,
	// and so is a token (RFC 9651 §3.3.4). Default "linkmilter".
	ID string
	// OtherIDs are further ids that are one's own, such as those of the other
	// mail hosts: fields with them are taken for forged on mail of strangers.
	OtherIDs []string
	// JoinLines says that a URL in angle brackets that is broken over lines (RFC
	// 3986 appendix C) is found and judged as one. It stays as it was typed.
	JoinLines bool
	// Signer signs messages of one's own users with DKIM; nil: none is signed here.
	Signer Signer
	// Sign says which of them are signed.
	Sign Sign
	// AuthservIDs are the names under which one's own servers write
	// Authentication-Results (RFC 8601 §2.5). Only these are believed, by When.Auth
	// and for CodeUnalignedLink.
	AuthservIDs []string
	// OptOut is the name of the header field with which one's own users ask to
	// leave a message as it is: any value but "no". It is removed on the way.
	// From others it means nothing. Default "X-Linkmilter-Opt-Out".
	OptOut string
	// NeverLink are patterns for texts that are never made a link although they
	// could be one, such as "node.js": `*` stands for any text, even none; case
	// does not matter.
	NeverLink []string
	// Allow are hosts that are never flagged: `example.com` is that host alone,
	// `.example.com` every host below it. U-labels or A-labels.
	Allow []string
}

// Limits bound the work on a message and the size of the result. A value of
// zero means the default.
type Limits struct {
	MIME    mime.Limits // depth, parts and octets of headers; the parts of attached messages count too
	Message int         // octets of a message; of a larger one these are judged and nothing is edited. Default 25 MiB
	Text    int         // bytes of a text in UTF-8; a longer one is judged and not edited. Default 4 MiB
	Result  int         // octets of an edited message; below the MTA's own limit, since Postfix bounces what a milter grew past it. Default 9,000,000
	Growth  int         // octets that an edit may add to a message. Default 5 MiB
}

const (
	defaultID = "linkmilter"
	maxID     = 253 // octets, as of a host name
)

// defaultLinks is how many links of a message are looked at.
const defaultLinks = 10_000

func (l Limits) withDefaults() (Limits, error) {
	for _, limit := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"MIME.Parts", &l.MIME.Parts, 500},
		{"Message", &l.Message, 25 << 20},
		{"Text", &l.Text, 4 << 20},
		{"Result", &l.Result, 9_000_000},
		{"Growth", &l.Growth, 5 << 20},
	} {
		switch {
		case *limit.value < 0:
			return l, fmt.Errorf("negative limit %s: %d", limit.name, *limit.value)
		case *limit.value == 0:
			*limit.value = limit.fallback
		}
	}
	return l, nil
}
