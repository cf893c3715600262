package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// shareScripts are the 40 scripts of TestReadableShare.
var shareScripts = []ucd.Script{
	ucd.ScriptLatn, ucd.ScriptGrek, ucd.ScriptCyrl, ucd.ScriptArmn, ucd.ScriptGeor, ucd.ScriptHebr, ucd.ScriptArab, ucd.ScriptSyrc,
	ucd.ScriptThaa, ucd.ScriptNkoo, ucd.ScriptAdlm, ucd.ScriptTfng, ucd.ScriptEthi, ucd.ScriptVaii, ucd.ScriptCher, ucd.ScriptCans,
	ucd.ScriptDeva, ucd.ScriptBeng, ucd.ScriptGuru, ucd.ScriptGujr, ucd.ScriptOrya, ucd.ScriptTaml, ucd.ScriptTelu, ucd.ScriptKnda,
	ucd.ScriptMlym, ucd.ScriptSinh, ucd.ScriptMtei, ucd.ScriptThai, ucd.ScriptLaoo, ucd.ScriptKhmr, ucd.ScriptMymr, ucd.ScriptTibt,
	ucd.ScriptBali, ucd.ScriptJava, ucd.ScriptMong, ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptHani, ucd.ScriptHang, ucd.ScriptYiii,
}

// A writer makes up words of one script.
type writer struct {
	rng     *rand.Rand
	script  ucd.Script
	letters []rune
	marks   []rune
	viramas []rune
}

func newWriter(rng *rand.Rand, script ucd.Script) *writer {
	w := &writer{rng: rng, script: script}
	for r := rune(0xa1); r <= 0x1ffff; r++ {
		id := ucd.IdentityOf(r)
		if id.Script() != script || id.Types()&(ucd.Recommended|ucd.LimitedUse|ucd.Exclusion) == 0 || ucd.IsUnknownToIDNA(r) || ucd.IsDefaultIgnorable(r) {
			continue
		}
		switch {
		case ucd.IsVirama(r):
			w.viramas = append(w.viramas, r)
		case ucd.IsMark(r):
			w.marks = append(w.marks, r)
		case unicode.IsLetter(r) && !unicode.IsUpper(r):
			w.letters = append(w.letters, r)
		}
	}
	return w
}

func (w *writer) letter() string { return string(pick(w.rng, w.letters)) }

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// word returns a word in NFC, as keyboards write it, with marks on some letters.
func (w *writer) word() string {
	var b strings.Builder
	for range 2 + w.rng.IntN(6) {
		b.WriteString(w.letter())
		if len(w.marks) > 0 && w.rng.IntN(3) == 0 {
			b.WriteRune(pick(w.rng, w.marks))
		}
	}
	return norm.NFC.String(b.String())
}

// joined returns a word with a joiner or a format character that changes it; "" if the
// script has none.
func (w *writer) joined() string {
	a, b := w.word(), w.word()
	switch {
	case w.script == ucd.ScriptArab:
		return "می\u200c" + a
	case w.script == ucd.ScriptMong:
		return w.letter() + string(rune(0x180b+w.rng.IntN(3))) + "ᠨ\u180eᠠ"
	case w.script == ucd.ScriptBeng:
		return a + "র\u200d্য" + b
	case len(w.viramas) == 0:
		return ""
	}
	return a + w.letter() + string(pick(w.rng, w.viramas)) + pick(w.rng, []string{"\u200c", "\u200d"}) + w.letter() + b
}

// keyboardLetter returns a letter that keyboards of the script have and NFC takes apart.
func (w *writer) keyboardLetter() string {
	switch w.script {
	case ucd.ScriptDeva:
		return string(pick(w.rng, []rune("\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f")))
	case ucd.ScriptBeng:
		return string(pick(w.rng, []rune("\u09dc\u09dd\u09df")))
	case ucd.ScriptGuru:
		return string(pick(w.rng, []rune("\u0a33\u0a36\u0a59\u0a5a\u0a5b\u0a5e")))
	case ucd.ScriptOrya:
		return string(pick(w.rng, []rune("\u0b5c\u0b5d")))
	}
	return ""
}

var shareEmoji = []string{
	"👨\u200d👩\u200d👧", "❤️", "👍🏽", "🇺🇦", "🏳️\u200d🌈", "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f", "🧑🏻\u200d❤️\u200d🧑🏿", "🎉", "☀️",
}

// deceptions must never be shown.
var deceptions = []string{"\u202e", "\u200b", "\u2066", "／", "\u2044", "\u2800", "\u00ad", "\ufeff", "․", "\u0378", "\ue000", "\u3164", "？", "🔒", "\u2028"}

// A shareCategory is a kind of URL in TestReadableShare.
type shareCategory struct {
	name string // name of its row in the table; several kinds may share a row
	// make returns the path of a URL, or "" if the script has no such URLs.
	make func(w *writer) string
	// escaped means that the readable form keeps an escape in all of them.
	escaped bool
}

var shareCategories = []shareCategory{
	{"words", func(w *writer) string { return "/" + w.word() + "_" + w.word() + "/" + w.word() }, false},
	{"words", func(w *writer) string { return "/?q=" + w.word() + "+" + w.word() + "&x=" + w.word() }, false},
	{"words", func(w *writer) string { return "/#" + w.word() + "_" + w.word() }, false},
	{"with ASCII and digits", func(w *writer) string {
		return fmt.Sprintf("/%d/%s-iso-%s_v2.html", w.rng.IntN(3000), w.word(), w.word())
	}, false},
	{"with brackets and quotes", func(w *writer) string {
		return "/" + w.word() + "_(" + w.word() + ")/«" + w.word() + "»-“" + w.word() + "”/"
	}, false},
	{"emoji sequences", func(w *writer) string { return "/" + w.word() + pick(w.rng, shareEmoji) + w.word() }, false},
	{"joiners, Mongolian variants", func(w *writer) string { return before("/", w.joined()) }, false},
	{"Indic keyboard letters", func(w *writer) string { return before("/"+w.word(), w.keyboardLetter()) }, false},
	{"decomposed (NFD) names", func(w *writer) string {
		name := w.word() + w.letter()
		if nfd := norm.NFD.String(name); nfd != name && !norm.NFC.IsNormalString(nfd) {
			return "/" + nfd
		}
		return ""
	}, true},
	{"with a deceptive character", func(w *writer) string { return "/" + w.word() + pick(w.rng, deceptions) + w.word() }, true},
}

// before returns s with the prefix, or "" if s is empty.
func before(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// TestReadableShare generates 50,000 URLs (or a sample) in 40 scripts, fully escaped as browsers
// copy them. It counts those whose readable form has no escape, for the table of
// docs/performance.md. Each readable form opens the same URL when pasted (I4), and is not less
// readable than the link as typed.
func TestReadableShare(t *testing.T) {
	needTables(t)
	rng := rand.New(rand.NewPCG(58, 18))
	var writers []*writer
	for _, s := range shareScripts {
		writers = append(writers, newWriter(rng, s))
	}
	total, shown := map[string]int{}, map[string]int{}
	count := long.Rows(50_000, 5_000)
	for n := 0; n < count; {
		w, c := writers[n%len(writers)], pick(rng, shareCategories)
		rest := c.make(w)
		if rest == "" {
			continue
		}
		n++
		total[c.name]++
		typed := "https://example.com" + rest
		if checkShown(t, c, typed) {
			shown[c.name]++
		}
		if t.Failed() {
			t.Fatalf("%s of %s", c.name, w.script)
		}
	}
	if long.Is() {
		compareShare(t, total, shown)
	}
}

// checkShown checks the readable form of a URL, typed readable and typed fully escaped. It reports
// whether the readable form has no escape.
func checkShown(t *testing.T, c shareCategory, typed string) bool {
	href, err := open(typed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseLink(href)
	if err != nil {
		t.Fatal(err)
	}
	readable := l.Readable(HostUnicode)
	if got, err := open(readable); err != nil || !sameURL(got, href) {
		t.Errorf("%q is shown as %q, which opens %q, %v", href, readable, got, err)
	}
	if l, err = ParseLink(typed); err != nil {
		t.Fatal(err)
	}
	again := l.Readable(HostUnicode)
	if got, err := open(again); err != nil || !sameURL(got, href) {
		t.Errorf("%q is shown as %q, which opens %q, %v", typed, again, got, err)
	}
	isDeceptive := c.name == "with a deceptive character"
	if again != typed && !isDeceptive {
		t.Errorf("%+q as typed is shown as %+q", typed, again)
	}
	if isDeceptive && strings.Contains(readable+again, typed) {
		t.Errorf("%+q is shown", typed)
	}
	return !strings.Contains(readable, "%")
}

// compareShare compares the counts with the table of docs/performance.md.
func compareShare(t *testing.T, total, shown map[string]int) {
	doc, err := os.ReadFile("../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range shareCategories {
		n, whole := total[c.name], shown[c.name]
		row := fmt.Sprintf("| %s | %d | %.1f %% |", c.name, n, 100*float64(whole)/float64(n))
		if !strings.Contains(string(doc), row+"\n") {
			t.Errorf("docs/performance.md lacks the row %s", row)
		}
		if n < 100 || c.escaped && whole > 0 || !c.escaped && whole < n*95/100 {
			t.Errorf("%s: %d of %d are shown without an escape", c.name, whole, n)
		}
	}
}
