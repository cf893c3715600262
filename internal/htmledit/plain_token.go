package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// plainToken is what is known of a plain token.
type plainToken struct {
	name       string // of a tag, in lower case
	tag        atom.Atom
	attributes []plainAttribute
	textIn     int // the start tag of the element whose text follows, -1 for others
}

// plainAttribute is an attribute of a plain start tag. Its name is as it is written. Its value
// is without quotes, and has character references.
type plainAttribute struct{ name, value string }

// maxPlain is the number of attributes of a plain start tag.
const maxPlain = 32

// nextPlain comes to the next token if it is plain, and reports whether it is.
func (w *walk) nextPlain() bool {
	at, end, kind := w.end, 0, html.ErrorToken
	source := w.source[:w.stop]
	switch {
	case at == len(source):
		end = at
	case source[at] != '<' || !beginsToken(source[at:]):
		kind, end = html.TextToken, endOfText(source, at)
	case source[at+1] == '/':
		kind = html.EndTagToken
		end = w.plainEndTag(source, at)
	case source[at+1] == '!' || source[at+1] == '?':
		kind, end = plainMarkup(source, at)
	default:
		kind, end = w.plainStartTag(source, at)
	}
	if end < 0 {
		return false
	}
	if kind != html.TextToken {
		w.plain.textIn = -1
	}
	if kind == html.StartTagToken && holdsText(w.plain.tag) {
		w.plain.textIn = at
	}
	w.kind, w.start, w.end = kind, at, end
	return true
}

// named notes the name of a tag.
func (p *plainToken) named(name string) {
	p.name = strings.ToLower(name)
	p.tag = atom.Lookup([]byte(p.name))
}

// beginsToken reports whether a less-than sign begins a token that is not a text.
func beginsToken(source string) bool {
	return len(source) > 1 && (ascii.IsLetter(source[1]) || source[1] == '/' || source[1] == '!' || source[1] == '?')
}

// endOfText returns where a text ends.
func endOfText(source string, at int) int {
	for {
		i := strings.IndexByte(source[at:], '<')
		if i < 0 {
			return len(source)
		}
		if at += i; beginsToken(source[at:]) {
			return at
		}
		at++
	}
}

// plainEndTag reads an end tag without attributes, and returns the offset behind it; -1 for
// another one.
func (w *walk) plainEndTag(source string, at int) int {
	from := at + len("</")
	if from >= len(source) || !ascii.IsLetter(source[from]) {
		return -1
	}
	to := endOfName(source, from)
	i := skipBlanks(source, to)
	if i == len(source) || source[i] != '>' {
		return -1
	}
	w.plain.named(source[from:to])
	return i + 1
}

// plainMarkup returns what begins with "<!" or "<?" and the offset behind it: a document type,
// a comment without two hyphens in it, or what readers take for a comment.
func plainMarkup(source string, at int) (kind html.TokenType, end int) {
	const begin, stop = "<!--", "-->"
	rest := source[at:]
	switch {
	case strings.HasPrefix(rest, begin):
		i := strings.Index(rest[len(begin):], "--")
		if rest = rest[len(begin):]; i < 1 || rest[0] == '>' || rest[0] == '-' || !strings.HasPrefix(rest[i:], stop) {
			return 0, -1
		}
		return html.CommentToken, at + len(begin) + i + len(stop)
	case ascii.HasPrefixFold(rest, "<!doctype html"):
		kind = html.DoctypeToken
	case strings.HasPrefix(rest, "<!["), strings.HasPrefix(rest, "<?"):
		kind = html.CommentToken
	default:
		return 0, -1
	}
	i := strings.IndexByte(rest, '>')
	if i < 0 {
		return 0, -1
	}
	return kind, at + i + 1
}

// plainStartTag reads a start tag whose attributes are well apart and have unlike names, and
// returns the offset behind it; -1 for another one. Where a text is in the element, it has no
// tags, and the end tag follows.
func (w *walk) plainStartTag(source string, at int) (kind html.TokenType, end int) {
	i := endOfName(source, at+1)
	w.plain.named(source[at+1 : i])
	w.plain.attributes = w.plain.attributes[:0]
	kind = html.StartTagToken
	for {
		before := i
		if i = skipBlanks(source, i); i == len(source) {
			return 0, -1
		}
		switch c := source[i]; {
		case c == '>':
			i++
		case c == '/' && i+1 < len(source) && source[i+1] == '>':
			kind = html.SelfClosingTagToken
			i += 2
		case i == before || len(w.plain.attributes) == maxPlain:
			return 0, -1
		default:
			if i = w.plainAttribute(source, i); i < 0 {
				return 0, -1
			}
			continue
		}
		if holdsText(w.plain.tag) && (kind != html.StartTagToken || !w.plain.endsIn(source[i:])) {
			return 0, -1
		}
		return kind, i
	}
}

// endsIn reports whether the next tag in a source is the end tag of the element.
func (p *plainToken) endsIn(source string) bool {
	i := strings.IndexByte(source, '<')
	return i >= 0 && p.tag != atom.Plaintext && endsElement(source[i:], p.name)
}

// plainAttribute reads an attribute of a start tag, and returns the offset behind it; -1 where
// it is not plain.
func (w *walk) plainAttribute(source string, at int) int {
	i := endOfName(source, at)
	a := plainAttribute{name: source[at:i]}
	if i == at {
		return -1
	}
	for _, other := range w.plain.attributes {
		if len(other.name) == len(a.name) && strings.EqualFold(other.name, a.name) {
			return -1
		}
	}
	if i < len(source) && source[i] == '=' {
		if i++; i == len(source) {
			return -1
		}
		if c := source[i]; c == '"' || c == '\'' {
			n := strings.IndexByte(source[i+1:], c)
			if n < 0 {
				return -1
			}
			a.value = source[i+1 : i+1+n]
			i += 1 + n + 1
		} else {
			from := i
			for i < len(source) && (isNameByte[source[i]] || source[i] == '#' || source[i] == '%') {
				i++
			}
			if a.value = source[from:i]; a.value == "" || i < len(source) && source[i] == '/' {
				return -1
			}
		}
	}
	w.plain.attributes = append(w.plain.attributes, a)
	return i
}

// isNameByte has the bytes of the names of plain tags and attributes.
var isNameByte = func() (is [256]bool) {
	for c := range is {
		is[c] = ascii.IsAlphanumeric(byte(c)) || c == '-' || c == ':' || c == '_' || c == '.'
	}
	return is
}()

// endOfName returns the offset behind a name.
func endOfName(source string, i int) int {
	for i < len(source) && isNameByte[source[i]] {
		i++
	}
	return i
}

// skipBlanks returns the offset behind white space.
func skipBlanks(source string, i int) int {
	for i < len(source) && (source[i] == ' ' || source[i] == '\n' || source[i] == '\r' || source[i] == '\t' || source[i] == '\f') {
		i++
	}
	return i
}

// readPlain returns the plain token that next came to.
func (w *walk) readPlain() html.Token {
	token := html.Token{Type: w.kind}
	switch {
	case w.kind == html.ErrorToken:
	case w.kind == html.TextToken && w.plain.textIn < 0:
		token.Data = shown(w.source[w.start:w.end])
	case w.isTag():
		token.Data, token.DataAtom = w.plain.name, w.plain.tag
		if w.kind == html.EndTagToken {
			break
		}
		token.Attr = w.appendAttributes(nil, func(string) bool { return true })
	default:
		return w.readAlone()
	}
	return token
}

// readAlone returns a token as a Tokenizer reads it that reads nothing else.
func (w *walk) readAlone() html.Token {
	if w.kind != html.TextToken {
		z := html.NewTokenizer(strings.NewReader(w.source[w.start:w.end]))
		z.Next()
		return z.Token()
	}
	z := html.NewTokenizer(strings.NewReader(w.source[w.plain.textIn:w.end]))
	z.Next()
	z.Next()
	return z.Token()
}

// appendAttributes appends those attributes of a start tag whose names, in lower case, are
// wanted. The name of the tag was read, but not the token.
func (w *walk) appendAttributes(all []html.Attribute, wanted func(name string) bool) []html.Attribute {
	if w.tokens == nil {
		for _, a := range w.plain.attributes {
			if name := strings.ToLower(a.name); wanted(name) {
				all = append(all, html.Attribute{Key: name, Val: a.decoded()})
			}
		}
		return all
	}
	for more := true; more; {
		var name, value []byte
		if name, value, more = w.tokens.TagAttr(); wanted(string(name)) {
			all = append(all, html.Attribute{Key: string(name), Val: string(value)})
		}
	}
	return all
}

// decoded returns the value of an attribute.
func (a *plainAttribute) decoded() string {
	const ampersand = "&amp;"
	if !strings.ContainsAny(a.value, "&\r\x00") {
		return a.value
	}
	if strings.Count(a.value, "&") == strings.Count(a.value, ampersand) && !strings.ContainsAny(a.value, "\r\x00") {
		return strings.ReplaceAll(a.value, ampersand, "&")
	}
	quote := `"`
	if strings.Contains(a.value, quote) {
		quote = "'"
	}
	return valueOf("x=" + quote + a.value + quote)
}
