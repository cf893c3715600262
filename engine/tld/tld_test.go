package tld_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

func TestContains(t *testing.T) {
	tests := []struct {
		name  string
		label string
		want  bool
	}{
		{"generic", "com", true},
		{"upper case", "COM", true},
		{"mixed case", "oRg", true},
		{"country", "uk", true},
		{"long generic", "international", true},
		{"long generic, mixed case", "InterNational", true},
		{"eight bytes", "shopping", true},
		{"only a rule for the labels before it", "ck", true},
		{"infrastructure", "arpa", true},
		{"A-label", "xn--h2brj9c", true},
		{"A-label in capitals", "XN--11B4C3D", true},
		{"U-label, Devanagari", "भारत", true},
		{"U-label, Arabic", "موريتانيا", true},
		{"U-label, Han", "香港", true},
		{"U-label, Cyrillic", "рф", true},
		{"U-label, Cyrillic capitals", "РФ", true},
		{"U-label with ASCII letters", "vermögensberatung", true},
		{"U-label with ASCII capitals", "VERMögensberatung", true},
		{"U-label, all capitals", "VERMÖGENSBERATUNG", true},
		{"U-label, not in NFC", "vermo\u0308gensberatung", true},
		{"U-label with a soft hyphen", "vermögens\u00adberatung", true},
		{"full-width letters", "ｃｏｍ", true},
		{"unknown", "zzzz", false},
		{"unknown, long", "zzzzzzzzzzzz", false},
		{"single letter", "a", false},
		{"empty", "", false},
		{"private suffix", "blogspot", false},
		{"two labels", "co.uk", false},
		{"trailing dot", "com.", false},
		{"digits", "123", false},
		{"ideographic, unknown", "他们赋有理性和良心", false},
		{"emoji", "😎", false},
		{"invalid UTF-8", "c\xffm", false},
		{"part of a code point", "\xe3", false},
		{"longer than a label", strings.Repeat("com", 30), false},
		{"much longer than a label", strings.Repeat("香", 1000), false},
	}
	set := tld.Builtin()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := set.Contains(tt.label); got != tt.want {
				t.Errorf("Contains(%q) = %t", tt.label, got)
			}
		})
	}
}

func TestContainsDoesNotAllocate(t *testing.T) {
	set := tld.Builtin()
	for _, label := range []string{"com", "ORG", "zzzz", "international", "Unknowninternational", "भारत", "他们赋有理性和良心", "ωOK", ""} {
		if n := testing.AllocsPerRun(10, func() { set.Contains(label) }); n != 0 {
			t.Errorf("Contains(%q) allocates %v times", label, n)
		}
	}
}

func TestParse(t *testing.T) {
	set, err := tld.Parse(strings.NewReader("# Version 1\nCOM\n\n  xn--h2brj9c \nlinkmiltertest # a comment\n"))
	if err != nil {
		t.Fatal(err)
	}
	if set.Len() != 3 {
		t.Errorf("Len() = %d, want 3", set.Len())
	}
	for label, want := range map[string]bool{"com": true, "LinkMilterTest": true, "भारत": true, "XN--H2BRJ9C": true, "org": false} {
		if got := set.Contains(label); got != want {
			t.Errorf("Contains(%q) = %t", label, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"empty", "", "without top-level domains"},
		{"comments only", "# Version 1\n#\n", "without top-level domains"},
		{"two labels", "COM\nco.uk\n", `line 2: top-level domain "co.uk": not a label`},
		{"U-label", "भारत\n", "line 1: "},
		{"hyphen first", "-com\n", "line 1: "},
		{"hyphen last", "com-\n", "line 1: "},
		{"too long", strings.Repeat("a", 64) + "\n", "longer than 63 bytes"},
		{"broken A-label", "xn--99999999\n", "line 1: "},
		{"a web page", "<html>\n", "line 1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tld.Parse(strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestBuiltinAgreesWithPublicSuffix asks package publicsuffix for each built-in name, and for
// others. If the versions differ, the module was updated: run go generate ./engine/tld.
func TestBuiltinAgreesWithPublicSuffix(t *testing.T) {
	if got, want := tld.BuiltinVersion, publicsuffix.List.String(); got != want {
		t.Errorf("names are of %q, the module has %q", got, want)
	}
	if n := tld.Builtin().Len(); n < 1400 {
		t.Errorf("only %d names", n)
	}
	for _, label := range []string{"com", "ck", "uk", "jp", "xn--h2brj9c", "arpa", "onion", "zzzz", "blogspot", "local", "localhost", "test", "html", "example"} {
		_, icann := publicsuffix.PublicSuffix("a.b." + label)
		if got := tld.Builtin().Contains(label); got != icann {
			t.Errorf("Contains(%q) = %t, publicsuffix says %t", label, got, icann)
		}
	}
}

// TestGenerated runs the generator again, which must write the same bytes.
func TestGenerated(t *testing.T) {
	out := t.TempDir()
	if msg, err := exec.Command("go", "run", "./gen", "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	got, err := os.ReadFile(filepath.Join(out, "builtin_names.go"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("builtin_names.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("builtin_names.go differs from the output of the generator: run go generate ./engine/tld")
	}
}

// ianaDifferences are the names in which the public suffix list and IANA's
// list differ, with the reason.
var ianaDifferences = map[string]string{
	"onion":               "special use, not in the root zone (RFC 7686); listed as a public suffix",
	"hotel":               "delegated after this version of IANA's list",
	"merck":               "delegated after this version of IANA's list",
	"dunlop":              "removed from the root zone before this version of the public suffix list",
	"xn--mgb2ddes":        "Yemen in its own script, not delegated",
	"xn--mgba3a4fra":      "variant of Iran's xn--mgba3a4f16a, not delegated",
	"xn--mgbai9a5eva00b":  "variant of Pakistan's xn--mgbai9azgqp6j, not delegated",
	"xn--mgberp4a5d4a87g": "variant of Saudi Arabia's xn--mgberp4a5d4ar, not delegated",
	"xn--mgbqly7c0a67fbc": "variant of Saudi Arabia's xn--mgberp4a5d4ar, not delegated",
	"xn--mgbqly7cvafr":    "variant of Saudi Arabia's xn--mgberp4a5d4ar, not delegated",
	"xn--mgbtf8fl":        "variant of Syria's xn--ogbpf8fl, not delegated",
	"xn--mix082f":         "variant of Macau's xn--mix891f, not delegated",
	"xn--nnx388a":         "variant of Taiwan's xn--kpry57d, not delegated",
}

// TestDifferencesFromIANA compares the built-in names with IANA's list, if one lies beside the
// Unicode data or in $LINKMILTER_TLDS. It reports differences that ianaDifferences does not
// explain. They fail the test if the list has the version that ianaDifferences is about.
func TestDifferencesFromIANA(t *testing.T) {
	const about = "Version 2025100900"
	path := os.Getenv("LINKMILTER_TLDS")
	if path == "" {
		path = filepath.Join(env.Root(t), "..", "shared", "iana", "tlds-alpha-by-domain.txt")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		env.Missing(t, "IANA's tlds-alpha-by-domain.txt (set LINKMILTER_TLDS)")
	}
	iana, err := tld.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	report := t.Logf
	if strings.Contains(string(text), about) {
		report = t.Errorf
	}
	all := map[string]bool{}
	for _, n := range tld.BuiltinNames() {
		all[n] = true
	}
	for line := range strings.Lines(strings.ToLower(string(text))) {
		if !strings.HasPrefix(line, "#") {
			all[strings.TrimSpace(line)] = true
		}
	}
	for n := range all {
		differs := iana.Contains(n) != tld.Builtin().Contains(n)
		if _, known := ianaDifferences[n]; differs != known {
			report("%s: in IANA's list %t, built in %t, reason known %t", n, iana.Contains(n), tld.Builtin().Contains(n), known)
		}
	}
}

// TestZeroSet: the zero Set is empty.
func TestZeroSet(t *testing.T) {
	var s tld.Set
	for _, name := range []string{"", "com", "museum", "xn--p1ai", "рф", "みんな", strings.Repeat("a", 70)} {
		if s.Contains(name) {
			t.Errorf("contains %q", name)
		}
	}
	if s.Len() != 0 {
		t.Errorf("%d names", s.Len())
	}
}
