package htmlpart

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

const (
	// maxImports is the number of style sheets in URLs of a document that are read, and maxImportsDeep
	// how many are read in each other.
	maxImports     = 32
	maxImportsDeep = 4
	// maxImportRules is the number of rules of a document that import a style sheet from anywhere.
	maxImportRules = 256
)

// readSheet reads a style sheet into s. It reports whether all that it says is in it.
func (r *reader) readSheet(s *sheet, css string) bool { return r.readSheetAt(s, css, 0) }

// readSheetAt is readSheet for a sheet in others, given how many.
func (r *reader) readSheetAt(s *sheet, css string, deep int) bool {
	other := s.readSource(css, r.spend)
	if r.err != nil {
		return false
	}
	same := r.readImports(s, css, deep)
	return r.readImports(s, other, deep) && same
}

// readImports reads the style sheets in data URLs that a style sheet imports (CSS Cascading §2). It
// reports whether the style sheet imports none.
func (r *reader) readImports(s *sheet, css string, deep int) bool {
	none := true
	for rest := css; ; {
		i := strings.IndexByte(rest, '@')
		if i < 0 {
			return none
		}
		if rest = rest[i+1:]; rest == "" || rest[0]|0x20 != 'i' && rest[0] != '\\' {
			continue
		}
		name, after := cutIdentifier(rest)
		if !strings.EqualFold(name, "import") {
			continue
		}
		if r.importRules++; r.importRules > maxImportRules {
			r.partial = true
			return false
		}
		if url := clean(urlOfImport(after)); ascii.HasPrefixFold(url, "data:") {
			none = false
			r.readDataSheet(s, url, deep)
		}
	}
}

// readDataSheet reads the style sheet in a data URL.
func (r *reader) readDataSheet(s *sheet, url string, deep int) {
	content, label := dataContent(url, "text/css")
	if r.imports++; content == "" || r.imports > maxImports || deep == maxImportsDeep {
		r.partial = true
		return
	}
	if utf8.ValidString(content) && strings.IndexByte(content, 0) < 0 && label == "" {
		r.readSheetAt(s, content, deep+1)
		return
	}
	for text, err := range charset.Readings(r.ctx, label, []byte(content)) {
		if err != nil {
			return // spend sees it, too
		}
		r.readSheetAt(s, text, deep+1)
	}
}

// cutIdentifier returns the name that CSS begins with, up to a length, without its escapes, and what
// follows it.
func cutIdentifier(css string) (name, rest string) {
	const most = 32
	var b strings.Builder
	for css != "" && b.Len() < most {
		switch c := css[0]; {
		case c == '\\':
			var character rune
			if character, css = escaped(css[1:]); character > 0 {
				b.WriteRune(character)
			}
		case isNameByte(c):
			b.WriteByte(c)
			css = css[1:]
		default:
			return b.String(), css
		}
	}
	return b.String(), css
}

// urlOfImport returns the URL behind "@import": a string, or that of a function such as url().
func urlOfImport(css string) string {
	css = withoutBlanks(css)
	if css == "" {
		return ""
	}
	if isQuote(css[0]) {
		return unescapedUpTo(css[1:], css[:1])
	}
	_, css = cutIdentifier(css)
	css, isFunction := strings.CutPrefix(css, "(")
	switch css = withoutBlanks(css); {
	case !isFunction || css == "":
		return ""
	case isQuote(css[0]):
		return unescapedUpTo(css[1:], css[:1])
	}
	return unescapedUpTo(css, `)("'`) // which it has only with escapes
}

// withoutBlanks returns CSS without the white space and comments that it begins with.
func withoutBlanks(css string) string {
	for {
		css = trimLeft(css)
		comment, ok := strings.CutPrefix(css, "/*")
		if !ok {
			return css
		}
		_, css, _ = strings.Cut(comment, "*/")
	}
}

// unescapedUpTo returns CSS up to one of some characters that is not escaped, without its escapes.
func unescapedUpTo(css, end string) string {
	var b strings.Builder
	for css != "" {
		i := strings.IndexAny(css, `\`+end)
		if i < 0 {
			return b.String() + css
		}
		b.WriteString(css[:i])
		if css[i] != '\\' {
			break
		}
		var character rune
		if character, css = escaped(css[i+1:]); character > 0 {
			b.WriteRune(character)
		}
	}
	return b.String()
}
