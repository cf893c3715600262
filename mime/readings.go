package mime

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

// Texts iterates over the texts that mail programs and browsers may show for a content of p (see
// [Message.Contents]), the likeliest first. They are in UTF-8, with the lines of a paragraph joined as
// in [Message.Text]. They may have control characters and U+FFFD: use them to judge a message, never to
// edit it. If the context ends, the last pair has its error.
func (m *Message) Texts(p *Part, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		first := true
		for decoded, err := range charset.Readings(m.ctx, p.params.get("charset"), content) {
			text := leafText{content: decoded}
			text.readFormat(p)
			if !yield(text.unflowed(), err) {
				return
			}
			// Programs that do not know DelSp show the lines as written.
			if text.delSp && !yield(decoded, nil) {
				return
			}
			// Some programs show nothing for a control character, which may then separate letters of a
			// word or link. In less likely readings, controls are bytes of another charset.
			if first && err == nil && partsWord(decoded) && !yield(strings.Map(withoutControl, text.unflowed()), nil) {
				return
			}
			first = false
		}
	}
}

// partsWord reports whether a control character is between two visible characters.
func partsWord(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		if isStray(text[i]) && text[i-1] > ' ' && text[i+1] > ' ' {
			return true
		}
	}
	return false
}

// isStray reports whether a byte is a control character that gets into texts by mistake, and that does
// not switch the charset.
func isStray(c byte) bool {
	switch c {
	case '\t', '\n', '\f', '\x0e', '\x0f', '\x1b':
		return false
	}
	return c < ' ' || c == 0x7f
}

// withoutControl removes control characters.
func withoutControl(r rune) rune {
	if r < utf8.RuneSelf && isStray(byte(r)) {
		return -1
	}
	return r
}

// Hosts iterates over the hosts that programs with other default charsets may show in the URLs and
// addresses of a content of p. There are none if p declares a known charset with more than ASCII, or if
// the content is UTF-8. Use them to judge a message. The last pair may have an error: that of the
// context, or [charset.ErrTooManyHosts].
func (m *Message) Hosts(p *Part, content []byte, limits charset.HostLimits) iter.Seq2[string, error] {
	return charset.Hosts(m.ctx, p.params.get("charset"), content, limits)
}

// Unambiguous reports whether programs agree on a text that [Message.Text] returned for p. They do if
// it is ASCII or UTF-8, or if its charset has one byte for each character and the bytes are unlikely to
// be in a charset with several. Several transfer encodings are ambiguous, and so are DelSp (RFC 3676) and markup that names
// another charset.
func (m *Message) Unambiguous(p *Part, text string) bool {
	format, err := m.knownText(p)
	format.content = text
	name := format.charset
	switch {
	case err != nil:
		return false
	case m.doubtful(reasonMalformedContentType): // programs may see no charset
		return false
	case format.delSp, m.doubtful(reasonDuplicateEncoding) && len(m.encodings(p)) > 1:
		return false
	case strings.HasPrefix(text, "+/v"): // perhaps the byte order mark of UTF-7
		return false
	case name == "utf-8":
		return true
	case p.MediaType != "text/plain" && format.marksOther():
		return false
	case name == "us-ascii":
		return true
	case ascii.Is(text):
		return charset.Superset(name)
	}
	return charset.Bytewise(name) && !charset.IsMojibake(text) && !m.mayBeUTF8(p)
}

// marksOther reports whether the markup of a text names another charset.
func (t *leafText) marksOther() bool {
	for _, name := range charset.InMarkup([]byte(t.content[:min(len(t.content), charset.MarkupLead)])) {
		if name != t.charset && (!ascii.Is(t.content) || !charset.Superset(name)) {
			return true
		}
	}
	return false
}

// mayBeUTF8 reports whether most of the non-ASCII content of p may be UTF-8.
func (m *Message) mayBeUTF8(p *Part) bool {
	var tally charset.Tally
	var left []byte // the start of a character whose end is in the next piece
	err := m.decode(p, func(piece []byte) error {
		if len(left) > 0 {
			piece = append(left, piece...)
		}
		left = bytes.Clone(tally.Add(piece))
		if tally.IsOther() {
			return errEnough
		}
		return nil
	})
	return err == nil && tally.MayBeUTF8()
}
