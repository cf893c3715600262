package alternative

import "strings"

// maxQuoteLevel is how deep quotes may nest. Deeper quote marks stay in the text as typed.
const maxQuoteLevel = 50

// A quote in HTML.
const (
	// The bar of a quote is on the side where its lines begin. Outlook does not know logical properties
	// such as border-inline-start.
	quoteLTR = "<blockquote type=\"cite\" style=\"margin:0 0 0 .8ex;" +
		"border-left:2px solid #bbb;padding-left:1ex\">\n"
	quoteRTL = "<blockquote type=\"cite\" style=\"margin:0 .8ex 0 0;" +
		"border-right:2px solid #bbb;padding-right:1ex\">\n"
)

// quoteMarks returns the quote level of the line at pos, and the offset of its text. Quote marks are at
// the start of a line. Both ">>" and "> >" are two levels: RFC 3676 §4.5 writes the first, older
// programs the second. One space after the last mark belongs to it.
func quoteMarks(text string, pos int) (level, start int) {
	start = pos
	for i := pos; i < len(text) && level < maxQuoteLevel; i++ {
		if text[i] == '>' {
			level++
			start = i + 1
		} else if text[i] != ' ' || i == pos || text[i-1] != '>' {
			break
		}
	}
	if level > 0 && start < len(text) && text[start] == ' ' {
		start++
	}
	return level, start
}

// quoteTags returns the tags that change the number of open quotes from open to level. rtl says that
// the quoted text reads from right to left.
func quoteTags(open, level int, rtl bool) string {
	switch {
	case level < open:
		return strings.Repeat("</blockquote>\n", open-level)
	case rtl:
		return strings.Repeat(quoteRTL, level-open)
	default:
		return strings.Repeat(quoteLTR, level-open)
	}
}
