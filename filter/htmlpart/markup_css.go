package htmlpart

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// sheetOfMarkup returns a style sheet as programs read it in SVG, MathML and XML, where it is a
// text as any other: without tags and comments, and with references replaced. It returns "" where
// that changes nothing.
func sheetOfMarkup(css string) string {
	if strings.IndexByte(css, '<') < 0 && !hasReference(css) {
		return ""
	}
	var b strings.Builder
	b.Grow(len(css))
	for rest := css; rest != ""; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			i = len(rest)
		}
		b.WriteString(html.UnescapeString(rest[:i]))
		rest = afterMarkup(&b, rest[i:])
	}
	if b.String() == css {
		return ""
	}
	return b.String()
}

// hasReference reports whether a text has an "&" that may begin a character reference.
func hasReference(text string) bool {
	for {
		i := strings.IndexByte(text, '&') + 1
		if i == 0 || i == len(text) {
			return false
		}
		if text = text[i:]; text[0] == '#' || ascii.IsAlphanumeric(text[0]) {
			return true
		}
	}
}

// afterMarkup returns what follows the markup that a text begins with. It writes a sign that begins
// no markup, and the text of a CDATA section.
func afterMarkup(b *strings.Builder, text string) string {
	const cdata = "<![CDATA["
	end := ">"
	switch {
	case len(text) < 2:
		b.WriteString(text)
		return ""
	case strings.HasPrefix(text, cdata):
		content, rest, _ := strings.Cut(text[len(cdata):], "]]>")
		b.WriteString(content)
		return rest
	case strings.HasPrefix(text, "<!--"):
		end = "-->"
	case text[1] != '/' && text[1] != '!' && text[1] != '?' && !ascii.IsLetter(text[1]):
		b.WriteByte(text[0])
		return text[1:]
	}
	_, rest, _ := strings.Cut(text, end)
	return rest
}

// withoutNamespaces returns selectors without the namespaces of their names: "*|a" is "a".
func withoutNamespaces(selectors string) string {
	if strings.IndexByte(selectors, '|') < 0 {
		return selectors
	}
	plain := make([]byte, 0, len(selectors))
	quote, name := byte(0), 0 // where a name begins in plain that may be a namespace
	for i := range len(selectors) {
		c := selectors[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case c == '|' && !strings.HasPrefix(selectors[i+1:], "="):
			plain = plain[:name]
			continue
		}
		plain = append(plain, c)
		if quote != 0 || !isNameByte(c) && c != '*' {
			name = len(plain)
		}
	}
	return string(plain)
}

// isNameByte reports whether a byte may be in a name of CSS.
func isNameByte(c byte) bool {
	return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c >= 0x80
}
