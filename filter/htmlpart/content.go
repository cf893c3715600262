package htmlpart

import (
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// Marks are in a generated text where it depends on the element.
const (
	attributeMark  = "\x00" // before and after the name of an attribute whose value is shown
	openQuoteMark  = "\x01"
	closeQuoteMark = "\x02"
	counterMark    = "\x03" // a counter in letters, which depend on all elements before
	numberMark     = "\x06" // a counter in digits
)

// contentOf returns the strings in a value, joined, and those behind "/", which are read aloud in
// their place, apart. Marks are in place of what depends on the element.
func contentOf(value string) string {
	var b strings.Builder
	for {
		i := strings.IndexAny(value, `"'(/`)
		if i < 0 {
			b.WriteString(quoteMarks(value))
			return b.String()
		}
		before, rest := value[:i], value[i+1:]
		b.WriteString(quoteMarks(before))
		switch {
		case value[i] == '/':
			b.WriteByte(' ')
		case value[i] != '(': // the end of a sheet also ends a string
			text, after, _ := strings.Cut(rest, value[i:i+1])
			b.WriteString(text)
			rest = after
		case ascii.HasSuffixFold(before, "url"):
			_, rest, _ = strings.Cut(rest, ")")
		case ascii.HasSuffixFold(before, "attr"):
			rest = trimLeft(rest)
			n := strings.IndexAny(rest+")", " \t\r\n\f,)") // a type or a text in its place may follow
			name := strings.ToLower(rest[:n])
			if name = name[strings.LastIndexByte(name, '|')+1:]; name != "href" { // the target itself
				b.WriteString(attributeMark + name + attributeMark)
			}
			rest = rest[n:]
		case isCounter(before):
			if countsInLetters(rest) {
				b.WriteString(counterMark)
			} else {
				b.WriteString(numberMark)
			}
		}
		value = rest
	}
}

// isCounter reports whether a value up to a bracket ends in the name of a function of counters.
func isCounter(before string) bool {
	return ascii.HasSuffixFold(before, "counter") || ascii.HasSuffixFold(before, "counters")
}

// quoteMarks returns a mark for each of the words open-quote and close-quote in a value.
func quoteMarks(words string) string {
	if !strings.Contains(words, "-") {
		return ""
	}
	var b strings.Builder
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		switch word {
		case "open-quote":
			b.WriteString(openQuoteMark)
		case "close-quote":
			b.WriteString(closeQuoteMark)
		}
	}
	return b.String()
}

// isNumber reports whether a style of counters, in lower case, shows digits or signs (CSS Counter
// Styles §6).
func isNumber(style string) bool {
	switch style {
	case "", "decimal", "decimal-leading-zero", "disc", "circle", "square", "disclosure-open", "disclosure-closed", "none":
		return true
	}
	return false
}

// maxCounter is the number of bytes in the brackets of a counter that are read.
const maxCounter = 256

// countsInLetters reports whether a function counter() or counters() shows letters, given what is
// behind its bracket.
func countsInLetters(css string) bool {
	arguments, _, ok := strings.Cut(css[:min(len(css), maxCounter)], ")")
	style := trim(arguments[strings.LastIndexByte(arguments, ',')+1:])
	if !strings.Contains(arguments, ",") || len(style) > 1 && isQuote(style[0]) && style[len(style)-1] == style[0] {
		return !ok // what is between the counters of elements around
	}
	return !isNumber(strings.ToLower(style))
}

// hasLetters reports whether a text has letters that are, or look like, those of most hosts.
func hasLetters(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return ascii.IsLetter(r) || r >= 0x80 && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Cherokee)
	})
}
