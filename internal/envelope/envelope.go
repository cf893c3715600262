package envelope

import "net/netip"

// AnySender stands for the envelope sender of a message if it is not known.
const AnySender = "user@example.com"

// An Envelope has the facts about a message that are not in its bytes. The zero value is
// a bounce from an unknown client.
type Envelope struct {
	// Sender is the envelope sender without angle brackets. The empty one is the null sender of
	// bounces (RFC 5321 §4.5.5), whose mail is never edited: so a caller without an envelope, such
	// as one that reads files, sets AnySender.
	Sender        string
	Recipients    []string   // envelope recipients without angle brackets
	Client        netip.Addr // address of the client that sent the message; the zero Addr is in no network
	Helo          string     // name by which the client introduced itself, for logs
	Authenticated bool       // the client logged in
	Host          string     // name of the MTA, such as the macro j; "" if unknown
	Daemon        string     // name of the MTA's daemon, such as the macro {daemon_name}
	BodyType      string     // BODY= of MAIL FROM: 7BIT, 8BITMIME, BINARYMIME, or "" (RFC 6152, RFC 3030)
	SMTPUTF8      bool       // MAIL FROM had SMTPUTF8 (RFC 6531)
	QueueID       string     // queue id at the MTA, for logs
	// Rewrites says that the MTA rewrites address fields after this filter, as
	// Sendmail does. It matters to signing.
	Rewrites bool
	// Truncated says that the bytes are only the beginning of the message. The filter
	// reads and judges them; it does not edit the body.
	Truncated bool
}
