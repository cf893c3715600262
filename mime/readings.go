package mime

import (
	"bytes"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Texts iterates over the texts that mail programs and browsers may show for a content of
// p (see [Message.Contents]), the likeliest first. They are in UTF-8, with the lines of a
// paragraph joined as in [Message.Text], and may have controls and U+FFFD: use them to
// judge a message, never to edit it. The error is that of the context, and comes last.
func (m *Message) Texts(p *Part, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for decoded, err := range Readings(m.ctx, p.params.get("charset"), content) {
			text := leafText{content: decoded}
			text.readFormat(p)
			if !yield(text.unflowed(), err) {
				return
			}
			// Programs that do not know DelSp show the lines as written.
			if text.delSp && !yield(decoded, nil) {
				return
			}
		}
	}
}

// Readings iterates over the texts that programs may decode from a content. label is the
// declared charset, which may be empty or wrong. No two texts are equal. The error is that
// of ctx, and comes last.
//
// A byte order mark takes precedence over the label, and the label over a charset that HTML
// or XML names inside. Bytes that do not fit are also read as UTF-8 and windows-1252. If a
// charset can hide ASCII characters, in pairs of bytes or behind escape sequences, these
// are a reading, too.
func Readings(ctx context.Context, label string, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		g := guesses{meter: newMeter(ctx), content: content, yield: yield}
		g.guess(looseCharset(label))
	}
}

// ASCIIReadings iterates over the ASCII characters of a binary content: without NUL, as in
// UTF-16, and with spaces for NUL, as between strings. The error is that of ctx, and comes
// last.
func ASCIIReadings(ctx context.Context, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		g := guesses{meter: newMeter(ctx), content: content, yield: yield}
		g.try(readingASCII, readingSpaced)
	}
}

// guesses passes on the readings of a content.
type guesses struct {
	meter   *meter
	content []byte
	yield   func(string, error) bool

	tried    []string
	seen     []uint64 // hashes of the texts
	replaced bool     // the last text has U+FFFD
	stopped  bool     // the caller wants no more
}

// guess passes on the readings of a content that is said to be in the charset of that
// canonical name.
func (g *guesses) guess(name string) {
	if marked, size := mark(g.content); marked != "" {
		whole := g.content
		g.content = whole[size:]
		g.try(marked)
		if marked != "utf-8" {
			g.content, g.tried = whole, nil
		}
	}
	labels := append(g.declared(name), markedCharsets(g.content)...)
	doubtful := len(labels) == 0
	for _, label := range labels {
		g.replaced = false
		if g.try(label); g.replaced || !known(label) {
			doubtful = true
		}
	}
	if strings.Contains(name, "utf-7") || strings.Contains(name, "utf7") {
		g.try("utf-7")
	}
	g.try(g.beyond(labels, doubtful)...)
	if name != "" && !known(name) && looksEBCDIC(g.content) {
		g.try("ibm037")
	}
}

// looksEBCDIC reports whether a content has more spaces and letters of EBCDIC than of
// ASCII. All code pages of EBCDIC for Latin agree on those of URLs.
func looksEBCDIC(content []byte) bool {
	ebcdic, ascii := 0, 0
	for _, c := range content[:min(len(content), markupLead)] {
		switch {
		case c == 0x40, 0x81 <= c && c <= 0xA9:
			ebcdic++
		case c == ' ', 'a' <= c && c <= 'z':
			ascii++
		}
	}
	return ebcdic > ascii
}

// declared returns the charsets that a declared name stands for.
func (g *guesses) declared(name string) []string {
	switch {
	case name == "", name == "us-ascii", name == "utf-8" && utf8.Valid(g.content):
		return nil // as any content
	case name == "utf-16", name == "utf-32":
		return []string{name + "be", name + "le"}
	case name == "utf-16le", name == "utf-32le":
		return []string{name, name[:6] + "be"}
	case name == "utf-16be", name == "utf-32be":
		return []string{name, name[:6] + "le"}
	case name == "iso-8859-1":
		return []string{"windows-1252"} // as browsers read it (WHATWG Encoding §4.2)
	}
	return []string{name}
}

// beyond returns the readings beside those of the labels. The labels are doubtful if
// there is none, or one does not fit the content.
func (g *guesses) beyond(labels []string, doubtful bool) []string {
	var more []string
	valid := utf8.Valid(g.content)
	if valid {
		more = append(more, "utf-8")
	} else if doubtful {
		more = append(more, "utf-8", "windows-1252", readingDropped)
	}
	if bytes.IndexByte(g.content, '\x1b') >= 0 {
		more = append(more, "iso-2022-jp", readingASCII)
	}
	if bytes.IndexByte(g.content, '\x0e') >= 0 {
		more = append(more, "iso-2022-kr", readingASCII)
	}
	if bytes.IndexByte(g.content, 0) >= 0 {
		more = append(more, "utf-16le", "utf-16be", readingASCII, readingSpaced)
	}
	for _, label := range labels {
		switch {
		case strings.HasPrefix(label, "hz"):
			more = append(more, readingHZ)
		case !valid && !bytewise(label):
			more = append(more, readingASCII)
		}
	}
	return more
}

// bytewise reports whether each byte of ASCII stands for itself in a charset. In other
// charsets it may be a half of a character.
func bytewise(name string) bool {
	for _, prefix := range []string{"utf-8", "us-ascii", "windows-125", "windows-874", "iso-8859-", "koi8", "macintosh", "x-mac"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// superset reports whether bytes of ASCII alone are a text in ASCII in a charset.
func superset(name string) bool {
	for _, prefix := range []string{"gb", "big5", "shift_jis", "shift-jis", "sjis", "euc", "cp9", "tis-620"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return bytewise(name)
}

// textSeed is that of the hashes of texts.
var textSeed = maphash.MakeSeed()

// try passes on the readings of the names that are decoders and were not tried.
func (g *guesses) try(names ...string) {
	for _, name := range names {
		decode := decoderOf(name)
		if g.stopped || decode == nil || slices.Contains(g.tried, name) {
			continue
		}
		g.tried = append(g.tried, name)
		text, err := decode(g.meter, g.content)
		if ctxErr := g.meter.ctx.Err(); err != nil && ctxErr != nil {
			g.stopped = true
			g.yield("", ctxErr)
			return
		}
		g.replaced = g.replaced || strings.Contains(text, "\uFFFD")
		if hash := maphash.String(textSeed, text); !slices.Contains(g.seen, hash) {
			g.seen = append(g.seen, hash)
			g.stopped = !g.yield(text, nil)
		}
	}
}

// Unambiguous reports whether programs agree on a text, which [Message.Text] returned for
// p: it is in ASCII or UTF-8, or each byte is a character in its charset and the bytes are
// not valid UTF-8. Several transfer encodings are ambiguous, as are DelSp (RFC 3676) and
// markup that says that it is in another charset.
func (m *Message) Unambiguous(p *Part, text string) bool {
	charset := "us-ascii"
	if label, ok := p.params.lookup("charset"); ok {
		charset = canonical(label)
	}
	format := leafText{charset: charset, content: text}
	format.readFormat(p)
	switch {
	case format.delSp, m.doubtful(reasonDuplicateEncoding) && len(m.encodings(p)) > 1:
		return false
	case charset == "utf-8":
		return true
	case p.MediaType != "text/plain" && format.marksOther():
		return false
	case charset == "us-ascii":
		return true
	case ascii.Is(text):
		return superset(charset)
	}
	return bytewise(charset) && !m.isUTF8(p)
}

// marksOther reports whether a text says that it is in another charset.
func (t *leafText) marksOther() bool {
	for _, name := range markedCharsets([]byte(t.content[:min(len(t.content), markupLead)])) {
		if name != t.charset && (!ascii.Is(t.content) || !superset(name)) {
			return true
		}
	}
	return false
}

// isUTF8 reports whether the content of p may be valid UTF-8 that is not ASCII.
func (m *Message) isUTF8(p *Part) bool {
	var left []byte // the start of a character whose end is in the next piece
	err := m.decode(p, func(piece []byte) error {
		if len(left) > 0 {
			piece = append(left, piece...)
		}
		end := len(piece)
		for n := 1; n < utf8.UTFMax && n <= len(piece); n++ {
			if start := len(piece) - n; utf8.RuneStart(piece[start]) {
				if !utf8.FullRune(piece[start:]) {
					end = start
				}
				break
			}
		}
		left = bytes.Clone(piece[end:])
		if !utf8.Valid(piece[:end]) {
			return errEnough
		}
		return nil
	})
	return err == nil
}
