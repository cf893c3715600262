package charset

import (
	"bytes"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// Readings iterates over the texts that programs may decode from a content. label is the
// declared charset, which may be empty or wrong. No two texts are equal. The error is that
// of ctx, and comes last.
//
// A byte order mark takes precedence over the label, and the label over a charset that HTML or XML
// names inside. If bytes do not fit the charset, the content is also read as UTF-8 and
// windows-1252. If a charset can hide ASCII characters, in pairs of bytes or after escape
// sequences, these characters are a reading, too.
func Readings(ctx context.Context, label string, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		g := guesses{ctx: ctx, meter: meter.New(ctx), content: content, yield: yield, seen: make([]uint64, 0, maxTexts)}
		name := looseCharset(label)
		g.mixed = sync.OnceValue(func() bool { return known(name) && !Superset(name) || mixes(content) })
		g.guess(name)
	}
}

// ASCIIReadings iterates over two readings of the ASCII characters of a binary content: without
// NUL, for UTF-16, and with spaces in place of NUL, for strings that NUL separates. The error is
// that of ctx, and comes last.
func ASCIIReadings(ctx context.Context, content []byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		g := guesses{ctx: ctx, meter: meter.New(ctx), content: content, yield: yield}
		g.try(readingASCII, readingSpaced)
	}
}

// maxTexts is the largest number of readings of a content: texts in charsets, each with NUL and
// without it, and texts that never have NUL.
const maxTexts = 2*(1+ // the byte order mark
	2+ // the label, in either byte order or form of Big5; or an unknown one as EBCDIC, as XML may be, and as UTF-7
	maxInMarkup+
	2+ // UTF-8 and windows-1252
	2+ // ISO-2022-JP and ISO-2022-KR
	2) + // UTF-16 in either byte order
	1 + // UTF-8 without the bytes that do not fit
	3 // the ASCII characters: of all, between NUL, and of HZ

// maxUnmixed is the number of readings of a content in which bytes beyond ASCII are only in words: further
// ones would have the same links.
const maxUnmixed = 2

// mixes reports whether a content may have other links, tags or references in another charset: a word has
// bytes beyond ASCII and signs of these within, or the content has escapes or NUL.
func mixes(content []byte) bool {
	beyond, sign, pending := false, false, false // in the word so far; pending is a sign that may end it
	for _, c := range content {
		switch {
		case c == 0 || c == 0x0e || c == 0x0f || c == '\x1b' || c == '~':
			return true
		case c <= ' ', c == '>', c == '"', c == '\'':
			beyond, sign, pending = false, false, false
			continue
		case c == '<':
			beyond, sign, pending = false, true, false
			continue
		case c >= utf8.RuneSelf:
			beyond = true
			sign, pending = sign || pending, false
		case strings.IndexByte(":/.@=&#%\\", c) >= 0:
			pending = true
		case strings.IndexByte(",;!?)", c) >= 0:
		default:
			sign, pending = sign || pending, false
		}
		if beyond && sign {
			return true
		}
	}
	return false
}

// guesses passes on the readings of a content.
type guesses struct {
	ctx     context.Context
	meter   *meter.Meter
	content []byte
	yield   func(string, error) bool

	tried    []string
	mixed    func() bool // whether further readings may have other links
	seen     []uint64    // hashes of the texts that were passed on
	replaced bool        // the last text has U+FFFD
	stopped  bool        // the caller wants no more
}

// guess passes on the readings of a content whose declared charset has a canonical name.
func (g *guesses) guess(name string) {
	if marked, size := mark(g.content); marked != "" {
		whole := g.content
		g.content = whole[size:]
		g.try(marked)
		if marked != "utf-8" {
			g.content = whole
		}
	}
	if (name != "" && !known(name) || bytes.HasPrefix(g.content, []byte(ebcdicXML))) && looksEBCDIC(g.content) {
		g.try("ibm037") // the likeliest comes first, because of encoded words only a few readings count
	}
	labels := append(g.declared(name), InMarkup(g.content)...)
	isWide := strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32")
	doubtful := len(labels) == 0 || isWide && bytes.IndexByte(g.content, 0) < 0 // text in it has at least a space
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
}

// ebcdicXML is "<?xm" in EBCDIC, by which programs know it (XML 1.0, appendix F).
const ebcdicXML = "\x4c\x6f\xa7\x94"

// looksEBCDIC reports whether a content has more spaces and letters of EBCDIC than of ASCII. All
// EBCDIC code pages for Latin agree on the characters of URLs.
func looksEBCDIC(content []byte) bool {
	ebcdic, ascii := 0, 0
	for _, c := range content[:min(len(content), MarkupLead)] {
		switch {
		case c == 0x40, 0x81 <= c && c <= 0xA9:
			ebcdic++
		case c == ' ', 'a' <= c && c <= 'z':
			ascii++
		}
	}
	return ebcdic > ascii
}

// declared returns the charsets that programs may take for a declared name.
func (g *guesses) declared(name string) []string {
	switch {
	case name == "", name == "us-ascii", name == "utf-8" && utf8.Valid(g.content):
		return nil // read like a content without a declared charset
	case name == "utf-16", name == "utf-32":
		return []string{name + "be", name + "le"}
	case name == "utf-16le", name == "utf-32le":
		return []string{name, name[:6] + "be"}
	case name == "utf-16be", name == "utf-32be":
		return []string{name, name[:6] + "le"}
	case name == "iso-8859-1":
		return []string{"windows-1252"} // as browsers read it (WHATWG Encoding §4.2)
	case Lookup(name) == traditionalchinese.Big5 && bytes.IndexByte(g.content, leadOfBig5) >= 0:
		return []string{name, readingBig5}
	}
	return []string{name}
}

// beyond returns the charsets to try in addition to the labels. doubtful says that there are no
// labels, or that one does not fit the content.
func (g *guesses) beyond(labels []string, doubtful bool) []string {
	var more []string
	valid := utf8.Valid(g.content)
	switch {
	case valid:
		more = append(more, "utf-8")
	case doubtful:
		more = append(more, "utf-8", "windows-1252", readingDropped)
	case isMostlyUTF8(g.content):
		more = append(more, "utf-8")
	}
	// All programs know ISO-2022-JP. ASCII bytes between its escape sequences would read as kanji.
	fits := !doubtful && slices.Contains(labels, "iso-2022-jp")
	if !fits && bytes.IndexByte(g.content, '\x1b') >= 0 {
		more = append(more, "iso-2022-jp", readingASCII)
	}
	if bytes.IndexByte(g.content, '\x0e') >= 0 || designatesMore(g.content) {
		more = append(more, "iso-2022-kr", readingASCII)
	}
	if bytes.IndexByte(g.content, 0) >= 0 {
		more = append(more, "utf-16le", "utf-16be", readingASCII, readingSpaced)
	}
	for _, label := range labels {
		switch {
		case strings.HasPrefix(label, "hz"):
			more = append(more, readingHZ)
		case !valid && !Bytewise(label):
			if more = append(more, readingASCII); g.hidesURLs(label) && !looksEBCDIC(g.content) {
				more = append(more, "utf-8")
			}
		}
	}
	return more
}

// hidesURLs reports whether ASCII bytes are other characters in a charset of one byte per
// character.
func (g *guesses) hidesURLs(label string) bool {
	const url = "https://www.example.com/"
	if decoders[label] != nil {
		return false
	}
	decode := decoderOf(label)
	if decode == nil {
		return false
	}
	text, err := decode(g.meter, []byte(url))
	return err == nil && text != url
}

// Bytewise reports whether each ASCII byte stands for itself in a charset. In other charsets it may
// be a part of a character.
func Bytewise(name string) bool {
	for _, prefix := range []string{"utf-8", "us-ascii", "windows-125", "windows-874", "iso-8859-", "koi8", "macintosh", "x-mac"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Superset reports whether a content of ASCII bytes only is the same text in a charset as in ASCII.
func Superset(name string) bool {
	for _, prefix := range []string{"gb", "big5", "shift_jis", "shift-jis", "sjis", "euc", "cp9", "tis-620"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return Bytewise(name)
}

// textSeed seeds the hashes of texts.
var textSeed = maphash.MakeSeed()

// try passes on the readings of those charsets that have a decoder and were not tried before.
func (g *guesses) try(names ...string) {
	for _, name := range names {
		decode := decoderOf(name)
		if g.stopped || decode == nil || slices.Contains(g.tried, name) || g.isEnough() {
			continue
		}
		g.tried = append(g.tried, name)
		text, err := decode(g.meter, g.content)
		if ctxErr := g.ctx.Err(); err != nil && ctxErr != nil {
			g.stopped = true
			g.yield("", ctxErr)
			return
		}
		g.replaced = g.replaced || strings.Contains(text, "\uFFFD")
		if strings.Contains(text, string(toKanji)) {
			text = behindKanji.Replace(text)
		}
		g.pass(text)
		if strings.IndexByte(text, 0) >= 0 {
			g.pass(strings.ReplaceAll(text, "\x00", "")) // many programs show it without NUL
		}
	}
}

// isEnough reports whether no further reading has other links.
func (g *guesses) isEnough() bool { return len(g.seen) >= maxUnmixed && g.mixed != nil && !g.mixed() }

// pass passes on a text unless it was passed on before.
func (g *guesses) pass(text string) {
	if hash := maphash.String(textSeed, text); !g.stopped && !slices.Contains(g.seen, hash) {
		g.seen = append(g.seen, hash)
		g.stopped = !g.yield(text, nil)
	}
}
