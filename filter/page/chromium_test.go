package page_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// browsing defines the function browse, which parses a document with and without scripts, and
// returns what opens.
const browsing = `
const openers = "a,area,form,button,input,iframe,frame,embed,object,[href]";
const unlike = "style,script,noscript,:is(a,[href],button) :is(a,[href],button) :is(a,[href],button) :is(a,[href],button) :is(a,[href],button)";
const text = e => e.querySelector(unlike) ? "" : e.textContent;
const found = (root, base) => [...root.querySelectorAll(openers)].map(e => {
	const html = e.namespaceURI == "http://www.w3.org/1999/xhtml";
	let ref = null;
	if (html) {
		const name = { a: "href", area: "href", form: "action", button: "formaction", input: "formaction", iframe: "src", frame: "src", embed: "src", object: "data" }[e.localName];
		if (name) ref = e.getAttribute(name);
	} else if (e.localName == "a" || e.namespaceURI.endsWith("MathML"))
		ref = e.getAttribute("href") || e.getAttributeNS("http://www.w3.org/1999/xlink", "href");
	if (!ref) return null;
	try { return { URL: new URL(ref, base).href, Text: e.localName == "a" ? text(e) : "" } } catch { return null }
}).filter(x => x && /^https?:/.test(x.URL));
const browse = source => {
	const parsed = new DOMParser().parseFromString(source, "text/html");
	const root = document.createElement("div");
	root.innerHTML = source;
	return [...found(parsed, parsed.baseURI), ...found(root, document.baseURI)];
};
`

// TestChromium: in random documents of HTML that parsers read differently, Read finds all that
// opens in Chromium. LINKMILTER_BROWSE says how long the test runs, for example 10m. At the end it
// lists all misses, the shortest document first.
func TestChromium(t *testing.T) {
	browseFor(t, browsing, "browse", randomDocument, func(source string, opened []openedLink, miss func(kind, format string, args ...any)) int {
		compareWithBrowser(t, source, opened, miss)
		return len(opened)
	})
}

// browseFor lets a browser read random documents for LINKMILTER_BROWSE. compare compares the
// results, calls miss for each miss, and returns the number of links. At the end browseFor lists
// all misses, the shortest document first.
func browseFor[T any](t *testing.T, script, function string, random func(*rand.Rand) string, compare func(source string, result T, miss func(kind, format string, args ...any)) int) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	var duration time.Duration
	if s := os.Getenv("LINKMILTER_BROWSE"); s != "" {
		var err error
		if duration, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	batch := long.Rows(1500, 300)
	seed := uint64(1)
	if duration > 0 {
		seed = uint64(time.Now().UnixNano())
	}
	r := rand.New(rand.NewPCG(seed, 2))
	documents, links := 0, 0
	missed := make(map[string][]string) // documents by kind of miss
	for start := time.Now(); documents == 0 || time.Since(start) < duration; documents += batch {
		var sources []string
		for range batch {
			sources = append(sources, strings.ToValidUTF8(random(r), ""))
		}
		for i, result := range chromium.Map[T](t, sources, script, function) {
			links += compare(sources[i], result, func(kind, format string, args ...any) {
				missed[kind] = append(missed[kind], fmt.Sprintf(format, args...))
			})
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(missed)) {
		slices.SortFunc(missed[kind], func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
		t.Errorf("%d times %s:\n%s", len(missed[kind]), kind, strings.Join(missed[kind], "\n"))
	}
	t.Logf("%d documents with %d links, seed %d", documents, links, seed)
	if links < documents/2 {
		t.Error("too few links")
	}
}

// openedLink is what an element opens in a browser, and the text of a link.
type openedLink struct{ URL, Text string }

// compareWithBrowser calls miss if the reading of a source has no such URL as a browser opens, or
// not the text of a link to it.
func compareWithBrowser(t *testing.T, source string, opened []openedLink, miss func(kind, format string, args ...any)) {
	t.Helper()
	found := make(map[string][]string)
	for item, err := range page.Read(t.Context(), source, 1<<20) {
		if errors.Is(err, page.ErrTooComplex) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, url := range item.URLs {
			key := canonical(url)
			for _, text := range append(item.Readings, item.Text) {
				found[key] = append(found[key], squeeze(text))
			}
		}
	}
	for _, link := range opened {
		if _, err := whatwg.Parse(link.URL); err != nil {
			continue // Chromium takes more for a host than the standard
		}
		texts, ok := found[canonical(link.URL)]
		if !ok {
			miss("a link was missed", "%q in %q", link.URL, source)
			continue
		}
		// The parser reads character references in CDATA as characters, and ends foreignObject
		// elsewhere than Chromium.
		unlike := strings.Contains(source, "<![CDATA[") && strings.Contains(link.Text, "&") || strings.Contains(source, "</foreignObject>")
		if text := squeeze(link.Text); text != "" && !unlike && !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, text) }) {
			miss("a text was missed", "%q of %q, among %q, in %q", text, link.URL, texts, source)
		}
	}
}

// canonical returns a URL as a browser writes it.
func canonical(s string) string {
	u, err := whatwg.Parse(s)
	if err != nil {
		return fmt.Sprintf("invalid %q", s)
	}
	return u.Href(false)
}
