package layout

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoFolderHasACircle: a file may use names of the files below it, and none of
// these uses names of it, so that each file can be read without those above.
func TestNoFolderHasACircle(t *testing.T) {
	packages := listPackages(t, "ImportPath,Dir,GoFiles,Export,DepOnly", "-export", "-deps")
	exports := make(map[string]string)
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		name, own := strings.CutPrefix(p.ImportPath, module)
		if !own || p.DepOnly {
			continue
		}
		sources := make(map[string]any)
		for _, file := range p.GoFiles {
			sources[filepath.Join(p.Dir, file)] = nil
		}
		uses, err := usesOf(files, p.ImportPath, imports, sources)
		if err != nil {
			t.Fatal(err)
		}
		for _, circle := range uses.circles() {
			t.Errorf("%s: files use each other in a circle: move names to a file below\n%s", name, uses.describe(circle))
		}
	}
}

// uses are the names that files of a package use of each other: user, used file,
// names.
type uses map[string]map[string]map[string]bool

// usesOf type-checks the files of a package. sources are their paths with the text,
// or nil for the text on disk.
func usesOf(files *token.FileSet, path string, imports types.Importer, sources map[string]any) (uses, error) {
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		file, err := parser.ParseFile(files, name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	info := types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: imports}
	own, err := config.Check(path, files, parsed, &info)
	if err != nil {
		return nil, err
	}
	all := make(uses)
	for name, object := range info.Uses {
		if object.Pkg() == own {
			all.add(baseName(files, name.Pos()), baseName(files, object.Pos()), name.Name)
		}
	}
	return all, nil
}

func baseName(files *token.FileSet, pos token.Pos) string {
	return filepath.Base(files.Position(pos).Filename)
}

func (u uses) add(user, used, name string) {
	if user == used {
		return
	}
	if u[user] == nil {
		u[user] = make(map[string]map[string]bool)
	}
	if u[user][used] == nil {
		u[user][used] = make(map[string]bool)
	}
	u[user][used][name] = true
}

// circles returns the largest sets of files in which each uses each other one,
// directly or through others.
func (u uses) circles() [][]string {
	reached := make(map[string]map[string]bool)
	for file := range u {
		reached[file] = make(map[string]bool)
		u.reach(file, reached[file])
	}
	var all [][]string
	known := make(map[string]bool)
	for _, file := range slices.Sorted(maps.Keys(u)) {
		if known[file] || !reached[file][file] {
			continue
		}
		var circle []string
		for _, other := range slices.Sorted(maps.Keys(reached[file])) {
			if reached[other][file] {
				circle = append(circle, other)
				known[other] = true
			}
		}
		all = append(all, circle)
	}
	return all
}

// reach adds the files that a file uses, directly or through others.
func (u uses) reach(file string, reached map[string]bool) {
	for used := range u[file] {
		if !reached[used] {
			reached[used] = true
			u.reach(used, reached)
		}
	}
}

// describe lists the names that tie a circle, a line for each two files.
func (u uses) describe(circle []string) string {
	var b strings.Builder
	for _, user := range circle {
		for _, used := range circle {
			if names := u[user][used]; names != nil {
				fmt.Fprintf(&b, "\t%s uses of %s: %s\n", user, used, strings.Join(slices.Sorted(maps.Keys(names)), " "))
			}
		}
	}
	return b.String()
}

// Each way to use a name of another file ties a circle.
func TestCircleIsFound(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"nothing", "const A = 1", "const B = 1", ""},
		{"one way", "const A = B", "const B = 1", ""},
		{"constant", "const A = B", "const B = 1\nvar x = A", "a.go uses of b.go: B; b.go uses of a.go: A"},
		{"type", "type A struct{ next *B }", "type B struct{ before *A }", "a.go uses of b.go: B; b.go uses of a.go: A"},
		{"function", "func a() { b() }", "func b() { a() }", "a.go uses of b.go: b; b.go uses of a.go: a"},
		{"receiver", "type A struct{}\nfunc use(a A) { a.m() }", "func (A) m() {}", "a.go uses of b.go: m; b.go uses of a.go: A"},
		{"field", "type A struct{ f int }\nvar x = newA().f", "func newA() A { return A{f: 1} }", "a.go uses of b.go: newA; b.go uses of a.go: A f"},
		{"embedded", "type A struct{ B }\nvar x = A{}.f", "type B struct{ f int }\nvar y A", "a.go uses of b.go: B f; b.go uses of a.go: A"},
		{"generic", "type A[T any] struct{}\nfunc (A[T]) m() { b() }", "func b() { A[int]{}.m() }", "a.go uses of b.go: b; b.go uses of a.go: A m"},
		{"interface", "type A interface{ m() B }", "type B struct{}\nfunc use(a A) { a.m() }", "a.go uses of b.go: B; b.go uses of a.go: A m"},
		{"local of the same name", "func a() {}\nfunc x() { b() }", "func b() { a := 1; _ = a }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources := map[string]any{"a.go": "package p\n" + c.a, "b.go": "package p\n" + c.b}
			checkDescription(t, sources, c.want)
		})
	}
}

// A circle through any number of files is found as one, without those that only use it
// or that it only uses.
func TestLongCircle(t *testing.T) {
	for n := 2; n < 8; n++ {
		sources := map[string]any{
			"bottom.go": "package p\nfunc bottom() {}",
			"top.go":    "package p\nfunc top() { f0(); bottom() }",
		}
		for i := range n {
			sources[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\nfunc f%d() { f%d(); bottom() }", i, (i+1)%n)
		}
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("f%d.go uses of f%d.go: f%[2]d", i, (i+1)%n))
		}
		checkDescription(t, sources, strings.Join(lines, "; "))
	}
}

func checkDescription(t *testing.T, sources map[string]any, want string) {
	t.Helper()
	uses, err := usesOf(token.NewFileSet(), "p", nil, sources)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, circle := range uses.circles() {
		for line := range strings.Lines(uses.describe(circle)) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if got := strings.Join(lines, "; "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
