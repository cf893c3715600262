package htmledit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// plainToken is a token whose end is where the syntax says, as all tokenizers read it.
type plainToken struct {
	source     string // up to where tokens are read
	kind       html.TokenType
	start, end int
	name       string // of a tag, in lower case
	tag        atom.Atom
	attributes []plainAttribute
	textIn     int // the start tag of the element whose text follows, -1 for others
}

// plainAttribute is an attribute of a plain start tag. Its name is as written. Its value
// is without quotes, and has character references.
type plainAttribute struct{ name, value string }

// maxPlain is the number of attributes of a plain start tag.
const maxPlain = 32

// next comes to the token at an offset if it is plain, and reports whether it is.
func (p *plainToken) next(at int) bool {
	source := p.source
	kind, end := html.ErrorToken, at
	switch {
	case at == len(source):
	case source[at] != '<' || !beginsToken(source[at:]):
		kind, end = html.TextToken, endOfText(source, at)
	case source[at+1] == '/':
		kind, end = html.EndTagToken, p.endTag(at)
	case source[at+1] == '!' || source[at+1] == '?':
		kind, end = plainMarkup(source, at)
	default:
		kind, end = p.startTag(at)
	}
	if end < 0 {
		return false
	}
	if kind != html.TextToken {
		p.textIn = -1
	}
	if kind == html.StartTagToken && holdsText(p.tag) {
		p.textIn = at
	}
	p.kind, p.start, p.end = kind, at, end
	return true
}

// holdsText reports whether a tokenizer reads what follows a start tag as a text.
func holdsText(tag atom.Atom) bool {
	return isRawToken(tag) || tag == atom.Title || tag == atom.Textarea
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

// endTag reads an end tag without attributes, and returns the offset behind it; -1 for
// another one.
func (p *plainToken) endTag(at int) int {
	source := p.source
	from := at + len("</")
	if from >= len(source) || !ascii.IsLetter(source[from]) {
		return -1
	}
	to := endOfName(source, from)
	i := skipBlanks(source, to)
	if i == len(source) || source[i] != '>' {
		return -1
	}
	p.named(source[from:to])
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

// startTag reads a start tag whose attributes are well apart and have unlike names, and
// returns the offset behind it; -1 for another one. Where a text is in the element, it has no
// tags, and the end tag follows.
func (p *plainToken) startTag(at int) (kind html.TokenType, end int) {
	source := p.source
	i := endOfName(source, at+1)
	p.named(source[at+1 : i])
	p.attributes = p.attributes[:0]
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
		case i == before || len(p.attributes) == maxPlain:
			return 0, -1
		default:
			if i = p.attribute(i); i < 0 {
				return 0, -1
			}
			continue
		}
		if holdsText(p.tag) && (kind != html.StartTagToken || !p.endsIn(source[i:])) {
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

// attribute reads an attribute of a start tag, and returns the offset behind it; -1 where
// it is not plain.
func (p *plainToken) attribute(at int) int {
	source := p.source
	i := endOfName(source, at)
	a := plainAttribute{name: source[at:i]}
	if i == at {
		return -1
	}
	for _, other := range p.attributes {
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
	p.attributes = append(p.attributes, a)
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

// read returns the token that next came to.
func (p *plainToken) read() html.Token {
	token := html.Token{Type: p.kind}
	switch {
	case p.kind == html.ErrorToken:
	case p.kind == html.TextToken && p.textIn < 0:
		token.Data = shown(p.source[p.start:p.end])
	case isTag(p.kind):
		token.Data, token.DataAtom = p.name, p.tag
		if p.kind == html.EndTagToken {
			break
		}
		token.Attr = p.appendAttributes(nil, func(string) bool { return true })
	default:
		return p.readAlone()
	}
	return token
}

// isTag reports whether tokens of a kind are tags.
func isTag(kind html.TokenType) bool {
	return kind == html.StartTagToken || kind == html.SelfClosingTagToken || kind == html.EndTagToken
}

// readAlone returns a token as a Tokenizer reads it that reads nothing else.
func (p *plainToken) readAlone() html.Token {
	if p.kind != html.TextToken {
		z := html.NewTokenizer(strings.NewReader(p.source[p.start:p.end]))
		z.Next()
		return z.Token()
	}
	z := html.NewTokenizer(strings.NewReader(p.source[p.textIn:p.end]))
	z.Next()
	z.Next()
	return z.Token()
}

// appendAttributes appends those attributes of a start tag whose names, in lower case, are
// wanted.
func (p *plainToken) appendAttributes(all []html.Attribute, wanted func(name string) bool) []html.Attribute {
	for _, a := range p.attributes {
		if name := strings.ToLower(a.name); wanted(name) {
			all = append(all, html.Attribute{Key: name, Val: a.decoded()})
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
