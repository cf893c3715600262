package manual

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// Document is one Markdown file.
type Document struct {
	Path  string // below the project's root, with slashes
	Lines []Line
}

// Line is one line of a document.
type Line struct {
	Number int
	Text   string
	// Language is that of the block of code that holds the line; empty for text.
	Language string
	// Fence is set for the lines that begin and end a block.
	Fence bool
}

// All returns every document of the project: those at the top and those in docs.
func All(tb testing.TB) []*Document {
	tb.Helper()
	root := env.Root(tb)
	var documents []*Document
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			tb.Fatal(err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(root, path)
			if err != nil {
				tb.Fatal(err)
			}
			documents = append(documents, Read(tb, filepath.ToSlash(name)))
		}
	}
	return documents
}

// Read returns the document at a path below the project's root.
func Read(tb testing.TB, path string) *Document {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(env.Root(tb), filepath.FromSlash(path)))
	if err != nil {
		tb.Fatal(err)
	}
	return parse(path, string(data))
}

// fence begins or ends a block: three backticks, which a list may indent, and the language.
var fence = regexp.MustCompile("^ *```([a-z]*)$")

func parse(path, text string) *Document {
	d := &Document{Path: path}
	language, inside := "", false
	for number, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		l := Line{Number: number + 1, Text: line, Language: language}
		if match := fence.FindStringSubmatch(line); match != nil {
			l.Fence = true
			if inside = !inside; inside {
				language = match[1]
				if language == "" {
					language = "none"
				}
			} else {
				language = ""
			}
		}
		d.Lines = append(d.Lines, l)
	}
	return d
}

// Headings returns the anchors of the headings, as GitHub makes them.
func (d *Document) Headings() []string {
	var anchors []string
	for _, line := range d.text() {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line.Text, "#"), " "); ok && strings.HasPrefix(line.Text, "#") {
			anchors = append(anchors, anchor(title))
		}
	}
	return anchors
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

func anchor(title string) string {
	return strings.ReplaceAll(strings.ToLower(notInAnchor.ReplaceAllString(title, "")), " ", "-")
}

// Link is a link of a document.
type Link struct {
	Line   int
	Target string
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links returns the links of the text.
func (d *Document) Links() []Link {
	var links []Link
	for _, p := range d.paragraphs() {
		// Brackets within code are not a link.
		text := codeSpan.ReplaceAllStringFunc(p.text, func(code string) string {
			return strings.Map(func(r rune) rune {
				if r == ']' {
					return '_'
				}
				return r
			}, code)
		})
		for _, match := range link.FindAllStringSubmatchIndex(text, -1) {
			links = append(links, Link{p.line(match[0]), text[match[2]:match[3]]})
		}
	}
	return links
}

// A Span is code in the text, between backticks.
type Span struct {
	Line int
	Text string
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// Code returns the code in the text, outside blocks. A span may continue on the next line.
func (d *Document) Code() []Span {
	var list []Span
	for _, p := range d.paragraphs() {
		for _, match := range codeSpan.FindAllStringSubmatchIndex(p.text, -1) {
			list = append(list, Span{p.line(match[0]), strings.Join(strings.Fields(p.text[match[2]:match[3]]), " ")})
		}
	}
	return list
}

// paragraph is text between empty lines and blocks.
type paragraph struct {
	first int // the number of its first line
	text  string
}

// line returns the number of the line at an offset of the text.
func (p paragraph) line(offset int) int { return p.first + strings.Count(p.text[:offset], "\n") }

func (d *Document) paragraphs() []paragraph {
	var list []paragraph
	open := false
	for _, line := range d.Lines {
		if line.Language != "" || line.Fence || strings.TrimSpace(line.Text) == "" {
			open = false
			continue
		}
		if !open {
			list = append(list, paragraph{first: line.Number})
			open = true
		}
		list[len(list)-1].text += line.Text + "\n"
	}
	return list
}

// text returns the lines outside blocks.
func (d *Document) text() []Line {
	return slices.DeleteFunc(slices.Clone(d.Lines), func(l Line) bool { return l.Fence || l.Language != "" })
}
