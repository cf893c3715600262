package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// linkEnd returns the end of the link that begins at the offset start. after is the end of its host and
// port. It follows UTS #58, and in default mode the adjustments.
func (sc *scan) linkEnd(text string, start, after int) int {
	return sc.adjust(text, start, after, linkEnd(text, after, sc.strict, &sc.openStack))
}

// adjust returns adjustedEnd in default mode, and end in strict mode.
func (sc *scan) adjust(text string, start, after, end int) int {
	if sc.strict {
		return end
	}
	return adjustedEnd(text, start, after, end)
}

// adjustedEnd returns where a link ends in default mode, in front of the text of a sentence. end is its
// end by UTS #58 (adjustments "marks", "punctuation behind ASCII", "particles", "suffixes" and
// "dashes"). The result is never less than after, the end of the host and port, so no adjustment
// changes which host a link opens.
func adjustedEnd(text string, start, after, end int) int {
	if end == after {
		return end
	}
	cut := end
	if start > 0 && mayBeMark[text[start-1]] {
		cut = beforeMark(text, start, after, end)
	}
	if i := after + ascii.Prefix(text[after:cut]); i < cut {
		cut = trimTrailing(text, after, beforeText(text, after, i, cut))
	}
	cut = beforeSuffix(text, after, cut)
	if cut < end {
		cut = trimSoft(text, after, cut)
	}
	return cut
}

// trimSoft returns end without the Soft characters directly in front of it. It stops at the offset i.
func trimSoft(text string, i, end int) int {
	for end > i {
		r, size := utf8.DecodeLastRuneInString(text[i:end])
		if ucd.LinkTermOf(r) != ucd.Soft {
			break
		}
		end -= size
	}
	return end
}

// trimTrailing returns end without dashes, ellipses, direction controls and Soft characters directly in
// front of it.
func trimTrailing(text string, i, end int) int {
	for last := end; last > i; {
		r, size := utf8.DecodeLastRuneInString(text[i:last])
		switch {
		case isTrailing(r), endsDirection(r):
			end = last - size
		case ucd.LinkTermOf(r) != ucd.Soft:
			return end
		}
		last -= size
	}
	return end
}

// beforeMark returns where the link text[start:end] ends if a mark in it closes the mark in front of
// the link; otherwise end. after is the end of its host and port.
func beforeMark(text string, start, after, end int) int {
	open, _ := utf8.DecodeLastRuneInString(text[:start])
	marks, ok := closers[open]
	for i := after; ok && i < end; {
		j := strings.IndexAny(text[i:end], marks)
		if j < 0 {
			break
		}
		i += j
		r, size := decode(text, i)
		k := i + size
		for strings.HasPrefix(text[k:], text[i:i+size]) {
			k += size
		}
		if !isWordMark(r) || isOutside(text, k) {
			return i
		}
		i = k
	}
	return end
}

// beforeText returns where the text of a sentence begins in the path, query and fragment
// text[after:end]; otherwise end. The first non-ASCII character is at the offset high.
func beforeText(text string, after, high, end int) int {
	if high > after+1 && isPlainWord(text, high) && !mayHaveMore(text[high:end]) {
		return end // nearly all paths have neither a second part nor another link
	}
	p, size := initiatorAt(text, after, partNone)
	for i := after; size > 0 && i < end; {
		i += size
		to := partEnd(text[:end], i, p)
		if to > high {
			if cut := sentenceIn(text[:end], i, to); cut < to {
				return cut
			}
		}
		p, size = initiatorAt(text, to, p)
		i = to
	}
	return end
}

// mayHaveMore reports whether s, the rest of a part, may contain another part or another link.
func mayHaveMore(s string) bool {
	if strings.IndexByte(s, '?') >= 0 || strings.IndexByte(s, '#') >= 0 {
		return true
	}
	for {
		i := strings.IndexByte(s, ':')
		if i < 0 {
			return false
		}
		s = s[i+1:]
		if strings.HasPrefix(s, "//") || strings.HasPrefix(s, directiveMark[1:]) {
			return true
		}
	}
}

// partEnd returns the end of the part p whose text begins at the offset i.
func partEnd(text string, i int, p part) int {
	if p > partQuery {
		return i + len(upTo(text[i:], directiveMark))
	}
	rest := upTo(text[i:], "#")
	if p == partPath {
		rest = upTo(rest, "?")
	}
	return i + len(rest)
}

// upTo returns the part of s before the first sep, or s.
func upTo(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}

// sentenceIn returns where the text of a sentence begins in the part text[from:to] of a link that ends
// with text; otherwise to. Such text begins only at the first non-ASCII character, or at punctuation in
// front of another link.
func sentenceIn(text string, from, to int) int {
	i := from + ascii.Prefix(text[from:to])
	if i == to {
		return to
	}
	if colon := strings.IndexByte(text[i:to], ':'); colon >= 0 && strings.Contains(text[i+colon:to], "://") {
		if end := beforeLink(text, from, to); end < to {
			text, to = text[:end], end
		}
	} else if i > from && isPlainWord(text, i) {
		return to
	}
	if i == to || hasOpenBracket(text[from:i]) {
		return to
	}
	r, size := decode(text, i)
	word := i > from && byteClass[text[i-1]]&alnumByte != 0
	switch {
	case isWordChar(r):
		return beforeWord(text, from, i, to)
	case isTextEnd(r):
		return i
	case word && isWordEnd(r):
		return i
	case isTrailing(r):
		if k := skipRun(text, i, isTrailing); k == len(text) || text[k] >= utf8.RuneSelf {
			return i
		}
	case isTextBracket(r):
		if isTextAt(text, i+size) && (word || i == from && r == '（') || word && r == '（' {
			return i
		}
	case ucd.HostClassOf(r) == ucd.HostSymbol:
		if k := skipRun(text, i, isEmojiPart); word && (k == len(text) || schemeLen(text[k:]) > 0) {
			return i
		}
	}
	return to
}

// isPlainWord reports whether the character at the offset i begins neither the text of a sentence nor a
// suffix. It is a fast check that is true for most words; i is not the start of the part.
func isPlainWord(text string, i int) bool {
	switch text[i-1] {
	case ',', ';', '-', '?', '#':
		return false
	}
	r, _ := decode(text, i)
	class := ucd.HostClassOf(r) // HostMapped has the capital letters
	return (class == ucd.HostValid || class == ucd.HostMapped) && ucd.LinkTermOf(r) == ucd.Include && !mayBeParticle(r) && !isTrailing(r) && !isTextBracket(r)
}

// beforeWord is sentenceIn for a letter or mark at the offset i.
func beforeWord(text string, from, i, to int) int {
	if i == from {
		if isParticle(text, from, i) {
			return i
		}
		return to
	}
	switch c := text[i-1]; {
	case c == ',', c == ';':
		return i - 1
	case c == '-':
		if i-2 >= from && byteClass[text[i-2]]&alnumByte != 0 && isHyphenSuffix(text[i:]) {
			return i - 1
		}
	case byteClass[c]&alnumByte != 0, c == '/', c == ')':
		if isParticle(text, from, i) {
			return i
		}
	}
	return to
}

// isHyphenSuffix reports whether the text s after a hyphen is a suffix.
func isHyphenSuffix(s string) bool {
	if len(s) > maxSuffix*utf8.UTFMax || utf8.RuneCountInString(s) > maxSuffix {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.Is(unicode.Latin, r) && !isSpaceless(r) && skipRun(s, 0, isWordChar) == len(s)
}

// beforeLink returns where non-ASCII punctuation in front of the scheme of another link begins in
// text[from:to]; otherwise to.
func beforeLink(text string, from, to int) int {
	for i := from; ; {
		j := strings.Index(text[i:to], "://")
		if j < 0 {
			return to
		}
		i += j
		if a := anySchemeBefore(text, i, from+1); a >= 0 {
			if r, size := utf8.DecodeLastRuneInString(text[from:a]); isTextEnd(r) {
				return a - size
			}
		}
		i += len("://")
	}
}

// isTextAt reports whether the character at the offset i is a letter of a script written without
// spaces.
func isTextAt(text string, i int) bool {
	if i == len(text) {
		return false
	}
	r, _ := decode(text, i)
	return isSpaceless(r)
}

// maxSuffix is the length in characters of the longest suffix after a hyphen.
const maxSuffix = 5

// hasOpenBracket reports whether an ASCII bracket is open at the end of s, the start of a part.
func hasOpenBracket(s string) bool {
	open := 0
	for _, c := range []byte(s) {
		switch c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		case '/', '&', '=':
			open = 0
		}
	}
	return open > 0
}

// skipRun returns the end of the run of characters at the offset i for which has is true.
func skipRun(text string, i int, has func(rune) bool) int {
	for i < len(text) {
		r, size := decode(text, i)
		if !has(r) {
			break
		}
		i += size
	}
	return i
}

// isWordChar reports whether r is a non-ASCII letter or mark.
func isWordChar(r rune) bool { return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r)) }

// isParticle reports whether the word at the offset i belongs to the text after the link, not to the
// link. The part of the link begins at the offset from.
func isParticle(text string, from, i int) bool {
	r, size := decode(text, i)
	n := wordsBefore(text, from, i)
	if len(text)-i > len("://") && strings.Contains(text[i:], "://") {
		run := skipRun(text, i, isWordChar)
		if run-i <= maxBetween && schemeLen(text[run:]) > 0 {
			return true // between two links
		}
	}
	if !mayBeParticle(r) {
		return false
	}
	if run := skipRun(text[:min(i+maxEnding+utf8.UTFMax, len(text))], i, isWordChar); run-i <= maxEnding {
		if word := text[i:run]; endings[word] && (len(word) > size || word == "를" || n >= 2 || i == from) {
			return !goesOnAsURL(text, run)
		}
	}
	for _, word := range particles[r] {
		if strings.HasPrefix(text[i:], word) && isEnough(text, i+len(word), n, word, size) {
			return !goesOnAsURL(text, skipRun(text, i, isWordChar))
		}
	}
	return false
}

// maxBetween is the length in bytes of the longest word between two links.
const maxBetween = 24

// wordsBefore returns the number of ASCII letters and digits before the offset i, up to 2.
func wordsBefore(text string, from, i int) int {
	n := 0
	for n < 2 && i-n > from && byteClass[text[i-n-1]]&alnumByte != 0 {
		n++
	}
	return n
}

// isEnough reports whether a particle is certain enough to end the link. It has several characters, or
// two ASCII word characters are in front of it, or a letter other than hiragana follows at the offset
// k.
func isEnough(text string, k, before int, word string, size int) bool {
	switch {
	case word == "を", before >= 2, len(word) > size:
		return true
	case before == 1, k == len(text):
		return false
	}
	next, _ := decode(text, k)
	return !unicode.Is(unicode.Hiragana, next) && unicode.IsLetter(next)
}

// goesOnAsURL reports whether the word at the offset i is followed by URL syntax, so that the particle
// is part of a path.
func goesOnAsURL(text string, i int) bool {
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			if schemeLen(text[i:]) > 0 {
				return false
			}
			if byteClass[text[i]]&alnumByte == 0 {
				return strings.IndexByte("/?#=&%+~@-_$*|", text[i]) >= 0
			}
			i++
			continue
		}
		r, size := decode(text, i)
		if !isWordChar(r) && !unicode.IsDigit(r) && r != 'ー' {
			return false
		}
		i += size
	}
	return false
}

// beforeSuffix returns where a suffix of a word begins at the end of text[after:end], at its apostrophe
// or colon; otherwise end.
func beforeSuffix(text string, after, end int) int {
	if !mayHaveSuffix(text[max(after, end-maxSuffixBytes-len("’")):end]) {
		return end
	}
	i := end
	for i > after && end-i <= maxSuffixBytes {
		r, size := utf8.DecodeLastRuneInString(text[after:i])
		i -= size
		switch {
		case r == '\'' || r == '’':
			if apostropheSuffixes[text[i+size:end]] && !isElision(text[after:i]) {
				return i
			}
			return end
		case r == ':':
			if colonSuffixes[text[i+size:end]] && i > after && byteClass[text[i-1]]&alnumByte != 0 {
				return i
			}
			return end
		case !unicode.IsLower(r):
			return end
		}
	}
	return end
}

// mayHaveSuffix reports whether s may end in an apostrophe or colon and a suffix. No letter of a suffix
// is U+3000 or above.
func mayHaveSuffix(s string) bool {
	for i := len(s) - 1; i >= 0; i-- {
		switch c := s[i]; {
		case c == '\'', c == ':', c == 0x99: // the last byte of "’"
			return true
		case c < 'a', 'z' < c && c < utf8.RuneSelf, c >= 0xe3:
			return false
		}
	}
	return false
}

// maxSuffixBytes is the length in bytes of the longest suffix of beforeSuffix.
const maxSuffixBytes = 5

// isElision reports whether an apostrophe after s belongs to the word that follows it, as in
// Chute_d'eau, or follows no word.
func isElision(s string) bool {
	i := len(s)
	for i > 0 && byteClass[s[i-1]]&wordByte != 0 {
		i--
	}
	switch strings.ToLower(s[i:]) {
	case "", "c", "d", "j", "l", "m", "n", "s", "t", "qu":
		return true
	}
	return false
}
