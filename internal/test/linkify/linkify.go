// Package linkify finds links in texts as four common programs do: linkify-it,
// linkifyjs, Autolinker and xurls. Mail programs use them, or rules like theirs.
package linkify

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mvdan.cc/xurls/v2"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// A Link is a link that a program makes of a piece of a text.
type Link struct {
	Start, End int    // the piece: text[Start:End]
	Host       string // the ASCII form of the host that a browser opens, "" if it opens none
}

// Programs are the names of the programs, in the order of Found.
var Programs = [...]string{"linkify-it", "linkifyjs", "autolinker", "xurls"}

// Found are the links of a text by program.
type Found [len(Programs)][]Link

// folder is the folder of this package, below the one with go.mod.
const folder = "internal/test/linkify"

var relaxed = xurls.Relaxed()

// Find returns the links of each text, which is valid UTF-8. It skips the test, or fails
// it as package env says, without Node.js and the packages of package.json.
func Find(tb testing.TB, texts []string) []Found {
	tb.Helper()
	dir := filepath.Join(env.Root(tb), filepath.FromSlash(folder))
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		env.Missing(tb, "the packages of "+folder+" (run `npm ci` there)")
	}
	var in bytes.Buffer
	lines := json.NewEncoder(&in)
	for _, text := range texts {
		if err := lines.Encode(query{text, relaxed.FindAllStringIndex(text, -1)}); err != nil {
			tb.Fatal(err)
		}
	}
	cmd := exec.CommandContext(tb.Context(), env.Command(tb, "node"), filepath.Join(dir, "find.mjs"))
	cmd.Stdin, cmd.Stderr = &in, tb.Output()
	out, err := cmd.Output()
	if err != nil {
		tb.Fatal(err)
	}
	all := make([]Found, 0, len(texts))
	answers := bufio.NewScanner(bytes.NewReader(out))
	answers.Buffer(nil, 1<<20)
	for answers.Scan() {
		var found Found
		if err := json.Unmarshal(answers.Bytes(), &found); err != nil {
			tb.Fatal(err)
		}
		all = append(all, found)
	}
	if err := answers.Err(); err != nil {
		tb.Fatal(err)
	}
	if len(all) != len(texts) {
		tb.Fatalf("%d answers for %d texts", len(all), len(texts))
	}
	return all
}

// A query is what find.mjs reads for a text.
type query struct {
	Text  string  `json:"text"`
	Spans [][]int `json:"spans"`
}

// UnmarshalJSON reads a link as find.mjs writes it.
func (l *Link) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[...]any{&l.Start, &l.End, &l.Host})
}

// Agreed returns the links that at least two programs make to the same host, from
// pieces of the text that share a byte. Each is the shortest of them.
func (f *Found) Agreed() []Link {
	var all []Link
	for p, links := range f {
		for _, l := range links {
			if l.Host != "" && f.isShortest(p, l) {
				all = append(all, l)
			}
		}
	}
	return all
}

// isShortest reports whether a link of the program p is one that another program makes,
// too, and no program makes it of a shorter piece, or an earlier one of as short a piece.
func (f *Found) isShortest(p int, l Link) bool {
	agreed := false
	for q, links := range f {
		for _, other := range links {
			if q == p || other.Host != l.Host || other.Start >= l.End || l.Start >= other.End {
				continue
			}
			agreed = true
			if shorter := (other.End - other.Start) - (l.End - l.Start); shorter < 0 || shorter == 0 && q < p {
				return false
			}
		}
	}
	return agreed
}
