package mailauth

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// A LookupTXT asks the DNS for the TXT records of a name. It joins the strings of each
// record, as [net.Resolver.LookupTXT] does.
type LookupTXT func(ctx context.Context, name string) ([]string, error)

// VerifyOptions configure [Verify]. The zero value asks the resolver of the
// system and verifies ten signatures.
type VerifyOptions struct {
	LookupTXT LookupTXT     // nil: net.DefaultResolver.LookupTXT
	Timeout   time.Duration // of all DNS queries together; 0: ten seconds
	Max       int           // how many signatures to verify at most; 0: ten
}

// A Verification is the result for one signature.
type Verification struct {
	Domain  string   // d=
	Headers []string // h=
	Err     error    // nil: the signature is valid
}

// Verify verifies the DKIM signatures of a message, from top to bottom. go-msgauth
// rejects signatures with l=. Verify returns an error if the message cannot be parsed
// or has more than o.Max signatures; in the second case it also returns the results
// of those that it verified.
func Verify(ctx context.Context, message []byte, o VerifyOptions) ([]Verification, error) {
	lookup := o.LookupTXT
	if lookup == nil {
		lookup = net.DefaultResolver.LookupTXT
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, 10*time.Second))
	defer cancel()
	body, err := eachField(message, func(_, _ []byte) {})
	if err != nil {
		return nil, err
	}
	if body < 0 {
		// go-msgauth needs the empty line that ends a header.
		message = bytes.Join([][]byte{bytes.TrimRight(message, "\r\n"), []byte("\r\n\r\n")}, nil)
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(message), &dkim.VerifyOptions{
		LookupTXT:        func(name string) ([]string, error) { return lookup(ctx, name) },
		MaxVerifications: cmp.Or(o.Max, 10),
	})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return nil, err
	}
	list := make([]Verification, len(found))
	for i, v := range found {
		list[i] = Verification{Domain: v.Domain, Headers: v.HeaderKeys, Err: v.Err}
	}
	return list, err
}
