package mailauth

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// sendmailRewrites are the fields that Sendmail rewrites when it sends a message: its
// table of fields marks them as address fields.
var sendmailRewrites = []string{
	"from", "sender", "reply-to", "to", "cc", "errors-to", "apparently-to", "disposition-notification-to",
	"resent-from", "resent-sender", "resent-reply-to", "resent-to", "resent-cc",
}

// Limits within which Sendmail's rewriting is known.
const (
	maxSendmailMailbox = 200 // bytes; Sendmail drops names that make one longer than 255
	maxSendmailList    = 70  // bytes of a list in one line, which Sendmail does not fold
)

// sendmailKeeps reports whether Sendmail sends a field unchanged: it rewrites address
// lists after milters have seen the message. value is the raw text after the colon,
// with its folds. With relaxed, white space may become other white space, which
// signatures with relaxed header canonicalization tolerate.
//
// The rules were measured with Sendmail 8.17.1, configured as its Debian package does
// and with FEATURE(nocanonify). Sendmail removes white space before a comma and
// writes one space or a fold after it. It quotes names with one of .'@,;:()[]\
// outside of quotes. It removes routes and dots at the end of domains, may replace
// hosts without a dot, and drops names beyond 255 bytes.
//
// Only addresses of the plainest syntax count as kept: without comments, domains in
// brackets, quoted local-parts and addresses beyond ASCII, some of whose bytes Sendmail
// drops. It keeps names beyond ASCII. A Sendmail that masquerades or canonifies
// addresses breaks signatures that linkmilter makes before it.
func sendmailKeeps(name, value string, relaxed bool) bool {
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

// isEmptyGroup reports whether an address list is a group without members, such as
// "undisclosed-recipients:;" (RFC 5322 §3.4).
func isEmptyGroup(s string) bool {
	name, rest, found := strings.Cut(s, ":")
	return found && (rest == ";" || rest == " ;") && name != "" &&
		!strings.ContainsFunc(name, func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r != '-' })
}

// An addressScanner reads a list of addresses from left to right.
type addressScanner struct{ rest string }

// take skips the byte c if it comes next.
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

// span skips the bytes that ok accepts, and returns them.
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
		return s.span(func(c byte) bool { return isPlainAtom(c) || c >= 0x80 }) != ""
	}
	for {
		s.span(func(c byte) bool {
			return c != '"' && c != '\\' && c != 0x7F && (c >= ' ' || strings.IndexByte(whiteSpace, c) >= 0)
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

// isPlainAtom reports whether an atom may contain c (RFC 5322 §3.2.3) and Sendmail
// does not quote it.
func isPlainAtom(c byte) bool {
	return ascii.IsAlphanumeric(c) || c != 0 && strings.IndexByte("!#$%&*+-/=?^_`{|}~", c) >= 0
}
