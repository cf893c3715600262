package filter_test

import (
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// scriptWords are words in ten scripts, some with marks, joiners and letters that change their form
// by their neighbours.
var scriptWords = []string{
	"Delhi", "Zürich", "Дели", "Αθήνα", "दिल्ली", "कार्य", "ประเทศไทย", "กรุงเทพฯ", "القاهرة", "مكتبة", "ירושלים", "서울", "東京都", "とうきょう", "চট্টগ্রাম", "தமிழ்நாடு", "Երևան", "ຈັນ",
}

// elementsWithin are elements that do not divide a word for a reader.
var elementsWithin = []string{"", "<b>", "</b>", "<span style='color:red'>", "</span>", "<i></i>", "<wbr>", "<!-- x -->", "&shy;", "&#8203;", "<font face=Arial>", "</font>", "<a name=x></a>", "\u200c", "<u>"}

var (
	linkElement = regexp.MustCompile(`(?s)<a href[^>]*>(.*?)</a>`)
	markupIn    = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)
)

var removedLabel = regexp.MustCompile(` \[[^\]]*\]`)

// seenOf returns what a reader sees of HTML, without unseen characters.
func seenOf(source string) string {
	return strings.Map(func(r rune) rune {
		if r == '\u00ad' || r == '\u200b' || r == '\u200c' {
			return -1
		}
		return r
	}, html.UnescapeString(markupIn.ReplaceAllString(strings.ReplaceAll(source, "<br>", "\n"), "")))
}

func isOfWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

// isCut reports whether a place between two characters is within a word.
func isCut(before, behind rune) bool { return isOfWord(before) && isOfWord(behind) }

// TestEditsKeepWordsWhole: a link that an edit of HTML adds or makes readable neither begins nor
// ends within a word, whatever elements are in the word.
func TestEditsKeepWordsWhole(t *testing.T) {
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	r := rand.New(rand.NewPCG(58, 5))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	written, rows := 0, long.Rows(4000, 500)
	for range rows {
		word := pick(scriptWords)
		cut := r.IntN(utf8.RuneCountInString(word) + 1)
		runes := []rune(word)
		escaped, rest := string(percent.Append(nil, string(runes[:cut]))), string(runes[cut:])
		if r.IntN(3) == 0 {
			rest = pick([]string{"", " ", ".", ", ", " " + pick(scriptWords), "<br>" + pick(scriptWords)})
		}
		url := "https://example.com/" + escaped
		behind := pick(elementsWithin) + rest + pick([]string{"", "", " "}) + pick(elementsWithin) + pick(scriptWords)
		before := pick([]string{"", " ", "(", pick(scriptWords), pick(scriptWords) + " ", pick(scriptWords) + pick(elementsWithin)})
		if k := strings.LastIndexByte(url, '%'); k > 0 && r.IntN(4) == 0 {
			url = url[:k] + pick(elementsWithin) + url[k:]
		}
		source := "<p>" + before + url + behind + "</p>"
		if r.IntN(2) == 0 {
			source = "<p>" + before + `<a href="` + seenOf(url) + `">` + url + "</a>" + behind + "</p>"
		}
		got, _ := htmlOf(t, f, source)
		for _, m := range linkElement.FindAllStringSubmatchIndex(got, -1) {
			if strings.Contains(source, got[m[2]:m[3]]+"</a>") {
				continue // as it came
			}
			written++
			within := seenOf(got[m[2]:m[3]])
			last, _ := utf8.DecodeLastRuneInString(within)
			next, _ := utf8.DecodeRuneInString(seenOf(got[m[1]:]))
			first, _ := utf8.DecodeRuneInString(within)
			previous, _ := utf8.DecodeLastRuneInString(seenOf(got[:m[0]]))
			if isCut(last, next) || isCut(previous, first) && !strings.Contains(within, "://") {
				t.Errorf("the link %q is between %q and %q:\n%s\n%s", within, previous, next, source, got)
			}
		}
	}
	if written < rows/10 {
		t.Errorf("only %d links were written", written)
	}
}

// TestLabelsKeepWordsWhole: the label behind a removed link does not stand within a word, and the
// rest of the text stays.
func TestLabelsKeepWordsWhole(t *testing.T) {
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	r := rand.New(rand.NewPCG(58, 6))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	for range long.Rows(1000, 300) {
		runes := []rune(pick(scriptWords))
		a := r.IntN(len(runes))
		b := a + 1 + r.IntN(len(runes)-a)
		behind := pick([]string{" ", ".", "<br>", "</b>", ""}) + pick(elementsWithin) + pick(scriptWords)
		source := "<p>" + string(runes[:a]) + `<a href="http://paypa1.com/">` + string(runes[a:b]) + pick([]string{"</a>", "</b></a>", "</a></i>"}) + string(runes[b:]) + behind + "</p>"
		got, _ := htmlOf(t, f, source)
		text := strings.TrimSpace(seenOf(got))
		at := removedLabel.FindStringIndex(text)
		if at == nil || text[:at[0]]+text[at[1]:] != strings.TrimSpace(seenOf(source)) {
			t.Errorf("no label, or another text:\n%s\n%s", source, got)
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		next, _ := utf8.DecodeRuneInString(text[at[1]:])
		if isCut(last, next) {
			t.Errorf("the label is between %q and %q:\n%s\n%s", last, next, source, got)
		}
	}
}

// TestAlternativeKeepsWordsWhole: if an alternative shows a link in another form than typed, the
// link does not end within a word. It begins within one only behind a script of prefixes or without
// spaces.
func TestAlternativeKeepsWordsWhole(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "all", HTML: rule.HTMLAlways}}})
	r := rand.New(rand.NewPCG(58, 7))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	shown := 0
	for range long.Rows(1000, 300) {
		runes := []rune(pick(scriptWords))
		cut := r.IntN(len(runes) + 1)
		text := pick([]string{"", " ", "(", pick(scriptWords), pick(scriptWords) + " "}) + pick([]string{"https://example.com/", "example.com/", "https://xn--bcher-kva.example.com/a/"}) +
			string(percent.Append(nil, string(runes[:cut]))) + string(runes[cut:]) + pick([]string{"", " ", ".", ", ", "、", "'dan ", "-", "<", ")"}) + pick(scriptWords) + "\r\n"
		result := check(t, text, f, localUser(), []byte(utf8Text(text)))
		got := alternativeOf(t, result.Edited)
		for _, m := range linkElement.FindAllStringSubmatchIndex(got, -1) {
			within := seenOf(got[m[2]:m[3]])
			if strings.Contains(text, within) {
				continue
			}
			shown++
			last, _ := utf8.DecodeLastRuneInString(within)
			next, _ := utf8.DecodeRuneInString(seenOf(got[m[1]:]))
			first, _ := utf8.DecodeRuneInString(within)
			previous, _ := utf8.DecodeLastRuneInString(seenOf(got[:m[0]]))
			if isCut(last, next) || previous < utf8.RuneSelf && isCut(previous, first) {
				t.Errorf("the link %q is between %q and %q:\n%s\n%s", within, previous, next, text, got)
			}
		}
	}
	if shown < 200 {
		t.Errorf("only %d links were shown in another form", shown)
	}
}
