package adminpage

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/bidi"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A piece is a stretch of a text from mail as the pages show it.
type piece struct {
	Text string
	// Class is that of a doubtful letter, and Name says which one it is; "": nothing is doubtful.
	Class, Name string
	// Isolated says that the piece runs from right to left within a URL.
	Isolated bool
}

// doubtfulClass is the class of what the pages write in place of a character that shows nothing.
const doubtfulClass = "unseen"

// textOf returns a text from mail so that it misleads nobody who reads a page: hosts with A-labels,
// letters that look like others marked, and characters that show nothing written out. All texts
// from mail go through it, or through urlOf, keptOf and plainOf, which do the same.
func textOf(text string) []piece { return newShown(text, false).pieces }

// urlOf is textOf for a URL: its pieces stay in order where some run from right to left.
func urlOf(url string) (all []piece) {
	for _, p := range textOf(url) {
		if p.Class != "" || !bidi.RightToLeft(p.Text) {
			all = append(all, p)
			continue
		}
		for text, isolated := range bidi.Segments(p.Text) {
			all = append(all, piece{Text: text, Isolated: isolated})
		}
	}
	return all
}

// keptOf is textOf for lines whose hosts stay as they are, such as what an edit changes: letters beyond
// ASCII in them are marked.
func keptOf(text string) []piece { return newShown(text, true).pieces }

// plainOf is textOf for places without marks, such as titles: doubtful letters are written out.
func plainOf(text string) string {
	var b strings.Builder
	for _, p := range textOf(text) {
		if p.Class == "" || p.Class == doubtfulClass || ascii.Is(p.Text) {
			b.WriteString(p.Text)
			continue
		}
		for _, r := range p.Text {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		}
	}
	return b.String()
}

// shown collects the pieces of a text.
type shown struct {
	pieces    []piece
	keepHosts bool
	// plain has the scripts with a word of which not all letters look like Latin ones.
	plain ucd.ScriptSet
	// accented says that the text has letters such as ü: it is in a language with more than ASCII.
	accented bool
}

func newShown(text string, keepHosts bool) *shown {
	s := &shown{keepHosts: keepHosts}
	if isPlain(text) {
		s.add(text)
		return s
	}
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	s.accented = strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && ucd.ScriptOf(r) == ucd.ScriptLatn && !isLikeASCII(r) })
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isOfWord(r) }) {
		if w := wordOf(word); !w.isLikeLatin {
			s.plain = s.plain.Or(w.scripts)
		}
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isOfHost(r) {
			s.character(text, at, r)
			at += size
			continue
		}
		end := endOf(text, at, isOfHost)
		s.token(text, at, end)
		at = end
	}
	return s
}

// isPlain reports whether a text has nothing to mark: ASCII without controls, and no capital I that
// looks like a small L.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f || text[i] == 'I' {
			return false
		}
	}
	return true
}

// isOfWord reports whether r belongs to a word: letters, marks, digits, and what shows nothing.
func isOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || ucd.IsDefaultIgnorable(r)
}

// isOfHost reports whether r may be in the name of a host.
func isOfHost(r rune) bool {
	return isOfWord(r) || r == '-' || r == '_' || r == '.' || strings.ContainsRune("\u3002\uff0e\uff61", r)
}

// endOf returns where the characters of a kind end that begin at an offset.
func endOf(text string, at int, is func(rune) bool) int {
	if n := strings.IndexFunc(text[at:], func(r rune) bool { return !is(r) }); n >= 0 {
		return at + n
	}
	return len(text)
}

// token adds the letters, digits, hyphens and dots between two offsets: a host, or words.
func (s *shown) token(text string, start, end int) {
	token := text[start:end]
	named, _ := utf8.DecodeLastRuneInString(text[:start])
	isNamed := named == '@' || strings.HasSuffix(text[:start], "//")
	host, isHost := hostOf(token, isNamed)
	if isHost && !s.keepHosts {
		s.add(host)
		return
	}
	for at := 0; at < len(token); {
		r, size := utf8.DecodeRuneInString(token[at:])
		if !isOfWord(r) {
			s.character(token, at, r)
			at += size
			continue
		}
		next := endOf(token, at, isOfWord)
		before := named
		if at > 0 {
			before, _ = utf8.DecodeLastRuneInString(token[:at]) // a hyphen, a dot
		}
		s.word(token[at:next], isNamed || isHost, before)
		at = next
	}
}

// maxHost bounds what may be the name of a host, in bytes: 253 in the DNS, up to four times that beyond
// ASCII.
const maxHost = 4 * hostname.MaxName

// hostOf returns the host that a token names, in A-labels. What stands behind // or @ is one; anything
// else ends in a top-level domain.
func hostOf(token string, isNamed bool) (string, bool) {
	name := strings.Trim(token, ".")
	before, after, _ := strings.Cut(token, name)
	if name == "" || len(name) > maxHost || !isNamed && (ascii.Is(name) || !strings.ContainsAny(name, ".\u3002\uff0e\uff61")) {
		return "", false
	}
	runes := []rune(name)
	for i := range runes {
		if isUnseen(runes, i) {
			return "", false
		}
	}
	link, err := engine.ParseLink("https://" + name + "/")
	if err != nil {
		return "", false
	}
	host := link.ASCIIHost()
	if !hostname.IsDomain(host) || !strings.Contains(host, ".") && !isNamed {
		return "", false
	}
	if suffix, isListed := publicsuffix.PublicSuffix(host); !isNamed && !isListed && !strings.Contains(suffix, ".") {
		return "", false
	}
	return before + host + after, true
}

// A word has the scripts of a word's letters, without those that stand beside Latin ones in honest words.
type word struct {
	scripts     ucd.ScriptSet
	first       ucd.Script // the first of them
	letters     int
	isLikeLatin bool // no letter is Latin, and each looks like a Latin one
}

func wordOf(text string) word {
	w := word{isLikeLatin: true}
	for _, r := range text {
		script := ucd.ScriptOf(r)
		if !unicode.IsLetter(r) || script == ucd.ScriptZyyy || script == ucd.ScriptZinh {
			continue
		}
		w.letters++
		w.isLikeLatin = w.isLikeLatin && script != ucd.ScriptLatn && isLikeASCII(r)
		if beside.Has(script) {
			continue
		}
		if w.scripts.IsEmpty() {
			w.first = script
		}
		w.scripts = w.scripts.With(script)
	}
	w.isLikeLatin = w.isLikeLatin && w.letters > 0
	return w
}

// beside are scripts of languages that write Latin words without a space beside their own.
var beside = ucd.Scripts(ucd.ScriptHani, ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptHang, ucd.ScriptBopo, ucd.ScriptThai, ucd.ScriptLaoo, ucd.ScriptKhmr, ucd.ScriptMymr)

// word adds a word and marks its doubtful letters. Those of a host that nothing can open are all
// doubtful beyond ASCII. before is the character before the word.
func (s *shown) word(text string, isHost bool, before rune) {
	w := wordOf(text)
	hasLatin := w.scripts.Has(ucd.ScriptLatn)
	isMixed := w.scripts.Len() > 1
	// A single letter is an honest word beside others of its script.
	isImitation := w.isLikeLatin && (w.letters > 1 || s.plain.And(w.scripts).IsEmpty())
	runes := append([]rune{before}, []rune(text)...)
	marks := 0 // on one letter
	for i := 1; i < len(runes); i++ {
		r := runes[i]
		if marks++; !unicode.Is(unicode.Mn, r) {
			marks = 0
		}
		if isUnseen(runes, i) || marks > maxMarks {
			s.unseen(r)
			continue
		}
		script := ucd.ScriptOf(r)
		doubtful := false
		switch {
		case r == 'I': // AppIe
			doubtful = unicode.IsLower(runes[i-1]) && (i+1 == len(runes) || unicode.IsLower(runes[i+1]))
		case r < utf8.RuneSelf:
		case isHost || isImitation || isStyled(r) || hasLatin && isStyledDigit(r):
			doubtful = true
		case script == ucd.ScriptLatn:
			// Turkish ı and Icelandic þ are honest in their languages, which have other such letters.
			doubtful = isLikeASCII(r) && norm.NFD.String(string(r)) == string(r) && !(s.accented && ucd.IdentityOf(r).Allowed())
		case script == ucd.ScriptZyyy, script == ucd.ScriptZinh:
		case isMixed && !beside.Has(script):
			doubtful = hasLatin || script != w.first
		case hasLatin:
			doubtful = isLikeASCII(r)
		}
		s.mark(r, doubtful)
	}
}

// maxMarks is how many marks a letter has in honest words. More are drawn over the lines above and below.
const maxMarks = 4

// character adds a character between words.
func (s *shown) character(text string, at int, r rune) {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+utf8.RuneLen(r):])
	switch {
	case s.keepHosts && (r == '\n' || r == '\t'):
		s.add(string(r))
	case isUnseen([]rune{r}, 0):
		s.unseen(r)
	case r >= utf8.RuneSelf && ucd.IsSyntaxLookalike(r) && isASCIIWord(before) && isASCIIWord(after):
		s.mark(r, true)
	default:
		s.mark(r, isStyled(r))
	}
}

func isASCIIWord(r rune) bool { return r < utf8.RuneSelf && ascii.IsAlphanumeric(byte(r)) }

// blank are symbols that show nothing and are not ignorable.
const blank = "\u2800"

// isUnseen reports whether a character shows nothing, or changes how those beside it are shown.
// Joiners stay in scripts that need them, and selectors behind emoji.
func isUnseen(text []rune, i int) bool {
	const zwnj, zwj, textStyle, emojiStyle = '\u200c', '\u200d', '\ufe0e', '\ufe0f'
	r := text[i]
	switch {
	case r == zwnj, r == zwj:
		if i == 0 || text[i-1] < utf8.RuneSelf {
			return true
		}
		script := ucd.ScriptOf(text[i-1])
		isEmoji := r == zwj && (unicode.Is(unicode.So, text[i-1]) || unicode.Is(unicode.Sk, text[i-1]) || text[i-1] == emojiStyle)
		return !isEmoji && (script == ucd.ScriptLatn || script == ucd.ScriptCyrl || script == ucd.ScriptGrek || script == ucd.ScriptZyyy || script == ucd.ScriptZinh)
	case r == textStyle, r == emojiStyle:
		return i > 0 && unicode.IsLetter(text[i-1])
	case r == utf8.RuneError:
		return false
	}
	return ucd.IsDefaultIgnorable(r) || !unicode.IsPrint(r) || strings.ContainsRune(blank, r)
}

// isLikeASCII reports whether a letter beyond ASCII looks like one of ASCII.
func isLikeASCII(r rune) bool {
	c := ucd.ConfusableOf(r)
	if r < utf8.RuneSelf || c == 0 {
		return false
	}
	like := c.Prototype()
	return len(like) == 1 && isASCIIWord(rune(like[0]))
}

// isStyled reports whether a character is a letter of ASCII in another style: wide, mathematical, in a
// circle.
func isStyled(r rune) bool {
	if r < utf8.RuneSelf || r == 'ª' || r == 'º' {
		return false
	}
	plain := norm.NFKC.String(string(r))
	return len(plain) == 1 && isASCIIWord(rune(plain[0])) && !unicode.IsNumber(rune(plain[0]))
}

// isStyledDigit reports whether a character is a digit of ASCII in another style.
func isStyledDigit(r rune) bool {
	plain := norm.NFKC.String(string(r))
	return unicode.IsDigit(r) && len(plain) == 1 && plain[0] < utf8.RuneSelf
}

// add adds a stretch without doubt.
func (s *shown) add(text string) {
	if n := len(s.pieces); n > 0 && s.pieces[n-1].Class == "" {
		s.pieces[n-1].Text += text
		return
	}
	s.pieces = append(s.pieces, piece{Text: text})
}

// mark adds a character, and marks it if it is doubtful.
func (s *shown) mark(r rune, doubtful bool) {
	switch {
	case isUnseen([]rune{'x', r}, 1) && doubtful:
		s.unseen(r)
	case doubtful:
		s.pieces = append(s.pieces, piece{Text: string(r), Class: classOf(r, ucd.ScriptOf(r)), Name: nameOf(r)})
	default:
		s.add(string(r))
	}
}

// unseen writes a character out.
func (s *shown) unseen(r rune) {
	s.pieces = append(s.pieces, piece{Text: fmt.Sprintf(`\u{%04X}`, r), Class: doubtfulClass, Name: nameOf(r)})
}

// nameOf returns what a character is: U+0430 CYRILLIC SMALL LETTER A, Cyrillic.
func nameOf(r rune) string {
	return fmt.Sprintf("U+%04X %s, %s", r, runenames.Name(r), ucd.ScriptOf(r))
}
