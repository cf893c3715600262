// Command gen writes the tables of package ucd from the Unicode data files.
//
// It is run by `go generate ./internal/ucd`. The data folder, the one that
// holds the folder of ucd.UnicodeVersion, is -data, else $LINKMILTER_UCD, else shared/unicode beside
// the checkout, else .ucd in the checkout.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A family is one generated file: the tables that answer related questions
// and are read from the same data.
type family struct {
	file  string
	write func(d data, out *source) error
}

// families lists every generated file of package ucd.
var families = []family{
	{"scan_tables.go", writeScan},
	{"bracket_tables.go", writeBrackets},
	{"text_tables.go", writeText},
	{"script_tables.go", writeScripts},
	{"confusable_tables.go", writeConfusables},
}

func main() {
	from := flag.String("data", "", "folder that holds "+ucd.UnicodeVersion+"/ (default: $LINKMILTER_UCD, else found)")
	to := flag.String("out", ".", "folder the tables are written to")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes every family to the folder to, from the data folder from.
func run(from, to string) error {
	d, err := findData(from)
	if err != nil {
		return err
	}
	for _, f := range families {
		var out source
		if err := f.write(d, &out); err != nil {
			return fmt.Errorf("%s: %w", f.file, err)
		}
		if err := out.save(filepath.Join(to, f.file)); err != nil {
			return err
		}
	}
	return nil
}
