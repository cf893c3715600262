package page

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// fieldURL returns the URL in the instruction of a Word field that is a link, or "".
func fieldURL(instruction string) string {
	i := ascii.IndexFold(instruction, "HYPERLINK")
	if i < 0 {
		return ""
	}
	words := strings.FieldsFunc(instruction[i+len("HYPERLINK"):], func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'", r) })
	for _, word := range words {
		if !strings.HasPrefix(word, `\`) {
			return word
		}
	}
	return ""
}

// fieldOfStyle returns the URL of the Word field in a style attribute, or "".
func fieldOfStyle(declarations string) string {
	const property = "mso-field-code"
	i := ascii.IndexFold(declarations, property)
	if i < 0 {
		return ""
	}
	return fieldURL(unescaped(declarations[i+len(property):]))
}

// maxField is how many bytes of the instruction of a Word field are read.
const maxField = 16 << 10

// withFields returns a source with link tags in place of the Word fields that are links, except those
// in comments. The start tag replaces the field up to what it shows; an end tag replaces its end.
// Offsets stay the same. partial reports that a field was not read, such as one whose instruction holds
// another field.
func withFields(source string) (written string, partial bool) {
	if !strings.Contains(source, "mso-element") {
		return source, false
	}
	var b strings.Builder
	done := 0 // bytes of the source in b
	replace := func(tag string, start, end int) {
		b.WriteString(source[done:start] + tag + strings.Repeat(" ", end-start-len(tag)-1) + ">")
		done = end
	}
	start, inside, isLink := 0, 0, false // start of the last field; end of its first tag, or 0 outside of instructions; whether it is a link
	z := html.NewTokenizer(strings.NewReader(source))
	for at := 0; ; {
		kind := z.Next()
		from := at
		at += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			b.WriteString(source[done:])
			return b.String(), partial
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		default:
			continue
		}
		switch mark := fieldMark(source[from:at]); {
		case mark == "begin":
			partial = partial || inside > 0
			start, inside = from, at
		case mark == "separator" && inside > 0:
			url := fieldURL(plainText(source[inside:min(from, inside+maxField)]))
			tag := `<a href="` + url + `"`
			isLink = url != "" && start >= done && len(tag) < at-start
			partial = partial || url != "" && !isLink
			if inside = 0; isLink {
				replace(tag, start, at)
			}
		case mark == "end" && inside > 0: // Word always writes a separator
			partial = partial || fieldURL(plainText(source[inside:min(from, inside+maxField)])) != ""
			inside = 0
		case mark == "end" && isLink:
			replace("</a", from, at)
			isLink = false
		}
	}
}

// fieldMark returns the mark of a Word field that a tag has: "begin", "separator", "end", or "".
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

// plainText returns the text of a piece of HTML.
func plainText(source string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		}
	}
}
