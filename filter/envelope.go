package filter

import (
	"net/netip"
	"slices"

	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// An Envelope is what is known about a message beside its bytes.
type Envelope struct {
	// Sender is the envelope sender without angle brackets. The empty one is
	// the null sender of bounces (RFC 5321 §4.5.5), whose mail is never edited:
	// who has no envelope, but a file, sets an address that stands for any.
	Sender        string
	Recipients    []string   // envelope recipients without angle brackets
	Client        netip.Addr // that sent the message; the zero Addr is no address, hence a stranger
	ClientName    string     // its verified host name, or what the MTA says instead
	Authenticated bool       // the client logged in
	AuthUser      string     // as whom
	Daemon        string     // name of the MTA's daemon, such as the macro {daemon_name}
	Listener      string     // address on which linkmilter took the message
	BodyType      string     // BODY= of MAIL FROM: 7BIT, 8BITMIME, BINARYMIME, or "" (RFC 6152, RFC 3030)
	SMTPUTF8      bool       // MAIL FROM had SMTPUTF8 (RFC 6531)
	QueueID       string     // of the MTA, for logs
	// Rewrites: behind this filter the MTA writes address fields anew, as Sendmail
	// does. It matters to what is signed here.
	Rewrites bool
	// Truncated: the message is larger than the caller keeps, and what it gives is
	// only the beginning. That is read and judged; the content is not edited, and Result.Edited is nil.
	Truncated bool
	// Room is memory of the caller's, of any length, in which Result.Edited lies if it
	// fits there, whatever Room held; nil: none.
	Room []byte
}

// A Result is what is to be done with a message.
type Result struct {
	Plan        mime.Plan         // the edits; empty when the message goes on as it came
	Edited      []byte            // the whole message with Plan and HeaderEdits applied, verified; nil when both are empty, or the message was truncated
	BodyStart   int               // offset into Edited at which the body begins
	HeaderEdits []mime.HeaderEdit // further edits of the header: tags, and fields that nobody shall take for ours
	Action      Action            // what becomes of the message
	Report      Report            // what was seen and done
}

// EditsHeader reports whether the header is edited beside what the content takes and
// beside signatures.
func (r *Result) EditsHeader() bool { return slices.ContainsFunc(r.HeaderEdits, isNoSignature) }

// Unsigned returns the edits of the header that hold without the rest of the
// result: those that add fields, but for signatures, which are over all of it.
func (r *Result) Unsigned() []mime.HeaderEdit {
	var edits []mime.HeaderEdit
	for _, e := range r.HeaderEdits {
		if (e.Op == mime.OpAdd || e.Op == mime.OpInsert) && isNoSignature(e) {
			edits = append(edits, e)
		}
	}
	return edits
}

func isNoSignature(e mime.HeaderEdit) bool { return e.Name != mailauth.FieldSignature }

// Message returns the message as it goes on: the edited one, or raw, the
// original, where nothing is edited. The action is not its business.
func (r *Result) Message(raw []byte) []byte {
	if r.Edited != nil {
		return r.Edited
	}
	return raw
}
