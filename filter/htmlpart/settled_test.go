package htmlpart_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// settledBlocks are elements with "|" in place of their content.
var settledBlocks = strings.Split(`<div>|</div>
<div>|</div>
<table><tr><td>|</td></tr></table>
<table><tbody><tr><td>|</td><td>|</td></tr><tr><td>|</td></tr></tbody></table>
<center>|</center>
<blockquote>|</blockquote>
<ul><li>|</li><li>|</ul>
<dl><dt>|<dd>|</dl>
<p>|</p>
<p>|
<span>|</span>
<font color=red>|</font>
<b>|</b>
<h2>|</h2>
<div style=font-size:0>|</div>
<div style=margin:-20px>|</div>
<div style=display:none>|</div>
<div style=color:#fff;background:#fff>|</div>
<div style=float:left>|</div>
<div dir=rtl>|</div>
<table align=left><tr><td>|</td></tr></table>
<table bgcolor=#ffffff><tr><td>|</td></tr></table>
<a href=https://example.com/around>|</a>
<form action=https://example.com/form>|</form>
<object>|</object>
<li>|</li>
<td>|</td>
<tr><td>|</td></tr>`, "\n")

// settledTexts are pieces of their content, with "|" in place of a number.
var settledTexts = strings.Split(`w|
<a href=https://example.com/|>t|</a>
<a href=https://example.com/|>www.exam</a>
<a href=https://example.com/|>ple.com</a>
<a href=https://example.com/|><img alt=t|></a>
w| and a text that is so long that a parser is worth more than it, and that of what is around it too, so that it may be settled
<br>
<img alt=x>
<!-- a comment that is so long that a parser is worth more than it, as the text above is, and that nobody reads but mail programs, w| -->
<!--[if mso]><a href=https://example.com/|>t|</a><![endif]-->
<style>p{color:red} a{color:blue} i{color:green} u{color:yellow} .a-class-with-a-name{color:#123456} .another-class{color:#654321}</style>
<title>x</title>
<script>var where = "https://example.com/|"; // a script that is so long that a parser is worth more than it, as the text above is, w|</script>
<span style=font-size:0>w|</span>
<q>w|</q>`, "\n")

// settledDocument returns a document of blocks in each other with a few faults, as numbers say.
func settledDocument(numbers []byte) string {
	choose := func(n int) int {
		if len(numbers) == 0 {
			return 0
		}
		c := int(numbers[0]) % n
		numbers = numbers[1:]
		return c
	}
	var pieces []string
	var add func(depth int)
	add = func(depth int) {
		for range 1 + choose(3) {
			if depth == 5 || choose(3) == 0 {
				text := settledTexts[choose(len(settledTexts))]
				pieces = append(pieces, strings.ReplaceAll(text, "|", fmt.Sprint(len(pieces))))
				continue
			}
			parts := strings.Split(settledBlocks[choose(len(settledBlocks))], "|")
			for i, part := range parts {
				for tag := range strings.SplitAfterSeq(part, ">") {
					pieces = append(pieces, tag)
				}
				if i+1 < len(parts) {
					add(depth + 1)
				}
			}
		}
	}
	for range 3 {
		add(0)
	}
	for range 1 + choose(min(3, len(pieces))) {
		at := choose(256) % len(pieces)
		switch choose(3) {
		case 0:
			pieces = slices.Delete(pieces, at, at+1)
		case 1:
			pieces = slices.Insert(pieces, at, regularFragments[choose(len(regularFragments))])
		default:
			pieces = slices.Insert(pieces, at, pieces[choose(256)%len(pieces)])
		}
	}
	return strings.Join(pieces, "")
}

// TestSettled: what a tree is read without would show nothing more.
func TestSettled(t *testing.T) {
	const documents = 1500
	r := rand.New(rand.NewPCG(1, 17))
	without := 0
	for range documents {
		numbers := make([]byte, 40+r.IntN(160))
		for i := range numbers {
			numbers[i] = byte(r.IntN(256))
		}
		source := settledDocument(numbers)
		isRegularOrEqual(t, source)
		if htmlpart.LeavesOut(t.Context(), source, 1<<20) {
			without++
		}
	}
	if t.Logf("%d of %d trees are read without a part", without, documents); without < documents/10 {
		t.Error("too few trees are read without what is settled")
	}
}

// FuzzSettled is TestSettled for any numbers.
func FuzzSettled(f *testing.F) {
	f.Add([]byte("00000000"))
	f.Add([]byte("2\x00\xfa?0N\xff\x7f\xc5kEE\xff\xff\x7f\xff\x80\xef\xeeE\xc7\xff\x80\x00\xee\xee\xee")) // a button is behind a form
	f.Fuzz(func(t *testing.T, numbers []byte) {
		isRegularOrEqual(t, settledDocument(numbers[:min(len(numbers), 256)]))
	})
}

// TestJoinedWhateverIsBefore: two links are read as one word as they are shown, whatever other readings have
// right before them.
func TestJoinedWhateverIsBefore(t *testing.T) {
	const links = "<a href=https://example.com/1>pay</a><a href=https://example.com/2>pal.com</a>"
	for _, before := range []string{
		"",
		"<!--[if mso]><a href=https://example.com/0>x</a><![endif]-->",
		"<table><tr><td><p><a href=https://example.com/0>x</a><td>",
	} {
		read, _ := itemsOf(t, htmlpart.Read, before+links)
		if got := read[`a https://example.com/2 ["pal.com"] false`]; !slices.ContainsFunc(got, func(labels []string) bool { return slices.Contains(labels, "reading: paypal.com") }) {
			t.Errorf("behind %q the links have the readings %q", before, got)
		}
	}
}

// TestJoinedOnce: the last link of one reading is not before the first of the next one.
func TestJoinedOnce(t *testing.T) {
	for _, source := range []string{"<a href=https://example.com/>www.exam", "<p><b></p><a href=https://example.com/>www.exam</b></a>"} {
		read, _ := itemsOf(t, htmlpart.ReadAlways, source)
		for item, labels := range read {
			if slices.ContainsFunc(labels, func(l []string) bool { return slices.Contains(l, "reading: www.examwww.exam") }) {
				t.Errorf("%s of %s is read as twice its text", item, source)
			}
		}
	}
}

// TestSettledInReference: a reference that only the tree has around an element that is left out is never read
// without that.
func TestSettledInReference(t *testing.T) {
	const around = "<table><tr><a href=https://example.com/>w0</tr></table>w1"
	const element = "<table><tr><td>w2 and a text that is so long that a parser is worth more than it, and that of what is around it too, so that it may be settled</table>"
	read, _ := itemsOf(t, htmlpart.Read, around+element+"w3</a>")
	always, _ := itemsOf(t, htmlpart.ReadAlways, around+element+"w3</a>")
	for item := range read {
		if _, ok := always[item]; !ok {
			t.Errorf("only without the element there is %s", item)
		}
	}
}

// TestSettledIsNotCounted: a tree that is read again does not count twice to the bounds of a reading.
func TestSettledIsNotCounted(t *testing.T) {
	const end = "<body style=font-size:0><p></body><div>w0 and a text that is so long that a parser is worth more than it, and that of what is around it too, so that it may be settled</div>"
	for piece, n := range map[string]int{
		"<a style=position:absolute href=https://example.com/></a>":                       50,
		"<a onclick=location='https://example.com/script' href=https://example.com/></a>": 400,
	} {
		if _, whole := itemsOf(t, htmlpart.Read, strings.Repeat(piece, n)+end); !whole {
			t.Errorf("%d of %s are too complex", n, piece)
		}
	}
}
