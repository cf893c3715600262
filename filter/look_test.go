package filter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// looks are sample messages whose alternatives a browser lays out.
var looks = []struct {
	sample string
	widths []int                           // of the window, in CSS pixels
	expect func(testing.TB, string, *page) // checked in addition to what all must fulfil
}{
	{"edit-hindi-8bit", []int{800, 320}, leftToRight},
	{"edit-arabic-quoted-printable", []int{800, 320}, rightToLeft},
	{"edit-japanese-utf-8", []int{800, 320}, leftToRight},
	{"edit-quoted-thread", []int{800, 320}, nestedQuotes},
	{"edit-hebrew-quoted", []int{800, 320}, quotesFromTheRight},
	{"edit-lists", []int{800}, indentedLists},
	{"edit-table", []int{800}, alignedColumns},
}

// A page is what a browser made of an alternative.
type page struct {
	Text   string // innerText
	Width  int    // inside of the window
	Scroll int    // of all content, at least Width
	Boxes  []box
	Words  []box // by line and word
}

// A box is an element or a word as it was laid out, in CSS pixels from the left of
// the page.
type box struct {
	Tag       string // in lower case; of a word the word
	Direction string
	Face      string // font-family
	Depth     int    // quotes around it
	Line      int    // of a word: the text node around it
	Left, Right, Top, Bottom,
	BorderLeft, BorderRight float64
}

// TestLook renders alternatives in Chromium. It compares the text that Chromium shows with the
// original, and the layout with what a reader expects. The pictures are for people.
func TestLook(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	chromium := env.Command(t, "chromium")
	needTables(t)
	f := newFilter(t, filter.Options{})
	dir := t.ArtifactDir()
	var documents []string
	var widths []int
	var results []filter.Result
	for _, look := range looks {
		result := f.Message(t.Context(), localUser(), readSample(t, look.sample))
		for _, width := range look.widths {
			documents = append(documents, alternativeOf(t, result.Edited))
			widths = append(widths, width)
			results = append(results, result)
		}
	}
	pages := layOut(t, chromium, documents, widths)
	i := 0
	for _, look := range looks {
		for _, width := range look.widths {
			t.Run(fmt.Sprintf("%s-%d", look.sample, width), func(t *testing.T) {
				showsLines(t, readSample(t, look.sample), results[i].Report, pages[i].Text)
				staysInside(t, &pages[i])
				look.expect(t, look.sample, &pages[i])
				if !long.Is() {
					return
				}
				photograph(t, chromium, documents[i], filepath.Join(dir, fmt.Sprintf("%s-%d.png", look.sample, width)), width)
			})
			i++
		}
	}
	t.Logf("pictures, with LINKMILTER_LONG=1, are in %s (kept with -artifacts)", dir)
}

// showsLines fails if the lines of innerText differ from those of the text, with links as displayed
// and without quote marks.
func showsLines(tb testing.TB, raw []byte, r report.Report, innerText string) {
	tb.Helper()
	text, err := firstText(raw)
	if err != nil {
		tb.Fatal(err)
	}
	lines := func(s string) []string {
		var all []string
		for line := range strings.SplitSeq(strings.TrimRight(lf(strings.ReplaceAll(s, "\u00a0", " ")), "\n"), "\n") {
			if line = strings.TrimRight(strings.TrimLeft(line, "> "), " "); line != "" {
				all = append(all, line)
			}
		}
		return all
	}
	if diff := cmp.Diff(lines(asDisplayed(text, r)), lines(innerText)); diff != "" {
		tb.Errorf("Chromium shows something else (-text +innerText):\n%s", diff)
	}
}

// staysInside fails if anything is wider than the window.
func staysInside(tb testing.TB, p *page) {
	tb.Helper()
	if p.Scroll > p.Width {
		tb.Errorf("content of %d pixels in a window of %d", p.Scroll, p.Width)
	}
	for _, b := range slices.Concat(p.Boxes, p.Words) {
		if b.Left < 0 || b.Right > float64(p.Width)+0.5 {
			tb.Errorf("<%s> from %g to %g in a window of %d", b.Tag, b.Left, b.Right, p.Width)
		}
	}
	if len(p.Words) == 0 {
		tb.Error("no words")
	}
}

func leftToRight(tb testing.TB, _ string, p *page) {
	tb.Helper()
	for _, b := range p.Boxes {
		if b.Direction != "ltr" {
			tb.Errorf("<%s> is %s", b.Tag, b.Direction)
		}
	}
	if first := p.Words[0]; first.Left > float64(p.Width)/4 {
		tb.Errorf("the first word begins at %g of %d", first.Left, p.Width)
	}
}

// rightToLeft checks that paragraphs run from right to left and begin at the right, and that links
// in them run as URLs do.
func rightToLeft(tb testing.TB, _ string, p *page) {
	tb.Helper()
	divs, links := 0, 0
	for _, b := range p.Boxes {
		switch b.Tag {
		case "div":
			divs++
			if b.Direction != "rtl" {
				tb.Errorf("paragraph is %s", b.Direction)
			}
		case "a":
			links++
			if b.Direction != "ltr" {
				tb.Errorf("link is %s", b.Direction)
			}
		}
	}
	if first := p.Words[0]; first.Right < float64(p.Width)*3/4 || divs == 0 || links == 0 {
		tb.Errorf("the first word ends at %g of %d; %d paragraphs, %d links", first.Right, p.Width, divs, links)
	}
}

// nestedQuotes checks for three nested quotes, each with a bar at the left, further to the right
// than that of the one around it.
func nestedQuotes(tb testing.TB, _ string, p *page) {
	tb.Helper()
	left := make(map[int]float64)
	for _, b := range p.Boxes {
		if b.Tag == "blockquote" {
			left[b.Depth] = b.Left
			if b.BorderLeft < 1 || b.BorderRight > 0 {
				tb.Errorf("quote with bars of %g and %g", b.BorderLeft, b.BorderRight)
			}
		}
	}
	for _, w := range p.Words {
		if w.Depth > 0 && w.Left < left[w.Depth-1] {
			tb.Errorf("%q in quote %d begins at %g, left of the quote at %g", w.Tag, w.Depth, w.Left, left[w.Depth-1])
		}
	}
	if len(left) != 3 || left[0] >= left[1] || left[1] >= left[2] {
		tb.Errorf("quotes begin at %v", left)
	}
}

// quotesFromTheRight checks for two nested quotes, each with a bar at the right, further to the
// left than that of the one around it.
func quotesFromTheRight(tb testing.TB, _ string, p *page) {
	tb.Helper()
	right := make(map[int]float64)
	for _, b := range p.Boxes {
		if b.Tag == "blockquote" {
			right[b.Depth] = b.Right
			if b.BorderRight < 1 || b.BorderLeft > 0 {
				tb.Errorf("quote with bars of %g and %g", b.BorderLeft, b.BorderRight)
			}
		}
	}
	if len(right) != 2 || right[0] <= right[1] || right[0] < float64(p.Width)*3/4 {
		tb.Errorf("quotes end at %v of %d", right, p.Width)
	}
}

// indentedLists checks that items of lists are to the right of the text around them.
func indentedLists(tb testing.TB, _ string, p *page) {
	tb.Helper()
	left := make(map[string]float64)
	for _, w := range p.Words {
		left[w.Tag] = w.Left
	}
	if left["To"] >= left["*"] || left["*"] >= left["-"] || left["the"] >= left["its"] {
		tb.Errorf("words begin at %v", left)
	}
}

// alignedColumns checks for a monospaced font, and for columns of a table under each other.
func alignedColumns(tb testing.TB, _ string, p *page) {
	tb.Helper()
	at := make(map[string]box)
	for _, w := range p.Words {
		at[w.Tag] = w
	}
	for _, b := range p.Boxes {
		if b.Tag == "div" && !strings.Contains(b.Face, "monospace") {
			tb.Errorf("a paragraph in %s", b.Face)
		}
	}
	same := func(what string, a, b float64) {
		if a < b-0.6 || a > b+0.6 {
			tb.Errorf("%s: %g and %g", what, a, b)
		}
	}
	same("left of Item and Total", at["Item"].Left, at["Total"].Left)
	same("right of Price and 1.20", at["Price"].Right, at["1.20"].Right)
	same("right of 1.20 and 9.20", at["1.20"].Right, at["9.20"].Right)
	same("left of Page and its links", at["Page"].Left, at["https://example.com/tea"].Left)
}

// measuring is a script for the test's page. It lays each document out in a frame of its own and
// writes the measures into the page.
const measuring = `
const boxes = d => [...d.querySelectorAll("div,bdi,blockquote,a")].map(e => ({ Tag: e.localName, ...measured(d, e, e.getBoundingClientRect()) }));
const depth = e => { let n = 0; for (e = e.parentElement; e; e = e.parentElement) n += e.localName == "blockquote"; return n };
const measured = (d, e, r) => {
	const s = d.defaultView.getComputedStyle(e);
	return { Direction: s.direction, Face: s.fontFamily, Depth: depth(e), Left: r.left, Right: r.right, Top: r.top, Bottom: r.bottom,
		BorderLeft: parseFloat(s.borderLeftWidth), BorderRight: parseFloat(s.borderRightWidth) };
};
const words = d => {
	const all = [], walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);
	for (let line = 0, n; n = walk.nextNode(); line++)
		for (const m of n.data.matchAll(/[^\s\u00a0]+/g)) {
			const r = d.createRange();
			r.setStart(n, m.index); r.setEnd(n, m.index + m[0].length);
			const box = measured(d, n.parentElement, r.getBoundingClientRect());
			if (n.parentElement.closest("blockquote") && n.parentElement.localName != "blockquote") box.Depth = depth(n.parentElement);
			all.push({ Tag: m[0], Line: line, ...box });
		}
	return all;
};
onload = () => {
	const got = [...document.querySelectorAll("iframe")].map(f => {
		const d = f.contentDocument, e = d.documentElement;
		return { Text: d.body.innerText, Width: e.clientWidth, Scroll: e.scrollWidth, Boxes: boxes(d), Words: words(d) };
	});
	document.body.textContent = "[[" + encodeURIComponent(JSON.stringify(got)) + "]]";
};`

// layOut has Chromium lay documents out in windows of the given widths.
func layOut(tb testing.TB, chromium string, documents []string, widths []int) []page {
	tb.Helper()
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><meta charset=utf-8><body>")
	for i, document := range documents {
		b.WriteString(framed(document, widths[i]))
	}
	b.WriteString("<script>" + measuring + "</script>")
	out := run(tb, chromium, writeFile(tb, b.String()), "--dump-dom")
	_, rest, _ := strings.Cut(out, "[[")
	encoded, _, ok := strings.Cut(rest, "]]")
	plain, err := url.PathUnescape(encoded)
	if !ok || err != nil {
		tb.Fatalf("chromium wrote %.2000q: %v", out, err)
	}
	var pages []page
	if err := json.Unmarshal([]byte(plain), &pages); err != nil {
		tb.Fatal(err)
	}
	if len(pages) != len(documents) {
		tb.Fatalf("%d pages of %d documents", len(pages), len(documents))
	}
	return pages
}

// photograph has Chromium make a picture of a document.
func photograph(tb testing.TB, chromium, document, picture string, width int) {
	tb.Helper()
	wrapper := "<!DOCTYPE html><meta charset=utf-8><body style=\"margin:0\">" + framed(document, width)
	run(tb, chromium, writeFile(tb, wrapper), "--screenshot="+picture, fmt.Sprintf("--window-size=%d,420", width+40), "--hide-scrollbars")
	if _, err := os.Stat(picture); err != nil {
		tb.Error(err)
	}
}

// framed returns a frame of a width that shows a document.
func framed(document string, width int) string {
	return fmt.Sprintf("<iframe width=%d height=400 srcdoc=\"%s\"></iframe>", width, html.EscapeString(document))
}

func writeFile(tb testing.TB, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// run runs Chromium on a file, without a network, and returns what it prints.
func run(tb testing.TB, chromium, path string, args ...string) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + tb.TempDir(),
	}, args...)
	out, err := exec.CommandContext(ctx, chromium, append(args, "file://"+path)...).Output()
	if err != nil {
		tb.Fatalf("chromium: %v", err)
	}
	return string(out)
}
