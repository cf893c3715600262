package htmlpart

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// customMark begins the names of custom properties.
const customMark = "--"

// plainCSS returns CSS without comments and escapes (CSS Syntax §4.3). An escaped
// character that is syntax becomes "_".
func plainCSS(css string) string {
	if !strings.Contains(css, "\\") && !strings.Contains(css, "/*") {
		return css
	}
	var b strings.Builder
	b.Grow(len(css))
	for css != "" {
		switch {
		case strings.HasPrefix(css, "/*"):
			_, css, _ = strings.Cut(css[2:], "*/")
		case css[0] == '\\':
			var r rune
			if r, css = cssEscape(css[1:]); r > 0 {
				b.WriteRune(r)
			}
		default:
			n := strings.IndexAny(css[1:], "\\/") + 1
			if n == 0 {
				n = len(css)
			}
			b.WriteString(css[:n])
			css = css[n:]
		}
	}
	return b.String()
}

// cssEscape returns the character of an escape without its backslash, 0 for a line
// that goes on, and what follows. A character that is syntax becomes "_".
func cssEscape(s string) (rune, string) {
	r, rest := escaped(s)
	if r != 0 && (strings.ContainsRune(":;{}!,()/\\\"' \t\r\n\f", r) || r < 0 || !utf8.ValidRune(r)) {
		r = '_'
	}
	return r, rest
}

// escaped returns the character of an escape without its backslash, 0 for a line that goes on,
// and what follows.
func escaped(s string) (rune, string) {
	n := 0
	for n < min(len(s), 6) && ascii.IsHex(s[n]) {
		n++
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case n > 0:
		code, _ := strconv.ParseInt(s[:n], 16, 32)
		r, size = rune(code), n
		if size < len(s) && strings.IndexByte(blanks, s[size]) >= 0 {
			size++
		}
		if r == 0 {
			r = utf8.RuneError
		}
	case s == "" || strings.IndexByte("\r\n\f", s[0]) >= 0:
		return 0, s[min(1, len(s)):]
	}
	return r, s[size:]
}

// cutDeclaration returns the first declaration of a list and the others. Semicolons
// in quotes and brackets do not end it.
func cutDeclaration(css string) (declaration, rest string) {
	depth, quote := 0, byte(0)
	for i := range len(css) {
		switch c := css[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']' || c == '}') && depth > 0:
			depth--
		case c == ';' && depth == 0:
			return css[:i], css[i+1:]
		}
	}
	return css, ""
}

// isOdd reports whether programs may read CSS differently: a string or a URL without quotes has
// the beginning of a comment, such a URL has other syntax, or a string ends with its line.
func isOdd(css string) bool {
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case isQuote(c):
			size, odd := stringAt(css[i:])
			if odd {
				return true
			}
			i += size - 1
		case c == '\\':
			i++
		case c == '/' && strings.HasPrefix(css[i:], "/*"):
			_, after, _ := strings.Cut(css[i+2:], "*/")
			i = len(css) - len(after) - 1
		case c == '(' && i >= 3 && ascii.EqualFold(css[i-3:i], "url"):
			if first := trimLeft(css[i+1:]); first != "" && isQuote(first[0]) {
				i = len(css) - len(first) - 1
				continue
			}
			url, _, _ := strings.Cut(css[i+1:], ")")
			if strings.ContainsAny(url, "\"'{}(\\\f") || strings.Contains(url, "/*") {
				return true
			}
			i += len(url)
		}
	}
	return false
}

// stringAt returns the length of the string that CSS begins with, and whether programs may read it
// differently.
func stringAt(css string) (size int, odd bool) {
	for i := 1; i < len(css); i++ {
		switch c := css[i]; {
		case c == css[0]:
			return i + 1, false
		case c == '\\':
			i++
		case strings.IndexByte("\r\n\f", c) >= 0, c == '/' && strings.HasPrefix(css[i:], "/*"):
			return i, true
		}
	}
	return len(css), false // the end of the sheet also ends a string
}
