package page

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// fieldURL returns the URL of a field of Word that is a link, given its instruction, or "".
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

// fieldOfStyle returns the URL of the field of Word in a style attribute, or "".
func fieldOfStyle(declarations string) string {
	const property = "mso-field-code"
	i := ascii.IndexFold(declarations, property)
	if i < 0 {
		return ""
	}
	return fieldURL(unescaped(declarations[i+len(property):]))
}

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
		url := fieldURL(plainText(comment[strings.IndexByte(comment, ']')+1:]))
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
func withFields(source string) (written string, partial bool) {
	if !strings.Contains(source, "mso-element") {
		return source, false
	}
	w := fieldWriter{source: source}
	z := html.NewTokenizer(strings.NewReader(source))
	for at := 0; ; {
		kind := z.Next()
		start := at
		at += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			w.b.WriteString(source[w.done:])
			return w.b.String(), w.partial
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			w.mark(fieldMark(source[start:at]), start, at)
		}
	}
}

// maxFields is the number of fields within fields that are told apart.
const maxFields = 16

// fieldWriter writes a source with links in place of fields.
type fieldWriter struct {
	source  string
	b       strings.Builder
	done    int         // bytes of the source in b
	open    []openField // each within the one before
	partial bool        // some field is not read
}

// openField is a field that has begun.
type openField struct {
	start, inside int // of its first tag, and behind that; inside is 0 behind the instruction
	isLink        bool
	holds         bool // its instruction has a field
}

// mark reads a mark of a field in a tag.
func (w *fieldWriter) mark(mark string, start, end int) {
	last := len(w.open) - 1
	switch {
	case mark == "begin" && len(w.open) == maxFields:
		w.partial = true
	case mark == "begin":
		if last >= 0 {
			w.open[last].holds = w.open[last].inside > 0
		}
		w.open = append(w.open, openField{start: start, inside: end})
	case last < 0:
	case mark == "separator":
		w.link(&w.open[last], start, end)
	case mark == "end":
		if w.open[last].isLink {
			w.replace("</a", start, end)
		}
		w.open = w.open[:last]
	}
}

// link writes the tag of a link for a field whose instruction ends at a tag, if it is one.
func (w *fieldWriter) link(f *openField, start, end int) {
	if f.inside == 0 {
		return
	}
	url := fieldURL(plainText(w.source[f.inside:min(start, f.inside+maxField)]))
	f.inside = 0
	if url == "" {
		return
	}
	tag := `<a href="` + url + `"`
	if f.isLink = f.start >= w.done && len(tag) < end-f.start; f.isLink {
		w.replace(tag, f.start, end)
	}
	w.partial = w.partial || f.holds || !f.isLink
}

// replace writes a tag without its end in place of a range of the source.
func (w *fieldWriter) replace(tag string, start, end int) {
	w.b.WriteString(w.source[w.done:start] + tag + strings.Repeat(" ", end-start-len(tag)-1) + ">")
	w.done = end
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
