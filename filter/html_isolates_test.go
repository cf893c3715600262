package filter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// rightToLeftURLs have components from right to left, as an edited part shows them.
var rightToLeftURLs = []string{
	"example.com/أب/جد?x=1&ه=و#ز",
	"he.wikipedia.org/wiki/ירושלים/היסטוריה?א=ב&ג=1#ד",
	"fa.wikipedia.org/wiki/زبان_ایرانی/۱۲۳?الف=ب",
	"example.com/a/أب/c/123/جد-x?q=שלום&r=سلام",
}

// TestIsolatesInHTML: in an edited part, components from right to left are isolated, and the
// text is the URL. A second edit changes nothing.
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
