package htmlpart

import (
	"strconv"
	"strings"
)

// letters says how styles and attributes may show letters that no text has, or words in another order. What they
// show is not read.
type letters struct {
	drawn    bool // by marks of emphasis or fonts, or the words of a line are moved
	numbered bool // some items of lists are numbered with letters
	counted  bool // some have such a number that its letters may be a word
}

// unread reports whether a document with these letters may show others than it has.
func (l *letters) unread() bool { return l.drawn || l.numbered && l.counted }

// add adds those of another style.
func (l *letters) add(other letters) {
	l.drawn, l.numbered, l.counted = l.drawn || other.drawn, l.numbered || other.numbered, l.counted || other.counted
}

// declare notes a declaration, given its value in lower case.
func (l *letters) declare(property, value string) {
	switch strings.TrimPrefix(property, "-webkit-") {
	case "text-emphasis", "text-emphasis-style":
		l.drawn = l.drawn || strings.ContainsAny(value, `"'`)
	case "word-spacing", "letter-spacing":
		l.drawn = l.drawn || least(value) <= -far
	case "list-style", "list-style-type":
		l.numbered = l.numbered || strings.Contains(value, "alpha") || strings.Contains(value, "latin")
	case "counter-set", "counter-reset", "counter-increment":
		l.counted = l.counted || strings.Contains(value, "list-item") && hasWordNumber(value)
	}
}

// declareFont notes a declaration of a font: one in the message itself, or one that shows letters in another
// size, may show others or none.
func (l *letters) declareFont(property, value string) {
	switch property {
	case "src":
		l.drawn = l.drawn || strings.Contains(value, "data:")
	case "size-adjust":
		l.drawn = l.drawn || isSmallPart(value)
	}
}

// hasWordNumber reports whether one of the words of a value is a number that takes three letters or more in
// a list: "aaa" is 703.
func hasWordNumber(value string) bool {
	const least = 26*26 + 26
	for word := range strings.FieldsSeq(value) {
		if n, err := strconv.ParseFloat(word, 64); err == nil && n > least {
			return true
		}
	}
	return false
}
