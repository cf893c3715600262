package mailauth

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/secretfile"
)

// A Key names a key for signing: mail from Domain is signed with the private
// key in File, whose public half is in the DNS at Selector._domainkey.Domain.
type Key struct {
	Domain   string // of senders, as U-labels or A-labels; also for hosts below it without a key
	Selector string // one or more labels in ASCII, separated by dots
	File     string // PEM: RSA (PKCS #1 or PKCS #8) or Ed25519 (PKCS #8, RFC 8463)
}

// Sizes of RSA keys, in bits (RFC 8301 §3.2). Verifiers need not support keys longer
// than longestRSA.
const (
	shortestRSA = 1024
	advisedRSA  = 2048
	longestRSA  = 4096
)

// A PrivateKey is a valid key for signing.
type PrivateKey struct {
	Key               // Domain has A-labels; Domain and Selector are in lower case
	Warnings []string // weaknesses of a key that works

	signer crypto.Signer
	public []byte // public half, in the format of DNS records
}

// withAdvice adds a line of advice to an error, if there is any.
func withAdvice(err error, advice string) error {
	if advice == "" {
		return err
	}
	return errors.Join(err, errors.New(advice))
}

// LoadKey reads a key. The error names the key, the file and the problem, and on the
// next line the remedy.
func LoadKey(k Key) (*PrivateKey, error) {
	p := &PrivateKey{Key: Key{Selector: strings.ToLower(k.Selector), File: k.File}}
	var err error
	if p.Domain, err = hostname.ASCII(k.Domain); err != nil {
		return nil, fmt.Errorf("DKIM key in file %q: domain %q: not valid (want example.com)", k.File, k.Domain)
	}
	if !hostname.IsDomain(p.Selector) {
		return nil, fmt.Errorf("DKIM key for %s: selector %q: not valid (want letters, digits and hyphens, such as mail2026)", p.Domain, k.Selector)
	}
	if len(p.Name()) > 253 {
		return nil, fmt.Errorf("DKIM key for %s: selector %q: too long, its DNS name has more than 253 bytes", p.Domain, k.Selector)
	}
	fail := func(err error, advice string) (*PrivateKey, error) {
		return nil, withAdvice(fmt.Errorf("DKIM key %s for %s, file %q: %w", p.Selector, p.Domain, p.File, err), advice)
	}
	data, advice, err := secretfile.Read(k.File)
	if err != nil {
		return fail(err, advice)
	}
	if p.signer, advice, err = parseKey(data); err != nil {
		return fail(err, advice)
	}
	switch public := p.signer.Public().(type) {
	case ed25519.PublicKey:
		p.public = public // RFC 8463 §4: the key itself
	case *rsa.PublicKey:
		if p.public, err = x509.MarshalPKIXPublicKey(public); err != nil {
			return fail(err, "")
		}
		switch bits := public.N.BitLen(); {
		case bits < shortestRSA:
			return fail(fmt.Errorf("RSA key of %d bits: too short, receivers ignore its signatures (want at least %d)", bits, shortestRSA),
				"Make a new one with: openssl genrsa -out FILE 2048")
		case bits < advisedRSA:
			p.Warnings = append(p.Warnings, fmt.Sprintf("DKIM key %s for %s: RSA key of %d bits: weak (want %d)", p.Selector, p.Domain, bits, advisedRSA))
		case bits > longestRSA:
			p.Warnings = append(p.Warnings, fmt.Sprintf("DKIM key %s for %s: RSA key of %d bits: too long for some receivers (want at most %d)", p.Selector, p.Domain, bits, longestRSA))
		}
	}
	return p, nil
}

// Name is the DNS name of the record with the public half.
func (p *PrivateKey) Name() string { return p.Selector + "._domainkey." + p.Domain }

// algorithm returns "rsa" or "ed25519", as in the tag k= of the record.
func (p *PrivateKey) algorithm() string {
	if _, ok := p.signer.Public().(ed25519.PublicKey); ok {
		return "ed25519"
	}
	return "rsa"
}

// parseKey reads the first private key of a PEM file.
func parseKey(data []byte) (key crypto.Signer, advice string, err error) {
	const convert = "Convert it with: openssl pkey -in OLD -out FILE"
	var other string                                // type of the first block that is not a private key
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // editors write a byte order mark
	for rest := data; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		var parsed any
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY", strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED"):
			return nil, "Write it without a passphrase: openssl pkey -in OLD -out FILE; chmod 600 FILE", errors.New("the key is encrypted")
		case block.Type == "PRIVATE KEY":
			parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case block.Type == "RSA PRIVATE KEY":
			parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		default:
			other = block.Type
			continue
		}
		if err != nil {
			return nil, "", fmt.Errorf("damaged key: %w", err)
		}
		switch key := parsed.(type) {
		case *rsa.PrivateKey:
			return key, "", nil
		case ed25519.PrivateKey:
			return key, "", nil
		}
		return nil, "", fmt.Errorf("key of type %T: not for DKIM (want RSA or Ed25519)", parsed)
	}
	switch other {
	case "":
		return nil, convert, errors.New("no key in PEM format")
	case "PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE":
		return nil, "Name the file of the private key", fmt.Errorf("not a private key, but a %s", strings.ToLower(other))
	case "EC PRIVATE KEY", "EC PARAMETERS", "DSA PRIVATE KEY":
		return nil, "Make a new one with: openssl genrsa -out FILE 2048", errors.New("key of another type: not for DKIM (want RSA or Ed25519)")
	}
	return nil, convert, fmt.Errorf("PEM block %q: not a private key (want PKCS #1 or PKCS #8)", other)
}
