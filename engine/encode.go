package engine

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// An encodeSet is the set of ASCII characters that the WHATWG URL standard
// percent-encodes in a part of a URL. It encodes everything beyond ASCII, too.
type encodeSet [128]bool

// newEncodeSet returns the set of the characters.
func newEncodeSet(chars string) *encodeSet {
	var s encodeSet
	for c := range s {
		s[c] = c < ' ' || c == 0x7f || strings.IndexByte(chars, byte(c)) >= 0
	}
	return &s
}

// encodeSets are the path, the special-query and the fragment percent-encode set.
var encodeSets = [...]*encodeSet{
	partPath:      newEncodeSet(" \"#<>?^`{}"),
	partQuery:     newEncodeSet(" \"#<>'"),
	partFragment:  newEncodeSet(" \"<>`"),
	partDirective: newEncodeSet(" \"<>`"),
}

// append appends s with the characters of the set percent-encoded.
func (set *encodeSet) append(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && !set[c] {
			dst = append(dst, c)
		} else {
			dst = percent.Append(dst, s[i:i+1])
		}
	}
	return dst
}

// c0Set is the C0 control percent-encode set.
var c0Set = newEncodeSet("")

// otherQuerySet is the query percent-encode set of schemes that are not special.
var otherQuerySet = newEncodeSet(" \"#<>")

// appendUserinfo appends user name and password, if any, and the "@" after them.
func appendUserinfo(dst []byte, userinfo string) []byte {
	if userinfo == "" || userinfo == ":" {
		return dst
	}
	encode := func(s string) string {
		return userinfoParser.PercentEncodeString(s, whatwg.UserInfoPercentEncodeSet)
	}
	user, password, _ := strings.Cut(userinfo, ":")
	dst = append(dst, encode(user)...)
	if password != "" {
		dst = append(dst, ':')
		dst = append(dst, encode(password)...)
	}
	return append(dst, '@')
}

var userinfoParser = whatwg.NewParser()
