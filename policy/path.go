package policy

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// part judges a path, query or fragment, or the local-part of an address:
// what is not the host. Parts of a link share what was found, so that each
// kind of finding is made once.
func (g *judgement) part(s string) {
	if isASCII(s) && strings.IndexByte(s, '%') < 0 {
		return
	}
	p := partReader{g: g, before: -1}
	for rest := s; len(rest) > 0; {
		u := nextUnit(rest)
		p.spelling(u, rest)
		if u.fault == sound {
			p.character(u.r, rest[u.size:])
		} else {
			p.endWord()
		}
		rest = rest[u.size:]
	}
	p.endWord()
}

// A partReader goes over the characters of one part.
type partReader struct {
	g      *judgement
	before rune // the character before; -1 at the start
	// The letters, marks and digits since the last other character: of a
	// longer word only the beginning is judged. No slice, so that it and the
	// judgement stay on the stack.
	word    [256]byte
	wordLen int
	beyond  bool // the word has characters beyond ASCII
}

// once adds a finding unless the link has one of the code.
func (p *partReader) once(c Code, s Severity, label, detail string) {
	for _, f := range p.g.findings {
		if f.Code == c && f.Severity >= s {
			return
		}
	}
	p.g.add(c, s, label, detail)
}

// spelling judges how a unit, which rest begins with, is written.
func (p *partReader) spelling(u unit, rest string) {
	switch {
	case u.fault == malformed:
		p.once(CodeInvalidEscape, SeverityLow, "%", "a percent sign without two hexadecimal digits")
	case u.fault == overlong:
		p.once(CodeInvalidEscape, SeverityMedium, rest[:u.size], "an overlong UTF-8 form")
	case !u.escaped || u.fault == stray:
	case u.r == 0:
		p.once(CodeInvalidEscape, SeverityMedium, rest[:u.size], "an escaped NUL")
	case u.r == '%' && len(rest) >= 5 && isHex(rest[3]) && isHex(rest[4]):
		p.once(CodeDoubleEscaped, SeverityInfo, rest[:5], "an escape is escaped once more")
	case u.r < utf8.RuneSelf && isAlphanumeric(u.r):
		p.once(CodeOverEscaped, SeverityLow, rest[:u.size], "letters or digits of ASCII are escaped")
	}
}

// isAlphanumeric reports ASCII letters and digits.
func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// character judges a character; rest is what follows it.
func (p *partReader) character(r rune, rest string) {
	switch {
	case isAlphanumeric(r):
		p.extend(r)
	case r < utf8.RuneSelf:
		p.endWord()
	case isJoiner(r):
		if !p.joins(rest) {
			p.once(CodeInvisibleCharacter, SeverityLow, string(r), fmt.Sprintf("%U where it changes nothing", r))
		}
	case ucd.IsBidiControl(r):
		p.endWord()
		p.once(CodeBidiControl, bidiSeverity(r), string(r), fmt.Sprintf("%U changes the direction of text", r))
	case ucd.IsDefaultIgnorable(r) || r == brailleBlank:
		if !p.selects(r) {
			p.once(CodeInvisibleCharacter, SeverityLow, string(r), fmt.Sprintf("%U cannot be seen", r))
		}
	case unicode.IsLetter(r) || ucd.IsMark(r) || ucd.DigitZero(r) != 0:
		p.extend(r)
	case looksAlphanumeric(r):
		p.extend(r)
	default:
		p.endWord()
		if isSlash(r) {
			p.once(CodeSyntaxLookalike, SeverityLow, string(r), fmt.Sprintf("%U looks like a slash", r))
		}
	}
	p.before = r
}

// looksAlphanumeric reports symbols that look like a letter or digit of ASCII
// and so make words with them.
func looksAlphanumeric(r rune) bool {
	p := prototype(r)
	return len(p) > 0 && strings.IndexFunc(p, func(r rune) bool { return !isAlphanumeric(r) }) < 0
}

// brailleBlank is BRAILLE PATTERN BLANK, which is as empty as a space.
const brailleBlank = 0x2800

// isSlash reports the symbols that pass for a slash in most typefaces. The
// full-width one is wide, and at home in Chinese and Japanese titles.
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

// isJoiner reports ZWNJ and ZWJ.
func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d }

// joins reports whether a joiner is between characters that it can join or
// part: of scripts that are written with joiners, or emoji.
func (p *partReader) joins(rest string) bool {
	if rest == "" || !takesJoiner(p.before) {
		return false
	}
	u := nextUnit(rest)
	return u.fault == sound && takesJoiner(u.r)
}

// takesJoiner reports characters that a joiner can stand beside: none of the
// scripts of Europe and of East Asia, and no ASCII.
func takesJoiner(r rune) bool {
	if r < utf8.RuneSelf {
		return false
	}
	s := ucd.ScriptOf(r)
	return !unicode.IsLetter(r) || !european.Or(japanese).With(ucd.ScriptHang).Has(s)
}

// selects reports whether the invisible r is a variation selector on a symbol
// or on Han, where it selects a form, or belongs to a flag of tags.
func (p *partReader) selects(r rune) bool {
	switch {
	case 0xfe00 <= r && r <= 0xfe0f, 0xe0100 <= r && r <= 0xe01ef:
		return p.before >= 0 && (!unicode.IsLetter(p.before) || ucd.ScriptOf(p.before) == ucd.ScriptHani)
	case 0xe0020 <= r && r <= 0xe007f:
		return p.before == 0x1f3f4 || 0xe0020 <= p.before && p.before <= 0xe007f
	}
	return false
}

// bidiSeverity returns how bad a Bidi control is in a part: the marks come
// along when a right-to-left title is copied; overrides turn text around.
func bidiSeverity(r rune) Severity {
	switch r {
	case 0x061c, 0x200e, 0x200f: // ALM, LRM, RLM
		return SeverityLow
	case 0x202d, 0x202e: // LRO, RLO
		return SeverityHigh
	}
	return SeverityMedium
}

// extend adds a character to the word.
func (p *partReader) extend(r rune) {
	if p.wordLen+utf8.UTFMax <= len(p.word) {
		p.wordLen += utf8.EncodeRune(p.word[p.wordLen:], r)
		p.beyond = p.beyond || r >= utf8.RuneSelf
	}
}

// endWord judges the word that ends here.
func (p *partReader) endWord() {
	length, beyond := p.wordLen, p.beyond
	p.wordLen, p.beyond = 0, false
	if !beyond {
		return
	}
	word := string(p.word[:length])
	protected, ascii := p.g.judge.protected, uts39.ReadsASCII(word)
	if ascii || protected.beyondASCII {
		if d, ok := protected.words[wordKey(word)]; ok && looksWritten(word, d.word) {
			p.once(CodeLookalike, SeverityMedium, word, "reads as the name of "+asciiDomain(d))
		}
	}
	a := uts39.Analyze(word)
	if a.Mixture() != uts39.MinimallyRestrictive {
		return
	}
	if ascii {
		p.once(CodeMixedScriptPath, SeverityLow, word, "reads as Latin, but is of "+scriptNames(word))
		return
	}
	p.once(CodeMixedScriptPath, SeverityInfo, word, "scripts in one word: "+scriptNames(word))
}
