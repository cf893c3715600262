package manual

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

var update = flag.Bool("update", false, "write docs/reference.md again")

const head = `<!-- Made of the code: go test ./internal/test/manual -update -->

# Reference

Every key of the configuration, every metric and every reason code. [rules.md](rules.md) explains
the rules, [operation.md](operation.md) the log and the limits, [findings.md](findings.md) the
findings.

- [Configuration](#configuration)
- [Metrics](#metrics)
- [Reasons](#reasons)
`

// TestReferenceIsCurrent keeps docs/reference.md what the code says.
func TestReferenceIsCurrent(t *testing.T) {
	root := env.Root(t)
	var b strings.Builder
	b.WriteString(head)
	writeKeys(&b)
	writeMetrics(t, &b)
	writeReasons(t, &b, root)
	path := filepath.Join(root, "docs", "reference.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), string(have)); diff != "" {
		t.Errorf("docs/reference.md is stale (-want +got); go test ./internal/test/manual -update writes it:\n%s", diff)
	}
}

// escaper keeps plain text from being read as Markdown or HTML.
var escaper = strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`, "[", `\[`)

// item writes an item of a list: a name, in parentheses its kind if there is one, and
// its description, plain text with code in backquotes.
func item(b *strings.Builder, name, kind, help string) {
	b.WriteString("- " + code(name))
	if kind != "" {
		b.WriteString(" (" + kind + ")")
	}
	pieces := strings.Split(help, "`")
	for i := 0; i < len(pieces); i += 2 {
		pieces[i] = escaper.Replace(pieces[i])
	}
	b.WriteString(": " + strings.Join(pieces, "`") + "\n")
}

// code marks text as code.
func code(text string) string { return "`" + text + "`" }
