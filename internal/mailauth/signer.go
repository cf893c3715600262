package mailauth

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/mime"
)

// fieldSignature is the name of the field that [Signer.Sign] returns values of.
const fieldSignature = "DKIM-Signature"

// SignerOptions configure a [Signer].
type SignerOptions struct {
	// Keys for the domains. Each key of a domain makes a signature, in this
	// order: for example one with RSA and one with Ed25519 (RFC 8463 §3).
	Keys []Key
	// Headers are the names of the fields to sign, as many as a message has. From
	// must be one of them. Nil: those of [DefaultFields].
	Headers []string
	// Oversign are the names of the fields to sign once more than the message has
	// them, so that adding one breaks the signature. They are signed even if
	// Headers does not name them. Nil: those of [DefaultFields].
	Oversign []string
	// Canonicalization is that of the header and of the body, each "relaxed" or
	// "simple", as in tag c=: "relaxed/simple"; empty: "relaxed/relaxed".
	Canonicalization string
	// Expiry is how long a signature is valid (tag x=); 0: for ever.
	Expiry time.Duration
	// EightBit says what becomes of messages with bytes above 127.
	EightBit EightBit
}

// A Signer signs messages. It does not change, and several goroutines may use it at
// once.
type Signer struct {
	keys       map[string][]*PrivateKey // by domain
	fields     signedFields
	headerForm dkim.Canonicalization
	bodyForm   dkim.Canonicalization
	expiry     time.Duration
	eightBit   EightBit
	warnings   []string
}

// NewSigner reads the keys and checks the options. The error joins all problems.
func NewSigner(o SignerOptions) (*Signer, error) {
	s := &Signer{keys: make(map[string][]*PrivateKey), expiry: o.Expiry, eightBit: o.EightBit}
	var problems []error
	note := func(err error) { problems = append(problems, err) }
	names := make(map[string]bool)
	for _, k := range o.Keys {
		key, err := LoadKey(k)
		if err != nil {
			note(err)
			continue
		}
		if names[key.Name()] {
			note(fmt.Errorf("DKIM key %s for %s: given twice (want it once)", key.Selector, key.Domain))
		}
		names[key.Name()] = true
		s.keys[key.Domain] = append(s.keys[key.Domain], key)
		s.warnings = append(s.warnings, key.Warnings...)
	}
	var err error
	if s.fields, err = newSignedFields(o.Headers, o.Oversign); err != nil {
		note(err)
	}
	if s.headerForm, s.bodyForm, err = canonicalization(o.Canonicalization); err != nil {
		note(err)
	}
	if o.Expiry < 0 || o.Expiry > 0 && o.Expiry < time.Hour {
		note(fmt.Errorf("DKIM expiry %s: too short, mail may wait longer in a queue (want at least 1h)", o.Expiry))
	}
	if err := o.EightBit.validate(); err != nil {
		note(err)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return s, nil
}

// canonicalization returns the forms of the header and of the body.
func canonicalization(text string) (header, body dkim.Canonicalization, err error) {
	const relaxed, simple = dkim.CanonicalizationRelaxed, dkim.CanonicalizationSimple
	switch text {
	case "", "relaxed/relaxed":
		return relaxed, relaxed, nil
	case "relaxed/simple":
		return relaxed, simple, nil
	case "simple/relaxed":
		return simple, relaxed, nil
	case "simple/simple":
		return simple, simple, nil
	}
	return "", "", fmt.Errorf("DKIM canonicalization %q: unknown (want \"relaxed/relaxed\")", text)
}

// Warnings returns the weaknesses of the keys, which all work.
func (s *Signer) Warnings() []string { return slices.Clone(s.warnings) }

// SurvivesSendmail reports whether signatures stay valid when Sendmail sends a field: it
// rewrites the addresses of some fields after milters have seen them. value is the raw
// text after the colon.
func (s *Signer) SurvivesSendmail(name, value string) bool {
	return !s.signs(name) || sendmailKeeps(name, value, s.relaxed())
}

// relaxed reports whether signatures stay valid when the white space of signed
// header fields changes.
func (s *Signer) relaxed() bool { return s.headerForm == dkim.CanonicalizationRelaxed }

// Converts reports whether texts shall become 7-bit before [Signer.Sign].
func (s *Signer) Converts() bool { return s.eightBit == EightBitConvert }

// signs reports whether the signer signs fields of that name.
func (s *Signer) signs(name string) bool {
	return slices.ContainsFunc(s.fields, func(f signedField) bool { return strings.EqualFold(f.name, name) })
}

// Has reports whether the signer has a key for mail from a domain: a key for the
// domain itself or for a domain above it.
func (s *Signer) Has(domain string) bool { return len(s.keysFor(domain)) > 0 }

// keysFor returns the keys for mail from a domain: those of the domain, or else of
// the closest domain above it that has keys. DMARC accepts a signature by a domain
// above that in From (RFC 7489 §3.1.1, relaxed alignment).
func (s *Signer) keysFor(domain string) []*PrivateKey {
	domain, err := hostname.ASCII(domain)
	if err != nil {
		return nil
	}
	for {
		if keys := s.keys[domain]; len(keys) > 0 {
			return keys
		}
		_, parent, found := strings.Cut(domain, ".")
		if !found {
			return nil
		}
		domain = parent
	}
}

// Sign signs a message for the domain of its From. It returns a value of a
// DKIM-Signature field for each key, without name, colon and the last line end. CRLF
// and a space fold it into lines of at most 78 bytes where that is possible. The
// caller inserts the fields unchanged at the top of the header. Lines of the message
// may end in LF, which is signed as CRLF.
//
// The error is [ErrFragile], or says that the domain has no key, that the header cannot
// be signed or that a key failed; then Sign returns no values.
func (s *Signer) Sign(domain string, message []byte) ([]string, error) {
	keys := s.keysFor(domain)
	if len(keys) == 0 {
		return nil, errNoKey
	}
	if s.eightBit.fragile(message) {
		return nil, ErrFragile
	}
	names, end, err := s.fields.keys(message)
	if err != nil {
		return nil, err
	}
	values := make([]string, len(keys))
	for i, key := range keys {
		if values[i], err = s.sign(key, names, message, end); err != nil {
			return nil, fmt.Errorf("DKIM key %s for %s: %w", key.Selector, key.Domain, err)
		}
	}
	return values, nil
}

// sign makes a signature over the fields names. end is appended to the message; see
// [signedFields.keys].
func (s *Signer) sign(key *PrivateKey, names []string, message []byte, end string) (string, error) {
	o := &dkim.SignOptions{
		Domain:                 key.Domain,
		Selector:               key.Selector,
		Signer:                 key.signer,
		HeaderCanonicalization: s.headerForm,
		BodyCanonicalization:   s.bodyForm,
		HeaderKeys:             names,
	}
	if s.expiry > 0 {
		o.Expiration = time.Now().Add(s.expiry)
	}
	signer, err := dkim.NewSigner(o)
	if err != nil {
		return "", err
	}
	_, err = signer.Write(message)
	if err == nil && end != "" {
		_, err = signer.Write([]byte(end))
	}
	if closed := signer.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", err
	}
	value := strings.TrimSuffix(strings.TrimPrefix(signer.Signature(), fieldSignature+": "), "\r\n")
	if s.headerForm == dkim.CanonicalizationRelaxed {
		// Relaxed signatures may be folded again: go-msgauth does not count the
		// name of the field in the first line.
		return mime.HeaderEdit{Name: fieldSignature, Value: strings.ReplaceAll(value, "\r\n", "")}.Text("\r\n")
	}
	return value, nil
}
