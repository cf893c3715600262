package filter

import (
	"fmt"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Options configure a [Filter]. The zero value is the behaviour of linkmilter
// without a configuration.
type Options struct {
	// Engine selects how links are found. Its MaxLinks counts the links of a whole message; zero means
	// that of [DefaultOptions]. Of a link longer than MaxLinkLen only the host is judged; zero means
	// engine.DefaultMaxLinkLen.
	Engine engine.Options
	// Policy selects how links are judged.
	Policy policy.Options
	// Limits bound the work on a message and the size of the result.
	Limits Limits
	// Rules say what the filter does with which message. The first rule whose When matches decides. No
	// rules: those of [rule.Builtin].
	Rules []rule.Rule

	// DryRun leaves only the report in each result: it says what the rules would do.
	DryRun bool
	// Edit says which messages the filter may edit: a rule cannot ask for more.
	Edit rule.Edit

	// ID names this filter in the header fields that it writes: the name of the mail host, as in
	// Authentication-Results (RFC 8601). It begins with a letter, and so is a token (RFC 9651 §3.3.4).
	// If it is empty, the MTA's name in the envelope is used, and without that the ID of
	// [DefaultOptions].
	ID string
	// OtherIDs are the ids of the operator's other mail hosts. Fields of untrusted mail that have one
	// of these ids are forged.
	OtherIDs []string
	// Node names this machine in the header fields, to tell it from others with the same ID. It has
	// ASCII letters, digits, hyphens, dots and underscores. Empty: the fields name no machine.
	Node string
	// JoinLines finds and judges a URL in angle brackets that continues over lines (RFC 3986 appendix
	// C) as one URL. The text stays as typed.
	JoinLines bool
	// Signer signs messages of trusted senders with DKIM, unless they come with a
	// signature of their domain; nil: nothing is signed.
	Signer signer
	// SignEdited says that only messages whose body was edited are signed, for operators
	// who sign the rest elsewhere.
	SignEdited bool
	// AuthservIDs are the names under which the operator's servers write
	// Authentication-Results (RFC 8601 §2.5). Conditions on authentication and
	// findings of report.CodeUnalignedLink trust these only.
	AuthservIDs []string
	// OptOut is the name of the header field with which trusted senders ask to leave a message alone.
	// Any value except "no" asks so. The filter removes it. From others it means nothing. Default
	// "X-Linkmilter-Opt-Out".
	OptOut string
	// Robots has patterns for the addresses of recipients that are programs, such as "*-request@*". `*`
	// matches any text; case does not matter. A message to such an address is not edited. nil: the
	// patterns of [DefaultOptions]; an empty list: none.
	Robots []string
	// NeverLink has patterns for texts that are never made a link although they could
	// be one, such as "node.js": `*` matches any text; case does not matter.
	NeverLink []string
}

// Limits bound the work on a message and the size of the result. A value of zero
// means that of [DefaultOptions].
type Limits struct {
	mime.Limits // the parts of attached messages count too

	// Time is how long the work on a message may take. The context of a call may end earlier. Zero:
	// only the context counts.
	Time    time.Duration
	Message int // bytes of a message; of a longer message only this beginning is judged, and nothing is edited.
	Text    int // bytes of a text in UTF-8; a longer text is judged, but not edited.
	Result  int // bytes of an edited message; below the MTA's own limit, since Postfix bounces a message that a milter grew past it.
	Growth  int // bytes that an edit may add to a message.
}

// DefaultOptions returns the values that hold for limits, id, opt-out field and robots if none are
// given.
func DefaultOptions() Options {
	return Options{
		Engine: engine.Options{MaxLinks: 10_000, MaxLinkLen: engine.DefaultMaxLinkLen},
		Limits: Limits{Limits: mime.DefaultLimits(), Message: 25 << 20, Text: 4 << 20, Result: 9_000_000, Growth: 5 << 20},
		ID:     "linkmilter",
		OptOut: "X-Linkmilter-Opt-Out",
		Robots: robots(),
	}
}

// withDefaults returns l with defaults in place of zeros, or an error that names a negative limit.
func (l Limits) withDefaults() (Limits, error) {
	d := DefaultOptions().Limits
	if l.Time < 0 {
		return l, fmt.Errorf("negative limit Time: %s", l.Time)
	}
	for _, limit := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"Parts", &l.Parts, d.Parts},
		{"Message", &l.Message, d.Message},
		{"Text", &l.Text, d.Text},
		{"Result", &l.Result, d.Result},
		{"Growth", &l.Growth, d.Growth},
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

// validateNode refuses a machine name that would need quotes in a header field.
func validateNode(name string) error {
	odd := func(r rune) bool { return !ascii.IsAlphanumeric(r) && !strings.ContainsRune("-._", r) }
	if strings.ContainsFunc(name, odd) || len(name) > 253 {
		return fmt.Errorf("node %q: not a name of letters, digits, hyphens, dots and underscores", name)
	}
	return nil
}

// validateAuthserv refuses a name that Authentication-Results cannot have.
func validateAuthserv(id string) error {
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`;"()`, r) }) {
		return fmt.Errorf("authserv id %q: not a word of ASCII such as a host name", id)
	}
	return nil
}

// A signer signs messages with DKIM; [mailauth.Signer] is one. Several goroutines
// may use it at once.
type signer interface {
	// Has reports whether there is a key for mail from a domain.
	Has(domain string) bool
	// Sign returns the values of the DKIM-Signature fields for a message from
	// domain, folded by CRLF; the filter inserts them on top unchanged. An error
	// that wraps [mailauth.ErrFragile] says that mail servers may change the
	// message.
	Sign(domain string, message []byte) ([]string, error)
	// Converts reports whether texts shall leave the transfer encoding 8bit
	// before Sign.
	Converts() bool
	// SurvivesSendmail reports whether a signature stays valid when Sendmail sends a
	// field, whose addresses it may rewrite. value is the raw text after the colon.
	SurvivesSendmail(name, value string) bool
}
