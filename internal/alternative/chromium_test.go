package alternative_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/alternative"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// TestChromiumShowsTheText checks invariant I3 by Chromium: what it copies from the alternative is
// the text. Other tests compare quote marks, which it shows as bars. No text here has an empty line
// right before a quote, since innerText counts two for a block with <br> alone.
func TestChromiumShowsTheText(t *testing.T) {
	texts := []string{
		"नमस्ते,\n\nमहात्मा गांधी:  https://example.com/%E0%A4%85 — बहुत अच्छा।\n\n-- \nअर्जुन\n",
		"مرحبا،\n\nانظر https://example.com/ هنا.\n> اقتباس\n>> see example.com\n",
		"田中様\r\n\r\n　資料は example.jp です。\r\n\r\n\r\n以上\r\n",
		"On Monday, Anna wrote:\n> one\n>\n> two\n> > three\nfour\n",
		"Item      Price\nTea        1.20\nBread\t2.00\n\n+---+\n| a |\n+---+\n",
		"<b>not bold</b> & &amp; \"x\" 'y'\n   indented   \n \nend",
	}
	var want []string
	for _, text := range texts {
		var lines []string
		for _, l := range expected(normalised(text), nil).lines {
			lines = append(lines, l.text)
		}
		want = append(want, strings.Join(lines, "\n"))
	}
	if diff := cmp.Diff(want, innerTexts(t, texts)); diff != "" {
		t.Errorf("Chromium shows something else (-text +innerText):\n%s", diff)
	}
}

// TestChromiumOrdersComponents: a browser shows the components of a URL from left to
// right, whatever their direction and that of the text around, and innerText is the URL.
func TestChromiumOrdersComponents(t *testing.T) {
	var bodies, want []string
	for _, url := range []string{
		"https://example.com/أب/جد?x=1&ه=و#ز",
		"مثال.إختبار/صفحة/١٢/٣٤?س=ص&ع=غ",
		"https://he.wikipedia.org/wiki/ירושלים/היסטוריה?א=ב&ג=1#ד",
		"https://fa.wikipedia.org/wiki/زبان\u200cهای_ایرانی/۱۲۳?الف=ب",
		"example.com/a/أب/c/123/جد-x?q=שלום&r=سلام",
		"מישהו@דוגמה.co.il",
	} {
		for _, around := range []string{"See %s for more", "انظر %s هنا", "ראו %s כאן", "> نص %s"} {
			before, after, _ := strings.Cut(around, "%s")
			text := before + "example.com" + after
			link := alternative.Link{Start: len(before), End: len(before) + len("example.com"), Href: "https://example.com/", Display: url}
			bodies = append(bodies, body(t, alternative.Alternative(text, []alternative.Link{link})))
			want = append(want, url)
		}
	}
	if diff := cmp.Diff(want, chromium.Map[string](t, bodies, "", chromium.Components)); diff != "" {
		t.Errorf("Chromium shows something else (-URL +innerText):\n%s", diff)
	}
}

// innerTexts returns what Chromium's innerText makes of the alternatives.
func innerTexts(tb testing.TB, texts []string) []string {
	tb.Helper()
	var bodies []string
	for _, text := range texts {
		bodies = append(bodies, body(tb, alternative.Alternative(text, nil)))
	}
	got := chromium.Map[string](tb, bodies, "", "b => { document.body.innerHTML = b; return document.body.innerText }")
	for i := range got {
		got[i] = strings.TrimSuffix(strings.ReplaceAll(got[i], "\u00a0", " "), "\n")
	}
	return got
}
