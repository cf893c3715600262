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
func (r *reader) withFields(source string) string {
	w := fieldWriter{source: source}
	for at := 0; ; {
		start, end := nextTag(source, at)
		if start < 0 || r.spend(end-at) != nil {
			break
		}
		w.mark(fieldMark(source[start:end]), start, end)
		at = end
	}
	r.partial = r.partial || w.partial
	w.b.WriteString(source[w.done:])
	return w.b.String()
}

// nextTag returns the range of the first tag from an offset on that is not in a comment, or -1.
func nextTag(source string, at int) (start, end int) {
	for {
		i := strings.IndexByte(source[at:], '<')
		if start = at + i; i < 0 || start+1 == len(source) {
			return -1, len(source)
		}
		switch c := source[start+1]; {
		case strings.HasPrefix(source[start:], "<!--"):
			at = commentEnd(source, start)
		case c == '/' || ascii.IsLetter(c):
			end, _, _ = tagEnd(source, start+1)
			return start, end
		default:
			at = start + 1
		}
	}
}

// commentEnd returns the offset behind a comment that begins at an offset (HTML §13.2.5.43).
func commentEnd(source string, start int) int {
	for at := start + len("<!"); ; at++ {
		i := strings.Index(source[at:], "--")
		if i < 0 {
			return len(source)
		}
		at += i
		for _, end := range [...]string{"-->", "--!>"} {
			if strings.HasPrefix(source[at:], end) {
				return at + len(end)
			}
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
	url := fieldURL(textOf(w.source[f.inside:min(start, f.inside+maxField)]))
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
