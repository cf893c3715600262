package manual

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reasonPackages are the packages with reason codes, and how many each has at least.
var reasonPackages = []struct {
	folder, heading string
	atLeast         int
}{
	{"mime", "The form of the message, and edits of it", 30},
	{"filter", "The filter", 30},
	{"internal/mailserver", "Both servers", 4},
	{"milter", "The milter", 2},
	{"contentfilter", "The content filter", 5},
	{"internal/httpapi", "The HTTP API", 2},
}

func writeReasons(tb testing.TB, b *strings.Builder, root string) {
	tb.Helper()
	b.WriteString(`
## Reasons

These codes are stable. The log and the metrics have them; [operation.md](operation.md#reasons) says
what to do about some.
`)
	for _, p := range reasonPackages {
		list := reasonsOf(tb, filepath.Join(root, filepath.FromSlash(p.folder)))
		if len(list) < p.atLeast {
			tb.Errorf("only %d reasons in package %s", len(list), p.folder)
		}
		fmt.Fprintf(b, "\n### %s\n\n", p.heading)
		for _, reason := range slices.Sorted(maps.Keys(list)) {
			fmt.Fprintf(b, "- %s: %s\n", code(reason), list[reason])
		}
	}
}

// reasonsOf returns the constants of type Reason of a package, with their comments.
func reasonsOf(tb testing.TB, folder string) map[string]string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		tb.Fatal(err)
	}
	list := make(map[string]string)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			tb.Fatal(err)
		}
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				addReasons(tb, list, group)
			}
		}
	}
	return list
}

// addReasons adds the reasons of a const declaration. Its own comment is that of a
// single constant.
func addReasons(tb testing.TB, list map[string]string, group *ast.GenDecl) {
	tb.Helper()
	for _, s := range group.Specs {
		spec := s.(*ast.ValueSpec)
		if !isReason(spec.Type) {
			continue
		}
		comment := spec.Comment.Text()
		if comment == "" {
			comment = spec.Doc.Text()
		}
		if comment == "" && !group.Lparen.IsValid() {
			comment = group.Doc.Text()
		}
		for _, value := range spec.Values {
			if literal, ok := value.(*ast.BasicLit); ok {
				reason, err := strconv.Unquote(literal.Value)
				if err != nil {
					tb.Fatal(err)
				}
				list[reason] = sentence(tb, reason, comment)
			}
		}
	}
}

// isReason reports whether a type is called Reason, of whatever package.
func isReason(kind ast.Expr) bool {
	if selector, ok := kind.(*ast.SelectorExpr); ok {
		kind = selector.Sel
	}
	name, ok := kind.(*ast.Ident)
	return ok && name.Name == "Reason"
}

var (
	ownName    = regexp.MustCompile(`^[Rr]eason[A-Za-z0-9]+:? (is |says that )?`)
	docLink    = regexp.MustCompile(`\[([A-Z]\w+)\]`)
	goName     = regexp.MustCompile(`\b(?:Options\.Engine|Options|Limits)\.\w+|\bMaxHeaderEdits\b`)
	keysOfName = map[string]string{
		"Limits.Message":            "`limits.message`",
		"Limits.Text":               "`limits.text`",
		"Limits.Growth":             "`limits.growth`",
		"Limits.Result":             "`limits.result`",
		"Limits.HeaderBytes":        "`limits.header`",
		"Limits.Depth":              "`limits.depth`",
		"Limits.Parts":              "`limits.parts`",
		"Options.Engine.MaxLinks":   "`limits.links`",
		"Options.Engine.MaxLinkLen": "8 KiB",
		"Options.PassBareLineEnds":  "`content_filter.bare_line_ends`",
		"Options.MaxHops":           "`content_filter.max_hops`",
		"Options.MaxSize":           "`content_filter.max_size`",
		"MaxHeaderEdits":            "64",
	}
)

// sentence is the comment of a constant, with the keys of the configuration in place of
// the names of the code.
func sentence(tb testing.TB, reason, text string) string {
	tb.Helper()
	text = strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".")
	text = ownName.ReplaceAllString(text, "")
	text = docLink.ReplaceAllString(text, "$1")
	text = goName.ReplaceAllStringFunc(text, func(name string) string {
		if keysOfName[name] == "" {
			tb.Errorf("reason %s: %q has no key", reason, name)
		}
		return keysOfName[name]
	})
	if text == "" {
		tb.Errorf("reason %s has no comment", reason)
	}
	return text
}
