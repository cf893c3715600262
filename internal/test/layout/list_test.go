package layout

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"testing"
)

const module = "github.com/linkmilter/linkmilter/"

// listed is a package as the go command lists it, with the fields that a test asks for.
type listed struct {
	ImportPath string
	Imports    []string
	Dir        string
	GoFiles    []string
	Export     string // file with the types of its exported names
	DepOnly    bool   // not asked for, but imported
}

// listPackages lists the packages of the module with the given fields. flags are those of
// the go command.
func listPackages(t *testing.T, fields string, flags ...string) []listed {
	t.Helper()
	arguments := append([]string{"list", "-json=" + fields}, flags...)
	cmd := exec.Command("go", append(arguments, module+"...")...)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var packages []listed
	for dec := json.NewDecoder(out); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return packages
}
