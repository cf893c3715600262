package filter

import (
	"context"
	"html"
	"regexp"
	"strings"
)

var (
	inlineLink     = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)+)\]\(\s*<?([^\s()<>]+)`)
	referenceLink  = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)+)\](?:\[([^\[\]]*)\])?`)
	linkDefinition = regexp.MustCompile(`^[ >]*\[([^\[\]]+)\]:\s*<?([^\s<>]+)`)
)

// markdown reads the links of Markdown that have a text (CommonMark §6.3).
type markdown struct {
	ctx         context.Context
	source      string
	definitions map[string]string // URLs of links by name
	html        strings.Builder   // the links as HTML
	room        int               // bytes that the HTML may still grow
	read        int               // bytes since the last check of the context
}

// maxDefinitions is the number of definitions of links that are known.
const maxDefinitions = 1 << 10

// linksOfMarkdown returns HTML with the links of Markdown, and whether it has all of them: many
// may name one long URL. It ends with ctx, which the reader of the HTML reports.
func linksOfMarkdown(ctx context.Context, source string) (links string, whole bool) {
	if !strings.Contains(source, "](") && !strings.Contains(source, "]:") {
		return "", true
	}
	m := markdown{ctx: ctx, source: source, definitions: make(map[string]string), room: 4*len(source) + 1<<20}
	m.eachLine(func(line string) {
		for _, match := range inlineLink.FindAllStringSubmatch(line, -1) {
			m.write(match[1], match[2])
		}
		if match := linkDefinition.FindStringSubmatch(line); match != nil && len(m.definitions) < maxDefinitions {
			m.definitions[strings.ToLower(match[1])] = match[2]
		}
	})
	if len(m.definitions) > 0 {
		m.eachLine(m.references)
	}
	return m.html.String(), m.room >= 0
}

// eachLine calls read for each line that may have a link.
func (m *markdown) eachLine(read func(string)) {
	for line := range strings.Lines(m.source) {
		if m.read += len(line); m.read >= scanStep {
			if m.read = 0; m.ctx.Err() != nil {
				return
			}
		}
		switch {
		case m.room < 0:
			return
		case len(line) > scanStep:
			m.room = -1
		case strings.Contains(line, "]"):
			read(line)
		}
	}
}

// references writes the links of a line that name their URL.
func (m *markdown) references(line string) {
	for _, match := range referenceLink.FindAllStringSubmatch(line, -1) {
		name := match[2]
		if name == "" {
			name = match[1]
		}
		m.write(match[1], m.definitions[strings.ToLower(name)])
	}
}

// write writes a link to a URL, unless that is empty.
func (m *markdown) write(text, url string) {
	if m.room -= len(text) + len(url); url != "" && m.room >= 0 {
		writeLink(&m.html, text, url)
	}
}

// writeLink writes a link as a line of HTML.
func writeLink(b *strings.Builder, text, url string) {
	b.WriteString(`<a href="` + html.EscapeString(url) + `">` + html.EscapeString(text) + "</a>\n")
}
