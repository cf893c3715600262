package manual

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// languages are the languages of blocks of code. Each has a test: in cmd/linkmilter for sh,
// console, toml and go, in internal/service for promql and log, in filter for mail and the recipes,
// in internal/test/e2e for postfix and exim. Blocks for other programs follow their manuals.
var languages = []string{
	"console", "exim", "go", "ini", "log", "lua", "mail", "postfix", "promql", "sendmail", "sh",
	"sieve", "smtpd", "spamassassin", "text", "toml",
}

// generated are the pages that the program's tables generate, whose form is not checked.
var generated = []string{"docs/findings.md", "docs/reference.md"}

func TestBlocksHaveALanguage(t *testing.T) {
	total := 0
	for _, d := range All(t) {
		for _, block := range d.Blocks() {
			total++
			if !slices.Contains(languages, block.Language) {
				t.Errorf("%s:%d: block in the language %q, which has no test", d.Path, block.Line, block.Language)
			}
		}
		for _, line := range d.text() {
			if !slices.Contains(generated, d.Path) && strings.HasPrefix(line.Text, "    ") && !tenth(d, line.Number) {
				t.Errorf("%s:%d: indented line: write a block with a language, or less indentation", d.Path, line.Number)
			}
		}
	}
	if total < 40 {
		t.Errorf("only %d blocks found", total)
	}
}

// tenth reports whether a line belongs to the tenth or a later item of a list, whose text
// has four spaces in front.
func tenth(d *Document, number int) bool {
	for i := number - 1; i >= 0 && strings.TrimSpace(d.Lines[i].Text) != ""; i-- {
		if text := d.Lines[i].Text; len(text) > 4 && text[0] >= '1' && text[0] <= '9' && text[2:4] == ". " {
			return true
		}
	}
	return false
}

// TestLinksLead: each relative link names a file of the project, and its anchor a heading.
func TestLinksLead(t *testing.T) {
	total := 0
	for _, d := range All(t) {
		for _, l := range d.Links() {
			if strings.Contains(l.Target, ":") {
				continue
			}
			total++
			name, anchor, _ := strings.Cut(l.Target, "#")
			target := d.Path
			if name != "" {
				target = path.Join(path.Dir(d.Path), name)
			}
			if _, err := os.Stat(filepath.Join(env.Root(t), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s:%d: link to %s: no such file", d.Path, l.Line, target)
				continue
			}
			if anchor != "" && !slices.Contains(Read(t, target).Headings(), anchor) {
				t.Errorf("%s:%d: link to %s: it has no heading %q", d.Path, l.Line, target, anchor)
			}
		}
	}
	if total < 80 {
		t.Errorf("only %d links found", total)
	}
}

// TestIndexNamesEachPage: docs/README.md links each page once, and describes it.
func TestIndexNamesEachPage(t *testing.T) {
	index := Read(t, "docs/README.md")
	entries, err := os.ReadDir(filepath.Join(env.Root(t), "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if path.Ext(entry.Name()) == ".png" {
			continue // pages show pictures
		}
		count := 0
		for _, l := range index.Links() {
			if l.Target == entry.Name() {
				count++
			}
		}
		if want := 1; count != want && entry.Name() != "README.md" {
			t.Errorf("docs/README.md links %s %d times, want once", entry.Name(), count)
		}
	}
}

// TestLinesAreWrapped: text has at most 100 columns; only rows of tables and links may have
// more.
func TestLinesAreWrapped(t *testing.T) {
	for _, d := range All(t) {
		for _, line := range d.Lines {
			if slices.Contains(generated, d.Path) || strings.HasPrefix(line.Text, "|") || line.Language != "" {
				continue
			}
			if n := utf8.RuneCountInString(line.Text); n > 100 {
				t.Errorf("%s:%d: %d columns, want at most 100", d.Path, line.Number, n)
			}
		}
	}
}

func TestParse(t *testing.T) {
	d := parse("x.md", "# A `b` & C\n\ntext `one\ntwo` [l](y.md#z) `[no](link)`\n\n- item\n\n  ```sh\n  make x\n    y\n  ```\n\n```\nplain\n```\n")
	if got := d.Headings(); !slices.Equal(got, []string{"a-b--c"}) {
		t.Errorf("headings %q", got)
	}
	if got := d.Links(); !slices.Equal(got, []Link{{4, "y.md#z"}}) {
		t.Errorf("links %v", got)
	}
	if got := d.Code(); !slices.Equal(got, []Span{{1, "b"}, {3, "one two"}, {4, "[no](link)"}}) {
		t.Errorf("code %v", got)
	}
	if got := d.Blocks(); !slices.Equal(got, []Block{{9, "sh", "make x\n  y\n"}, {14, "none", "plain\n"}}) {
		t.Errorf("blocks %v", got)
	}
	if got := d.Blocks("go"); got != nil {
		t.Errorf("blocks in Go: %v", got)
	}
}

// forDevelopers are the pages that name parts of the code.
var forDevelopers = []string{"docs/design.md", "docs/development.md", "docs/performance.md"}

// TestNamesExist: the files, tests and identifiers that the documents name are in the
// repository.
func TestNamesExist(t *testing.T) {
	root := env.Root(t)
	var code strings.Builder
	sources := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		sources[filepath.Base(path)] = true
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		code.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile(`^[a-z][a-z0-9_.-]*(/[A-Za-z0-9_.-]+)+$`)
	name := regexp.MustCompile(`^[A-Z][a-z]+[A-Z][A-Za-z]+$`)
	total := 0
	for _, d := range All(t) {
		for _, span := range d.Code() {
			switch {
			case strings.HasSuffix(span.Text, ".go") && !strings.ContainsAny(span.Text, "/ "):
				total++
				if !sources[span.Text] {
					t.Errorf("%s:%d: no file %s", d.Path, span.Line, span.Text)
				}
			case name.MatchString(span.Text) && slices.Contains(forDevelopers, d.Path):
				total++
				if !regexp.MustCompile(`\b` + span.Text + `\b`).MatchString(code.String()) {
					t.Errorf("%s:%d: no name %s", d.Path, span.Line, span.Text)
				}
			case file.MatchString(span.Text):
				top, _, _ := strings.Cut(span.Text, "/")
				if _, err := os.Stat(filepath.Join(root, top)); err != nil || top == "bin" || strings.HasSuffix(span.Text, "/...") {
					continue
				}
				total++
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(span.Text))); err != nil {
					t.Errorf("%s:%d: no file %s", d.Path, span.Line, span.Text)
				}
			}
		}
	}
	if total < 20 {
		t.Errorf("only %d names found", total)
	}
}

// TestPackagesAreDescribed: docs/development.md has each package, or the folder that holds it.
func TestPackagesAreDescribed(t *testing.T) {
	root := env.Root(t)
	described := map[string]bool{}
	for _, code := range Read(t, "docs/development.md").Code() {
		described[strings.TrimSuffix(code.Text, "/...")] = true
	}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		for name := filepath.ToSlash(folder); ; name = path.Dir(name) {
			if described[name] || name == "bench" {
				return nil
			}
			if name == "." {
				t.Errorf("docs/development.md does not describe %s", folder)
				return filepath.SkipDir
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
