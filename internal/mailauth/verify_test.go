package mailauth

import (
	"bytes"

	"github.com/emersion/go-msgauth/dkim"
)

// A lookupTXT is the DNS of a test: it returns the TXT records of a name.
type lookupTXT func(name string) ([]string, error)

// verify lets go-msgauth verify the first ten signatures of a message.
func verify(message []byte, lookup lookupTXT) ([]*dkim.Verification, error) {
	body, err := eachField(message, func(_, _ []byte) {})
	if err != nil {
		return nil, err
	}
	if body < 0 {
		// go-msgauth needs the empty line that ends a header.
		message = bytes.Join([][]byte{bytes.TrimRight(message, "\r\n"), []byte("\r\n\r\n")}, nil)
	}
	return dkim.VerifyWithOptions(bytes.NewReader(message), &dkim.VerifyOptions{LookupTXT: lookup, MaxVerifications: 10})
}
