package ucd_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestGenerated runs the generator again, which must write the same bytes.
func TestGenerated(t *testing.T) {
	if idna.UnicodeVersion != ucd.IDNAVersion {
		t.Skipf("the generator reads the hosts of this Go release, Unicode %s", idna.UnicodeVersion)
	}
	// The folder that holds that of the version, two above the file.
	folder := filepath.Dir(filepath.Dir(filepath.Dir(env.UCD(t, "ucd/UnicodeData.txt"))))
	out := t.TempDir()
	cmd := exec.Command("go", "run", "./gen", "-data", folder, "-out", out, fmt.Sprintf("-draft=%t", ucd.IsDraft()))
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	files, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("the generator wrote nothing")
	}
	for _, f := range files {
		want, err := os.ReadFile(f.Name())
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the output of the generator: run go generate ./internal/ucd", f.Name())
		}
	}
}

// TestTablesOfVersion: all tables were written from the same data, of UnicodeVersion.
func TestTablesOfVersion(t *testing.T) {
	files, err := filepath.Glob("*_tables.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of tables, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if head, _, _ := strings.Cut(string(text), "\n"); !strings.Contains(head, "data files "+ucd.Release+".") {
			t.Errorf("%s begins with %q, want Unicode %s: run make ucd", f, head, ucd.Release)
		}
	}
}

// TestLinkProperties compares every code point with the data files of UTS #58.
func TestLinkProperties(t *testing.T) {
	terms := readProperty(t, "linkification/LinkTerm.txt", 1)
	email := readProperty(t, "linkification/LinkEmail.txt", 0)
	bracket := readProperty(t, "linkification/LinkBracket.txt", 1)
	for r := rune(0); r <= 0x10ffff; r++ {
		want, ok := terms[r]
		if !ok {
			want = "Hard"
		}
		if got := ucd.LinkTermOf(r).String(); got != want {
			t.Errorf("LinkTermOf(%U) = %s, want %s", r, got, want)
		}
		if _, want := email[r]; ucd.LinkEmail(r) != want {
			t.Errorf("LinkEmail(%U) = %t", r, !want)
		}
		var open rune
		if b, ok := bracket[r]; ok {
			n, err := strconv.ParseUint(b, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			open = rune(n)
		}
		if got := ucd.LinkBracket(r); got != open {
			t.Errorf("LinkBracket(%U) = %U, want %U", r, got, open)
		}
	}
}

// TestBracketPairs: UTS #58 §6.1 gives a Link_Bracket to exactly the
// characters with Link_Term Close, and each is Open.
func TestBracketPairs(t *testing.T) {
	n := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		b := ucd.LinkBracket(r)
		if (b != 0) != (ucd.LinkTermOf(r) == ucd.Close) {
			t.Errorf("%U has Link_Term %s and Link_Bracket %U", r, ucd.LinkTermOf(r), b)
		}
		if b != 0 && ucd.LinkTermOf(b) != ucd.Open {
			t.Errorf("Link_Bracket(%U) = %U has Link_Term %s", r, b, ucd.LinkTermOf(b))
		}
		if b != 0 {
			n++
		}
	}
	if n < 60 {
		t.Errorf("only %d closing brackets", n)
	}
}

func TestHostClass(t *testing.T) {
	tests := []struct {
		name string
		r    rune
		want ucd.HostClass
	}{
		{"letter", 'a', ucd.HostValid},
		{"digit", '7', ucd.HostValid},
		{"hyphen", '-', ucd.HostValid},
		{"capital", 'Q', ucd.HostMapped},
		{"underscore, STD3", '_', ucd.HostDisallowed},
		{"space", ' ', ucd.HostDisallowed},
		{"at sign", '@', ucd.HostDisallowed},
		{"sharp s, a deviation", 'ß', ucd.HostValid},
		{"zero width joiner, a deviation", 0x200d, ucd.HostValid},
		{"soft hyphen", 0xad, ucd.HostIgnored},
		{"full-width letter", 'Ａ', ucd.HostMapped},
		{"full stop", '.', ucd.HostSeparator},
		{"ideographic full stop", 0x3002, ucd.HostSeparator},
		{"full-width full stop", 0xff0e, ucd.HostSeparator},
		{"half-width ideographic full stop", 0xff61, ucd.HostSeparator},
		{"one dot leader, no separator", 0x2024, ucd.HostDisallowed},
		{"full-width solidus, mapped to what STD3 refuses", 0xff0f, ucd.HostDisallowed},
		{"full-width comma", 0xff0c, ucd.HostDisallowed},
		{"ideographic space", 0x3000, ucd.HostDisallowed},
		{"curly quote", 0x201c, ucd.HostPunctuation},
		{"em dash", 0x2014, ucd.HostPunctuation},
		{"corner bracket", 0x300c, ucd.HostPunctuation},
		{"emoji", 0x1f600, ucd.HostSymbol},
		{"arrow", 0x2192, ucd.HostSymbol},
		{"Devanagari", 'म', ucd.HostValid},
		{"astral ideograph", 0x20000, ucd.HostValid},
		{"unassigned", 0x378, ucd.HostDisallowed},
		{"surrogate", 0xd800, ucd.HostDisallowed},
		{"no code point", -1, ucd.HostDisallowed},
		{"beyond the last code point", 0x110000, ucd.HostDisallowed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ucd.HostClassOf(tt.r); got != tt.want {
				t.Errorf("HostClassOf(%U) = %d, want %d", tt.r, got, tt.want)
			}
		})
	}
}

func TestSpaceless(t *testing.T) {
	for _, r := range "漢あアーๆกមࠀ한" {
		want := r != 0x800 // Samaritan is written with spaces
		if got := ucd.ScanOf(r).Spaceless(); got != want {
			t.Errorf("ScanOf(%U).Spaceless() = %t", r, got)
		}
	}
	for _, r := range []rune{'a', '7', 'é', 'я', 'م', 'म', 0x3001, 0x3002, 0x300c, 0x1f600, 0x200d, ' '} {
		if ucd.ScanOf(r).Spaceless() {
			t.Errorf("ScanOf(%U).Spaceless() = true", r)
		}
	}
}

func TestTextProperties(t *testing.T) {
	tests := []struct {
		name string
		is   func(rune) bool
		yes  []rune
		no   []rune
	}{
		{"IsDefaultIgnorable", ucd.IsDefaultIgnorable, []rune{0xad, 0x200b, 0x200d, 0xfeff, 0xe0041, 0x115f}, []rune{'a', ' ', 0x2800, -1}},
		{"IsBidiControl", ucd.IsBidiControl, []rune{0x61c, 0x200e, 0x202a, 0x202e, 0x2066, 0x2069}, []rune{'a', 0x200b, 0x5d0}},
		{"IsUnassigned", ucd.IsUnassigned, []rune{0x378, 0xd800, 0xe000, 0xfffe, 0x10ffff, 0x10fffd, -1, 0x110000}, []rune{'a', 0x4e00, 0x9fff, 0xac00, 0x20000, 0x323af}},
		{"IsMark", ucd.IsMark, []rune{0x301, 0x93e, 0x20dd}, []rune{'a', 0x200d}},
		{"IsWhiteSpace", ucd.IsWhiteSpace, []rune{' ', '\t', '\n', 0x85, 0xa0, 0x3000, 0x2028}, []rune{'a', 0x200b, 0xfeff}},
		{"IsVirama", ucd.IsVirama, []rune{0x94d, 0x9cd, 0xdca, 0x1039}, []rune{0x93c, 'a', 0x301}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range tt.yes {
				if !tt.is(r) {
					t.Errorf("%U: false", r)
				}
			}
			for _, r := range tt.no {
				if tt.is(r) {
					t.Errorf("%U: true", r)
				}
			}
		})
	}
}

// readProperty reads field n of each line of a data file; fields are
// counted after the code points, from 1, and field 0 has no value.
func readProperty(t *testing.T, file string, n int) map[rune]string {
	t.Helper()
	f, err := os.Open(env.UCD(t, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	values := map[rune]string{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line, _, _ := strings.Cut(sc.Text(), "#")
		fields := strings.Split(line, ";")
		if len(fields) <= n || strings.TrimSpace(fields[0]) == "" {
			continue
		}
		first, last, isRange := strings.Cut(strings.TrimSpace(fields[0]), "..")
		if !isRange {
			last = first
		}
		lo, err := strconv.ParseUint(first, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		hi, err := strconv.ParseUint(last, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		for r := lo; r <= hi; r++ {
			values[rune(r)] = strings.TrimSpace(fields[n])
		}
	}
	if len(values) == 0 {
		t.Fatalf("%s holds no values", file)
	}
	return values
}
