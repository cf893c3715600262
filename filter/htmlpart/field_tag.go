package htmlpart

import "strings"

// maxField is the number of bytes of a conditional comment in which a field of Word is read.
const maxField = 16 << 10

// fieldTag returns the tag of a link that stands for the conditional comment at the start of a
// source, and the size of the comment: where a field of Word begins that is a link, or ends.
func fieldTag(comment string) (tag string, size int) {
	end := strings.Index(comment[:min(len(comment), maxField)], "-->")
	if end < 0 || !strings.Contains(comment[:end], "mso-element") {
		return "", 0
	}
	comment, size = comment[:end], end+len("-->")
	switch {
	case strings.Contains(comment, "field-begin"):
		url := fieldURL(textOf(comment[strings.IndexByte(comment, ']')+1:]))
		if tag = `<a href="` + url + `"`; url == "" || len(tag)+1 > size {
			return "", 0
		}
	case strings.Contains(comment, "field-end"):
		tag = "</a"
	default:
		return "", 0
	}
	return tag + strings.Repeat(" ", size-len(tag)-1) + ">", size
}
