package htmlpart

import (
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/htmltoken"
)

// tokens are the tokens of a piece of the source. A Tokenizer reads those that are not plain,
// at several times the cost.
type tokens struct {
	*reader
	plain htmltoken.Plain
	start int // of the piece in the source
	at    int // offset in the piece behind the token
	slow  *html.Tokenizer

	slowStart, slowEnd int // between them the Tokenizer reads
	keepSlow           bool
}

const (
	// atLeast is the number of bytes that are read even where the context has ended, and that
	// a Tokenizer reads: it has a buffer to fill.
	atLeast = 1 << 10
	// lookAhead is how far a Tokenizer may read behind a text for its end.
	lookAhead = 16
)

// newTokens returns the tokens of a source, which is at an offset of another one.
func (r *reader) newTokens(source string, start int) tokens {
	t := tokens{reader: r, start: start, plain: htmltoken.Plain{Source: source, Markup: true, Attributes: r.room.attributes[:0], Ended: r.ended}}
	r.room.attributes = nil
	t.plain.Jump(0)
	return t
}

// next comes to the next token. It returns its kind and the offset behind it.
func (t *tokens) next() (html.TokenType, int) {
	if t.slow != nil && t.at >= t.slowEnd && !t.keepSlow {
		t.slow = nil
	}
	if t.slow == nil && t.err != nil && t.at > atLeast {
		return html.ErrorToken, t.start + t.at // a long token would be looked at again for each piece
	}
	isPlain := t.slow == nil && t.plain.Next(t.at)
	if size := t.plain.End - t.at; isPlain && size < t.limit-lookAhead {
		if size <= checkEvery && t.spend(size) == nil {
			t.at = t.plain.End
			return t.plain.Kind, t.start + t.at
		}
		for ; t.at < t.plain.End; t.at = min(t.at+checkEvery, t.plain.End) {
			if t.spend(min(t.plain.End-t.at, checkEvery)) != nil && t.at > atLeast {
				return html.ErrorToken, t.start + t.at
			}
		}
		return t.plain.Kind, t.start + t.at
	}
	if t.slow == nil {
		from := t.at
		if isPlain {
			from = t.plain.RawFrom()
		}
		t.readSlowly(from)
	}
	before := t.at
	kind := t.slow.Next()
	t.at += len(t.slow.Raw())
	// The Tokenizer knows of a raw text that follows, and of a token that is too long.
	t.keepSlow = t.at-before >= t.limit-lookAhead
	if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
		t.keepSlow = t.keepSlow || htmltoken.HoldsText(lookup(tagName(t.plain.Source[before+1:])))
	}
	return kind, t.start + t.at
}

// startTag comes to the start tag at an offset of the piece, and returns the offset behind it.
func (t *tokens) startTag(at int) (end int) {
	t.at, t.slow, t.slowStart, t.slowEnd, t.keepSlow = at, nil, 0, 0, false
	t.plain.Jump(at)
	_, end = t.next()
	return end
}

// readSlowly begins to read with a Tokenizer, from an offset at or one tag before the next token.
// Where the one before ended a little before, it reads more.
func (t *tokens) readSlowly(from int) {
	size := atLeast
	if last := t.slowEnd - t.slowStart; t.at-t.slowEnd < last {
		size = min(2*last, checkEvery)
	}
	t.slowStart, t.slowEnd = t.at, t.at+size
	t.slow = html.NewTokenizer(t.metered(t.plain.Source[from:]))
	t.slow.SetMaxBuf(t.limit)
	if from < t.at {
		t.slow.Next()
	}
}

// notRawText says that what follows the start tag is markup.
func (t *tokens) notRawText() {
	t.plain.NotText()
	if t.slow != nil {
		t.slow.NextIsNotRawText()
		t.keepSlow = false
	}
}

// end returns the error that ended the tokens: io.EOF at the end of the piece.
func (t *tokens) end() error {
	if t.slow != nil {
		return t.slow.Err()
	}
	return io.EOF
}

// name returns the name of the tag at a place of the source, in lower case, and its element.
func (t *tokens) name(source string) (string, atom.Atom) {
	if t.slow == nil {
		return t.plain.Name, t.plain.Tag
	}
	name := tagName(source)
	return htmltoken.Lower(name), lookup(name)
}

// each calls a function for the name, in lower case, and value of each attribute of a start tag.
func (t *tokens) each(use func(name, value string)) {
	if t.slow == nil {
		for i := range t.plain.Attributes {
			use(t.plain.Attributes[i].Name(), t.plain.Attributes[i].Value())
		}
		return
	}
	for more := true; more; {
		var key, value []byte
		if key, value, more = t.slow.TagAttr(); len(key) == 0 || t.spend(len(key)+len(value)) != nil {
			return
		}
		use(string(key), string(value))
	}
}
