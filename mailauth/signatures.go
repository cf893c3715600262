package mailauth

import (
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Limits for parsing the signatures of a message. Beyond them the message counts as
// signed in an unknown way.
const (
	maxSignatures = 100
	maxNames      = 1000 // in the lists of signed fields, all together
)

// A Signature has those tags of a DKIM-Signature or ARC-Message-Signature that tell
// whether an edit breaks it.
type Signature struct {
	Domain   string   // d=, in lower case
	Selector string   // s=, in lower case
	Headers  []string // h=: names of the signed fields in lower case, repeated as in the tag
	Length   string   // l=: how many bytes of the body are signed; "" for all
	BodyHash string   // bh=
	ARC      bool     // an ARC-Message-Signature
}

// Signatures describe the signatures of a message and the fields that they cover.
// The zero value is a message without signatures.
type Signatures struct {
	List    []Signature // those that were parsed, in the order of the message
	Unknown bool        // one cannot be parsed, or the message has too many
	ARC     bool        // the message has an ARC field of any kind

	covered map[string]bool // lower case
}

// FindSignatures reads the signatures among the fields of a header, given with
// their names and raw values from top to bottom. It does not verify them: another
// verifier may accept a signature that looks broken.
func FindSignatures(fields iter.Seq2[string, string]) Signatures {
	var s Signatures
	names := 0
	for name, value := range fields {
		if len(name) > len(arcPrefix) && ascii.HasPrefixFold(name, arcPrefix) {
			s.ARC = true
		}
		arc := strings.EqualFold(name, "ARC-Message-Signature")
		if !arc && !strings.EqualFold(name, FieldSignature) || s.Unknown {
			continue
		}
		signature, ok := parseSignature(value)
		names += len(signature.Headers)
		if !ok || len(s.List) == maxSignatures || names > maxNames {
			s.Unknown = true
			continue
		}
		signature.ARC = arc
		s.List = append(s.List, signature)
		if s.covered == nil {
			s.covered = make(map[string]bool)
		}
		for _, h := range signature.Headers {
			s.covered[h] = true
		}
	}
	return s
}

const arcPrefix = "ARC-"

// parseSignature reads the value of a signature. It fails if the value is not a tag
// list, lacks a required tag (RFC 6376 §3.5), or has an empty name in h=.
func parseSignature(value string) (Signature, bool) {
	tags, err := parseTags(value)
	if err != nil {
		return Signature{}, false
	}
	for _, required := range []string{"a", "b", "bh", "d", "h", "s"} {
		if tags[required] == "" {
			return Signature{}, false
		}
	}
	signature := Signature{
		Domain:   strings.ToLower(withoutSpace(tags["d"])),
		Selector: strings.ToLower(withoutSpace(tags["s"])),
		Length:   withoutSpace(tags["l"]),
		BodyHash: withoutSpace(tags["bh"]),
	}
	list := withoutSpace(tags["h"])
	if strings.Count(list, ":") >= maxNames {
		return Signature{}, false
	}
	signature.Headers = strings.Split(strings.ToLower(list), ":")
	return signature, !slices.Contains(signature.Headers, "")
}

// Any reports whether the message carries a signature, or something that looks
// like one.
func (s *Signatures) Any() bool { return len(s.List) > 0 || s.Unknown || s.ARC }

// By reports whether a DKIM-Signature of the message is by domain, or by a domain
// with the same registrable domain.
func (s *Signatures) By(domain string) bool {
	ascii, err := hostname.ASCII(domain)
	return err == nil && slices.ContainsFunc(s.List, func(sig Signature) bool { return !sig.ARC && aligned(ascii, sig.Domain) })
}

// Covers reports whether a signature may break if a field of that name is added,
// changed or removed. The message need not have such a field: a signature that names
// it more often than the message has it forbids adding one (RFC 6376 §5.4.2).
func (s *Signatures) Covers(name string) bool {
	lower := strings.ToLower(name)
	return s.Unknown || s.covered[lower] || s.ARC && strings.HasPrefix(lower, strings.ToLower(arcPrefix))
}
