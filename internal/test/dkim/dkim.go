// Package dkim signs and verifies messages with DKIM for tests, as RFC 6376 says. It also does what
// go-msgauth does not, such as signing a part of the body (l=), which go-msgauth refuses to verify.
// If both can verify a signature, tests ask both.
package dkim

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// A Signature says how a message is signed.
type Signature struct {
	Key              crypto.Signer // RSA or Ed25519
	Domain, Selector string
	Header, Body     string   // canonicalization: "simple" or "relaxed"
	Fields           []string // h=, in this order; a name that is there more often than the field signs that there are no more
	Length           int      // l=; negative: the whole body
	ARC              bool     // an ARC-Message-Signature of instance 1 (RFC 8617 §4.1.2)
}

// Name returns the name of the field.
func (s Signature) Name() string {
	if s.ARC {
		return "ARC-Message-Signature"
	}
	return "DKIM-Signature"
}

// Sign returns the message, whose lines end in CRLF, with a signature on top.
func (s Signature) Sign(tb testing.TB, message string) string {
	tb.Helper()
	header, body := split(message)
	content := canonicalBody(s.Body, body)
	length := ""
	if s.Length >= 0 {
		content = content[:min(s.Length, len(content))]
		length = fmt.Sprintf(" l=%d;", len(content))
	}
	digest := sha256.Sum256([]byte(content))
	algorithm, version := "rsa-sha256", "v=1;"
	if _, ok := s.Key.(ed25519.PrivateKey); ok {
		algorithm = "ed25519-sha256"
	}
	if s.ARC {
		version = "i=1;"
	}
	field := fmt.Sprintf("%s: %s a=%s; c=%s/%s;\r\n\td=%s; s=%s;%s\r\n\th=%s;\r\n\tbh=%s;\r\n\tb=",
		s.Name(), version, algorithm, s.Header, s.Body, s.Domain, s.Selector, length,
		strings.Join(s.Fields, " :\r\n\t "), base64.StdEncoding.EncodeToString(digest[:]))
	signed := sha256.Sum256([]byte(signedHeader(s.Header, header, s.Fields) + strings.TrimSuffix(canonicalField(s.Header, field+"\r\n"), "\r\n")))
	hash := crypto.SHA256
	if algorithm == "ed25519-sha256" {
		hash = 0 // RFC 8463 §3: the hash is what is signed
	}
	b, err := s.Key.Sign(rand.Reader, signed[:], hash)
	if err != nil {
		tb.Fatal(err)
	}
	return field + base64.StdEncoding.EncodeToString(b) + "\r\n" + message
}

// Verify verifies all signatures of a message, DKIM and ARC alike, with the keys named
// "selector._domainkey.domain". It returns the result of each, from top to bottom: nil for valid
// ones.
func Verify(message string, keys map[string]crypto.PublicKey) []error {
	header, body := split(message)
	var results []error
	for _, field := range header {
		name, value, _ := strings.Cut(field, ":")
		if !strings.EqualFold(name, "DKIM-Signature") && !strings.EqualFold(name, "ARC-Message-Signature") {
			continue
		}
		results = append(results, verify(field, value, header, body, keys))
	}
	return results
}

func verify(field, value string, header []string, body string, keys map[string]crypto.PublicKey) error {
	tags := make(map[string]string)
	for tag := range strings.SplitSeq(value, ";") {
		name, v, _ := strings.Cut(tag, "=")
		tags[strings.TrimSpace(name)] = strings.Join(strings.Fields(v), "")
	}
	headerForm, bodyForm, _ := strings.Cut(tags["c"], "/")
	if bodyForm == "" {
		bodyForm = "simple"
	}
	content := canonicalBody(bodyForm, body)
	if l, found := tags["l"]; found {
		n, err := strconv.Atoi(l)
		if err != nil || n > len(content) {
			return fmt.Errorf("l=%s of a body of %d", l, len(content))
		}
		content = content[:n]
	}
	if digest := sha256.Sum256([]byte(content)); base64.StdEncoding.EncodeToString(digest[:]) != tags["bh"] {
		return errors.New("another body")
	}
	// The hash covers the signature itself with an empty b=.
	at := strings.LastIndex(field, "b=") // b= is the last tag, here and in go-msgauth
	for at > 0 && !strings.ContainsAny(field[at-1:at], "; \t\n") {
		at = strings.LastIndex(field[:at], "b=")
	}
	empty := strings.TrimSuffix(canonicalField(headerForm, field[:at+len("b=")]+"\r\n"), "\r\n")
	signed := sha256.Sum256([]byte(signedHeader(headerForm, header, strings.Split(tags["h"], ":")) + empty))
	b, err := base64.StdEncoding.DecodeString(tags["b"])
	if err != nil {
		return err
	}
	switch key := keys[tags["s"]+"._domainkey."+tags["d"]].(type) {
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, signed[:], b)
	case ed25519.PublicKey:
		if ed25519.Verify(key, signed[:], b) {
			return nil
		}
		return errors.New("another header")
	}
	return errors.New("no key")
}

// split returns the raw fields of a message, and its body.
func split(message string) (fields []string, body string) {
	header, body, found := strings.Cut(message, "\r\n\r\n")
	if found {
		header += "\r\n"
	}
	for line := range strings.Lines(header) {
		if line[0] == ' ' || line[0] == '\t' {
			fields[len(fields)-1] += line
		} else {
			fields = append(fields, line)
		}
	}
	return fields, body
}

// signedHeader returns the canonical form of the named fields. Of several with a name, the lowest
// comes first. For a name without a field it has nothing (RFC 6376 §5.4.2).
func signedHeader(form string, header, names []string) string {
	var b strings.Builder
	used := make(map[int]bool)
	for _, name := range names {
		for i := len(header) - 1; i >= 0; i-- {
			own, _, _ := strings.Cut(header[i], ":")
			if !used[i] && strings.EqualFold(strings.TrimSpace(own), name) {
				used[i] = true
				b.WriteString(canonicalField(form, header[i]))
				break
			}
		}
	}
	return b.String()
}

// canonicalField is RFC 6376 §3.4.1 and §3.4.2.
func canonicalField(form, field string) string {
	if form == "simple" {
		return field
	}
	name, value, _ := strings.Cut(field, ":")
	return strings.ToLower(strings.TrimSpace(name)) + ":" + strings.Join(strings.Fields(value), " ") + "\r\n"
}

// canonicalBody is RFC 6376 §3.4.3 and §3.4.4.
func canonicalBody(form, body string) string {
	if form == "relaxed" {
		lines := strings.Split(body, "\r\n")
		for i, line := range lines {
			words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
			lines[i] = strings.Join(words, " ")
			if len(words) > 0 && (line[0] == ' ' || line[0] == '\t') {
				lines[i] = " " + lines[i]
			}
		}
		body = strings.Join(lines, "\r\n")
	}
	for strings.HasSuffix(body, "\r\n") {
		body = strings.TrimSuffix(body, "\r\n")
	}
	if form == "relaxed" && body == "" {
		return ""
	}
	return body + "\r\n"
}
