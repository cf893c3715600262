package htmlpart_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// unopenedFragments are pieces of HTML beside [plainFragments] with end tags of elements that
// are not open, and what these may close instead.
var unopenedFragments = strings.Split(`</br>
</p>
</p>
</div>
</span>
</li>
<h2>
</h2>
<object>
</object>
<table><tr><td><table><tr><td>
<caption>
</caption>
<td>
<u>
</u>
</form>
<font color=red>
<p style=display:none>
<span style=display:none>
<style>p::before{content:'x.example'}</style>
<!--[if mso]><noscript><a href=https://example.com/mso>x</a></noscript><![endif]-->
<a href=https://example.com/open>`, "\n")

// rarerFragments are pieces of HTML beside those: elements that parsers know more rules about.
var rarerFragments = strings.Split(`<svg>
<svg>
</svg>
</svg>
<svg/>
<math>
</math>
<g>
</g>
<path d=x />
<text x=1>
</text>
<use href=https://example.com/use />
<a xlink:href=https://example.com/xlink>
<a href=https://example.com/closed />
<set attributename=href to=https://example.com/set />
<image href=https://example.com/image />
<style>p{color:blue}</style>
<![CDATA[x]]>
<mtext>
</mtext>
<mi>
</mi>
<form action=https://example.com/inner>
<object data=https://example.com/object>
<param name=a value=//example.com/param>
<link href=https://example.com/link>
<marquee>
</marquee>
<select>
</select>
<option value=1>
<option>
</option>
<optgroup>
</optgroup>
<button>
</button>
<button name=x>
<input type=submit>
<input>
</form>
<nobr>
</nobr>
<b>
</b>
<p>
<div>
</div>
<span style=font-size:0>
</span>`, "\n")

// formattingFragments are elements that a parser opens again, and what their end tags end.
var formattingFragments = strings.Split(`<p><b></p>
<b>
</b>
</b>
<p>
</p>
<div style=font-size:0>
</div>
<span style=font-size:0>
<span>
</span>
<table><tr><td>`, "\n")

// regularFragments are all of these pieces. Where a body ends in a text the tree has one text,
// which the source has in two pieces.
var regularFragments = slices.DeleteFunc(slices.Concat(plainFragments, unopenedFragments, rarerFragments),
	func(s string) bool { return s == "</body>" || s == "</html>" })

// regularDocument returns a document of pieces, two numbers for each, with texts and links
// between them.
func regularDocument(from []string, numbers []byte) string {
	var b strings.Builder
	for i := 0; i+1 < len(numbers); i += 2 {
		b.WriteString(from[int(numbers[i])%len(from)])
		switch numbers[i+1] % 4 {
		case 0:
			fmt.Fprintf(&b, "w%d", i)
		case 1:
			fmt.Fprintf(&b, "<a href=https://example.com/%d>t%[1]d</a>", i)
		}
	}
	return b.String()
}

// TestRegular: the tree of a source that linkmilter does not read would show nothing more.
func TestRegular(t *testing.T) {
	const documents, size = 10000, 14
	for name, from := range map[string][]string{
		"plain": slices.Concat(plainFragments, unopenedFragments), "rarer": rarerFragments, "formatting": formattingFragments, "all": regularFragments,
	} {
		r := rand.New(rand.NewPCG(1, 58))
		regular := 0
		for range documents {
			numbers := make([]byte, 2+2*r.IntN(size))
			for i := range numbers {
				numbers[i] = byte(r.IntN(256))
			}
			if source := regularDocument(from, numbers); isRegularOrEqual(t, source) {
				regular++
				isRegularOrEqual(t, "<?xml version='1.0'?>"+source)
			}
		}
		if t.Logf("%s: %d of %d documents are regular", name, regular, documents); regular < documents/10 {
			t.Error("too few documents are regular")
		}
	}
}

// TestRegularHidden: an element in a link that opens a URL and shows nothing divides a hidden text.
func TestRegularHidden(t *testing.T) {
	const source = "<a href=https://example.com/>w0<span style=font-size:0>w2<param name=a value=//example.com/param>w4"
	if !isRegularOrEqual(t, source) {
		t.Error("the source is not regular")
	}
}

// TestRegularMoved: the empty paragraph of an end tag is one more part of a text whose parts a style
// moves.
func TestRegularMoved(t *testing.T) {
	for _, tag := range []string{"</p>", "</br>"} {
		if isRegularOrEqual(t, "<a href=https://example.com/>w0<text x=1>w2"+tag+"w4") ||
			isRegularOrEqual(t, "<text x=1><object data=https://example.com/>w0"+tag+"w2"+tag+"w4<center>") {
			t.Errorf("a source with %s is regular", tag)
		}
		if !isRegularOrEqual(t, "<a href=https://example.com/>w0"+tag+"w4") {
			t.Errorf("the tree of a link with %s is read", tag)
		}
	}
}

// TestRegularReopened: an end tag ends an element that a parser opened again, with what is in it.
func TestRegularReopened(t *testing.T) {
	for _, source := range []string{
		"<p><b></p><span style=font-size:0>w0</b>w2",
		"<span style=font-size:0><p><b></p><span>w0</b></span>w2",
		"<p><b></p><span style=font-size:0><p>w0<b></b></b><span style=font-size:0>w2",
	} {
		isRegularOrEqual(t, source)
	}
	for _, source := range []string{ // which shows the text that follows in its own way once more
		"<div style=font-size:0><font style=font-size:0></div>w1<span style=font-size:12px>w2</span>w3",
		"<p><font style=font-size:12px></p><div style=font-size:0>w1<span style=font-size:12px>w2</span>w3",
		"<ul title=t><b title=t></ul><a href=https://example.com/>w1</a>",
	} {
		isRegularOrEqual(t, source)
	}
	if !isRegularOrEqual(t, "<p><b>w0</p><div><p>w2</b></p></div>w4") {
		t.Error("the tree of a block in an element that is open again is read")
	}
}

// TestRegularGoesOn: an element goes on behind an end tag that a parser takes for that of another one.
func TestRegularGoesOn(t *testing.T) {
	const text = "w1<span style=font-size:12px>w2</span> w3"
	for _, source := range []string{
		"<li style=font-size:0><ul></li>",
		"<li style=font-size:0><div><ol></li>",
		"<h1 style=font-size:0><div><h2></h1>",
		"<h1><div style=font-size:0><h2></h1>",
		"<body style=font-size:0></body>",
		"<body><div style=font-size:0></body>",
		"<html><p style=font-size:0></html>",
		"<table style=font-size:0><tr><td></tbody>",
		"<table><tr style=font-size:0><td>w0 </tbody> <td>",
	} {
		isRegularOrEqual(t, source+text)
		isRegularOrEqual(t, "<a href=https://example.com/>"+source+text)
	}
	for _, source := range []string{"<body><p>w0</p></body>", "<table><tr><td>w0</td></tr></tbody></table>", "<h1><b>w0</h1>", "<li><div>w0</li>"} {
		if !isRegularOrEqual(t, source+"<br>") {
			t.Errorf("the tree of %s is read", source)
		}
	}
}

// TestRegularHiddenTable: without a document type a table does not end a paragraph, whose text goes on behind a hidden
// one, or in one that is in its line.
func TestRegularHiddenTable(t *testing.T) {
	const link1, link2 = "<a href=https://example.com/1>www.exam</a>", "<a href=https://example.com/2>ple.com</a>"
	for _, source := range []string{
		"<p>w1<table hidden></table>w2<br>",
		"<p>" + link1 + "<table hidden></table>" + link2,
		"<p>" + link1 + "<table style=display:inline><tbody style=display:inline><tr style=display:inline><td>" + link2,
	} {
		isRegularOrEqual(t, source)
	}
}

// TestRegularInWord: other programs than browsers may see a break at an end tag that a parser ignores, though what
// follows is hidden.
func TestRegularInWord(t *testing.T) {
	for _, next := range []string{"<br style=display:none>", "<div hidden>w2</div>", "<span></span>"} {
		read, _ := itemsOf(t, htmlpart.Read, "w1</div>"+next+"w3")
		if _, ok := read[`  ["w1"] false`]; !ok {
			t.Errorf("before %s there is only %q", next, read)
		}
	}
}

// TestRegularAdded: a parser adds a body to a table and ends a head, which the pass does not.
func TestRegularAdded(t *testing.T) {
	const link, links = "<a href=https://example.com/1>w1</a>", "<a href=https://example.com/2>w2</a><a href=https://example.com/3>ple.com</a>"
	for _, source := range []string{
		"<style>tbody{display:none}</style><a href=https://example.com/>w1<table><tr><td>w2</td></tr></table>example.com</a>",
		link + "<table style=display:inline><tr style=float:left><td>" + links + "</td></tr></table>",
		link + "<table style=float:left><tr style=display:none><td>" + links + "</td></tr></table>",
		"<table style=display:inline><tr style=float:left><td style=display:inline>" + link + "</td></tr></table>" + links,
		"<table style=float:left><tr style=display:none><td>" + link + "</td></tr></table>" + links,
		"<dt style=display:flex>" + link + "</p>" + links,
		"<style>p{display:inline}</style>" + link + "</p>" + links,
		"<head style=font-size:0>w1<span style=font-size:12px>w2</span> w3",
		"<p>w0</p><head style=font-size:0><title>w0</title><p>w1<span style=font-size:12px>w2</span> w3",
		"<div style=display:flex><table><tbody><tr><td>" + link + "</td></tr><table hidden><tr><td>" + links, // a table ends another one
	} {
		isRegularOrEqual(t, source)
	}
	if !isRegularOrEqual(t, "<style>p{color:blue}</style>"+link+" w0 <table><tr><td>"+links+"</td></tr></table>") {
		t.Error("the tree of a table without a body is read")
	}
}

// FuzzRegular is TestRegular for any documents of these pieces.
func FuzzRegular(f *testing.F) {
	for i := range len(regularFragments) {
		f.Add([]byte{byte(i), 0, byte(i * 7), 1, byte(i * 31), 2, byte(i + 1), 3, byte(i * 13), 0, byte(i * 3), 1})
	}
	f.Add([]byte("X0\x000\xbc0x0"))                                                        // a pass has one reading more
	f.Add([]byte("x0A0a0C0"))                                                              // an element that is open again goes on behind a form
	f.Add([]byte("|\xc7\x00\x01\x00\x00+\xe7\xa9$c\x0eI\xb6\x00l"))                        // a paragraph goes on behind a table
	f.Add([]byte("b0;0\xb90"))                                                             // an end tag ends the inner of two elements
	f.Add([]byte("G0x1\xc51"))                                                             // a comment for Outlook is between two links
	f.Add([]byte("\xf80x0+2,07010"))                                                       // an end tag is that of an element around a paragraph behind a table
	f.Add([]byte("G0x1C120"))                                                              // an end tag without an element is between two links
	f.Add([]byte("\x1c\x00\xc4\x01T\x02\x00\x00\x00\x7fd\x01"))                            // a reference without a text is between generated text and a link
	f.Add([]byte("\xff\xc5\x00\x01\x00\x00+\xe7\xa9$c3333\x0e\xf8\xf8c\x0e\x00\xf8\xf8l")) // a line break does not end a paragraph around a table
	f.Fuzz(func(t *testing.T, numbers []byte) {
		isRegularOrEqual(t, regularDocument(regularFragments, numbers[:min(len(numbers), 60)]))
	})
}

// isRegularOrEqual reports whether linkmilter does not read the tree of a source. It fails
// where the whole tree would have shown more, unless the source is said to have more readings than are read.
func isRegularOrEqual(t *testing.T, source string) bool {
	t.Helper()
	isRegular := htmlpart.IsRegular(t.Context(), source, 1<<20)
	read, whole := itemsOf(t, htmlpart.Read, source)
	if !whole {
		return isRegular
	}
	always, whole := itemsOf(t, htmlpart.ReadAlways, source)
	if !whole && isRegular {
		t.Errorf("only the tree of %s has more readings than are read", source)
	}
	for item, labels := range always {
		if !isSubset(labels, read[item]) {
			t.Errorf("only the tree of %s has\n%s %q", source, item, labels)
		}
	}
	return isRegular
}

// isSubset reports whether for each of some lists of labels there is a list that has all of them.
func isSubset(wanted, lists [][]string) bool {
	for _, labels := range wanted {
		if !slices.ContainsFunc(lists, func(list []string) bool {
			return !slices.ContainsFunc(labels, func(label string) bool { return !slices.Contains(list, label) })
		}) {
			return false
		}
	}
	return true
}

// itemsOf returns the labels and readings of what a reading has, without white space that
// programs show alike.
func itemsOf(t *testing.T, read func(context.Context, string, int, ...string) iter.Seq2[htmlpart.Item, error], source string) (items map[string][][]string, whole bool) {
	t.Helper()
	items = make(map[string][][]string)
	for item, err := range read(t.Context(), source, 1<<20) {
		if errors.Is(err, htmlpart.ErrTooComplex) {
			return items, false
		}
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, label := range item.Labels {
			labels = append(labels, strings.Join(strings.Fields(label), " "))
		}
		for _, reading := range item.Readings {
			labels = append(labels, "reading: "+strings.Join(strings.Fields(reading), " "))
		}
		key := fmt.Sprintf("%s %s %q %t", item.Element, item.URL, strings.Fields(item.Text), item.Hidden)
		items[key] = append(items[key], labels)
	}
	return items, true
}

// TestRegularMail: the trees of what mail often has need not be read.
func TestRegularMail(t *testing.T) {
	for _, source := range []string{
		"<p>a<div>b</div></p>c",
		"<table><tr><td>a</p></span></td></tr></div></table>b",
		"<div>a</p>\r\n<p>b</div>",
		"<!--[if mso]><noscript><xml></xml></noscript><![endif]--><p>a",
		"<html><head><title>a</title></head><body><font color=red><p>b</p></font></body></html>",
	} {
		if !htmlpart.IsRegular(t.Context(), source, 1<<20) {
			t.Errorf("the tree of %s is read", source)
		}
	}
}
