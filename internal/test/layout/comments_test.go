package layout

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestLibrariesAreDocumented: each exported name of a library has a comment, and
// each library has examples that run.
func TestLibrariesAreDocumented(t *testing.T) {
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			p := parseLibrary(t, library)
			if !strings.HasPrefix(p.Doc, "Package "+p.Name+" ") {
				t.Errorf("comment of the package %q", p.Doc)
			}
			names := undocumented(p)
			for _, name := range names {
				t.Errorf("%s has no comment, or one that does not begin with its name", name)
			}
			examples := 0
			for _, e := range allExamples(p) {
				if e.Output == "" && !e.EmptyOutput {
					t.Errorf("example %s does not run: it has no output", e.Name)
				}
				examples++
			}
			if examples == 0 {
				t.Error("no examples")
			}
		})
	}
}

// parseLibrary reads the comments of a package, and its examples.
func parseLibrary(t *testing.T, library string) *doc.Package {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(env.Root(t), library, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(set, files, module+library)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// undocumented returns the exported names without a comment. The comment of a
// function or type begins with its name. A constant, variable or field has a
// comment of its own or behind it, or is in a group that has one.
func undocumented(p *doc.Package) []string {
	var missing []string
	check := func(name, text string) {
		_, base, ok := strings.Cut(name, ".")
		if !ok {
			base = name
		}
		words := strings.Fields(text)
		if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
			words = words[1:]
		}
		if len(words) == 0 || words[0] != base {
			missing = append(missing, name)
		}
	}
	values := append(slices.Clone(p.Consts), p.Vars...)
	functions := slices.Clone(p.Funcs)
	for _, typ := range p.Types {
		check(typ.Name, typ.Doc)
		values = append(append(values, typ.Consts...), typ.Vars...)
		functions = append(functions, typ.Funcs...)
		for _, m := range typ.Methods {
			check(typ.Name+"."+m.Name, m.Doc)
		}
		missing = append(missing, fieldsWithoutComment(typ)...)
	}
	for _, f := range functions {
		check(f.Name, f.Doc)
	}
	for _, v := range values {
		missing = append(missing, valuesWithoutComment(v)...)
	}
	return missing
}

// fieldsWithoutComment returns the exported fields of a struct that have no comment.
func fieldsWithoutComment(typ *doc.Type) []string {
	var missing []string
	for _, spec := range typ.Decl.Specs {
		structure, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range structure.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() && field.Doc == nil && field.Comment == nil {
					missing = append(missing, typ.Name+"."+name.Name)
				}
			}
		}
	}
	return missing
}

// valuesWithoutComment returns the exported constants or variables that have no
// comment.
func valuesWithoutComment(v *doc.Value) []string {
	var missing []string
	for _, spec := range v.Decl.Specs {
		value := spec.(*ast.ValueSpec)
		alone := len(v.Decl.Specs) == 1 && v.Doc != ""
		for _, name := range value.Names {
			if name.IsExported() && value.Doc == nil && value.Comment == nil && !alone {
				missing = append(missing, name.Name)
			}
		}
	}
	return missing
}

// allExamples returns the examples of a package, its functions, types and methods.
func allExamples(p *doc.Package) []*doc.Example {
	all := slices.Clone(p.Examples)
	for _, f := range p.Funcs {
		all = append(all, f.Examples...)
	}
	for _, typ := range p.Types {
		all = append(all, typ.Examples...)
		for _, f := range append(slices.Clone(typ.Funcs), typ.Methods...) {
			all = append(all, f.Examples...)
		}
	}
	return all
}

// TestUndocumented: the check of the comments finds names without one.
func TestUndocumented(t *testing.T) {
	const text = `// Package p is a package.
package p

// A T is a type.
type T struct {
	A int // a field
	B int

	c int
}

// M is a method.
func (T) M() {}

func (T) N() {}

type U int

// The values.
const (
	V U = 1 // a value
	W U = 2
)

// X is alone.
var X = 1

// Another name.
func F() {}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p, err := doc.NewFromFiles(set, []*ast.File{file}, "p")
	if err != nil {
		t.Fatal(err)
	}
	got := undocumented(p)
	slices.Sort(got)
	if want := []string{"F", "T.B", "T.N", "U", "W"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
