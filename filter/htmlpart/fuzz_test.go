package htmlpart_test

import (
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// FuzzRead reads anything. What is read stands where it says, and no link is
// missed that a parser of whole documents finds.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`<p>See <a href="https://example.com/?a=1&amp;b">ex<b>am</b>ple</a>.`,
		`<!--[if mso]><v:rect href="https://example.com/"/><![endif]--><!-- <a href=https://example.net/> -->`,
		`<table><tr hidden><td><a href=https://example.com/>a<td>b</table><div style="font-size:0">c<p>d`,
		`<svg><style><a href=https://example.com/></style><p><style><a href=https://example.net/></style>`,
		`<noscript><a href=https://example.com/></noscript><title><a href=https://example.net/></title>`,
		`<base href=//example.com/a/><a href=b><form action=?c><button formaction=/d><area href=e>`,
		`<a href="https://example.com/>&#x41;&lt&amp;&nbsp;<<</>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		found := make(map[string]bool)
		for item, err := range htmlpart.Read(t.Context(), source, 1<<20) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Start < 0 || item.Start >= item.End || item.End > len(source) {
				t.Fatalf("%+v is not in the source", item)
			}
			if item.Element != "" {
				found[item.URL] = true
				if tag := source[item.Start:item.End]; tag[0] != '<' || tag[len(tag)-1] != '>' {
					t.Errorf("%s stands at %q", item.Element, tag)
				}
				continue
			}
			for i := range item.Text {
				from, to := item.Source(i, i+1)
				if from < item.Start || from >= to || to > item.End {
					t.Fatalf("byte %d of %q stands at %d to %d of %d", i, item.Text, from, to, len(source))
				}
			}
		}
		for _, href := range parsedLinks(t, source) {
			if !found[href] {
				t.Errorf("the link to %q was missed", href)
			}
		}
	})
}

// parsedLinks returns what the links of a document with scripting off open, as
// far as they are absolute.
func parsedLinks(tb testing.TB, source string) (hrefs []string) {
	tb.Helper()
	if len(source) > 4<<10 {
		return nil
	}
	doc, err := nethtml.ParseWithOptions(strings.NewReader(source), nethtml.ParseOptionEnableScripting(false))
	if err != nil {
		return nil
	}
	for n := range doc.Descendants() {
		if n.Type != nethtml.ElementNode || n.Data != "a" {
			continue
		}
		for _, a := range n.Attr {
			if a.Key == "href" && a.Namespace == "" && strings.HasPrefix(a.Val, "https://") && !strings.ContainsAny(a.Val, "\t\r\n") {
				hrefs = append(hrefs, strings.TrimRightFunc(a.Val, func(r rune) bool { return r <= ' ' }))
			}
		}
	}
	return hrefs
}
