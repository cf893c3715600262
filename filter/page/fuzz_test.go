package page_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter/page"
)

// FuzzRead reads any source. Each item stands where Read says. Read finds each link, and text of a
// link, that a parser of whole documents finds.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`<p>See <a href="https://example.com/?a=1&amp;b">ex<b>am</b>ple</a>.`,
		`<!--[if mso]><v:rect href="https://example.com/"/><![endif]--><!-- <a href=https://example.net/> -->`,
		`<table><tr hidden><td><a href=https://example.com/>a<td>b</table><div style="font-size:0">c<p>d`,
		`<svg><style><a href=https://example.com/></style><p><style><a href=https://example.net/></style>`,
		`<noscript><a href=https://example.com/></noscript><title><a href=https://example.net/></title>`,
		`<base href=//example.com/a/><a href=b><form action=?c><button formaction=/d><area href=e>`,
		`<a href="https://example.com/">&#x41;&lt&amp;&nbsp;<<</>`,
		`<svg><a href="https://example.com/?<a href=b/>"><a href=x>t</a>u`,
		"<!--[if mso]><v:\x04\x00ct href=\"http0000000mple.c", "<!--[if>//\r", "<!--[if>.c&ampl", " p;b<b>x</b>y<b>z</b>p;b<b>",
		"<noscript\xb8\xb8><a href=https://example.com/><<noscript><t)tle>/", "<a href=https://example.com/>a<noscript>b</noscript>c",
		"\xe8\x03\x00\x00\x00><p><<<a ef=http`ČH\xf5:/pexae><p><<p/>yle><</><<p",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) { compareWithTree(t, source) })
}

// compareWithTree fails if an item is not in the source, or if the reading has no such link or text
// as a parser finds.
func compareWithTree(t *testing.T, source string) {
	t.Helper()
	found, styled := make(map[string][]string), make(map[string]bool) // texts by URL
	for item, err := range page.Read(t.Context(), source, 1<<20) {
		if errors.Is(err, page.ErrTooComplex) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkPlace(t, source, &item)
		for _, url := range item.URLs {
			found[url] = append(found[url], squeeze(item.Text))
			for _, text := range item.Readings {
				found[url] = append(found[url], squeeze(text))
			}
			styled[url] = styled[url] || item.Styled
		}
	}
	for _, scripts := range []bool{false, true} {
		for _, link := range parsedLinks(t, source, scripts) {
			texts, ok := found[link.href]
			if !ok {
				t.Fatalf("the link to %q was missed, with scripts %t:\n%s", link.href, scripts, source)
			}
			if link.hasText && !styled[link.href] && !slices.Contains(texts, squeeze(link.text)) {
				t.Fatalf("the text %q of %q was missed, with scripts %t, among %q:\n%s", link.text, link.href, scripts, texts, source)
			}
		}
	}
}

// squeeze returns a text without white space and other characters in which readings may differ.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n\f\u00a0\x00\ufffd\u202e", r) || r < ' ' {
			return -1
		}
		return r
	}, s)
}

// checkPlace fails where the place of an item is not in the source.
func checkPlace(t *testing.T, source string, item *page.Item) {
	t.Helper()
	if item.Start < 0 || item.Start >= item.End || item.End > len(source) {
		t.Fatalf("%+v is not in the source", item)
	}
	if item.Element != "" {
		if tag := source[item.Start:item.End]; !strings.Contains(tag, "<") && item.Element != "script" {
			t.Errorf("%s is at %q", item.Element, tag)
		}
		return
	}
	for i := range item.Text {
		from, to := item.Source(i, i+1)
		if from < item.Start || from >= to || to > item.End {
			t.Fatalf("byte %d of %q is at %d to %d of %d", i, item.Text, from, to, len(source))
		}
	}
}

// A parsedLink is a link in the tree of a parser, if its URL is absolute.
type parsedLink struct {
	href, text string
	hasText    bool
}

// parsedLinks returns what the elements of a document open.
func parsedLinks(tb testing.TB, source string, scripts bool) (links []parsedLink) {
	tb.Helper()
	if len(source) > 8<<10 {
		return nil
	}
	doc, err := nethtml.ParseWithOptions(strings.NewReader(source), nethtml.ParseOptionEnableScripting(scripts))
	if err != nil {
		return nil
	}
	opens := map[string]string{
		"a": "href", "area": "href", "form": "action", "button": "formaction", "input": "formaction",
		"iframe": "src", "frame": "src", "embed": "src", "object": "data",
	}
	for n := range doc.Descendants() {
		if n.Type != nethtml.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			isLink := opens[n.Data] == a.Key && a.Namespace == "" && n.Namespace == "" || n.Namespace != "" && a.Key == "href"
			if !isLink || !strings.HasPrefix(a.Val, "https://") || strings.ContainsAny(a.Val, "\t\r\n") {
				continue
			}
			link := parsedLink{href: strings.TrimRightFunc(a.Val, func(r rune) bool { return r <= ' ' })}
			if n.Data == "a" {
				link.text = textOf(n, scripts)
				link.hasText = squeeze(link.text) != "" && depthOfLinks(n) <= 4
			}
			links = append(links, link)
		}
	}
	return links
}

// textOf returns the text of an element, without that of scripts and styles, and of
// noscript where scripts run.
func textOf(n *nethtml.Node, scripts bool) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type != nethtml.TextNode {
			continue
		}
		if p := c.Parent; p.Data == "script" || p.Data == "style" || p.Namespace == "" && p.Data == "noscript" && scripts {
			continue
		}
		b.WriteString(c.Data)
	}
	return b.String()
}

// depthOfLinks returns how deep links are nested.
func depthOfLinks(n *nethtml.Node) int {
	depth := 0
	for c := range n.ChildNodes() {
		depth = max(depth, depthOfLinks(c))
	}
	if n.Type == nethtml.ElementNode && (n.Data == "button" || slices.ContainsFunc(n.Attr, func(a nethtml.Attribute) bool { return a.Key == "href" })) {
		depth++
	}
	return depth
}
