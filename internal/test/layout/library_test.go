package layout

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// libraries are the packages that other programs may build on.
var libraries = []string{"engine", "engine/linkify", "engine/tld", "policy", "policy/uts39"}

// libraryDependencies are what the libraries may pull in besides each other, helpers
// in internal and the standard library.
var libraryDependencies = []string{
	"golang.org/x/net/", "golang.org/x/text/",
	"github.com/nlnwa/whatwg-url/", "github.com/bits-and-blooms/bitset", // which whatwg-url needs
}

// TestProgramsWithALibrary builds a program of another module that imports one
// library. It gets neither the mail part of linkmilter nor its dependencies.
func TestProgramsWithALibrary(t *testing.T) {
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			program := newProgram(t, library)
			if out, err := program.run("build", "-o", os.DevNull, "."); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			out, err := program.run("list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
			if err != nil {
				t.Fatalf("go list: %v\n%s", err, out)
			}
			paths := strings.Fields(out)
			if !slices.Contains(paths, module+library) {
				t.Fatalf("go list -deps: %q", out)
			}
			for _, path := range paths {
				if path != program.path && !mayPullIn(library, path) {
					t.Errorf("%s pulls in %s", library, path)
				}
			}
		})
	}
}

// TestDependenciesAreDocumented: docs/library.md names the libraries of linkmilter and the
// modules of others that a program gets with engine and policy.
func TestDependenciesAreDocumented(t *testing.T) {
	doc := readFile(t, env.Root(t), "docs/library.md")
	_, common, _ := strings.Cut(doc, "\n| `engine` | ")
	common, _, _ = strings.Cut(common, "\n")
	for _, library := range []string{"engine", "policy"} {
		_, row, _ := strings.Cut(doc, "\n| `"+library+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Module.Path}}{{end}}", module+library).Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			path, of, _ := strings.Cut(strings.TrimSpace(line), " ")
			own, isOwn := strings.CutPrefix(path, module)
			switch {
			case isOwn && (own == library || strings.HasPrefix(own, "internal/")):
			case isOwn && !strings.Contains(row, "`"+own+"`"):
				t.Errorf("the row of %s in docs/library.md lacks %s", library, own)
			case !isOwn && !strings.Contains(row+common, of):
				t.Errorf("the row of %s in docs/library.md lacks %s", library, of)
			}
		}
	}
}

// mayPullIn reports whether a program that imports the library may get a package.
func mayPullIn(library, path string) bool {
	if own, ok := strings.CutPrefix(path, module); ok {
		isPolicy := strings.HasPrefix(own, "policy")
		switch {
		case strings.HasPrefix(own, "internal/"):
			return !strings.HasPrefix(own, "internal/test/")
		case isPolicy && !strings.HasPrefix(library, "policy"):
			return false
		}
		return slices.Contains(libraries, own)
	}
	return slices.ContainsFunc(libraryDependencies, func(p string) bool { return strings.HasPrefix(path, p) })
}

// TestMayPullIn: the check of the dependencies refuses the rest of linkmilter.
func TestMayPullIn(t *testing.T) {
	for _, c := range []struct {
		library, path string
		want          bool
	}{
		{"engine", module + "engine/tld", true},
		{"engine", module + "internal/ascii", true},
		{"engine", module + "policy", false},
		{"policy", module + "engine", true},
		{"policy", module + "filter", false},
		{"policy", module + "internal/test/env", false},
		{"policy", "golang.org/x/net/idna", true},
		{"policy", "github.com/emersion/go-message", false},
	} {
		if got := mayPullIn(c.library, c.path); got != c.want {
			t.Errorf("%s, %s: %t", c.library, c.path, got)
		}
	}
}

// A program is a module of its own, whose only package imports a library.
type program struct{ path, folder string }

// newProgram writes a program. It has the versions of modules that linkmilter has.
func newProgram(t *testing.T, library string) program {
	t.Helper()
	p := program{path: "program.example/use", folder: t.TempDir()}
	root := env.Root(t)
	own := strings.TrimSuffix(module, "/")
	goMod := strings.Replace(readFile(t, root, "go.mod"), "module "+own, "module "+p.path, 1)
	goMod += "\nrequire " + own + " v0.0.0\n\nreplace " + own + " => " + root + "\n"
	for name, text := range map[string]string{
		"go.mod":  goMod,
		"go.sum":  readFile(t, root, "go.sum"),
		"main.go": "package main\n\nimport _ \"" + module + library + "\"\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(p.folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// run runs the go command in the folder of the program and returns its output.
func (p program) run(arguments ...string) (string, error) {
	cmd := exec.Command("go", arguments...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func readFile(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
