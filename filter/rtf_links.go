package filter

import (
	"context"
	"html"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// linksOfRTF returns HTML with the text of RTF: fields that open a URL are links, and hidden
// text stays hidden. HTML that RTF wraps (MS-OXRTFEX) stays HTML. It returns "" for RTF without
// any of these. It ends with ctx, which the reader of the HTML reports. whole says that all groups
// were told apart.
func linksOfRTF(ctx context.Context, source string, noFonts bool) (links string, whole bool) {
	switch {
	case strings.Contains(source, `\fromhtml`):
		return plainOfRTF(ctx, source, noFonts), true
	case !strings.Contains(source, `\fldrslt`) && !strings.Contains(source, `\v`):
		return "", true
	}
	w := rtfWriter{groups: make([]rtfGroup, 1), state: newRTFState(noFonts)}
	walkRTF(ctx, source, w.read)
	return w.html.String(), !w.tooDeep
}

// rtfGroup is an open group of RTF, or the document.
type rtfGroup struct {
	hidden      bool
	instruction bool // the text is the instruction of a field
	result      bool // the group is the result of a field
}

// rtfWriter writes RTF as HTML.
type rtfWriter struct {
	html        strings.Builder
	groups      []rtfGroup
	deeper      int             // open groups beyond maxRTFGroups
	tooDeep     bool            // there were such groups
	instruction strings.Builder // of the field whose result follows
	state       rtfState
}

// read reads the start of s and returns how many bytes.
func (w *rtfWriter) read(s string) int {
	switch {
	case s[0] == '{':
		w.begin()
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

func (w *rtfWriter) begin() {
	if len(w.groups) == maxRTFGroups {
		w.deeper++
		w.tooDeep = true
		return
	}
	group := w.groups[len(w.groups)-1]
	group.result = false
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
	case "field":
		w.instruction.Reset()
	case "fldinst":
		group.instruction = true
	case "fldrslt":
		if url := urlOfField(w.instruction.String()); url != "" && !group.result {
			group.result = true
			w.html.WriteString(`<a href="` + html.EscapeString(url) + `">`)
		}
		w.instruction.Reset()
	}
	if c.text == "\n" && !group.instruction {
		w.html.WriteString("<br>")
		return
	}
	w.text(c.text)
}

// text writes a text, or adds it to the instruction of a field.
func (w *rtfWriter) text(s string) {
	switch group := w.groups[len(w.groups)-1]; {
	case s == "":
	case group.instruction:
		if w.instruction.Len() < scanStep {
			w.instruction.WriteString(s)
		}
	case group.hidden:
		w.html.WriteString("<span hidden>" + html.EscapeString(s) + "</span>")
	default:
		w.html.WriteString(html.EscapeString(s))
	}
}

// fieldWord matches a word of the instruction of a field: in quotes, or up to a space.
var fieldWord = regexp.MustCompile(`"([^"]*)"|\S+`)

// urlOfField returns the URL that a field opens, or "" for a field without one.
func urlOfField(instruction string) string {
	const name = "HYPERLINK"
	words := strings.TrimSpace(instruction)
	if !ascii.HasPrefixFold(words, name) {
		return ""
	}
	words = words[len(name):]
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
