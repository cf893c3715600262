package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// These are the adjustments of default mode for links in running text, as Options.Strict
// lists them and as the oracle reads them: mostly by regular expressions.

// marksAround has pairs of marks: the first may be before a link, the second behind it.
var marksAround = strings.Fields("** __ ~~ || `` '' \"\" “” „“ „” „„ ‟“ ‟” ”” «» »« »» ‹› ›‹ ›› ‘’ ‚‘ ‚’ ’’")

// outside matches what follows a closing mark c outside of a link: neither a word nor the rest of a
// URL.
func outside(c string) string {
	class := strings.Replace(`()\[\]{}<>*_~|"'`+"`,;!", c, "", 1)
	return `(?:$|[\x00-\x20]|[^\x00-\x7f` + map[bool]string{true: c}[c >= "\x80"] + `]|[.:?](?:$|[^0-9A-Za-z])|[` + class + `])`
}

// closing finds each closing mark that is not part of a word.
var closing = func() map[string]*regexp.Regexp {
	all := make(map[string]*regexp.Regexp)
	for _, pair := range marksAround {
		_, size := utf8.DecodeRuneInString(pair)
		c := pair[size:]
		pattern := regexp.QuoteMeta(c)
		if strings.Contains("*_~'’", c) {
			pattern += "+" + outside(c)
		}
		all[c] = regexp.MustCompile(`(?s)` + pattern)
	}
	return all
}()

// end returns the end of the link that begins at the index a and whose host and port end
// at the index port.
func (o *oracle) end(a, port int) int {
	end := o.parts(port)
	if o.strict || end == port {
		return end
	}
	tail := o.slice(port, end)
	cut := tail
	if a > 0 && o.at(a-1) >= 0 {
		for _, pair := range marksAround {
			c, ok := strings.CutPrefix(pair, string(o.at(a-1)))
			if !ok {
				continue
			}
			if at := closing[c].FindStringIndex(o.rest(port)); at != nil && at[0] < len(cut) {
				cut = tail[:at[0]]
			}
		}
	}
	cut = trailing.ReplaceAllString(sentences(cut), "$1")
	if m := suffixed.FindStringSubmatch(cut); m != nil {
		word, suffix := m[1], m[2]
		if strings.HasPrefix(suffix, ":") && colonSuffixes[suffix[1:]] && endsInWord.MatchString(word) ||
			!strings.HasPrefix(suffix, ":") && apostropheSuffixes[strings.TrimLeft(suffix, "'’")] && !elided.MatchString(word) {
			cut = word
		}
	}
	if len(cut) < len(tail) {
		cut = strings.TrimRightFunc(cut, isSoft)
	}
	for o.off[end] > o.off[port]+len(cut) {
		end--
	}
	return end
}

// rest returns the text from the index i on.
func (o *oracle) rest(i int) string { return o.slice(i, len(o.cp)) }

func isSoft(r rune) bool { return ucd.LinkTermOf(r) == ucd.Soft }

var (
	// trailing matches dashes, ellipses and ends of a direction at the end of a text, with Soft
	// characters between them.
	trailing = regexp.MustCompile(`(?s)^(.*?)(?:[…‥⋯—―–‒⸺⸻\x{202c}\x{2069}\x{200e}\x{200f}\x{061c}]` + classOf(isSoft) + `*)+$`)
	suffixed = regexp.MustCompile(`(?s)^(.*)(['’]\p{Ll}{1,5}|:\p{Ll}{1,5})$`)
	elided   = regexp.MustCompile(`(?i)(?:^|[^0-9A-Za-z\x{80}-\x{10ffff}])(?:|c|d|j|l|m|n|s|t|qu)$`)

	endsInWord = regexp.MustCompile(`[0-9A-Za-z]$`)
	urlParts   = regexp.MustCompile(`(?s)^(/[^?#]*)?(\?[^#]*)?(#.*)?$`)
)

// isStop reports whether r is punctuation of a sentence.
func isStop(r rune) bool {
	return r >= utf8.RuneSelf && unicode.Is(unicode.Po, r) && isSoft(r) && r != '·' && r != '․'
}

// nextLink finds punctuation before another link.
var nextLink = regexp.MustCompile(classOf(isStop) + `(?i:https?|ftp)://`)

// classOf returns a class of the characters that have a property.
func classOf(has func(rune) bool) string {
	var b strings.Builder
	for r := range rune(0x20000) {
		if has(r) {
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return "[" + b.String() + "]"
}

// sentences returns the path, query and fragment without the text of a sentence behind them.
func sentences(tail string) string {
	m := urlParts.FindStringSubmatch(tail)
	if m == nil {
		panic("not the parts of a URL: " + tail)
	}
	offset := 0
	for i, part := range m[1:] {
		pieces := []string{part}
		if i == 2 {
			pieces = strings.Split(part, ":~:")
		}
		for j, piece := range pieces {
			initiator := min(1, len(piece))
			if j > 0 {
				offset, initiator = offset+len(":~:"), 0
			}
			text := piece[initiator:]
			at := nextLink.FindStringIndex(text)
			if at != nil {
				tail = tail[:offset+initiator+at[0]]
				text = text[:at[0]]
			}
			if k := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }); k >= 0 {
				if back, ok := sentenceBehind(text[:k], tail[offset+initiator+k:], text[k:]); ok {
					return tail[:offset+initiator+k-back]
				}
			}
			if at != nil {
				return tail
			}
			offset += len(piece)
		}
	}
	return tail
}

// inScripts is a class of the scripts of the tables.
func inScripts(names string) string {
	return `[\p{` + strings.Join(strings.Fields(names), `}\p{`) + `}]`
}

var (
	bracketOpens  = regexp.MustCompile(`[^/&=]*$`)
	wordBefore    = regexp.MustCompile(`[0-9A-Za-z]$`)
	twoBefore     = regexp.MustCompile(`[0-9A-Za-z]{2}$`)
	touchable     = regexp.MustCompile(`(?:^|[0-9A-Za-z/)])$`)
	dashRun       = regexp.MustCompile(`^[…‥⋯—―–‒⸺⸻]+(?:$|[^\x00-\x7f…‥⋯—―–‒⸺⸻])`)
	quoteOrDash   = regexp.MustCompile(`^[—―“”„‟«»]`)
	nonLatinWord  = regexp.MustCompile(`^\P{Latin}`)
	startsScheme  = regexp.MustCompile(`(?i)^(?:https?|ftp)://`)
	goesOnInURL   = regexp.MustCompile(`^(?:[0-9A-Za-z]|[^\x00-\x7f])*[/?#=&%+~@_$*|-]`)
	unknownInWord = regexp.MustCompile(`[^0-9A-Za-z\p{L}\p{M}\p{Nd}ー]`)
	schemeInWord  = regexp.MustCompile(`(?i)(?:https?|ftp)://`)
	eastOpen      = regexp.MustCompile(`^[（【「『《〈〔〖［｛]`)
)

// sentenceBehind reports whether rest is text of a sentence behind an ASCII part, and how many
// bytes of the part belong to that sentence. rest begins with the bytes inPart.
func sentenceBehind(part, rest, inPart string) (back int, ok bool) {
	segment := bracketOpens.FindString(part)
	count := func(set string) (n int) {
		for _, c := range set {
			n += strings.Count(segment, string(c))
		}
		return n
	}
	if count("([{<") > count(")]}>") {
		return 0, false
	}
	first, size := utf8.DecodeRuneInString(rest)
	word := wordBefore.MatchString(part)
	isText := func(s string) bool { r, _ := utf8.DecodeRuneInString(s); return s != "" && spaceless(r) }
	switch {
	case isStop(first):
		return 0, true
	case (strings.HasSuffix(part, ",") || strings.HasSuffix(part, ";")) && foreignWord(rest) != "":
		return 1, true
	case word && quoteOrDash.MatchString(rest):
		return 0, true
	case strings.ContainsRune("…‥⋯—―–‒⸺⸻", first):
		return 0, dashRun.MatchString(rest)
	case eastOpen.MatchString(rest):
		return 0, word && (first == '（' || isText(rest[size:])) || part == "" && first == '（' && isText(rest[size:])
	case ucd.HostClassOf(first) == ucd.HostSymbol && !unicode.IsMark(first):
		behind := strings.TrimLeftFunc(rest, emoji)
		at := schemeInWord.FindStringIndex(behind)
		return 0, word && (behind == "" || at != nil && at[0] == 0)
	case strings.HasSuffix(part, "-"):
		ok := wordBefore.MatchString(strings.TrimSuffix(part, "-")) && foreignWord(rest) == rest && utf8.RuneCountInString(rest) <= 5
		return 1, ok && nonLatinWord.MatchString(rest) && !spaceless(first)
	case !touchable.MatchString(part):
		return 0, false
	}
	run := foreignWord(rest)
	if run == "" {
		return 0, false
	}
	if startsScheme.MatchString(rest[len(run):]) && len(run) <= 24 {
		return 0, true
	}
	two := twoBefore.MatchString(part)
	one := word && !two
	if endings[run] && (len(run) > size || run == "를" || two || part == "") {
		return 0, !goesOn(rest[len(run):])
	}
	for _, p := range particles[first] {
		behind, ok := strings.CutPrefix(rest, p)
		if !ok {
			continue
		}
		next, _ := utf8.DecodeRuneInString(behind)
		sure := p == "を" || two || len(p) > size || !one && (behind != "" && unicode.IsLetter(next) && !unicode.Is(unicode.Hiragana, next))
		if sure {
			return 0, !goesOn(rest[len(run):])
		}
	}
	return 0, false
}

// foreignWord returns the letters and marks beyond ASCII at the start of s.
func foreignWord(s string) string {
	return s[:len(s)-len(strings.TrimLeftFunc(s, func(r rune) bool { return r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.M) }))]
}

// goesOn reports whether s continues a word of a path up to the syntax of a URL.
func goesOn(s string) bool {
	m := goesOnInURL.FindString(s)
	if m == "" {
		return false
	}
	word := m[:len(m)-1]
	at := schemeInWord.FindStringIndex(s)
	return !unknownInWord.MatchString(word) && (at == nil || at[0] >= len(m))
}

func emoji(r rune) bool {
	return ucd.HostClassOf(r) == ucd.HostSymbol || r == 0xfe0f || r == 0x200d || 0x1f3fb <= r && r <= 0x1f3ff
}

const (
	prefixes = "Arabic Ethiopic Hebrew Nko Syriac Thaana Tibetan"
	suffixes = prefixes + " Bengali Devanagari Georgian Gujarati Gurmukhi Kannada Malayalam Mongolian Oriya Sinhala Tamil Telugu"
)

var (
	prefixLetter = regexp.MustCompile(`^(?:` + inScripts(prefixes) + `|ـ)$`)
	suffixStart  = regexp.MustCompile(`^(?:[-‑]\p{L}|\x{200c}?` + inScripts(suffixes) + `)`)
	likeHost     = regexp.MustCompile(`^[^\x00-\x20]*?(?:@|[.:](?:[0-9A-Za-z]|[^\x00-\x7f]))`)
	titleCase    = regexp.MustCompile(`^\p{Lu}\p{Ll}$`)
	beforeMarks  = regexp.MustCompile(`(?s)(?:^|[ \t\r\n(\[{"'*~|>])_+$`)
	afterMarks   = regexp.MustCompile(`(?s)^_+` + outside("_"))
	emojiRest    = regexp.MustCompile(`^([\x{fe0e}\x{fe0f}\x{200d}]+)[^.\x{fe0e}\x{fe0f}\x{200d}]`)
	letterSymbol = regexp.MustCompile(`^.*\x{2139}\x{fe0f}`)
	mixedLocal   = regexp.MustCompile(`^(.*[^\x00-\x7f])(-*)([0-9A-Za-z][\x00-\x7f]*)$`)
	markedLocal  = regexp.MustCompile("^([*_~|'`{]*([*_~|'`{]))")
)

// isPrefix reports whether text that ends in the letter r is not part of the name behind it.
func isPrefix(r rune) bool { return spaceless(r) || prefixLetter.MatchString(string(r)) }

// isSuffix reports whether a suffix of a language stands at the index i, within a run.
func (o *oracle) isSuffix(i int) bool {
	run := o.runEnd(i)
	if c := o.at(i); o.at(i-1) > 0x7f && c != '-' && c != '‑' {
		return false // only behind ASCII
	}
	return suffixStart.MatchString(o.slice(i, run)) && !strings.ContainsRune("/?#_%@\\", o.at(run)) && !likeHost.MatchString(o.rest(i))
}

// suffix returns the end of the first label from the index i on that is a top-level
// domain before a suffix.
func (o *oracle) suffix(i, name int) (int, bool) {
	for i < name {
		k := i
		for k < name && o.isSameWord(i, k) {
			k++
		}
		if o.knows(i, k) && o.isSuffix(k) {
			return k, true
		}
		for k < name && !o.isDot(k) {
			k++
		}
		i = k + 1
	}
	return 0, false
}

// beginsSentence reports whether the last label of a bare host is more likely a word of the next
// sentence.
func (o *oracle) beginsSentence(a, name int) bool {
	return !o.strict && titleCase.MatchString(o.slice(o.lastLabel(a, name), name)) && !strings.HasPrefix(strings.ToLower(o.slice(a, name)), "www.")
}

func (o *oracle) opensMark(a int) bool {
	return !o.strict && beforeMarks.MatchString(o.text[:o.off[a]])
}

func (o *oracle) betweenMarks(a, end int) bool {
	return o.opensMark(a) && afterMarks.MatchString(o.rest(end))
}

// local returns where the local-part from the index a to the "@" at n begins.
func (o *oracle) local(a, n, end int) int {
	if o.strict {
		return a
	}
	if m := letterSymbol.FindString(o.slice(a, n-1)); m != "" && o.at(a+utf8.RuneCountInString(m)) != '.' {
		a += utf8.RuneCountInString(m)
	} else if m := emojiRest.FindStringSubmatch(o.slice(a, n)); m != nil && emoji(o.at(a-1)) {
		a += utf8.RuneCountInString(m[1])
	}
	if m := mixedLocal.FindStringSubmatch(o.slice(a, n)); m != nil {
		last, _ := utf8.DecodeLastRuneInString(m[1])
		if isPrefix(last) && (m[2] == "" || !spaceless(last)) && strings.IndexFunc(m[3], func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }) >= 0 {
			a = n - len(m[3])
		}
	}
	for a < n-1 && o.at(a) == '-' {
		a++
	}
	if m := markedLocal.FindStringSubmatch(o.slice(a, n-1)); m != nil {
		if c := rune(m[2][0]); o.at(end) == c && c != '{' || c == '{' && o.at(end) == '}' {
			a += len(m[1])
		}
	}
	return a
}
