package manual

import (
	"strings"
	"testing"
)

// Block is a block of code.
type Block struct {
	Line     int // of its first line of code
	Language string
	Text     string // without the indentation of a list
}

// Blocks returns the blocks in one of the languages, or all of them.
func (d *Document) Blocks(languages ...string) []Block {
	var blocks []Block
	var indent string
	inside := false
	for i, line := range d.Lines {
		switch {
		case line.Fence && !inside:
			inside = true
			indent = line.Text[:strings.Index(line.Text, "`")]
			block := Block{Line: line.Number + 1, Language: "none"}
			if i+1 < len(d.Lines) {
				block.Language = d.Lines[i+1].Language
			}
			blocks = append(blocks, block)
		case line.Fence:
			inside = false
		case inside:
			last := &blocks[len(blocks)-1]
			last.Text += strings.TrimPrefix(line.Text, indent) + "\n"
		}
	}
	if len(languages) == 0 {
		return blocks
	}
	var wanted []Block
	for _, block := range blocks {
		for _, language := range languages {
			if block.Language == language {
				wanted = append(wanted, block)
			}
		}
	}
	return wanted
}

// Below returns the first block in a language below the line that begins with text.
func (d *Document) Below(tb testing.TB, text, language string) Block {
	tb.Helper()
	for _, line := range d.Lines {
		if !strings.HasPrefix(line.Text, text) {
			continue
		}
		for _, block := range d.Blocks(language) {
			if block.Line > line.Number {
				return block
			}
		}
	}
	tb.Fatalf("%s: no block in %s below %q", d.Path, language, text)
	return Block{}
}

// Titled returns the lines of the block whose first line is the comment "# title", below
// that line.
func (d *Document) Titled(tb testing.TB, title string) string {
	tb.Helper()
	for _, block := range d.Blocks() {
		if rest, found := strings.CutPrefix(block.Text, "# "+title+"\n"); found {
			return rest
		}
	}
	tb.Fatalf("%s: no block begins with the comment %q", d.Path, title)
	return ""
}
