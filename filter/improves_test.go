package filter_test

import (
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

// wordsOfScripts has words of 40 scripts, for hosts and paths.
var wordsOfScripts = strings.Fields(`münchen пример δοκιμή օրինակ מבחן اختبار परीक्षा উদাহরণ ਉਦਾਹਰਣ ઉદાહરણ ଉଦାହରଣ உதாரணம்
	ఉదాహరణ ಉದಾಹರಣೆ ഉദാഹരണം උදාහරණය ตัวอย่าง ຕົວຢ່າງ དཔེར ဥပမာ მაგალითი 예시 ምሳሌ ឧទាហរណ៍ ᠵᠢᠱᠢᠶ` + "\u180e" + `ᠡ 例子 れい レイ ㄌㄧ
	ޢިޞާލް ܕܘܡܝܐ ߞߏߟߏ ᏣᎳᎩ ᐃᓄᒃᑎᑐᑦ ꆈꌠ ⵜⵉⴼⵉⵏⴰⵖ ᱥᱟᱱᱛᱟᱲ ᤕᤠᤰᤌᤢᤱ ᬩᬮᬶ ꦗꦮ ᜆᜄᜎᜓ ᮞᮥᮔ᮪ ꯃꯤꯇꯩ 𞤀𞤣𞤤𞤢𞤥 ᝑᝨ café`)

// scriptLinks returns links that senders type or copy: hosts and paths of words in many scripts, as
// letters, escapes or A-labels.
func scriptLinks(random *rand.Rand, n int) (all []string) {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	word := func() string { return wordsOfScripts[random.IntN(len(wordsOfScripts))] }
	for len(all) < n {
		host := pick("example", "example", word(), word()) + pick(".com", ".org", ".de", ".net", ".jp", ".рф", ".co.uk", ".info")
		host = pick("", "www.", "", "shop.") + host
		path := ""
		for range random.IntN(3) {
			path += "/" + pick(word(), "wiki", "a~b", "x (y)")
		}
		path = pick(path, path, path+"/", path+"?q="+word())
		if random.IntN(4) > 0 {
			ascii, err := idna.ToASCII(host)
			if err != nil {
				continue
			}
			host, path = ascii, strings.NewReplacer("%2F", "/", "%3F", "?", "%3D", "=", "+", "%20", "~", "%7E").Replace(url.QueryEscape(path))
		}
		link := pick("https://", "http://", "") + host + path
		if strings.Contains(link, " ") {
			continue
		}
		all = append(all, link)
	}
	return all
}

// lettersSeen counts the characters beyond ASCII and the escapes that readers see in a text.
func lettersSeen(text string) (letters, escapes int) {
	for i, r := range text {
		switch {
		case r > unicode.MaxASCII:
			letters++
		case r == '%', r == 'x' && strings.HasPrefix(text[i:], "xn--"):
			escapes++
		}
	}
	return letters, escapes
}

// seen returns what readers see of a message: its HTML, or its plain text if it has no HTML.
func seen(tb testing.TB, raw []byte) string {
	texts := textsOf(tb.(*testing.T), raw)
	if _, page, ok := strings.Cut(texts, "\ntext/html\n"); ok {
		var b strings.Builder
		inTag := false
		for _, r := range page {
			switch {
			case r == '<':
				inTag = true
			case r == '>' && inTag:
				inTag = false
			case !inTag:
				b.WriteRune(r)
			}
		}
		return html.UnescapeString(b.String())
	}
	_, texts, _ = strings.Cut(texts, "\ntext/plain\n")
	return texts
}

// TestEditsImprove edits 500 random links of 40 scripts, in plain text and HTML. Each edit shows
// more letters or fewer escapes than before, or links letters that programs would cut.
func TestEditsImprove(t *testing.T) {
	needTables(t)
	random := rand.New(rand.NewPCG(5, 6))
	neutralText := neutral(rule.PlainNeeded)
	builtin, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	filters := map[string]*filter.Filter{
		"default": newFilter(t, filter.Options{}),
		"builtin": builtin,
		"neutral": newFilter(t, filter.Options{Rules: neutralText}),
		"HTML":    newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainKeep)}}),
		"any":     editing(t, rule.FlaggedUnlink),
	}
	const sentence = "Please read this article before our meeting on Monday: "
	edited, escaped := 0, 0
	for _, link := range scriptLinks(random, 500) {
		other := ""
		if random.IntN(3) == 0 {
			other = " and https://example.com/page too"
		}
		for place, raw := range map[string]string{
			"text": utf8Text(sentence + link + other + "\r\n"),
			"link": string(htmlMessage("<p>" + sentence + `<a href="` + link + `">` + html.EscapeString(link) + "</a>" + other + "</p>\r\n")),
			"bare": string(htmlMessage("<p>" + sentence + html.EscapeString(link) + other + "</p>\r\n")),
		} {
			for name, f := range filters {
				result := f.Message(t.Context(), localUser(), []byte(raw))
				if !result.Report.Edited || worstLink(result.Report) >= policy.SeverityMedium {
					continue
				}
				edited++
				letters, escapes := lettersSeen(seen(t, []byte(raw)))
				after, left := lettersSeen(seen(t, result.Edited))
				opens := place != "link" && letters > 0 && strings.Contains(textsOf(t, result.Edited), "<a href=")
				if after <= letters && left >= escapes && !opens {
					t.Errorf("%s, %s: %q improves nothing:\n%s\nbefore:\n%s", name, place, link, seen(t, result.Edited), seen(t, []byte(raw)))
				}
				escaped += left
			}
		}
	}
	t.Logf("%d edits; %d escapes and A-labels left", edited, escaped)
	if edited < 500 {
		t.Errorf("only %d edits", edited)
	}
}

// TestNothingBetter: the filter does not edit if it would only drop a scheme in HTML, or replace
// typed letters by A-labels.
func TestNothingBetter(t *testing.T) {
	needTables(t)
	const sentence = "Please read this article before our meeting on Monday: "
	builtin, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"https://www.xn--mnchen-3ya.de/", "http://xn--mnchen-3ya.com", "https://xn--mnchen-3ya.org/a", "HTTPS://WWW.EXAMPLE.DE/"} {
		notEdited(t, builtin, localUser(), htmlMessage("<p>"+sentence+named(link)+"</p>\r\n"), "nothing-to-change")
		notEdited(t, newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainReadable)}}), localUser(), htmlMessage("<p>"+sentence+link+"</p>\r\n"), "nothing-to-change")
	}
	for _, link := range []string{"http://www.ᐃᓄᒃᑎᑐᑦ.co.uk", "https://www.ܕܘܡܝܐ.com"} {
		u := neutral(rule.PlainReadable)
		u[0].HTML, u[0].NeutralOnly = rule.HTMLNever, false
		notEdited(t, newFilter(t, filter.Options{Rules: u}), localUser(), []byte(utf8Text(sentence+link+"\r\n")), "nothing-to-change")
	}
}
