package page

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// tokens reads the tokens of a source exactly as the tokenizer of x/net/html, with their places. It
// reads texts and usual tags itself, and leaves all else to that tokenizer: comments, the contents of
// elements such as style, tags with character references or in a form that is rare. That tokenizer
// allocates several times for each attribute, which was a sixth of the time that a newsletter takes.
type tokens struct {
	ctx    context.Context
	source string
	start  int // the latest token: source[start:end]
	end    int
	z      *html.Tokenizer
	inRaw  bool // the content of an element such as style follows, which z reads
	cdata  bool // CDATA sections are texts
	meter  *meter.Meter

	attributes []html.Attribute // of the latest start tag
	room       []html.Attribute // for the attributes of several tags
}

func newTokens(ctx context.Context, source string) *tokens {
	return &tokens{ctx: ctx, source: source, meter: meter.New(ctx)}
}

// next reads the next token and returns its kind.
func (t *tokens) next() html.TokenType {
	t.start, t.attributes = t.end, nil
	if t.inRaw {
		return t.leave()
	}
	for i := t.start; ; i++ {
		j := strings.IndexByte(t.source[i:], '<')
		if i += j; j < 0 || i+1 == len(t.source) {
			if t.end = len(t.source); t.start == t.end {
				return html.ErrorToken
			}
			return t.spend(html.TextToken)
		}
		switch c := t.source[i+1]; {
		case !ascii.IsLetter(c) && c != '/' && c != '!' && c != '?':
			continue
		case i > t.start:
			t.end = i
			return t.spend(html.TextToken)
		case ascii.IsLetter(c):
			return t.startTag()
		case c == '/':
			return t.endTag()
		}
		return t.leave()
	}
}

// spend counts the latest token. It returns its kind, or an error if the context has ended.
func (t *tokens) spend(kind html.TokenType) html.TokenType {
	if t.meter.Spend(t.end-t.start) != nil {
		return html.ErrorToken
	}
	return kind
}

// leave leaves a token to the tokenizer.
func (t *tokens) leave() html.TokenType {
	if !t.inRaw {
		t.z = html.NewTokenizer(meter.Reader(t.ctx, t.source[t.start:]))
	}
	t.z.AllowCDATA(t.cdata)
	kind := t.z.Next()
	t.end, t.inRaw = t.start+len(t.z.Raw()), false
	if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
		return kind
	}
	t.inRaw = isRawText(atomOf(tagName(t.source[t.start+1 : t.end])))
	n := len(t.room)
	for more := true; more; {
		var key, value []byte
		if key, value, more = t.z.TagAttr(); len(key) > 0 && len(t.room)-n < maxAttributes {
			t.room = append(t.room, html.Attribute{Key: atom.String(key), Val: string(value)})
		}
	}
	t.attributes = t.room[n:len(t.room):len(t.room)]
	return kind
}

// isRawText reports whether the content of an element is a text for the tokenizer.
func isRawText(a atom.Atom) bool {
	return isRaw(a) || a == atom.Noscript || a == atom.Script || a == atom.Style
}

// endTag reads an end tag.
func (t *tokens) endTag() html.TokenType {
	i := t.start + len("</")
	if i == len(t.source) || !ascii.IsLetter(t.source[i]) {
		return t.leave()
	}
	if i = t.skipBlanks(t.nameEnd(i)); i == len(t.source) || t.source[i] != '>' {
		return t.leave()
	}
	t.end = i + 1
	return t.spend(html.EndTagToken)
}

// startTag reads a start tag.
func (t *tokens) startTag() html.TokenType {
	const most, chunk = 32, 256
	source, n := t.source, len(t.room)
	if cap(t.room)-n < most {
		t.room, n = make([]html.Attribute, 0, chunk), 0
	}
	i := t.nameEnd(t.start + 1)
	name := source[t.start+1 : i]
	if i < len(source) && strings.IndexByte(blanks+"/>", source[i]) >= 0 && !isRawText(atomOf(name)) {
		for len(t.room)-n < most {
			if i = t.skipBlanks(i); i < len(source) && source[i] == '>' {
				return t.endStartTag(html.StartTagToken, i+1, n)
			}
			if strings.HasPrefix(source[i:], "/>") {
				return t.endStartTag(html.SelfClosingTagToken, i+2, n)
			}
			key := source[i:t.nameEnd(i)]
			i += len(key)
			after, value, ok := t.skipBlanks(i), "", false
			switch {
			case key == "" || after == len(source):
			case source[after] == '=':
				value, i, ok = t.value(t.skipBlanks(after + 1))
			default: // otherwise the name has another character
				ok = after > i || source[i] == '>' || source[i] == '/'
			}
			if !ok {
				break
			}
			t.addAttribute(n, key, value)
		}
	}
	t.room = t.room[:n]
	return t.leave()
}

// endStartTag ends a start tag at the offset end. Its attributes begin at t.room[n].
func (t *tokens) endStartTag(kind html.TokenType, end, n int) html.TokenType {
	t.end, t.attributes = end, t.room[n:len(t.room):len(t.room)]
	return t.spend(kind)
}

// addAttribute adds an attribute of the latest tag, whose attributes begin at t.room[n]. The first of a
// name counts.
func (t *tokens) addAttribute(n int, key, value string) {
	if strings.ContainsFunc(key, isUpper) {
		key = strings.ToLower(key)
	}
	for i := n; i < len(t.room); i++ {
		if t.room[i].Key == key {
			return
		}
	}
	t.room = append(t.room, html.Attribute{Key: key, Val: value})
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }

// value reads the value of an attribute at the offset i, and returns the offset after it. ok is false
// for a value that is left to the tokenizer.
func (t *tokens) value(i int) (value string, end int, ok bool) {
	if i == len(t.source) {
		return "", i, false
	}
	if quote := t.source[i]; quote == '"' || quote == '\'' {
		j := strings.IndexByte(t.source[i+1:], quote)
		if j < 0 {
			return "", i, false
		}
		value, ok = decoded(t.source[i+1 : i+1+j])
		return value, i + 1 + j + 1, ok
	}
	for end = i; end < len(t.source) && (isNameByte(t.source[end]) || strings.IndexByte("#%.,;()", t.source[end]) >= 0); end++ {
	}
	ok = end > i && end < len(t.source) && (t.source[end] == '>' || strings.IndexByte(blanks, t.source[end]) >= 0)
	return t.source[i:end], end, ok
}

// decoded returns a value without its character references. It knows what URLs have: "&amp;", and "&"
// before a name and "=", which is no reference there (HTML §13.2.5.73). ok is false for other references
// and for characters that the tokenizer replaces.
func decoded(value string) (text string, ok bool) {
	if strings.IndexByte(value, '\r') >= 0 || strings.IndexByte(value, 0) >= 0 {
		return "", false
	}
	for rest := value; ; {
		i := strings.IndexByte(rest, '&')
		if i < 0 {
			return strings.ReplaceAll(value, "&amp;", "&"), true
		}
		if rest = rest[i+1:]; strings.HasPrefix(rest, "amp;") {
			continue
		}
		name := 0
		for name < len(rest) && ascii.IsAlphanumeric(rest[name]) {
			name++
		}
		if name == len(rest) || rest[name] != '=' {
			return "", false
		}
	}
}

// nameEnd returns the end of the usual characters of a name at the offset i.
func (t *tokens) nameEnd(i int) int {
	for i < len(t.source) && isNameByte(t.source[i]) {
		i++
	}
	return i
}

func isNameByte(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == ':' || c == '_' }

// skipBlanks returns the offset after the blanks at the offset i.
func (t *tokens) skipBlanks(i int) int {
	for i < len(t.source) && strings.IndexByte(blanks, t.source[i]) >= 0 {
		i++
	}
	return i
}
