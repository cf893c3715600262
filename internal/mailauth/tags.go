package mailauth

import (
	"errors"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Limits for parsing a tag list. A signature with an RSA key of 16,384 bits over a
// hundred fields has 5 KB.
const (
	maxTagList = 64 << 10 // bytes
	maxTags    = 64
)

// errTags: not a tag list, or one beyond the limits.
var errTags = errors.New("malformed tag list")

// parseTags reads a tag list `name=value; …` (RFC 6376 §3.2) of a signature or a key
// record. It drops white space around names and values, and keeps the case of names.
func parseTags(list string) (map[string]string, error) {
	if len(list) > maxTagList {
		return nil, errTags
	}
	tags := make(map[string]string)
	for spec := range strings.SplitSeq(list, ";") {
		name, value, found := strings.Cut(spec, "=")
		name = strings.Trim(name, whiteSpace)
		if !found {
			if name == "" { // after the last semicolon
				continue
			}
			return nil, errTags
		}
		if _, twice := tags[name]; twice || !isTagName(name) || len(tags) == maxTags {
			return nil, errTags
		}
		tags[name] = strings.Trim(value, whiteSpace)
	}
	return tags, nil
}

const whiteSpace = " \t\r\n"

func isTagName(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !ascii.IsLetter(c) && (i == 0 || c != '_' && !ascii.IsDigit(c)) {
			return false
		}
	}
	return true
}

// withoutSpace returns s without the white space in it.
func withoutSpace(s string) string {
	if !strings.ContainsAny(s, whiteSpace) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(whiteSpace, r) {
			return -1
		}
		return r
	}, s)
}
