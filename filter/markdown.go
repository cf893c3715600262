package filter

import (
	"html"
	"regexp"
	"strings"
)

// maxMarkdown is the length in bytes of the longest Markdown that is read.
const maxMarkdown = 1 << 20

var (
	markdownQuote = regexp.MustCompile(`(?m)^[ \t]*>[ \t>]*`)
	markdownImage = regexp.MustCompile(`!\[([^\[\]]*)\]\([^()]*\)`)
	// markdownLink matches [text](URL), [text][name] and [text]. No line of the text is blank.
	markdownLink       = regexp.MustCompile(`\[((?:(?:\r?\n)?(?:[^\[\]\\\r\n]|\\.))+)(?:\r?\n)?\](?:\(\s*<?([^\s()<>]+)|\[([^\[\]]*)\])?`)
	markdownDefinition = regexp.MustCompile(`(?m)^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*\[([^\[\]]+)\]:\s*<?([^\s<>]+)`)
	markdownEscape     = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")
)

// linksOfMarkdown returns the links of a Markdown text as HTML (CommonMark §6.3). whole is false if the
// text, or the links, are too long. Markdown libraries are no choice: hostile text of 256 KiB keeps
// some busy for a minute.
func linksOfMarkdown(source string) (links string, whole bool) {
	if !strings.Contains(source, "](") && !strings.Contains(source, "]:") {
		return "", true
	}
	if len(source) > maxMarkdown {
		return "", false
	}
	source = markdownImage.ReplaceAllString(markdownQuote.ReplaceAllString(source, ""), "$1")
	label := func(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }
	definitions := make(map[string]string) // URLs by name: the first definition counts
	for _, match := range markdownDefinition.FindAllStringSubmatch(source, -1) {
		if name := label(match[1]); definitions[name] == "" {
			definitions[name] = match[2]
		}
	}
	var b strings.Builder
	plain := func(text string) string {
		return html.EscapeString(html.UnescapeString(markdownEscape.ReplaceAllString(text, "$1")))
	}
	for _, match := range markdownLink.FindAllStringSubmatch(source, -1) {
		text, url, name := match[1], match[2], match[3]
		if url == "" && name == "" {
			name = text
		}
		if url == "" {
			url = definitions[label(name)]
		}
		if url != "" {
			b.WriteString(`<a href="` + plain(url) + `">` + plain(text) + "</a>\n")
		}
		if b.Len() > maxHTMLToken { // many may name one long URL
			return b.String(), false
		}
	}
	return b.String(), true
}
