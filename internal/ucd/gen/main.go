// Command gen writes the tables of package ucd from the Unicode data files.
//
// It is run by `go generate ./internal/ucd`. The data folder holds the folders of
// ucd.UnicodeVersion and idnaVersion. It is the first of these that exists: -data, $LINKMILTER_UCD,
// shared/unicode beside the checkout, .ucd in the checkout. -versions prints the two versions.
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
	write func(d release, out *source) error
}

// emojiTables stays unchanged if the data has no emoji.
const emojiTables = "emoji_tables.go"

// families lists every generated file of package ucd.
var families = []family{
	{"version_tables.go", writeVersions},
	{"scan_tables.go", writeScan},
	{"bracket_tables.go", writeBrackets},
	{"text_tables.go", writeText},
	{"script_tables.go", writeScripts},
	{"confusable_tables.go", writeConfusables},
	{emojiTables, writeEmoji},
}

func main() {
	from := flag.String("data", "", "folder that holds "+ucd.UnicodeVersion+"/ (default: $LINKMILTER_UCD, else found)")
	to := flag.String("out", ".", "folder the tables are written to")
	draft := flag.Bool("draft", false, "read the drafts even if the released files are there")
	versions := flag.Bool("versions", false, "print the versions of the data files that are needed")
	flag.Parse()
	if *versions {
		fmt.Println(ucd.UnicodeVersion, idnaVersion)
		return
	}
	if err := run(*from, *to, *draft); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes every family to the folder to, from the data below the folder from.
func run(from, to string, draft bool) error {
	d, err := findRelease(from, draft)
	if err != nil {
		return err
	}
	for _, f := range families {
		if f.file == emojiTables && !d.hasEmoji() {
			continue
		}
		out := source{release: d.name}
		if err := f.write(d, &out); err != nil {
			return fmt.Errorf("%s: %w", f.file, err)
		}
		if err := out.save(filepath.Join(to, f.file)); err != nil {
			return err
		}
	}
	return nil
}
