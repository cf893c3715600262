package filter

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/filekind"
	"github.com/linkmilter/linkmilter/internal/opening"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/rtf"
	"github.com/linkmilter/linkmilter/internal/script"
)

// readRTF reads rich text, or plain text if the content is no RTF. from is the index of the part's
// first link.
func (c *collector) readRTF(part *report.Part, content string, from int) error {
	if !filekind.IsRTF(filekind.Start([]byte(content[:min(len(content), opening.Sniffed)]))) {
		return c.readPlain(part, content)
	}
	document := rtf.Read(c.ctx, content)
	if document.HasObjects {
		c.opaque(filekind.Office)
	}
	if document.Unknown {
		c.cutPart(part, reasonHTMLTooComplex)
	}
	if err := c.readPlain(part, document.Text); err != nil {
		return err
	}
	c.listNew(from)
	if document.WrapsHTML {
		if err := c.readHTML(part, document.Text); err != nil {
			return err
		}
		c.listNew(from)
	}
	if document.HTML == "" {
		return nil
	}
	return c.readHTML(part, document.HTML)
}

// readEnriched reads enriched text. Some programs also send RTF with this type.
func (c *collector) readEnriched(part *report.Part, content string, from int) error {
	if filekind.IsRTF([]byte(strings.TrimSpace(content))) {
		return c.readRTF(part, content, from)
	}
	if shown := unshown.ReplaceAllString(content, ""); shown != content {
		return c.readHTML(part, shown)
	}
	return nil
}

// unshown matches what programs do not show of enriched text: parameters (RFC 1896), and comments
// of richtext (RFC 1341 §7.1.3).
var unshown = regexp.MustCompile(`(?is)<param>.*?</param>|<comment>.*?</comment>`)

// readJSON reads the strings of JSON or of a script, with escapes decoded.
func (c *collector) readJSON(part *report.Part, content string) error {
	texts, _ := script.Texts(content)
	for _, text := range texts[1:] {
		if err := c.readPlain(part, text); err != nil {
			return err
		}
	}
	plain := script.Unescape(content)
	if script.Decodes(plain) {
		c.opaque(filekind.Script)
	}
	if !strings.Contains(plain, "<") {
		return nil
	}
	return c.readHTML(part, plain)
}

// inflated returns the content of a gzipped SVG, or nil if there is none. It records what was not read.
func (c *collector) inflated(part *report.Part, content []byte) []byte {
	svg, whole := gunzip(content, maxHTMLToken)
	switch {
	case len(svg) == 0:
		c.opaque(filekind.Archive)
		return nil
	case !whole:
		c.cutPart(part, reasonHTMLTooLong)
	}
	return svg
}

// maxInflation is how many times as long as its compressed form a content may be.
const maxInflation = 64

// gunzip returns up to limit bytes of a content in gzip, or nil for another content, and
// whether that is all of it.
func gunzip(content []byte, limit int) (inflated []byte, whole bool) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, false
	}
	defer z.Close()
	limit = min(limit, maxInflation*len(content))
	inflated, _ = io.ReadAll(io.LimitReader(z, int64(limit)+1))
	if len(inflated) > limit {
		return inflated[:limit], false
	}
	return inflated, true
}

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
