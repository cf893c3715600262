package mailauth

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// maxString is how many bytes a string of a TXT record holds (RFC 1035 §3.3).
const maxString = 255

// Record returns the TXT record to publish at [PrivateKey.Name], in strings of at most
// 255 bytes.
func (p *PrivateKey) Record() []string {
	record := fmt.Appendf(nil, "v=DKIM1; k=%s; p=%s", p.algorithm(), base64.StdEncoding.EncodeToString(p.public))
	var parts []string
	for chunk := range slices.Chunk(record, maxString) {
		parts = append(parts, string(chunk))
	}
	return parts
}

// CheckRecords compares the key with the TXT records at [PrivateKey.Name], each in
// one piece. It returns one sentence for each problem, and nil if signatures with
// the key verify everywhere.
func (p *PrivateKey) CheckRecords(records []string) []string {
	switch len(records) {
	case 0:
		return []string{"missing: the DNS has no TXT record of that name"}
	case 1:
	default:
		return []string{fmt.Sprintf("ambiguous: %d TXT records have that name, and receivers may use any of them or none; keep one", len(records))}
	}
	tags, err := parseTags(records[0])
	if err != nil {
		return []string{"syntax: the record is not a list of tags such as \"v=DKIM1; k=rsa; p=…\""}
	}
	if v, found := tags["v"]; found && v != "DKIM1" {
		return []string{fmt.Sprintf("syntax: v=%s (want v=DKIM1)", v)}
	}
	var wrong []string
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if _, found := tags["v"]; found && !strings.HasPrefix(strings.TrimLeft(records[0], whiteSpace), "v") {
		note("syntax: v=DKIM1 is not the first tag") // RFC 6376 §3.6.1
	}
	if k, found := tags["k"]; found && k != p.algorithm() {
		note("wrong type: k=%s, but the key is for k=%s", k, p.algorithm())
	} else if !found && p.algorithm() != "rsa" {
		note("wrong type: receivers read a key without k= as RSA; add k=%s", p.algorithm())
	}
	switch encoded, found := tags["p"]; {
	case !found:
		note("syntax: p= with the public key is missing")
	case withoutSpace(encoded) == "":
		note("revoked: p= is empty, so receivers do not accept the key any more")
	default:
		public, err := base64.StdEncoding.DecodeString(withoutSpace(encoded))
		if err != nil {
			note("syntax: p= is damaged: %v", err)
		} else if !p.hasPublic(public) {
			note("different key: p= is not the public half of the key in the file")
		}
	}
	if h, found := tags["h"]; found && !lists(h, "sha256") {
		note("limited: h=%s does not allow sha256, which signatures use", h)
	}
	if s, found := tags["s"]; found && !lists(s, "email") && !lists(s, "*") {
		note("limited: s=%s does not allow email", s)
	}
	if lists(tags["t"], "y") {
		note("testing: t=y tells receivers to ignore signatures; remove it")
	}
	return wrong
}

// hasPublic reports whether encoded is the public half. RSA keys may have either of
// the two formats in use (RFC 6376 erratum 3017).
func (p *PrivateKey) hasPublic(encoded []byte) bool {
	if key, ok := p.signer.Public().(ed25519.PublicKey); ok {
		return bytes.Equal(key, encoded)
	}
	var found crypto.PublicKey
	found, err := x509.ParsePKIXPublicKey(encoded)
	if err != nil {
		if found, err = x509.ParsePKCS1PublicKey(encoded); err != nil {
			return false
		}
	}
	own, ok := p.signer.Public().(*rsa.PublicKey)
	return ok && own.Equal(found)
}

// lists reports whether a colon-separated list has an element.
func lists(list, element string) bool {
	return slices.Contains(strings.Split(withoutSpace(list), ":"), element)
}
