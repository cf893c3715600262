package rendering

import (
	"context"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/mime"
)

// Diff returns a unified diff of two messages. Header fields and texts are decoded, so that a
// transfer encoding hides nothing, and controls are escaped. The diff is empty if the messages do
// not differ.
func Diff(name string, before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	if text := udiff.Unified(name, name+" (edited)", readableForm(before), readableForm(after)); text != "" {
		return text
	}
	return "the messages differ only in how they are encoded\n"
}

// readableForm returns a message as lines that people can read: the fields, and each
// part under a heading.
func readableForm(raw []byte) string {
	m := mime.Parse(context.Background(), raw, mime.DefaultLimits())
	var b strings.Builder
	for _, f := range m.Root.Fields {
		fmt.Fprintf(&b, "%s: %s\n", printable.Text(f.Name), printable.Text(m.DecodedValue(f)))
	}
	for leaf := range m.Leaves() {
		fmt.Fprintf(&b, "\n[part %s, %s]\n", leaf.Number, printable.Text(leaf.MediaType))
		if !strings.HasPrefix(leaf.MediaType, "text/") {
			fmt.Fprintf(&b, "%d bytes\n", len(m.Body(leaf)))
			continue
		}
		text, err := m.Text(leaf)
		if err != nil {
			fmt.Fprintf(&b, "%s\n", err)
			continue
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
		b.WriteString(printable.Lines(strings.TrimSuffix(text, "\n")) + "\n")
	}
	return b.String()
}
