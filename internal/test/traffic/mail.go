//go:build unix

package traffic

// Host is the name of the mail server.
const Host = "mx.example.org"

// Addresses of the envelope, and those of the client.
const (
	sender, recipient = "anna@example.org", "ben@example.com"
	here, elsewhere   = "127.0.0.1", "192.0.2.7"
)

// idField is the name of the field with the number of a message, which goes on top.
const idField = "X-Traffic-ID"

// A Mail is a message without a number. Its lines end with CRLF.
type Mail struct {
	Raw     []byte
	Trusted bool // the client is on this machine
}

// client returns the IP address of the client.
func (m *Mail) client() string {
	if m.Trusted {
		return here
	}
	return elsewhere
}
