package htmledit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// nestedPieces are pieces of documents in which parsers have the same elements open as tokens
// say, and of some in which they have not.
var nestedPieces = strings.Fields(`<html> <head> </head> <body> </body> </html> <title>t</title> <style>s</style> <script>s</script> <meta> <base>
	<table> <table> </table> </table> <tbody> </tbody> <thead> </thead> <tr> <tr> </tr> </tr> <td> <td> <td> </td> </td> <th> </th> <colgroup> </colgroup> <col>
	<div> </div> <div> </div> <p> <p> </p> <center> </center> <h1> </h1> <h2> </h2> <ul> </ul> <ol> </ol> <li> </li> <dl> </dl> <dt> <dd> </dd> </dt>
	<span> </span> <span> </span> <o:p> </o:p> <o:p/> <x> </x> <a> </a> <a> </a> <b> </b> <i> </i> <font> </font> <code> </code> <sup> </sup>
	<br> </br> <img> <hr> <input> <link> <form> </form> <pre> </pre> <blockquote> </blockquote> <section> </section> <textarea>t</textarea> <iframe>t</iframe>
	<xmp>t</xmp> <!--c--> <?x> <!DOCTYPE_html> </nobr> </select> </template> </caption> </applet> <frame> <menu> </menu> &#32; &#10; &amp;`)

// nestedDocument returns a document of pieces with a text of its own between each two.
func nestedDocument(pieces []byte) string {
	var b strings.Builder
	for i, n := range pieces {
		b.WriteString(strings.ReplaceAll(nestedPieces[int(n)%len(nestedPieces)], "_", " "))
		if n >= 128 {
			fmt.Fprintf(&b, "(%d)", i)
		}
	}
	return b.String()
}

// openAtTexts returns the names of the elements around each text by its number, as nesting
// has them, and false where it has not.
func openAtTexts(source string) (map[string][]string, bool) {
	around := make(map[string][]string)
	var d direct
	for w := newRawWalk(source, 0); w.next(); {
		d.follow(w)
		if d.nesting.lost {
			return nil, false
		}
		if w.kind != html.TextToken || d.nesting.raw {
			continue
		}
		var names []string
		for _, o := range d.nesting.open {
			names = append(names, o.name)
		}
		for number := range numbersIn(w.source[w.start:w.end]) {
			around[number] = names
		}
	}
	return around, true
}

// numbersIn yields the numbers in a text.
func numbersIn(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			_, rest, ok := strings.Cut(text, "(")
			if !ok {
				return
			}
			number, after, ok := strings.Cut(rest, ")")
			if !ok {
				return // the tree may join it with the next text
			}
			if _, err := strconv.Atoi(number); err != nil {
				text = rest
			} else if text = after; !yield(number) {
				return
			}
		}
	}
}

// openInTree returns the names of the elements around each text by its number, nil for a
// number that occurs twice: the tree joins texts around a tag that it drops.
func openInTree(tb testing.TB, source string, scripts bool) map[string][]string {
	tb.Helper()
	doc, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(scripts))
	if err != nil {
		tb.Fatal(err)
	}
	around := make(map[string][]string)
	for n := range doc.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		var names []string
		for p := range n.Ancestors() {
			if p.Type == html.ElementNode && p.Data != "html" {
				names = append(names, p.Data)
			}
		}
		slices.Reverse(names)
		for number := range numbersIn(n.Data) {
			if _, twice := around[number]; twice {
				around[number] = nil
			} else {
				around[number] = names
			}
		}
	}
	return around
}

// checkNesting reports whether nesting followed a document. Then texts are where it says.
func checkNesting(tb testing.TB, source string) bool {
	tb.Helper()
	want, ok := openAtTexts(source)
	if !ok {
		return false
	}
	for _, scripts := range []bool{false, true} {
		got := openInTree(tb, source, scripts)
		for number, names := range want {
			found, ok := got[number]
			if strings.Count(source, "("+number+")") > 1 || ok && found == nil {
				continue
			}
			// A body without a tag is not among the elements.
			if !slices.Equal(found, names) && !(len(found) > 0 && found[0] == "body" && slices.Equal(found[1:], names)) {
				tb.Fatalf("(%s) is in %v, want %v:\n%s", number, found, names, source)
			}
		}
	}
	return true
}

// TestNesting: wherever nesting follows a document, texts are in the elements of the tree that
// it has open, and it follows most of ordinary markup.
func TestNesting(t *testing.T) {
	for source, followed := range map[string]bool{
		"<html><head><title>a</title></head><body>(1)<p>(2)<p>(3)<div>(4)</div>(5)</body></html>(6)":               true,
		"<table><tr><td>(1)<td>(2)<table><td>(3)</table>(4)<tr><th>(5)</table>(6)":                                 true,
		"<ul><li>(1)<li>(2)<ol><li>(3)</ol>(4)</ul>(5)<dl><dt>(6)<dd>(7)</dl>":                                     true,
		"<p><span>(1)<div>(2)</span>(3)</div>(4)</span>(5)":                                                        true,
		"<a href=x><table><tr><td>(1)<a href=y>(2)</a></table>(3)</a>(4)":                                          true,
		"<center><font>(1)<b>(2)</b></font>(3)</center><h1>(4)<h2>(5)</h1>(6)":                                     true,
		"<table><colgroup><col><col></colgroup><col><tbody><tr><td><b>(1)</td><td>(2)</table>(3)</td></tr></x>(4)": true,
		"<p>(1)</i></p></p>(2)<form>(3)<div><form>(4)</div></form>(5)":                                             true,
		"<table>(1)</table>":            false,
		"<b><p>(1)</b>(2)</p>":          false,
		"<div><b>(1)</div>(2)":          false,
		"<a>(1)<a>(2)":                  false,
		"<svg>(1)</svg>":                false,
		"<select><option>(1)</select>":  false,
		"<p><table><tr><td>(1)</table>": false,
		"<noscript>(1)</noscript>":      false,
	} {
		if checkNesting(t, source) != followed {
			t.Errorf("followed %t: %s", !followed, source)
		}
	}
}

// TestNestingOfRandomDocuments: so are they in random documents.
func TestNestingOfRandomDocuments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	followed := 0
	const documents = 20_000
	for range documents {
		pieces := make([]byte, 1+random.IntN(20))
		for i := range pieces {
			pieces[i] = byte(random.Uint32())
		}
		if checkNesting(t, nestedDocument(pieces)) {
			followed++
		}
	}
	if t.Logf("%d of %d documents were followed", followed, documents); followed < documents/10 {
		t.Error("these are too few")
	}
}

// FuzzNesting is TestNestingOfRandomDocuments for any HTML, too.
func FuzzNesting(f *testing.F) {
	f.Add("<table><tr><td>(1)<p>(2)<b>(3)</td></tr></table>(4)", []byte{1, 2, 3})
	f.Add("abls/\xd2e><tr><td>(1)<p>(2)<b>(31</td></t(2)<b>(", []byte("<"))
	f.Add("(<td>1)", []byte("0\x920"))
	f.Fuzz(func(t *testing.T, source string, pieces []byte) {
		const most = 2 << 10
		if len(source)+len(pieces) < most && strings.IndexByte(source, 0) < 0 {
			checkNesting(t, nestedDocument(pieces[:min(len(pieces), 64)])+source)
		}
	})
}
