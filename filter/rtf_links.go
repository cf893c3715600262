package filter

import (
	"context"
	"html"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// linksOfRTF returns HTML with the text of RTF: fields that open a URL are links, and hidden
// text stays hidden. It returns "" for RTF without any of these. It ends with ctx, which the reader
// of the HTML reports. whole says that all groups were told apart, and that all links are known.
func linksOfRTF(ctx context.Context, source string, noFonts bool) (links string, whole bool) {
	whole = !linksShapes(source)
	if !strings.Contains(source, `\fldrslt`) && !strings.Contains(source, `\v`) {
		return "", whole
	}
	w := rtfWriter{groups: make([]rtfGroup, 1), state: newRTFState(noFonts), isBased: strings.Contains(source, `\hlinkbase`)}
	walkRTF(ctx, source, w.read)
	return w.html.String(), whole && !w.tooDeep && !w.unknown
}

// linksShapes reports whether RTF may have a shape that is a link and shows a text.
func linksShapes(source string) bool {
	return strings.Contains(source, `\hlsrc`) && (strings.Contains(source, `\shptxt`) || strings.Contains(source, "gtext"))
}

// rtfGroup is an open group of RTF, or the document.
type rtfGroup struct {
	hidden      bool
	instruction bool // the text is the instruction of a field
	result      bool // the group is the result of a field
	wrapped     bool // the text is a tag of HTML that RTF wraps, which is not shown
}

// rtfWriter writes RTF as HTML.
type rtfWriter struct {
	html        strings.Builder
	groups      []rtfGroup
	deeper      int             // open groups beyond maxRTFGroups
	tooDeep     bool            // there were such groups
	instruction strings.Builder // of the field whose result follows
	isBased     bool            // relative URLs have a base of their own
	unknown     bool            // there is a link whose URL is not known
	state       rtfState
}

// read reads the start of s and returns how many bytes.
func (w *rtfWriter) read(s string) int {
	switch {
	case s[0] == '{':
		w.begin(strings.HasPrefix(s, `{\*\htmltag`))
		w.state.begin()
	case s[0] == '}':
		w.end()
		w.state.end()
	case s[0] == '\r' || s[0] == '\n':
	case s[0] == '\\' && len(s) > 1:
		control := controlOfRTF(s, &w.state)
		w.state.obey(control.word, control.number)
		w.control(control)
		return control.size
	default:
		n := strings.IndexAny(s, "{}\\\r\n")
		if n <= 0 {
			n = len(s)
		}
		n = min(n, scanStep)
		w.text(s[:n])
		return n
	}
	return 1
}

func (w *rtfWriter) begin(wrapped bool) {
	if len(w.groups) == maxRTFGroups {
		w.deeper++
		w.tooDeep = true
		return
	}
	group := w.groups[len(w.groups)-1]
	group.result = false
	group.wrapped = group.wrapped || wrapped
	w.groups = append(w.groups, group)
}

func (w *rtfWriter) end() {
	switch last := len(w.groups) - 1; {
	case w.deeper > 0:
		w.deeper--
	case last > 0:
		if w.groups[last].result {
			w.html.WriteString("</a>")
		}
		w.groups = w.groups[:last]
	}
}

// control obeys a control word, and writes the text of any control.
func (w *rtfWriter) control(c rtfControl) {
	group := &w.groups[len(w.groups)-1]
	switch c.word {
	case "v":
		group.hidden = c.number != "0"
	case "plain":
		group.hidden = false
	case "field", "fldinst", "fldrslt":
		w.field(c.word, group)
	}
	if c.text == "\n" && !group.instruction {
		w.html.WriteString("<br>")
		return
	}
	w.text(c.text)
}

// field obeys a control word of a field.
func (w *rtfWriter) field(word string, group *rtfGroup) {
	switch {
	case group.instruction && word == "field":
		// Its result is part of the instruction.
		start := strings.TrimSpace(w.instruction.String())
		n := min(len(start), len(linkField))
		w.unknown = w.unknown || strings.EqualFold(start[:n], linkField[:n])
	case group.instruction:
	case word == "fldinst":
		group.instruction = true
	case word == "fldrslt":
		w.open(urlOfField(w.instruction.String()), group)
		w.instruction.Reset()
	default:
		w.instruction.Reset()
	}
}

// open begins the link of the result of a field, "" for one of another field.
func (w *rtfWriter) open(url string, group *rtfGroup) {
	if url == "" {
		return
	}
	w.unknown = w.unknown || w.isBased && !strings.Contains(url, ":")
	if !group.result {
		group.result = true
		w.html.WriteString(`<a href="` + html.EscapeString(url) + `">`)
	}
}

// text writes a text, or adds it to the instruction of a field.
func (w *rtfWriter) text(s string) {
	switch group := w.groups[len(w.groups)-1]; {
	case s == "" || group.wrapped:
	case group.instruction:
		if w.instruction.Len() < scanStep {
			w.instruction.WriteString(s)
		} else {
			w.unknown = true
		}
	case group.hidden:
		w.html.WriteString("<span hidden>" + html.EscapeString(s) + "</span>")
	default:
		w.html.WriteString(html.EscapeString(s))
	}
}

// linkField is the name of a field that opens a URL.
const linkField = "HYPERLINK"

// fieldWord matches a word of the instruction of a field: in quotes, or up to a space.
var fieldWord = regexp.MustCompile(`"([^"]*)"|\S+`)

// urlOfField returns the URL that a field opens, or "" for a field without one.
func urlOfField(instruction string) string {
	words := strings.TrimSpace(instruction)
	if !ascii.HasPrefixFold(words, linkField) {
		return ""
	}
	words = words[len(linkField):]
	first := ""
	for _, match := range fieldWord.FindAllStringSubmatch(words, -1) {
		word := match[1]
		if word == "" {
			word = match[0]
		}
		switch {
		case strings.HasPrefix(word, `\`):
		case strings.Contains(word, ":"):
			return word
		case first == "":
			first = word
		}
	}
	return first
}
