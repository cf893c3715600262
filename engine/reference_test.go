package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A referenceLine is a question to bench/reference, which is UTS #58 in Python, and the answer of
// this package. Both are JSON.
type referenceLine struct {
	question any
	want     any
}

// TestReference compares detection and minimal escaping with the transcription of the
// standard in bench/reference: the pairs of LinkFormattingTest.txt, and generated lines,
// 5,000 or $LINKMILTER_REFERENCE_LINES.
func TestReference(t *testing.T) {
	needTables(t)
	count := 5000
	if s := os.Getenv("LINKMILTER_REFERENCE_LINES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		count = n
	}
	strict, err := New(Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	var lines []referenceLine
	for _, p := range formattingPairs(t, env.UCD(t, "linkification/LinkFormattingTest.txt")) {
		s := parseStructure(t, p.structure)
		lines = append(lines, referenceLine{escapeQuestion(s), strings.TrimPrefix(p.want, s.Origin)})
	}
	g := &referenceGenerator{rand.New(rand.NewPCG(58, 2))}
	for n := range count {
		switch n % 4 {
		case 0, 1:
			lines = append(lines, g.link(strict))
		case 2:
			lines = append(lines, g.email(strict))
		case 3:
			lines = append(lines, g.escape())
		}
	}
	differ := 0
	for i, got := range askReference(t, lines) {
		want, err := json.Marshal(lines[i].want)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(got, want) {
			question, _ := json.Marshal(lines[i].question)
			if differ++; differ < 10 {
				t.Errorf("%s\nengine    %s\nreference %s", question, want, got)
			}
		}
	}
	t.Logf("%d lines, %d differ", len(lines), differ)
}

// sameJSON reports whether two values are the same, whatever their escapes.
func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
}

// askReference returns the answers of bench/reference.
func askReference(t *testing.T, lines []referenceLine) [][]byte {
	t.Helper()
	folder := filepath.Dir(env.UCD(t, "linkification/LinkTerm.txt"))
	var in bytes.Buffer
	questions := json.NewEncoder(&in)
	for _, l := range lines {
		if err := questions.Encode(l.question); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(env.Root(t), "bench", "reference", "uts58.py")
	if _, err := os.Stat(program); err != nil {
		t.Fatal(err) // else Go would use a cached result after a change of the script
	}
	cmd := exec.CommandContext(t.Context(), env.Command(t, "python3"), "-B", program, folder)
	cmd.Stdin, cmd.Stderr = &in, t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers [][]byte
	sc := bufio.NewScanner(bytes.NewReader(out))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		answers = append(answers, bytes.Clone(sc.Bytes()))
	}
	if len(answers) != len(lines) || sc.Err() != nil {
		t.Fatalf("%d answers to %d questions, %v", len(answers), len(lines), sc.Err())
	}
	return answers
}

// A referenceGenerator makes up lines of all classes of characters.
type referenceGenerator struct{ rng *rand.Rand }

// referencePieces have what the algorithms of the standard look for.
var referencePieces = []string{
	"a", "é", "漢", "ж", "7", "-", "_", ".", "..", "a.b", ",", "!", "?", "…", "。", "、", "(", ")", "[", "]", "{", "}", "「", "」", "（", "）", "❲", "❳", "⁅", "⁆", "<", ">",
	"/", "?", "#", "&", "=", ":~:", ":", "~", "+", "'", "\"", "«", "»", "“", "”", " ", "\u3000", "\u200b", "\u202e", "\u0378", "*", "|", ";", "@", "\t", "%", "41", "⹢", "⹣", "⹠",
}

// text returns up to n random pieces without the forbidden characters.
func (g *referenceGenerator) text(n int, forbidden string) string {
	var b strings.Builder
	for range g.rng.IntN(n) {
		piece := pick(g.rng, referencePieces)
		if g.rng.IntN(4) == 0 {
			r := rune(g.rng.IntN(0x20000))
			if r < 0x20 || !utf8.ValidRune(r) {
				r = 'ö'
			}
			piece = string(r)
		}
		if !strings.ContainsAny(piece, forbidden) {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// link returns a question: where does the link end that begins with this host?
func (g *referenceGenerator) link(strict *Scanner) referenceLine {
	const host = "https://example.com"
	text := host + pick(g.rng, []string{"/", "?", "#", "/a?", "/a#", "/a#b:~:", "?a#"}) + g.text(24, "\n\r")
	if g.rng.IntN(500) == 0 {
		text = host + "/" + strings.Repeat("(", 120+g.rng.IntN(10)) + "a)" + g.text(8, "\n\r")
	}
	end := 0
	if found := strict.Append(nil, text); len(found) > 0 && found[0].Start == 0 {
		end = utf8.RuneCountInString(found[0].Text)
	}
	return referenceLine{map[string]any{"link": text, "start": len(host)}, end}
}

// email returns a question: where does the address begin that has this "@"?
func (g *referenceGenerator) email(strict *Scanner) referenceLine {
	local := pick(g.rng, []string{"", " ", "mailto:", "MAILTO:", "x", "(", "«"}) + g.text(7, "/:@?#\n\r")
	if g.rng.IntN(3) == 0 { // a local-part that begins like a host with a path (RFC 5321 allows "/")
		host := pick(g.rng, []string{"abc.fr", "www.a.com", "пример.рф", "a.fr/b.de"})
		local = pick(g.rng, []string{"mailto:", "Mailto:"}) + host + pick(g.rng, []string{"/", "`/", "'/", "!", "=/", "/x/", "?x", "#x", ""}) + strings.Map(func(r rune) rune {
			if !ucd.LinkEmail(r) {
				return -1
			}
			return r
		}, g.text(3, ""))
	}
	text := local + "@example.com"
	var start any
	for _, l := range strict.Append(nil, text) {
		if l.Kind == KindEmail {
			start = utf8.RuneCountInString(text[:l.Start])
		}
	}
	return referenceLine{map[string]any{"email": text, "at": utf8.RuneCountInString(local)}, start}
}

// escape returns a question: what is the minimal form of a random structure?
func (g *referenceGenerator) escape() referenceLine {
	const interior = `\` // a separator only in URLs of the web
	var s Structure
	for range g.rng.IntN(4) {
		s.Path = append(s.Path, g.text(8, interior))
	}
	for range g.rng.IntN(3) {
		s.Query = append(s.Query, Parameter{Key: g.text(6, interior), Value: g.text(6, interior), KeyOnly: g.rng.IntN(3) == 0})
	}
	if g.rng.IntN(2) == 0 {
		s.Fragment = g.text(10, interior)
	}
	for range g.rng.IntN(3) {
		s.Directives = append(s.Directives, "text="+g.text(8, interior))
	}
	return referenceLine{escapeQuestion(s), s.Minimal()}
}

// escapeQuestion returns the question for the minimal form of a structure.
func escapeQuestion(s Structure) map[string]any {
	var query [][]string
	for _, p := range s.Query {
		if p.KeyOnly {
			query = append(query, []string{p.Key})
		} else {
			query = append(query, []string{p.Key, p.Value})
		}
	}
	return map[string]any{"path": s.Path, "query": query, "fragment": s.Fragment, "directives": s.Directives}
}
