package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/gcexportdata"
)

var update = flag.Bool("update", false, "accept the exported names of the libraries")

const module = "github.com/linkmilter/linkmilter/"

// libraries are the packages that other programs may build on.
var libraries = []string{"engine", "engine/linkify", "engine/tld", "policy", "policy/uts39"}

// TestCompatible: a program that builds with the accepted names also builds with those of today, by
// the rules of apidiff.
func TestCompatible(t *testing.T) {
	now := exports(t)
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			file := filepath.Join("testdata", path.Base(library)+".export")
			current, err := now.Import(module + library)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(file, exportData(t, current), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			accepted, err := gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), make(map[string]*types.Package), module+library)
			if err != nil {
				t.Fatal(err)
			}
			if len(accepted.Scope().Names()) == 0 {
				t.Fatal("no accepted names")
			}
			broken, added := changes(accepted, current)
			for _, change := range broken {
				t.Errorf("package %s: incompatible: %s", library, change)
			}
			if len(broken) > 0 {
				t.Error("Programs that use the library would no longer build. Keep the name, or accept the change:\n" +
					"go test ./internal/test/api -update\n" +
					"and name it in CHANGELOG.md under Changed or Removed, for the next version by docs/library.md.")
			}
			for _, change := range added {
				t.Logf("package %s: compatible: %s", library, change)
			}
		})
	}
}

// changes returns the incompatible and the compatible changes of a package.
func changes(accepted, current *types.Package) (broken, added []string) {
	for _, change := range apidiff.Changes(accepted, current).Changes {
		if change.Compatible {
			added = append(added, change.Message)
		} else {
			broken = append(broken, change.Message)
		}
	}
	return broken, added
}

// exportData returns the exported names of a package in the format of the compiler,
// without the places of files.
func exportData(t *testing.T, p *types.Package) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gcexportdata.Write(&out, token.NewFileSet(), p); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// exports returns the libraries of today, and all that they import.
func exports(t *testing.T) types.Importer {
	t.Helper()
	arguments := []string{"list", "-json=ImportPath,Export", "-export", "-deps"}
	for _, library := range libraries {
		arguments = append(arguments, module+library)
	}
	out, err := exec.Command("go", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("package %q is not listed", path)
		}
		return os.Open(files[path])
	})
}

// TestChanges: the check finds changes that break programs, also if the accepted names come from a
// file.
func TestChanges(t *testing.T) {
	const accepted = "package p; type T struct{ A int }; func (T) M() {}; func F(string) {}; const C = 1"
	for source, want := range map[string]string{
		accepted:                            "0 broken, 0 added",
		accepted + "; func G() {}; var V T": "0 broken, 2 added",
		strings.Replace(accepted, "A int", "A, B int", 1):                                             "0 broken, 1 added",
		strings.Replace(accepted, "F(string)", "F(string, int)", 1):                                   "1 broken, 0 added",
		strings.Replace(accepted, "A int", "A string", 1):                                             "1 broken, 0 added",
		strings.Replace(accepted, "func (T) M() {};", "", 1):                                          "1 broken, 0 added",
		strings.Replace(strings.Replace(accepted, "const C = 1", "", 1), "func F", "func Renamed", 1): "2 broken, 1 added",
	} {
		data := exportData(t, typesOf(t, accepted))
		again, err := gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), make(map[string]*types.Package), "p")
		if err != nil {
			t.Fatal(err)
		}
		broken, added := changes(again, typesOf(t, source))
		if got := fmt.Sprintf("%d broken, %d added", len(broken), len(added)); got != want {
			t.Errorf("%s: %s, want %s: %q %q", source, got, want, broken, added)
		}
	}
}

// typesOf type-checks the source of a package.
func typesOf(t *testing.T, source string) *types.Package {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("p", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
