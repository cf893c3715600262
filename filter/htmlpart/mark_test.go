package htmlpart

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestMarkedTree: the tree of a source with marks is that of the source, and each element has
// its attributes.
func TestMarkedTree(t *testing.T) {
	for _, source := range []string{
		`<a href=x>y</a>`, `<A HREF="x" Title='y'/>z`, `<td class=a<td class=b>`, `<!-- <p class=x --> <p id=y>`, `<!-- <p class=x --!><p id=y>`,
		`<svg><![CDATA[<p class=x ]]><p id=y></svg>`, `<div title="<b c='">'d e>`, `</div title="<p class=x>"><p id=y>`, `<!DOCTYPE html "<p class=x>"><p id=y>`,
		`<textarea><p class="&#120;"></textarea>`, `<title><p class="a>b"></title><p id=y>`, `<script><!-- <script class=x> </script> --></script><p id=y>`,
		`<svg><path d="M0"/><a xlink:href=x xml:base=y /><p id=z>`, `<svg><path d=M0/>a</path>`, `<p class=x`, `<p class="x`, `<input type=hidden><table><input type=hidden value=x>`,
		`<math><annotation-xml encoding=text/html><p id=y>`, `<svg><font color=x>y<font class=x>z`, `<p<b class=x>`, `<p/class=x/>`, `<p =x>`, "<p class=a\r\nid=b>", "<p a\x00b=\x00>",
		`<template shadowrootmode=open><p id=y></template>`, `<body class=x><body id=y class=z><html lang=a>`, `<a id=1><table><a id=2></table>`, `<plaintext class=x><p id=y>`,
		`<select><option value=x><p id=y></select>`, `<p a=1 A=2 a=3>`, `<iframe src=x><p id=y></iframe>`, `<xmp><p id=y a></xmp>`,
	} {
		checkMarked(t, source)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		checkMarked(t, markDocument(random.IntN, 2+random.IntN(14)))
	}
}

// TestCopiedAttributes: a parser that opens an element again copies all of its attributes, which
// the cost of the tree counts.
func TestCopiedAttributes(t *testing.T) {
	const texts, padding = 3000, 1 << 19
	for _, name := range []string{"a", "font"} {
		for attributes, want := range map[int]bool{10: true, 3000: false} {
			tag := "<" + name + strings.Repeat(" class=x", attributes) + ">"
			for source, want := range map[string]bool{
				tag + strings.Repeat("<p>y", texts):                          want,
				tag + "y</" + name + ">" + strings.Repeat("<p>y", texts):     true,
				strings.Repeat(tag+"y</"+name+">", 3) + "<" + name + ">y<p>": true,
			} {
				source += strings.Repeat("text ", padding/len("text "))
				if _, ok := newReader(context.Background(), source, 1<<20, nil).marked(nil); ok != want {
					t.Errorf("%d attributes of %s, %d bytes: a tree %t, want %t", attributes, name, len(source), ok, want)
				}
			}
		}
	}
}

// FuzzMarked is TestMarkedTree for documents of its pieces.
func FuzzMarked(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3})
	f.Add([]byte("0a1b2c3d"))
	f.Fuzz(func(t *testing.T, numbers []byte) {
		numbers = numbers[:min(len(numbers), 60)]
		next := -1
		checkMarked(t, markDocument(func(n int) int { next++; return int(numbers[next]) % n }, len(numbers)))
	})
}

// markPieces are pieces of tags, and of what tags may be in.
var markPieces = strings.Split(`<p |<a |<td |<div |<svg |<path |<title>|<textarea>|<style |<script |</p |</a |</td|</title>|</textarea>|</style>|</script>|<!--|-->|--!>|<![CDATA[|]]>|<?|<!|`+
	`<table>|<tr>|<select>|<b |<font |<input |<body |<math>|<mi |<noscript>|<iframe |</iframe>|<template |<x-y |<p:q |<br|class=x|href="a&amp;b"|title='c>d'|id="|"|'|=|e<f|type=hidden|`+
	`color=red|xlink:href=g|/|/>|>|>|>|> |-|!|]| | |h|&lt;|&|<|`+"\n|\r\n|\x00", "|")

// markDocument returns a document of pieces, given a function that chooses.
func markDocument(choose func(n int) int, pieces int) string {
	var b strings.Builder
	for range pieces {
		b.WriteString(markPieces[choose(len(markPieces))])
	}
	return b.String()
}

// checkMarked fails where marks change a tree.
func checkMarked(t *testing.T, source string) {
	t.Helper()
	r := newReader(context.Background(), source, 1<<20, nil)
	marked, ok := r.marked(nil)
	if !ok || endsInSolidus(source) { // which the parser takes for "/>" without marks
		return
	}
	for _, scripts := range []bool{false, true} {
		option := html.ParseOptionEnableScripting(scripts)
		want, err := html.ParseWithOptions(strings.NewReader(source), option)
		if err != nil {
			return
		}
		got, err := html.ParseWithOptions(strings.NewReader(marked), option)
		if err != nil {
			t.Fatal(err)
		}
		p := treePass{reader: r, scripts: scripts, tokens: r.newTokens(source, 0)}
		if !p.isTree(t, got, want) {
			t.Fatalf("the tree differs, with scripts %t:\n%q\n%q", scripts, source, marked)
		}
	}
}

// endsInSolidus reports whether a value at the end of a possible tag ends in "/".
func endsInSolidus(source string) bool {
	for at := range len(source) {
		if _, _, solidus := tagEnd(source, at); source[at] == '<' && solidus {
			return true
		}
	}
	return false
}

// isTree reports whether a node of the tree of the marked source is that of the source.
func (p *treePass) isTree(t *testing.T, got, want *html.Node) bool {
	t.Helper()
	if got == nil || want == nil {
		return got == want
	}
	escaped := got.Parent != nil && (got.Parent.DataAtom == atom.Textarea || got.Parent.DataAtom == atom.Title)
	if got.Parent != nil && got.Parent.Namespace != "" { // the parser also replaces references in CDATA sections
		got.Data, want.Data, escaped = html.UnescapeString(got.Data), html.UnescapeString(want.Data), true
	}
	switch {
	case got.Type != want.Type || got.Namespace != want.Namespace:
		return false
	case got.Type == html.CommentNode || got.Type == html.DoctypeNode: // not read
	case got.Type == html.TextNode && plain(p.unmarked(got.Data, escaped)) != plain(want.Data):
		t.Logf("text %q, want %q", p.unmarked(got.Data, escaped), want.Data)
		return false
	case got.Type == html.ElementNode && p.unmarked(got.Data, false) != want.Data:
		t.Logf("element %q, want %q", got.Data, want.Data)
		return false
	case got.Type == html.ElementNode:
		if a, b := p.all(got), p.all(want); !slices.Equal(a, b) {
			t.Logf("attributes %q, want %q", a, b)
			return false
		}
	}
	return p.isTree(t, got.FirstChild, want.FirstChild) && p.isTree(t, got.NextSibling, want.NextSibling)
}

// plain returns a text as a parser leaves it: attributes that were put back have the line ends of the
// source.
func plain(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "", "\ufffd", "").Replace(text)
}

// all returns the attributes of an element, each name once, in order of names.
func (p *treePass) all(n *html.Node) (all []string) {
	known := make(map[string]bool)
	p.each(n, func(name, value string) {
		if !known[name] {
			all = append(all, plain(name+"="+value))
		}
		known[name] = true
	})
	slices.Sort(all)
	return all
}
