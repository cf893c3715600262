package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeRunner returns a runner with shell scripts for builds. They print what they
// read, the present one through the shell command edit.
func fakeRunner(t *testing.T, edit string) *runner {
	t.Helper()
	folder := t.TempDir()
	script := "#!/bin/sh\n{ for a; do if [ -f \"$a\" ]; then cat \"$a\"; fi; done; cat; } | %s\n"
	for binary, filter := range map[string]string{reference: "cat", present: edit} {
		path := filepath.Join(folder, binary)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, fmt.Appendf(nil, script, filter), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return &runner{folder: folder, progress: &progress{out: os.Stderr}}
}

// planted are jobs of each command, over thirty items of which one holds "planted".
func planted(t *testing.T, folder string) []job {
	t.Helper()
	var lines, files []item
	for i := range 30 {
		content := fmt.Sprintf(`{"input":"link %d","kind":"url"}`, i)
		if i == 17 {
			content = `{"input":"planted","kind":"url"}`
		}
		lines = append(lines, item{name: fmt.Sprintf("line-%d", i), line: content})
		name := filepath.Join(inputFolder, fmt.Sprintf("%d.eml", i))
		if err := os.MkdirAll(filepath.Join(folder, inputFolder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, item{name: name})
	}
	return []job{
		{command: "scan", flags: []string{"--format", "json"}, items: files},
		{command: "scan", flags: []string{"--text", "--format", "mark"}, items: files},
		{command: "scan", flags: []string{"--format", "table"}, items: files},
		{command: "explain", flags: []string{"--json"}, items: lines, lines: true},
		{command: "format", items: lines, lines: true},
		{command: "rewrite", items: files[17:18]},
		{command: "check-config", items: files[17:18]},
	}
}

func TestPlantedDifferenceOfEachCommandIsShown(t *testing.T) {
	edits := map[string]string{
		"stdout": `sed '/planted/s/url/suspect/'`,
		"stderr": `{ x=$(cat); printf '%s\n' "$x"; case $x in *planted*) echo odd >&2;; esac; }`,
		"exit":   `{ x=$(cat); printf '%s\n' "$x"; case $x in *planted*) exit 1;; esac; }`,
	}
	for where, edit := range edits {
		r := fakeRunner(t, edit)
		for _, j := range planted(t, r.folder) {
			t.Run(where+" "+j.class(), func(t *testing.T) {
				found, err := r.all([]job{j}, 2)
				if err != nil {
					t.Fatal(err)
				}
				if len(found) != 1 || len(found[0].job.items) != 1 || !strings.Contains(string(found[0].input), "planted") {
					t.Fatalf("found %d differences, want the planted one alone", len(found))
				}
				var out bytes.Buffer
				if report(&out, found, inputs{}, 5) {
					t.Error("the report is clean")
				}
				if !strings.Contains(out.String(), "=== "+found[0].job.items[0].name) || !strings.Contains(out.String(), "bin/present "+j.command) {
					t.Errorf("the difference is not shown:\n%s", &out)
				}
			})
		}
	}
}

func TestSameBuildsAreClean(t *testing.T) {
	r := fakeRunner(t, "cat")
	found, err := r.all(planted(t, r.folder), 2)
	if err != nil || len(found) > 0 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestDifferenceOfTheWholeOnlyIsShown(t *testing.T) {
	// Prints another line only where there are many.
	r := fakeRunner(t, `{ x=$(cat); n=$(printf '%s\n' "$x" | wc -l); printf '%s\n' "$x"; [ $n -lt 20 ] || echo '{"input":"more"}'; }`)
	found, err := r.all(planted(t, r.folder)[3:4], 1)
	if err != nil || len(found) != 1 || len(found[0].job.items) != 30 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestKeepsOnlyInputsThatDiffer(t *testing.T) {
	r := fakeRunner(t, `sed '/planted/s/url/suspect/'`)
	jobs := planted(t, r.folder)
	found, err := r.all([]job{jobs[0], jobs[3]}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := keepDiffering(r.folder, found); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(r.folder, inputFolder, "*"))
	if err != nil || len(files) != 1 || filepath.Base(files[0]) != "17.eml" {
		t.Errorf("kept %v, %v", files, err)
	}
	if raw, err := os.ReadFile(filepath.Join(r.folder, "lines", "line-17")); err != nil || !strings.Contains(string(raw), "planted") {
		t.Errorf("line kept: %q, %v", raw, err)
	}
}

func TestWordingOfDetailsAloneIsIgnored(t *testing.T) {
	object := func(severity, code, detail string) string {
		return fmt.Sprintf(`{"file":"a","part":"1","offset":0,"kind":"url","findings":[{"code":%q,"severity":%q,"label":"","detail":%q}]}`+"\n", code, severity, detail)
	}
	field := func(severity, detail string) string {
		return "A: b\nX-Linkmilter-Finding: mx; code=lookalike; severity=" + severity + ";\n host=\"a\"; detail=" + detail + "\nB: c\n\ntext\n"
	}
	for _, c := range []struct {
		name, command, old, new string
		same                    bool
	}{
		{"wording", "scan", object("high", "lookalike", "old words"), object("high", "lookalike", "new"), true},
		{"severity too", "scan", object("high", "lookalike", "old words"), object("low", "lookalike", "new"), false},
		{"detail gone", "scan", object("high", "lookalike", "old words"), object("high", "lookalike", ""), false},
		{"reason code", "scan", object("low", "partial", "nul"), object("low", "partial", "too-deep"), false},
		{"field", "rewrite", field("high", `"old words"`), field("high", `%"n%c3%a9w and more of\n it"`), true},
		{"severity of a field", "rewrite", field("high", `"old"`), field("low", `"new"`), false},
		{"another field", "rewrite", field("high", `"old"`), strings.Replace(field("high", `"new"`), "B: c", "B: d", 1), false},
		{"folding alone", "rewrite", field("high", `"a b"`), strings.Replace(field("high", `"a b"`), ";\n host", "; host", 1), false},
		{"in the body", "rewrite", "A: b\n\n" + field("high", `"old"`), "A: b\n\n" + field("high", `"new"`), false},
	} {
		j := job{command: c.command, items: []item{{name: "x"}}}
		if c.command == "scan" {
			j.flags = []string{"--format", "json"}
		}
		changes := changesBetween(j, outcome{stdout: []byte(strings.ReplaceAll(c.old, `\n`, "\n"))}, outcome{stdout: []byte(strings.ReplaceAll(c.new, `\n`, "\n"))})
		if same := len(changes) == 0; same != c.same {
			t.Errorf("%s: same is %t, want %t: %+v", c.name, same, c.same, changes)
		}
	}
}

func TestObjectChangesAreOfEveryKind(t *testing.T) {
	a, b := `{"part":"1","offset":1,"kind":"url"}`+"\n", `{"part":"1","offset":9,"kind":"url"}`+"\n"
	for name, c := range map[string][2]string{
		"added": {a, a + b}, "removed": {a + b, b}, "field": {a, strings.Replace(a, "url", "email", 1)}, "order": {a + b, b + a},
		"spelling": {a, strings.Replace(a, "url", `\u0075rl`, 1)}, "twice": {a, a + a}, "field order": {a, `{"offset":1,"part":"1","kind":"url"}` + "\n"},
		"not JSON": {a, "odd\n"}, "line end": {a, strings.TrimSuffix(a, "\n")},
	} {
		if changes := objectChanges([]byte(c[0]), []byte(c[1])); len(changes) == 0 {
			t.Errorf("%s: no change", name)
		}
		if changes := objectChanges([]byte(c[0]), []byte(c[0])); len(changes) != 0 {
			t.Errorf("%s: changes to itself: %+v", name, changes)
		}
	}
}

func TestEncodedBodiesAreShownDecoded(t *testing.T) {
	old := "Content-Transfer-Encoding: base64\n\nb2xkIHRleHQ=\n"
	changes := messageChanges([]byte(old), []byte(strings.Replace(old, "b2xk", "bmV3", 1)))
	if len(changes) != 1 || changes[0].old != "old text" || changes[0].new != "new text" {
		t.Errorf("changes %+v", changes)
	}
	wrapped := messageChanges([]byte(old), []byte(strings.Replace(old, "b2xk", "b2xk\n", 1)))
	if len(wrapped) == 0 {
		t.Error("another wrapping of the same text is no change")
	}
}

func generated(seed uint64, i int) []byte {
	return slices.Concat(generateMessage(seed, i), []byte(generateLine(seed, i)), []byte(generateURL(seed, i)))
}

func TestGeneratedInputsDependOnTheSeedAlone(t *testing.T) {
	different := 0
	for i := range 300 {
		once, again := generated(1, i), generated(1, i)
		if !bytes.Equal(once, again) {
			t.Fatalf("input %d is not deterministic", i)
		}
		if !bytes.Equal(generateMessage(1, i), generateMessage(2, i)) {
			different++
		}
		if line := generateLine(1, i) + generateURL(1, i); strings.Contains(line, "\n") {
			t.Errorf("line %d has a line end: %q", i, line)
		}
	}
	if different < 290 {
		t.Errorf("only %d messages of another seed are others", different)
	}
}

// TestGeneratedMessagesHaveEveryShape holds the generator to what it is for.
func TestGeneratedMessagesHaveEveryShape(t *testing.T) {
	var all bytes.Buffer
	for i := range 3000 {
		all.Write(generateMessage(1, i))
	}
	for _, shape := range []string{
		"multipart/alternative", "multipart/related", "multipart/signed", "multipart/encrypted", "multipart/report", "multipart/digest", "message/rfc822", "text/calendar",
		"ms-tnef", "delsp=yes", "BEGIN PGP SIGNED", "DKIM-Signature", "List-Id", "X-Linkmilter-Finding", "X-Linkmilter-Opt-Out", "charset=iso-2022-jp", "utf-7", "quoted-printable",
		"base64", "application/pdf", "report.zip", "begin 644", "diff --git", "ARC-Seal", "\x00", "Precedence", "srcdoc", "<svg>", "paypal.com._login",
	} {
		if !bytes.Contains(all.Bytes(), []byte(shape)) {
			t.Errorf("no generated message has %q", shape)
		}
	}
	if all.Len() > 60<<20 {
		t.Errorf("%d bytes are too many", all.Len())
	}
}
