package filter

import (
	"context"
	"html"
	"regexp"
	"slices"
	"strings"
)

var (
	inlineLink     = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)+)\]\(\s*<?([^\s()<>]+)`)
	referenceLink  = regexp.MustCompile(`\[((?:[^\[\]\\]|\\.)+)\](?:\[([^\[\]]*)\])?`)
	linkDefinition = regexp.MustCompile(`(?m)^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\[([^\[\]]+)\]:\s*<?([^\s<>]+)`)
	orgLink        = regexp.MustCompile(`\[\[((?:[^\[\]\\]|\\.)+)\]\[([^\[\]]+)\]\]`) // of Org
	markdownImage  = regexp.MustCompile(`!\[([^\[\]]*)\]\([^()]*\)`)
	markdownEscape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// markdown reads the links of Markdown that have a text (CommonMark §6.3).
type markdown struct {
	ctx         context.Context
	source      string
	definitions map[string][]string // URLs of links by name: programs differ in which one counts
	defined     int                 // URLs in definitions
	html        strings.Builder     // the links as HTML
	room        int                 // bytes that the HTML may still grow
	read        int                 // bytes since the last check of the context
}

// maxDefinitions is the number of definitions of links that are known.
const maxDefinitions = 1 << 10

// linksOfMarkdown returns HTML with the links of Markdown, and whether it has all of them: many
// may name one long URL. It ends with ctx, which the reader of the HTML reports.
func linksOfMarkdown(ctx context.Context, source string) (links string, whole bool) {
	if !strings.Contains(source, "](") && !strings.Contains(source, "]:") && !strings.Contains(source, "][") {
		return "", true
	}
	m := markdown{ctx: ctx, source: source, definitions: make(map[string][]string), room: 4*len(source) + 1<<20}
	m.eachParagraph(func(paragraph string) {
		for _, match := range inlineLink.FindAllStringSubmatch(paragraph, -1) {
			m.write(match[1], match[2])
		}
		for _, match := range orgLink.FindAllStringSubmatch(paragraph, -1) {
			m.write(match[2], match[1])
		}
		for _, match := range linkDefinition.FindAllStringSubmatch(paragraph, -1) {
			m.define(labelOf(match[1]), match[2])
		}
	})
	if len(m.definitions) > 0 {
		m.eachParagraph(m.references)
	}
	return m.html.String(), m.room >= 0 && m.defined <= maxDefinitions
}

// define notes the URL of a name.
func (m *markdown) define(name, url string) {
	if m.defined > maxDefinitions || slices.Contains(m.definitions[name], url) {
		return
	}
	m.defined++
	m.definitions[name] = append(m.definitions[name], url)
}

// labelOf returns the name of a definition as it is compared (CommonMark §4.7).
func labelOf(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

// eachParagraph calls read for each paragraph that may have a link: lines without the marks of
// quotes, of which none is blank. Images in it are their texts. A long paragraph comes in pieces
// that overlap by half of scanStep.
func (m *markdown) eachParagraph(read func(string)) {
	var paragraph strings.Builder
	flush := func() {
		text := paragraph.String()
		if strings.Contains(text, "]") {
			read(markdownImage.ReplaceAllString(text, "$1"))
		}
		paragraph.Reset()
		paragraph.WriteString(text[max(0, len(text)-scanStep/2):])
	}
	for line := range strings.Lines(m.source) {
		if m.read += len(line); m.read >= scanStep {
			if m.read = 0; m.ctx.Err() != nil {
				return
			}
		}
		if len(line) > scanStep {
			m.room = -1
		}
		if m.room < 0 {
			return
		}
		line = strings.TrimLeft(line, " \t>")
		isBlank := strings.TrimSpace(line) == ""
		if isBlank || paragraph.Len()+len(line) > scanStep {
			flush()
		}
		if isBlank {
			paragraph.Reset()
		}
		paragraph.WriteString(line)
	}
	flush()
}

// references writes the links of a paragraph that name their URL.
func (m *markdown) references(paragraph string) {
	for _, match := range referenceLink.FindAllStringSubmatch(paragraph, -1) {
		name := match[2]
		if name == "" {
			name = match[1]
		}
		for _, url := range m.definitions[labelOf(name)] {
			m.write(match[1], url)
		}
	}
}

// write writes a link to a URL.
func (m *markdown) write(text, url string) {
	if m.room -= len(text) + len(url); m.room >= 0 {
		writeLink(&m.html, plainOfMarkdown(text), plainOfMarkdown(url))
	}
}

// plainOfMarkdown returns a text without backslash escapes and character references.
func plainOfMarkdown(text string) string {
	if strings.Contains(text, `\`) {
		text = markdownEscape.ReplaceAllString(text, "$1")
	}
	return html.UnescapeString(text)
}

// writeLink writes a link as a line of HTML.
func writeLink(b *strings.Builder, text, url string) {
	b.WriteString(`<a href="` + html.EscapeString(url) + `">` + html.EscapeString(text) + "</a>\n")
}
