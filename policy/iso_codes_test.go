package policy_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// isoFiles matches the translations of Debian's package iso-codes: names of countries,
// regions, languages, currencies and scripts.
const isoFiles = "/usr/share/locale/*/LC_MESSAGES/iso_*.mo"

// mistyped has languages whose translations contain letters of other alphabets or wrong signs, so
// the findings about them are right.
var mistyped = map[string]string{
	"ce":  "Latin l and I for the palochka",
	"kok": "signs that a lost font turned into letters",
	"tt":  "Latin g and i among Cyrillic letters",
}

// translationsIn returns the translations in a file of GNU gettext.
func translationsIn(t *testing.T, path string) (texts []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	word := func(at uint32) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	const magic = 0x950412de
	if word(0) != magic {
		t.Fatalf("%s: not a file of gettext", path)
	}
	count, table := word(8), word(16)
	for i := uint32(1); i < count; i++ { // the first is about the file
		length, start := word(table+8*i), word(table+8*i+4)
		texts = append(texts, string(data[start:start+length]))
	}
	return texts
}

// asLabel returns a name as a label: in lower case, with hyphens between words, without
// other punctuation and remarks in brackets.
func asLabel(name string) string {
	name, _, _ = strings.Cut(name, " (")
	name, _, _ = strings.Cut(name, ";")
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !ucd.IsMark(r) && r != 0x200c && r != 0x200d && r != '·' && r != '・'
	})
	return strings.Join(words, "-")
}

// TestISOCodes: of the names of countries, regions and languages in all translations, at most one
// in two thousand has a finding of medium or above. Most of these are typing errors that mix
// scripts or repeat a mark.
func TestISOCodes(t *testing.T) {
	files, err := filepath.Glob(isoFiles)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		env.Missing(t, "translations of Debian's package iso-codes")
	}
	j := newJudge(t, policy.Options{})
	seen := map[string]bool{}
	scripts := map[ucd.Script]int{}
	flagged, shown := 0, 0
	for _, file := range files {
		language := filepath.Base(filepath.Dir(filepath.Dir(file)))
		if mistyped[language] != "" {
			continue
		}
		for _, text := range translationsIn(t, file) {
			label := asLabel(text)
			if seen[label] || label == "" {
				continue
			}
			seen[label] = true
			link, err := engine.ParseLink("http://" + label + ".com/")
			if err != nil {
				continue
			}
			for _, r := range label {
				if unicode.IsLetter(r) {
					scripts[ucd.ScriptOf(r)]++
					break
				}
			}
			v := j.Link(link)
			if v.DisplayUnicode {
				shown++
			}
			if v.Worst() >= policy.SeverityMedium {
				flagged++
				t.Logf("%s: %s: %+v", language, label, v.Findings)
			}
		}
	}
	t.Logf("%d names in %d scripts, %d displayed, %d flagged", len(seen), len(scripts), shown, flagged)
	if len(seen) < 5000 || len(scripts) < 30 || shown*100 < len(seen)*95 || flagged*2000 > len(seen) {
		t.Error("too few names, or too many flagged")
	}
}
