package mailauth

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// sendmailRewrites are the fields that Sendmail writes anew when it sends a
// message: those that its table of fields marks as holding addresses.
var sendmailRewrites = []string{
	"from", "sender", "reply-to", "to", "cc", "errors-to", "apparently-to", "disposition-notification-to",
	"resent-from", "resent-sender", "resent-reply-to", "resent-to", "resent-cc",
}

// Bounds within which Sendmail's form is known.
const (
	maxSendmailMailbox = 200 // octets; names that make one longer than 255 are dropped
	maxSendmailList    = 70  // octets of a list in one line, where not even the folds may change
)

// SendmailKeeps reports whether a field arrives as it is when Sendmail, which
// writes the lists of addresses of a message anew after milters have seen it, is
// the mail server. value is what stands behind the colon, folds and all. With
// relaxed, white space may change to other white space, as it may for signatures
// with relaxed canonicalization of the header.
//
// What it knows of Sendmail is measured (8.17.1, with the
// configuration that its package for Debian makes and FEATURE(nocanonify)): white
// space before a comma goes, one space or a fold comes behind it, names with one
// of .'@,;:()[]\ outside of quotes get quotes, routes and dots at the end of
// domains go, hosts without a dot may become others, and names beyond 255 octets
// are dropped. Only addresses in the plainest form count as kept: comments,
// domains in brackets and quoted local-parts do not. Whoever has Sendmail
// masquerade or canonify addresses cannot sign before it does.
func SendmailKeeps(name, value string, relaxed bool) bool {
	if !slices.Contains(sendmailRewrites, strings.ToLower(name)) {
		return true
	}
	s := addressScanner{rest: strings.TrimRight(value, "\r\n")}
	if relaxed {
		s.space()
	} else {
		s.rest = strings.TrimLeft(s.rest, " ")
	}
	if isEmptyGroup(s.rest) {
		return true
	}
	for boxes := 1; ; boxes++ {
		if !s.mailbox() {
			return false
		}
		if relaxed && strings.Trim(s.rest, whiteSpace) == "" {
			return true
		}
		if s.rest == "" {
			return boxes == 1 || len(name)+len(": ")+len(value) <= maxSendmailList && !strings.Contains(value, "\n")
		}
		if !s.take(',') {
			return false
		}
		if relaxed && !s.space() || !relaxed && !s.take(' ') {
			return false
		}
	}
}

// isEmptyGroup reports whether an address list is a group of nobody, such as
// "undisclosed-recipients:;" (RFC 5322 §3.4).
func isEmptyGroup(s string) bool {
	name, rest, found := strings.Cut(s, ":")
	return found && (rest == ";" || rest == " ;") && name != "" &&
		!strings.ContainsFunc(name, func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r != '-' })
}

// An addressScanner takes a list of addresses apart, from left to right.
type addressScanner struct{ rest string }

// take skips an octet if it comes next.
func (s *addressScanner) take(c byte) bool {
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// space skips white space and folds. It reports whether there was some.
func (s *addressScanner) space() bool {
	rest := strings.TrimLeft(s.rest, whiteSpace)
	skipped := len(rest) < len(s.rest)
	s.rest = rest
	return skipped
}

// span skips the octets that ok accepts, and returns them.
func (s *addressScanner) span(ok func(c byte) bool) string {
	n := 0
	for n < len(s.rest) && ok(s.rest[n]) {
		n++
	}
	skipped := s.rest[:n]
	s.rest = s.rest[n:]
	return skipped
}

// mailbox skips an address, with or without a name before it.
func (s *addressScanner) mailbox() bool {
	before := s.rest
	if !s.address() {
		s.rest = before
		for s.word() {
			s.space()
		}
		if !s.take('<') || !s.address() || !s.take('>') {
			return false
		}
	}
	return len(before)-len(s.rest) <= maxSendmailMailbox
}

// word skips a word of a name: a quoted string, or an atom.
func (s *addressScanner) word() bool {
	if !s.take('"') {
		return s.span(isPlainAtom) != ""
	}
	for {
		s.span(func(c byte) bool {
			return c != '"' && c != '\\' && c < 0x7F && (c >= ' ' || strings.IndexByte(whiteSpace, c) >= 0)
		})
		if s.take('\\') {
			if s.rest == "" || s.rest[0] < ' ' || s.rest[0] >= 0x7F {
				return false
			}
			s.rest = s.rest[1:]
			continue
		}
		return s.take('"')
	}
}

// address skips local-part@domain. A domain without a dot may be an alias.
func (s *addressScanner) address() bool {
	local := s.span(func(c byte) bool { return (isPlainAtom(c) || c == '.' || c == '\'') && c != '!' && c != '%' })
	if local == "" || strings.Contains("."+local+".", "..") || !s.take('@') {
		return false
	}
	domain := s.span(func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '.' })
	return strings.Contains(domain, ".") && hostname.IsDomain(domain)
}

// isPlainAtom reports whether c may stand in an atom (RFC 5322 §3.2.3) and makes
// Sendmail put no quotes.
func isPlainAtom(c byte) bool {
	return ascii.IsAlphanumeric(c) || c != 0 && strings.IndexByte("!#$%&*+-/=?^_`{|}~", c) >= 0
}
