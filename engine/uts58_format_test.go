package engine

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A formattingPair is one pair of LinkFormattingTest.txt, with the comment
// that shows the structure.
type formattingPair struct {
	structure, source, want string
}

// formattingFiles has the LinkFormattingTest.txt of both versions, with the number of errata in
// each: finalSoft lists them, and 18.0 corrected them.
func formattingFiles(t *testing.T) map[string]int {
	t.Helper()
	const file = "linkification/LinkFormattingTest.txt"
	files := map[string]int{env.UCD(t, file): 0, env.UCDOf(t, ucd.IDNAVersion, file): 0}
	for path := range files {
		if strings.Contains(path, "17.0.0") {
			files[path] = len(finalSoft)
		}
	}
	return files
}

// formattingPairs reads a LinkFormattingTest.txt.
func formattingPairs(t *testing.T, file string) []formattingPair {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pairs []formattingPair
	var p formattingPair
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "# {"):
			p = formattingPair{structure: strings.TrimPrefix(strings.TrimSuffix(line, "}"), "# {")}
		case line == "" || strings.HasPrefix(line, "#"):
		case p.source == "":
			p.source = line
		default:
			p.want = line
			pairs = append(pairs, p)
			p = formattingPair{}
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 55 {
		t.Fatalf("%d pairs in LinkFormattingTest.txt, want 55", len(pairs))
	}
	return pairs
}

// parseStructure reads the structure comment of a pair, such as
// 𝑺=https:// 𝑯=example.com 𝑷=α 𝑸=k 𝑽=v 𝑭=f.
func parseStructure(t *testing.T, comment string) Structure {
	t.Helper()
	var s Structure
	// A value may hold spaces: it ends before the next capital and its "=".
	starts := []int{}
	for i := range comment {
		if i+5 <= len(comment) && comment[i+4] == '=' && strings.Contains("𝑺𝑯𝑷𝑸𝑽𝑭𝑫", comment[i:i+4]) {
			starts = append(starts, i)
		}
	}
	for n, i := range starts {
		end := len(comment)
		if n+1 < len(starts) {
			end = starts[n+1] - 1
		}
		value := comment[i+5 : end]
		switch comment[i : i+4] {
		case "𝑺", "𝑯":
			s.Origin += value
		case "𝑷":
			s.Path = append(s.Path, value)
		case "𝑸":
			s.Query = append(s.Query, Parameter{Key: value, KeyOnly: true})
		case "𝑽":
			p := &s.Query[len(s.Query)-1]
			p.Value, p.KeyOnly = value, false
		case "𝑭":
			s.Fragment = value
		case "𝑫":
			s.Directives = append(s.Directives, value)
		}
	}
	if s.Origin == "" {
		t.Fatalf("no structure in %q", comment)
	}
	return s
}

// finalSoft has the errata of LinkFormattingTest.txt 17.0.0. These pairs leave a Soft character
// bare at the end of the link, so that detection would not find the link whole. The value is that
// character as UTS #58 §4.1 wants it.
var finalSoft = map[string]string{
	"https://bo.wikipedia.org/wiki/སའི་གོ་ལ།":                  "%E0%BC%8D", // TIBETAN MARK SHAD
	"https://mni.wikipedia.org/wiki/ꯅ꯭ꯌꯨ_ꯌꯣꯔ꯭ꯛ_ꯁꯤꯇꯤꯒꯤ_ꯌꯨ.ꯑꯦꯁ.": "%2E",
	"https://azb.wikipedia.org/wiki/واشینقتن،_دی.سی.":          "%2E",
	"https://mad.wikipedia.org/wiki/Tasè’":                     "%E2%80%99",
	"https://vep.wikipedia.org/wiki/Brüssel'":                  "%27",
	"https://ja.wikibooks.org/wiki/植物学/植物とはどのような生き物か？":         "%EF%BC%9F",
	"https://new.wikipedia.org/wiki/विन्सेन्ट_भ्यान_ग:":        "%3A",
	"https://ks.wikipedia.org/wiki/شارٕک۔":                     "%DB%94",
	"https://am.wikipedia.org/wiki/«የሰብዓዊ_መብት_አቀፋዊ_መግለጽ»":      "%C2%BB",
	"https://it.wikibooks.org/wiki/Questo_è_l'ebraismo!":       "%21",
}

// corrected returns the result of a pair with the erratum of finalSoft corrected.
func corrected(t *testing.T, want string) (string, bool) {
	t.Helper()
	escape, ok := finalSoft[want]
	if !ok {
		return want, false
	}
	b, isEscape := percent.Byte(escape)
	u := percent.Next(escape)
	if !isEscape || !strings.HasSuffix(want, string(u.Rune)) {
		t.Fatalf("%q does not end in %q (%x)", want, escape, b)
	}
	return strings.TrimSuffix(want, string(u.Rune)) + escape, true
}

// TestMinimalOfficial makes the minimal form of the structures in the comments of
// LinkFormattingTest.txt (UTS #58 §4.1): of all 55 pairs of 18.0, and of those of 17.0 without the
// ten errata.
func TestMinimalOfficial(t *testing.T) {
	for file, wantErrata := range formattingFiles(t) {
		errata := 0
		for _, p := range formattingPairs(t, file) {
			want, isErratum := corrected(t, p.want)
			if isErratum {
				errata++
			}
			if got := parseStructure(t, p.structure).Minimal(); got != want {
				t.Errorf("%s: %s\n got %s\nwant %s", file, p.structure, got, want)
			}
		}
		if errata != wantErrata {
			t.Errorf("%s: %d errata, want %d", file, errata, wantErrata)
		}
	}
}

// notDerivable are pairs whose structure has a character as data that is syntax in a URL string. So
// the string means something else than the structure. The value is what Format makes of the string.
var notDerivable = map[string]string{
	// "#" in a segment and in a value begins the fragment.
	"https://example.com/α%23β?γ=δ%23ε": "https://example.com/α#β?γ=δ#ε",
	// "/" in a segment divides it.
	"https://example.com/α/β%2Fγ": "https://example.com/α/β/γ",
	// "&" in a key and in a value divides them.
	"https://example.com?α%26=β&γ=%26δ": "https://example.com?α&=β&γ=&δ",
	// "=" in a key ends it; one in a value is data either way.
	"https://example.com?α%3Dβ=γ%3Dδ": "https://example.com?α=β=γ=δ",
	// "/", "#" in a segment and "&", "=", "#" in a value.
	"https://example.com/α/b%2F%3F%23c?αβ=γ%26ζ%3D%23Ξ&k=v#frag": "https://example.com/α/b/%3F#c?αβ=γ&ζ=#Ξ&k=v#frag",
}

// TestFormatOfficial formats the sources of LinkFormattingTest.txt as URL strings. Of 18.0, 50 of
// 55 pairs agree, and five are notDerivable. Of 17.0, the ten errata differ, too.
func TestFormatOfficial(t *testing.T) {
	for file, wantErrata := range formattingFiles(t) {
		errata, lost, same := 0, 0, 0
		for _, p := range formattingPairs(t, file) {
			want, isErratum := corrected(t, p.want)
			if isErratum {
				errata++
			}
			if w, ok := notDerivable[p.want]; ok {
				want = w
				lost++
			}
			got, err := Format(p.source)
			if err != nil {
				t.Errorf("Format(%q): %v", p.source, err)
			} else if got != want {
				t.Errorf("Format(%q)\n got %s\nwant %s", p.source, got, want)
			}
			if got == p.want {
				same++
			}
		}
		if errata != wantErrata || lost != len(notDerivable) || same != 50-wantErrata {
			t.Errorf("%s: %d errata (want %d), %d pairs that are not derivable (want %d), %d as in the file (want %d)",
				file, errata, wantErrata, lost, len(notDerivable), same, 50-wantErrata)
		}
	}
}
