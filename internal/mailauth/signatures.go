package mailauth

import (
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Limits for parsing the signatures of a message. Whatever is beyond these limits does not count.
const (
	maxSignatures = 100
	maxNames      = 1000 // in the lists of signed fields, all together
)

// Signatures are the DKIM-Signature and ARC-Message-Signature fields of a message, as far
// as they can be parsed. The zero value is a message without signatures.
type Signatures struct {
	list []signature // in the order of the message
}

// A signature has the tags that tell who signed and which fields.
type signature struct {
	domain  string   // d=, in lower case
	headers []string // h=: names of the signed fields in lower case, repeated as in the tag
	arc     bool     // an ARC-Message-Signature
}

// FindSignatures reads the signatures among the fields of a header, given with
// their names and raw values from top to bottom. It does not verify them: another
// verifier may accept a signature that looks broken. It stops at a signature that cannot
// be parsed or is beyond the limits.
func FindSignatures(fields iter.Seq2[string, []byte]) Signatures {
	var s Signatures
	names := 0
	for name, value := range fields {
		arc := ascii.EqualFold(name, "ARC-Message-Signature")
		if !arc && !ascii.EqualFold(name, fieldSignature) {
			continue
		}
		found, ok := parseSignature(string(value))
		names += len(found.headers)
		if !ok || len(s.list) == maxSignatures || names > maxNames {
			break
		}
		found.arc = arc
		s.list = append(s.list, found)
	}
	return s
}

// parseSignature reads the value of a signature. It fails if the value is not a tag
// list, lacks a required tag (RFC 6376 §3.5), or has an empty name in h=.
func parseSignature(value string) (signature, bool) {
	tags, err := parseTags(value)
	if err != nil {
		return signature{}, false
	}
	for _, required := range []string{"a", "b", "bh", "d", "h", "s"} {
		if tags[required] == "" {
			return signature{}, false
		}
	}
	list := withoutSpace(tags["h"])
	if strings.Count(list, ":") >= maxNames {
		return signature{}, false
	}
	headers := strings.Split(strings.ToLower(list), ":")
	return signature{domain: strings.ToLower(withoutSpace(tags["d"])), headers: headers}, !slices.Contains(headers, "")
}

// By reports whether a DKIM-Signature of the message is by domain, or by a domain
// with the same registrable domain.
func (s *Signatures) By(domain string) bool {
	ascii, err := hostname.ASCII(domain)
	return err == nil && slices.ContainsFunc(s.list, func(one signature) bool { return !one.arc && aligned(ascii, one.domain) })
}

// Covered returns how often the signature names a field that names it most often. A
// signature that names it more often than the message has it forbids adding one (RFC 6376
// §5.4.2).
func (s *Signatures) Covered(name string) int {
	name = strings.ToLower(name)
	most := 0
	for _, one := range s.list {
		times := 0
		for _, h := range one.headers {
			if h == name {
				times++
			}
		}
		most = max(most, times)
	}
	return most
}
