package claim

import (
	"mime"
	"net/mail"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// fromParser reads a value of From where every charset is known.
var fromParser = mail.AddressParser{WordDecoder: &mime.WordDecoder{}}

// IsBadFrom reports whether a value of From, not decoded, is no address. It has a domain that cannot be,
// or a name without an address before a comma, which is in no part of the address: "Anna, x <list@example.com>".
func IsBadFrom(value string) bool {
	if ascii.Is(value) && !strings.Contains(value, "=?") {
		if list, err := fromParser.ParseList(value); err == nil && len(list) > 0 {
			return false
		}
	}
	name, address := "", strings.TrimSpace(value)
	if open := strings.LastIndexByte(value, '<'); open >= 0 {
		inside, _, closed := strings.Cut(value[open+1:], ">")
		if !closed || inside == "" {
			return inside != ""
		}
		name, address = value[:open], inside
	} else if strings.ContainsAny(value, " (,;\"") {
		return false // a list, or with a comment
	}
	local, domain, ok := strings.Cut(address, "@")
	isHost := func(r rune) bool {
		return r == '-' || r == '_' || r == '.' || r >= 0x80 || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	switch {
	case !ok || strings.HasPrefix(domain, "["):
		return false
	case local == "" || domain == "" || strings.ContainsAny(local, " <>(),;:") && !strings.Contains(local, `"`), strings.Trim(domain, ".") == "":
		return true
	case strings.ContainsFunc(domain, func(r rune) bool { return !isHost(r) }), strings.Contains(domain, ".."), strings.HasPrefix(domain, "."), strings.HasSuffix(domain, "."):
		return true
	}
	return hasNameAlone(name) && !isSpokenFor(name, address)
}

// hasNameAlone reports whether what is before an address has a comma outside of quotes and comments.
func hasNameAlone(name string) bool {
	quoted, depth := false, 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			return !strings.Contains(name, "@")
		}
	}
	return false
}
