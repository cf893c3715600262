package header

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// structured writes a structured field value (RFC 9651): an item with
// parameters, "mx.example.org; worst=high; findings=2".
type structured struct{ strings.Builder }

// newStructured begins with a token (§3.3.4).
func newStructured(token string) *structured {
	s := new(structured)
	s.WriteString(token)
	return s
}

func (s *structured) key(name string) {
	s.WriteString("; ")
	s.WriteString(name)
	s.WriteByte('=')
}

// integer adds an integer (§3.3.1).
func (s *structured) integer(name string, value int) {
	s.key(name)
	s.WriteString(strconv.Itoa(value))
}

// token adds a token (§3.3.4), or a string where value is not a token.
func (s *structured) token(name, value string) {
	if !isToken(value) {
		s.text(name, value)
		return
	}
	s.key(name)
	s.WriteString(value)
}

// text adds a string (§3.3.3), or a display string (§3.3.8) where value has more
// than printable ASCII. White space becomes one space, and invalid UTF-8 becomes
// U+FFFD.
func (s *structured) text(name, value string) {
	value = strings.ToValidUTF8(strings.Join(strings.Fields(value), " "), "\ufffd")
	s.key(name)
	if strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		s.WriteByte('"')
		s.WriteString(quoted.Replace(value))
		s.WriteByte('"')
		return
	}
	s.WriteString(`%"`)
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' || c == '%' || c == '"' {
			fmt.Fprintf(s, "%%%02x", c)
		} else {
			s.WriteByte(c)
		}
	}
	s.WriteByte('"')
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// isToken reports whether s is a token (RFC 9651 §3.3.4).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := ascii.IsLetter(c) || c == '*'
		if !letter && (i == 0 || !ascii.IsDigit(c) && strings.IndexByte(":/!#$%&'+-.^_`|~", c) < 0) {
			return false
		}
	}
	return s != ""
}
