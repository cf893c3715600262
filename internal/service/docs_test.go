package service

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/dnslist"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	documents "github.com/linkmilter/linkmilter/internal/test/manual"
	"github.com/linkmilter/linkmilter/policy"
)

func operationManual(tb testing.TB) string {
	tb.Helper()
	return document(tb, "operation.md")
}

func document(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(env.Root(tb), "docs", name))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// reasons returns the values of all constants of type Reason in a package.
func reasons(tb testing.TB, folder string) []string {
	tb.Helper()
	var values []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && path != "." {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, path), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if isReason(spec.Type) {
				for _, value := range spec.Values {
					if literal, ok := value.(*ast.BasicLit); ok {
						text, err := strconv.Unquote(literal.Value)
						if err != nil {
							tb.Fatal(err)
						}
						values = append(values, text)
					}
				}
			}
			return false
		})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return values
}

// isReason reports whether a type is called Reason, of whatever package.
func isReason(kind ast.Expr) bool {
	if selector, ok := kind.(*ast.SelectorExpr); ok {
		kind = selector.Sel
	}
	name, ok := kind.(*ast.Ident)
	return ok && name.Name == "Reason"
}

// TestReasonsAreDocumented: the manual has every reason of the log and of the metrics.
func TestReasonsAreDocumented(t *testing.T) {
	manual := document(t, "reference.md")
	for name, atLeast := range map[string]int{"mime": 5, "filter": 5, "internal/mailserver": 4, "milter": 2, "contentfilter": 5} {
		list := reasons(t, filepath.Join(env.Root(t), filepath.FromSlash(name)))
		if len(list) < atLeast {
			t.Errorf("only %d reasons found in package %s", len(list), name)
		}
		for _, reason := range list {
			if !strings.Contains(manual, "`"+reason+"`") {
				t.Errorf("reason %s of package %s is not in docs/reference.md", reason, name)
			}
		}
	}
}

// TestMetricsAreDocumented: the manual has every metric, and no document names one that does not
// exist.
func TestMetricsAreDocumented(t *testing.T) {
	s := &service{options: Options{Log: newLogs()}, level: levelOf()}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	s.filter.lists.Use([]lists.Source{{Name: "feed", File: "/etc/linkmilter/feed", Means: lists.Block}})
	s.filter.dns.Use(dnslist.Options{Zones: []dnslist.Zone{{Name: "dbl", Zone: "dbl.example"}}})
	// Counters with labels appear with their first message.
	s.metrics.Message(&mailserver.Event{
		ActionReason: "not-granted",
		Report: &report.Report{
			Reasons: []report.Reason{"too-many-links"}, NotDone: "not-asked", NotSigned: "no-key",
			Findings: []policy.Finding{{Code: report.CodePartial}},
		},
	})
	s.metrics.Marked(report.CodePartial, "wrong")
	w := httptest.NewRecorder()
	s.metrics.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	manual := document(t, "reference.md")
	there := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^# TYPE (linkmilter_\S+)`).FindAllStringSubmatch(w.Body.String(), -1) {
		there[match[1]] = true
		if !regexp.MustCompile("`" + match[1] + "[`{]").MatchString(manual) {
			t.Errorf("%s is not in docs/reference.md", match[1])
		}
	}
	for _, d := range documents.All(t) {
		for _, line := range d.Lines {
			for _, name := range regexp.MustCompile(`linkmilter_[a-z_]+[a-z]`).FindAllString(line.Text, -1) {
				if !there[name] && name != "linkmilter_checks" && name != "linkmilter_own" { // files and names of mail servers
					t.Errorf("%s:%d: metric %s: not known", d.Path, line.Number, name)
				}
			}
		}
	}
}

// TestLogIsDocumented: the code logs each message and key that the manual explains.
func TestLogIsDocumented(t *testing.T) {
	var code strings.Builder
	err := fs.WalkDir(os.DirFS(env.Root(t)), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(env.Root(t), filepath.FromSlash(path)))
		code.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(operationManual(t), "\n## The log\n")
	section, _, _ = strings.Cut(section, "\n## ")
	total := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(section, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			total++
			if !strings.Contains(code.String(), `"`+name[1]) {
				t.Errorf("the log has no message or key %q", name[1])
			}
		}
	}
	for _, block := range documents.Read(t, "docs/operation.md").Blocks("log") {
		for _, key := range regexp.MustCompile(`(?:^| )([a-z_]+)=`).FindAllStringSubmatch(block.Text, -1) {
			total++
			if name := key[1]; name != "level" && name != "msg" && !strings.Contains(code.String(), `"`+name+`"`) {
				t.Errorf("the log has no key %q", name)
			}
		}
	}
	if total < 50 {
		t.Errorf("only %d messages and keys found", total)
	}
}
