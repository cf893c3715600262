package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// judgePart judges a part of a link other than the host: a path, query, fragment
// or directive.
func judgePart(out *collector, s string, set *protectedSet) {
	readPart(out, s, set, wordReadsAsLatin, wordOfScripts)
}

// readPart judges a part of a link. The parts of a link share a collector, so a link has each kind
// of finding only once. latin is the variant for a word of several scripts that reads as Latin, and
// mixed for another word of several scripts.
func readPart(out *collector, s string, set *protectedSet, latin, mixed variant) {
	if ascii.Is(s) && strings.IndexByte(s, '%') < 0 {
		return
	}
	p := partReader{out: out, set: set, latin: latin, mixed: mixed, before: -1}
	for rest := s; len(rest) > 0; {
		u := percent.Next(rest)
		p.judgeSpelling(u, rest)
		if u.Spelling == percent.Stray {
			p.endWord()
			p.before = -1
		} else {
			p.judgeCharacter(u.Rune, rest[u.Size:])
		}
		rest = rest[u.Size:]
	}
	p.endWord()
}

// A partReader judges the characters of one part in their order.
type partReader struct {
	out    *collector
	set    *protectedSet
	latin  variant // for a word of several scripts that reads as Latin
	mixed  variant // for another word of several scripts
	before rune    // the previous character, or -1
	// The beginning of the current word. A word consists of letters, marks and digits. An array
	// keeps the reader off the heap.
	word    [256]byte
	wordLen int
	beyond  bool // the word has non-ASCII characters
}

// once adds a finding of the part, unless the link has one of the same code.
func (p *partReader) once(v variant, label string, facts ...any) {
	p.out.noteOnce(v.finding(label, facts...))
}

// judgeSpelling judges the percent-escapes of the unit at the start of rest (RFC
// 3986 §2.1).
func (p *partReader) judgeSpelling(u percent.Unit, rest string) {
	switch {
	case u.Spelling == percent.Typed:
		if u.Rune == '%' {
			p.once(strayPercent, "%")
		}
	case u.Spelling == percent.Stray:
		if form := overlong(rest); form != "" {
			p.once(overlongEscape, form)
		}
	case u.Rune == 0:
		p.once(escapedNUL, rest[:u.Size])
	case u.Rune == '%' && len(rest) >= 5 && ascii.IsHex(rest[3]) && ascii.IsHex(rest[4]):
		p.once(escapedEscape, rest[:5])
	case ascii.IsAlphanumeric(u.Rune):
		p.once(escapedASCII, rest[:u.Size])
	}
}

// judgeCharacter judges the character r. rest is the part after it.
func (p *partReader) judgeCharacter(r rune, rest string) {
	switch {
	case ascii.IsAlphanumeric(r):
		p.extend(r)
	case r < utf8.RuneSelf:
		p.endWord()
	case isJoiner(r):
		if !p.joins(rest) {
			p.once(uselessJoiner, string(r), r)
		}
	case ucd.IsBidiControl(r):
		p.endWord()
		p.once(directionVariant(r), string(r), r)
	case ucd.IsDefaultIgnorable(r) || r == brailleBlank:
		if !p.selects(r) {
			p.once(invisibleInPath, string(r), r)
		}
	case unicode.IsLetter(r) || ucd.IsMark(r) || ucd.DigitZero(r) != 0:
		p.extend(r)
	case looksAlphanumeric(r):
		p.extend(r)
	default:
		p.endWord()
		if isSlash(r) {
			p.once(slashInPath, string(r), r)
		}
	}
	p.before = r
}

// looksAlphanumeric reports whether the symbol r looks like ASCII letters or
// digits, so that it can be in a word with them.
func looksAlphanumeric(r rune) bool {
	p := prototype(r)
	return len(p) > 0 && strings.IndexFunc(p, func(r rune) bool { return !ascii.IsAlphanumeric(r) }) < 0
}

// brailleBlank is BRAILLE PATTERN BLANK, which looks like a space.
const brailleBlank = 0x2800

// isSlash reports whether r looks like a slash in most typefaces. The full-width
// slash does not: it is wide, and Chinese and Japanese titles have it.
func isSlash(r rune) bool {
	switch r {
	case 0x2044, // FRACTION SLASH
		0x2215, // DIVISION SLASH
		0x2571, // BOX DRAWINGS LIGHT DIAGONAL
		0x27cb, // MATHEMATICAL RISING DIAGONAL
		0x29f8: // BIG SOLIDUS
		return true
	}
	return false
}

// joins reports whether a joiner stands between two characters that it can join or separate. rest
// is the part after the joiner.
func (p *partReader) joins(rest string) bool {
	if rest == "" || !takesJoiner(p.before) {
		return false
	}
	u := percent.Next(rest)
	return u.Spelling != percent.Stray && takesJoiner(u.Rune)
}

// takesJoiner reports whether honest text can have a joiner next to r: r is not ASCII, and not a European or
// East Asian letter.
func takesJoiner(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	s := ucd.ScriptOf(r)
	return !unicode.IsLetter(r) || !european.Or(japanese).With(ucd.ScriptHang).Has(s)
}

// selects reports whether the invisible character r has an effect: as a variation selector after a
// symbol or a Han character, or as a tag in a flag (UTS #51).
func (p *partReader) selects(r rune) bool {
	switch {
	case 0xfe00 <= r && r <= 0xfe0f, 0xe0100 <= r && r <= 0xe01ef:
		return p.before >= 0 && (!unicode.IsLetter(p.before) || ucd.ScriptOf(p.before) == ucd.ScriptHani)
	case 0xe0020 <= r && r <= 0xe007f:
		return p.before == 0x1f3f4 || 0xe0020 <= p.before && p.before <= 0xe007f
	}
	return false
}

// directionVariant returns the variant of the bidi control r in a part. Copied right-to-left titles
// have the marks; overrides reverse text (UAX #9 §2).
func directionVariant(r rune) variant {
	switch r {
	case 0x061c, 0x200e, 0x200f: // ALM, LRM, RLM
		return markInPath
	case 0x202d, 0x202e: // LRO, RLO
		return overrideInPath
	}
	return embeddingInPath
}

// extend adds r to the word. A word that is too long keeps its beginning.
func (p *partReader) extend(r rune) {
	if p.wordLen+utf8.UTFMax <= len(p.word) {
		p.wordLen += utf8.EncodeRune(p.word[p.wordLen:], r)
		p.beyond = p.beyond || r >= utf8.RuneSelf
	}
}

// endWord judges the word and begins another.
func (p *partReader) endWord() {
	length, beyond := p.wordLen, p.beyond
	p.wordLen, p.beyond = 0, false
	if !beyond {
		return
	}
	word := string(p.word[:length])
	latin := uts39.ReadsASCII(word)
	if latin || p.set.beyondASCII {
		for _, d := range p.set.words[wordKey(word)] {
			if looksWritten(word, d.word) && !isName(word, d.word) {
				p.once(wordInPath, word, d.ascii)
			}
		}
	}
	a := uts39.Analyze(word)
	if a.Mixture() != uts39.MinimallyRestrictive {
		return
	}
	if latin {
		p.once(p.latin, word, scriptNames(word))
		return
	}
	p.once(p.mixed, word, scriptNames(word))
}

// isName reports whether a word is the name itself, whatever the case and composition of its
// letters.
func isName(word, name string) bool {
	return strings.EqualFold(norm.NFC.String(word), name)
}

// overlong returns the escapes at the start of s if they are an overlong UTF-8 form, else "".
// Programs that do not check UTF-8 read such a form as another character, such as a slash (RFC 3629
// §10).
func overlong(s string) string {
	first, ok := percent.Byte(s)
	if !ok {
		return ""
	}
	n := 1
	var second byte
	for ; n < utf8.UTFMax; n++ {
		c, ok := percent.Byte(s[3*n:])
		if !ok || utf8.RuneStart(c) {
			break
		}
		if n == 1 {
			second = c
		}
	}
	switch {
	case n == 1:
		return ""
	case first == 0xc0, first == 0xc1, first == 0xe0 && second < 0xa0, first == 0xf0 && second < 0x90:
		return s[:3*n]
	}
	return ""
}
