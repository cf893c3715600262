package filter_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// rightToLeftURLs have components that read from right to left, as an edited part shows them.
var rightToLeftURLs = []string{
	"example.com/أب/جد?x=1&ه=و#ز",
	"he.wikipedia.org/wiki/ירושלים/היסטוריה?א=ב&ג=1#ד",
	"fa.wikipedia.org/wiki/زبان_ایرانی/۱۲۳?الف=ب",
	"example.com/a/أب/c/123/جد-x?q=שלום&r=سلام",
}

// TestIsolatesInHTML: in an edited part, isolates are around components that read from right to
// left, and the text is still the URL. A second edit changes nothing.
func TestIsolatesInHTML(t *testing.T) {
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	var edited, want []string
	for _, url := range rightToLeftURLs {
		link, err := engine.ParseLink("https://" + url)
		if err != nil {
			t.Fatal(err)
		}
		for _, around := range []string{"<p>See ^ for more", `<p dir="rtl">انظر ^ هنا`, "<div dir=rtl><b>ראו</b> ^ כאן"} {
			for _, form := range []string{`<a href="|">|</a>`, "|"} {
				source := strings.ReplaceAll(strings.Replace(around, "^", form, 1), "|", strings.ReplaceAll(link.Href(), "&", "&amp;"))
				after, result := htmlOf(t, f, source)
				if !result.Report.Edited || strings.Count(after, "<a ") != 1 {
					t.Errorf("%s became %s: %s", source, after, result.Report)
				}
				edited, want = append(edited, after), append(want, url)
			}
		}
	}
	if diff := cmp.Diff(want, chromium.Map[string](t, edited, "", chromium.Components)); diff != "" {
		t.Errorf("Chromium shows something else (-URL +innerText):\n%s", diff)
	}
}

// TestIsolatesAreHonest: in an alternative with isolates, the text of each link names what it
// opens, also for the next filter.
func TestIsolatesAreHonest(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: always()})
	for _, url := range slices.Concat(rightToLeftURLs, []string{
		"مثال.مصر", "مثال.مصر/x", "שלום.קום.com", "b\u00fccher.de/-/ال?%E2%9F%8B-", "xn--bcher-kva.de/ا?,%22%E2%9F%8B%2D", "مثال.مصر:8080/أ?ب=ج&د=ه#و",
		"example.com/أ?u=https://b\u00fccher.de/", "example.com/?u=https://بدیل.مصر/أ",
	}) {
		for _, around := range []string{"See https://^ for more", "见https://^ هنا", "#https://^ (https://^)\r\n> ראו https://^ כאן"} {
			content := strings.ReplaceAll(around, "^", url) + "\r\n"
			result := check(t, content, f, localUser(), []byte(utf8Text(content)))
			if !strings.Contains(alternativeOf(t, result.Edited), `<bdi dir="ltr">`) {
				t.Errorf("%q: nothing isolated", content)
			}
			if again := f.Scan(result.Edited); worstLink(again) > worstLink(result.Report) {
				t.Errorf("%q: %v", content, placed(again))
			}
		}
	}
}
