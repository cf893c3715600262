package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// isScheme reports whether a link is nothing but a scheme, which a text is about, with the
// punctuation behind it and a word that follows without a space: "http://、", "https://-prefix".
func isScheme(c engine.Components) bool {
	if c.Scheme == "" || c.Userinfo != "" || c.Host == "" {
		return false
	}
	word := strings.TrimLeftFunc(c.Host, endsScheme)
	return word != c.Host && strings.IndexFunc(word, isNotOfWord) < 0
}

// endsScheme reports whether r, behind a scheme, shows that no host follows. Full stops and symbols that
// are mapped to letters may be in a host. A mark of direction is behind a scheme in a text from right to
// left.
func endsScheme(r rune) bool {
	if r < utf8.RuneSelf {
		return !ascii.IsAlphanumeric(byte(r)) && strings.IndexByte(".[%\\/", byte(r)) < 0
	}
	switch class := ucd.HostClassOf(r); {
	case class == ucd.HostSeparator, class == ucd.HostMapped && unicode.Is(unicode.So, r):
		return false
	}
	return unicode.In(r, unicode.P, unicode.So) || strings.ContainsRune("\u061c\u200e\u200f", r)
}

// isNotOfWord reports whether r is neither a letter, a mark nor a hyphen.
func isNotOfWord(r rune) bool { return r != '-' && !unicode.In(r, unicode.L, unicode.M) }
