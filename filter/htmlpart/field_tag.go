package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

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

// withFields returns a source with the tag of a link in place of each field of Word outside of
// comments that is one, up to what it shows, and with an end tag where the field ends. Offsets stay
// the same.
func withFields(source string) string {
	var b strings.Builder
	done := 0 // bytes of the source in b
	replace := func(tag string, start, end int) {
		b.WriteString(source[done:start] + tag + strings.Repeat(" ", end-start-len(tag)-1) + ">")
		done = end
	}
	start, inside := 0, 0 // the field that has begun, and what is in it; 0 without one
	isLink := false
	for at := 0; ; {
		i := strings.IndexByte(source[at:], '<')
		if i < 0 {
			b.WriteString(source[done:])
			return b.String()
		}
		tag := at + i
		at, _, _ = tagEnd(source, tag+1)
		switch mark := fieldMark(source[tag:at]); {
		case mark == "begin":
			start, inside = tag, at
		case mark == "separator" && inside > 0:
			url := fieldURL(textOf(source[inside:min(tag, inside+maxField)]))
			if link := `<a href="` + url + `"`; url != "" && len(link) < at-start {
				replace(link, start, at)
				isLink = true
			}
			inside = 0
		case mark == "end":
			if isLink {
				replace("</a", tag, at)
			}
			inside, isLink = 0, false
		}
	}
}

// fieldMark returns "begin", "separator" or "end" for a tag with that mark of a field of Word.
func fieldMark(tag string) string {
	const most = 1 << 10 // bytes of such a tag
	if len(tag) > most || !strings.Contains(tag, "-") {
		return ""
	}
	_, mark, ok := strings.Cut(strings.ToLower(tag), "mso-element:")
	if !ok {
		return ""
	}
	mark, ok = strings.CutPrefix(strings.TrimLeft(mark, blanks), "field-")
	for _, name := range [...]string{"begin", "separator", "end"} {
		if ok && ascii.HasPrefixFold(mark, name) {
			return name
		}
	}
	return ""
}
