package htmlpart

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reorders reports whether a declaration may show an element in another place among its
// siblings, or its children in another order.
func reorders(property, value string) bool {
	for _, maker := range [...]string{"-webkit-", "-moz-", "-ms-"} {
		property = strings.TrimPrefix(property, maker)
	}
	switch property {
	case "flex-direction", "flex-flow", "flex-wrap", "box-direction":
		return strings.Contains(value, "reverse")
	case "order", "flex-order", "box-ordinal-group":
		return value != "0"
	case "position":
		return value == "absolute" || value == "fixed"
	case "grid-area", "grid-column", "grid-row", "grid-column-start", "grid-row-start", "grid-column-end", "grid-row-end":
		return value != "auto"
	case "writing-mode": // lines may be beside each other, from right to left
		return !strings.HasPrefix(value, "horizontal") && !strings.HasPrefix(value, "lr") && !strings.HasPrefix(value, "rl")
	case "text-shadow":
		return isFar(value)
	case "line-height", "height", "max-height", "block-size", "max-block-size", "flex-basis": // the next line may be in the same place
		return isSmall(value)
	case "flex":
		return strings.HasPrefix(value, "0 ") && hasZero(value[2:])
	case "grid-template-rows", "grid-auto-rows", "grid-template", "grid":
		return hasZero(value)
	case "contain":
		return strings.Contains(value, "size") || strings.Contains(value, "strict")
	case "left", "right", "inset", "inset-inline", "inset-inline-start", "inset-inline-end", "translate":
		return isFar(value)
	case "margin", "margin-left", "margin-right", "margin-inline", "margin-inline-start", "margin-inline-end", "margin-start", "margin-end", "text-indent":
		return least(value) <= -far || isUnknown(value)
	case "transform":
		isMove := strings.Contains(value, "translate") || strings.Contains(value, "matrix")
		return isMove && isFar(value) || strings.Contains(value, "rotate") || strings.Contains(value, "-1")
	case "rotate", "offset", "offset-path", "animation", "animation-name":
		return value != "none"
	case "scale":
		return strings.Contains(value, "-")
	case "float":
		return value != "none"
	case "unicode-bidi":
		return strings.Contains(value, "isolate")
	}
	return false
}

// hasZero reports whether a word of a value is a length of zero.
func hasZero(value string) bool {
	for word := range strings.FieldsSeq(value) {
		if isZero(word) {
			return true
		}
	}
	return false
}

const (
	// maxParts is the number of parts of a text that are read in reverse order, and
	// maxOrdered the number that are read in every order.
	maxParts   = 32
	maxOrdered = 4
	// maxOrderedText is the length in bytes of such a text.
	maxOrderedText = 1 << 10
)

// orders returns the readings of a text whose parts begin at offsets, in other orders. Parts
// that name the host of the URL are not moved: a word beside one is not a part of it. all reports
// whether no other order shows a host.
func orders(text string, offsets []int, url string) (readings []string, all bool) {
	if len(offsets) > maxParts {
		words := wordsOf(slices.Collect(partsAt(text, offsets)))
		return nil, len(words) <= maxOrdered || !haveHostSign(words)
	}
	isLong := len(text) > maxOrderedText
	url = strings.ToLower(url)
	var parts []string
	for part := range partsAt(text, offsets) {
		if part == "" || isHostOf(url, part) {
			continue
		}
		if isLong && len(part) > 2*maxInPieces { // its edges may be in a host
			part = part[:maxInPieces] + " " + part[len(part)-maxInPieces:]
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts)
	add := func(order []string) { readings = append(readings, joined(order)) }
	if len(parts) < 2 {
		return nil, true
	}
	if len(parts) <= maxOrdered {
		eachOrder(parts, add)
		return readings, true
	}
	add(parts)
	words := wordsOf(parts)
	if len(words) <= maxOrdered {
		eachOrder(words, add)
		return readings, true
	}
	return readings, !haveHostSign(words)
}

// wordsOf returns the parts that may be parts of a host.
func wordsOf(parts []string) (words []string) {
	for _, part := range parts {
		if part != "" && !strings.ContainsFunc(part, endsHost) {
			words = append(words, part)
		}
	}
	return words
}

// endsHost reports whether no host goes on over a character: white space, brackets and exclamation
// marks, and signs such as those of currencies, arrows and stars.
func endsHost(r rune) bool {
	const firstArrow, lastArrow = '\u2190', '\u21ff'
	return unicode.IsSpace(r) || strings.ContainsRune("!()\u00ab\u00bb\u2039\u203a", r) || firstArrow <= r && r <= lastArrow || unicode.In(r, unicode.Sc, unicode.So)
}

// haveHostSign reports whether one of several words has a sign that may be in a host with the others:
// not that of a number, nor one that ends a word or a sentence.
func haveHostSign(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		if strings.Trim(word, "0123456789.,:/-+%") == "" && strings.ContainsAny(word, "0123456789") {
			return false
		}
		name := strings.TrimRight(word, ".:")
		return mayNameHost([]byte(name)) && strings.ContainsFunc(name, isNoLetter) || name == "" ||
			strings.HasSuffix(word, ".") && slices.ContainsFunc(words, func(next string) bool { return next != word && startsLabel(next) && !endsSentence(word, next) })
	})
}

// hostWords returns the words of a text that may be a host or have one, behind blanks, and a blank at
// the end if the text has others. It returns "" where there is no such word.
func hostWords(text string) string {
	var b strings.Builder
	others := false
	for word := range strings.FieldsFuncSeq(text, endsHost) {
		if mayBeHost(word) {
			b.WriteByte(' ')
			b.WriteString(word)
		} else {
			others = true
		}
	}
	if others && b.Len() > 0 {
		b.WriteByte(' ')
	}
	return b.String()
}

// mayBeHost reports whether a word has a dot before a letter, an at sign, or two slashes.
func mayBeHost(word string) bool {
	if strings.IndexByte(word, '@') >= 0 || strings.Contains(word, "//") {
		return true
	}
	isBehindDot := false
	for _, r := range word {
		switch {
		case r == '.':
			isBehindDot = true
		case unicode.IsLetter(r):
			if isBehindDot {
				return true
			}
		case unicode.In(r, unicode.M, unicode.Cf):
		default:
			isBehindDot = r >= utf8.RuneSelf && r != '\u2026' && !unicode.In(r, unicode.Pd, unicode.Pi, unicode.Pf)
		}
	}
	return false
}

// isNoLetter reports whether a character is neither a letter nor a mark on one.
func isNoLetter(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) }

// startsLabel reports whether a word may be the last label of a host, or begin with it.
func startsLabel(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return !isNoLetter(first)
}

// joined returns a text of parts, with blanks between sentences and at signs that end a host alone.
func joined(parts []string) string {
	var b strings.Builder
	for i, part := range parts {
		if i > 0 && (endsSentence(lastWord(parts[i-1]), part) || areApart(parts[i-1], part)) {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// areApart reports whether no host goes on from one part to the next.
func areApart(part, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(part)
	first, _ := utf8.DecodeRuneInString(next)
	return part != "" && next != "" && (endsHost(last) || strings.ContainsRune(",;?", last) || endsHost(first))
}

// lastWord returns the word at the end of a text.
func lastWord(text string) string { return text[strings.LastIndexFunc(text, unicode.IsSpace)+1:] }

// partsAt iterates over the parts of a text that begin at offsets, without blanks around them.
func partsAt(text string, offsets []int) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := range len(offsets) + 1 {
			end := len(text)
			if i < len(offsets) {
				end = offsets[i]
			}
			if !yield(strings.TrimFunc(text[start:end], func(r rune) bool { return unicode.IsSpace(r) || turns(r) })) {
				return
			}
			start = end
		}
	}
}

// isHostOf reports whether a word is the host of a URL in lower case, or a domain around that,
// with or without a scheme and a path.
func isHostOf(url, word string) bool {
	_, host, _ := strings.Cut(url[:authorityOf(url)], "//")
	name, _ := hostNamed(word)
	return strings.Contains(name, ".") && (host == name || strings.HasSuffix(host, "."+name))
}

// hostNamed returns the host in a word, in lower case and without "www.", and whether a path or
// parameters follow it.
func hostNamed(word string) (name string, ends bool) {
	name = strings.ToLower(word)
	if _, after, ok := strings.Cut(name, "://"); ok {
		name = after
	}
	name = strings.TrimLeft(name, "/@|")
	if i := strings.IndexAny(name, "/?#:|"); i >= 0 {
		name, ends = name[:i], strings.IndexByte("/?#", name[i]) >= 0
	}
	return strings.Trim(strings.TrimPrefix(name, "www."), ".,;!()"), ends
}

// seam is a place in a text at which the next part may be in the same line.
type seam struct {
	at    int  // offset in the text
	blank bool // white space is shown there
}

// inOneLine returns the reading of a text without the breaks at seams that show no white space.
// Words that are the host of the URL stay apart, as in orders, and so do those that joined keeps apart.
func inOneLine(text string, seams []seam, url string) string {
	url = strings.ToLower(url)
	var b strings.Builder
	offsets := make([]int, len(seams))
	for i := range seams {
		offsets[i] = seams[i].at
	}
	last, i := "", 0 // the word before, and the next seam
	isApart := false
	for part := range partsAt(text, offsets) {
		isApart = isApart || i > 0 && seams[i-1].blank
		i++
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if isApart || isHostOf(url, last) || isHostOf(url, words[0]) || endsSentence(last, words[0]) || areApart(last, words[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(part)
		last, isApart = words[len(words)-1], false
	}
	return b.String()
}

// endsSentence reports whether a word ends a sentence before the next word, rather than being
// a part of a host that has that as its last label.
func endsSentence(word, next string) bool {
	name, isEnd := strings.CutSuffix(word, ".")
	end := strings.IndexFunc(next, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(next)
	}
	label := next[:end]
	first, _ := utf8.DecodeRuneInString(label)
	return isEnd && !strings.ContainsAny(name, "./@:") && unicode.IsUpper(first) && len(label) > len("de") && !slices.Contains(ofHosts, strings.ToLower(label))
}

// ofHosts are last labels of hosts that no sentence begins with.
var ofHosts = []string{"biz", "com", "edu", "gov", "net", "org"}

// turns reports whether a character has no shape, and is from right to left or begins or ends a
// text of another direction (UAX #9).
func turns(r rune) bool {
	switch r {
	case '\u200f', '\u061c', '\u202a', '\u202b', '\u202c', '\u2066', '\u2067', '\u2068', '\u2069':
		return true
	}
	return false
}

// eachOrder calls use with the texts in each order. They must be few.
func eachOrder(texts []string, use func([]string)) {
	order := slices.Clone(texts)
	var from func(int)
	from = func(at int) {
		if at == len(order) {
			use(order)
			return
		}
		for i := at; i < len(order); i++ {
			order[at], order[i] = order[i], order[at]
			from(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	from(0)
}
