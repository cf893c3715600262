package htmltoken

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Plain is a token whose place and content depend on the bytes from its offset on alone. Most
// tokens are plain. For the others a [html.Tokenizer] is needed.
type Plain struct {
	Source     string      // up to where tokens are read
	Markup     bool        // the content of noscript is markup
	Ended      func() bool // a long tag is not plain once it returns true; may be nil
	Kind       html.TokenType
	Start, End int
	Name       string // of a tag, in lower case
	Tag        atom.Atom
	Attributes []Attribute // of a start tag; each name once
	hashes     [16]uint64  // bits of the hashes of their names
	names      names
	textIn     int // the start tag of the element whose text follows, or is the token; -1 for others
}

// maxPlain is the number of attributes of a plain start tag.
const maxPlain = 1<<indexBits - 1

// askEvery is the number of bytes of a tag after which Ended is asked.
const askEvery = 64 << 10

// Jump goes to an offset where a token begins, outside of texts that are not markup.
func (p *Plain) Jump(at int) { p.Start, p.End, p.Kind, p.textIn = at, at, html.ErrorToken, -1 }

// NotText says that what follows the start tag is markup.
func (p *Plain) NotText() { p.textIn = -1 }

// RawFrom returns where a Tokenizer has to begin to read the token: at the start tag before a text in
// which tags are text.
func (p *Plain) RawFrom() int {
	if p.Kind == html.TextToken && p.textIn >= 0 {
		return p.textIn
	}
	return p.Start
}

// Next comes to the token at an offset if it is plain, and reports whether it is. At the end of
// the source it is an error token.
func (p *Plain) Next(at int) bool {
	source := p.Source
	kind, end := html.ErrorToken, at
	if p.textIn >= 0 && p.Kind == html.StartTagToken {
		end = p.endOfRaw(at)
	}
	switch {
	case at == len(source):
	case end > at:
		kind = html.TextToken
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
		p.Jump(at)
		return false
	}
	if kind != html.TextToken {
		p.textIn = -1
	}
	if kind == html.StartTagToken && p.holdsText() {
		p.textIn = at
	}
	p.Kind, p.Start, p.End = kind, at, end
	return true
}

// holdsText reports whether what follows the start tag is a text.
func (p *Plain) holdsText() bool {
	return HoldsText(p.Tag) && !(p.Markup && p.Tag == atom.Noscript)
}

// HoldsText reports whether a tokenizer reads what follows a start tag as a text.
func HoldsText(tag atom.Atom) bool {
	switch tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

// beginsToken reports whether a less-than sign begins a token that is not a text.
func beginsToken(source string) bool {
	return len(source) > 1 && (ascii.IsLetter(source[1]) || source[1] == '/' || source[1] == '!' || source[1] == '?')
}

// endOfText returns where a text ends.
func endOfText(source string, at int) int {
	for at < len(source) && !(source[at] == '<' && beginsToken(source[at:])) {
		if at++; at == len(source) || source[at] == '<' {
			continue
		}
		i := strings.IndexByte(source[at:], '<')
		if i < 0 {
			return len(source)
		}
		at += i
	}
	return at
}

// endOfRaw returns where the text of the element ends: at its end tag (HTML §13.2.5.14), which
// plaintext has not.
func (p *Plain) endOfRaw(at int) int {
	if p.Tag == atom.Plaintext {
		return len(p.Source)
	}
	for source := p.Source; ; at++ {
		i := strings.Index(source[at:], "</")
		if i < 0 {
			return len(source)
		}
		at += i
		if rest := source[at:]; len(rest) > len(p.Name)+2 && ascii.EqualFold(rest[2:2+len(p.Name)], p.Name) &&
			classes[rest[2+len(p.Name)]]&(blank|end) != 0 {
			return at
		}
	}
}

// endTag reads an end tag and returns the offset behind it; -1 for what is not plain.
func (p *Plain) endTag(at int) int {
	from := at + len("</")
	if from >= len(p.Source) || !ascii.IsLetter(p.Source[from]) {
		return -1
	}
	i := p.tagName(from)
	if i >= 0 {
		i, _ = p.attributes(i)
	}
	return i
}

// startTag reads a start tag, and returns the offset behind it; -1 for what is not plain. The text
// of a script, which has rules of its own, is plain without tags.
func (p *Plain) startTag(at int) (kind html.TokenType, end int) {
	i := p.tagName(at + 1)
	if i < 0 {
		return 0, -1
	}
	end, last := p.attributes(i)
	if end < 0 {
		return 0, -1
	}
	kind = html.StartTagToken
	if p.Source[end-2] == '/' && last != end-1 { // it is not the end of a value
		kind = html.SelfClosingTagToken
	}
	if p.holdsText() && (kind != html.StartTagToken || p.Tag == atom.Script && !p.endsIn(p.Source[end:])) {
		return 0, -1
	}
	return kind, end
}

// endsIn reports whether the next tag in a source is the end tag of the element.
func (p *Plain) endsIn(source string) bool {
	i := strings.IndexByte(source, '<')
	if i < 0 {
		return false
	}
	source, isEnd := strings.CutPrefix(source[i:], "</")
	return isEnd && len(source) > len(p.Name) && source[len(p.Name)] == '>' && ascii.EqualFold(source[:len(p.Name)], p.Name)
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
	switch {
	case i >= 0:
		return kind, at + i + 1
	case kind == html.CommentToken:
		return kind, len(source)
	}
	return 0, -1
}

// tagName reads the name of a tag and returns the offset behind it; -1 for one that is not plain.
func (p *Plain) tagName(at int) int {
	source, i := p.Source, at
	for i < len(source) && classes[source[i]]&(blank|end) == 0 {
		i++
	}
	if i == len(source) {
		return -1
	}
	name := named(source[at:i])
	p.Name, p.Tag = name.name, name.tag
	return i
}

// attributes reads the attributes of a tag up to its end. It returns the offset behind the tag, -1
// for one that is not plain, and that behind the value of the last attribute, -1 without one.
func (p *Plain) attributes(i int) (end, last int) {
	source, asked := p.Source, i
	p.Attributes, last = p.Attributes[:0], -1
	for {
		if i-asked > askEvery && p.Ended != nil {
			if asked = i; p.Ended() {
				return -1, 0
			}
		}
		if i = skipBlanks(source, i); i == len(source) {
			return -1, 0
		}
		switch source[i] {
		case '>':
			return i + 1, last
		case '/':
			i++
			continue
		}
		from, hash := i, uint(source[i]|0x20)
		for i++; i < len(source) && classes[source[i]] == 0; i++ {
			hash = hash*31 + uint(source[i]|0x20)
		}
		if i == len(source) {
			return -1, 0
		}
		a := Attribute{name: source[from:i]}
		end := i
		a.value, i, end = valueAt(source, i)
		if i < 0 {
			return -1, 0
		}
		if len(p.Attributes) == 0 {
			p.hashes, p.names.known = [16]uint64{}, 0
		}
		word, bit := &p.hashes[hash/64%16], uint64(1)<<(hash%64)
		if *word&bit != 0 && p.has(a.name) {
			continue
		}
		if len(p.Attributes) == maxPlain {
			return -1, 0
		}
		*word |= bit
		if n := len(p.Attributes); n == cap(p.Attributes) {
			p.Attributes = slices.Grow(p.Attributes, n+1) // append would copy more often
		}
		p.Attributes, last = append(p.Attributes, a), end
	}
}

// has reports whether there is an attribute with a name. Without one the caller adds it.
func (p *Plain) has(name string) bool {
	const few = 32
	if len(p.Attributes) > few {
		return !p.names.add(p.Attributes, name)
	}
	for i := range p.Attributes {
		if other := p.Attributes[i].name; len(other) == len(name) && Lower(other) == Lower(name) {
			return true
		}
	}
	return false
}

// Token returns the token that Next came to.
func (p *Plain) Token() html.Token {
	token := html.Token{Type: p.Kind}
	switch {
	case p.Kind == html.ErrorToken:
	case p.Kind == html.TextToken && p.textIn < 0:
		token.Data = p.Source[p.Start:p.End]
		if strings.IndexByte(token.Data, '\r') >= 0 {
			token.Data = newlines.Replace(token.Data)
		}
		token.Data = html.UnescapeString(token.Data)
	case p.Kind == html.EndTagToken:
		token.Data, token.DataAtom = p.Name, p.Tag
	case p.Kind == html.StartTagToken, p.Kind == html.SelfClosingTagToken:
		token.Data, token.DataAtom = p.Name, p.Tag
		for i := range p.Attributes {
			token.Attr = append(token.Attr, html.Attribute{Key: p.Attributes[i].Name(), Val: p.Attributes[i].Value()})
		}
	default:
		return p.alone()
	}
	return token
}

// newlines are those that a tokenizer replaces in texts.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// alone returns a token as a Tokenizer reads it that reads nothing else.
func (p *Plain) alone() html.Token {
	start := p.RawFrom()
	z := html.NewTokenizer(strings.NewReader(p.Source[start:p.End]))
	z.Next()
	if start != p.Start {
		z.Next()
	}
	return z.Token()
}
