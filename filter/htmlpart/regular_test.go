package htmlpart_test

import (
	"context"
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

// TestRegular: the tree of a source that linkmilter does not read would show nothing more.
func TestRegular(t *testing.T) {
	const documents, size = 20000, 14
	r := rand.New(rand.NewPCG(1, 58))
	from := slices.Concat(plainFragments, unopenedFragments)
	// Where a body ends in a text the tree has one text, which the source has in two pieces.
	from = slices.DeleteFunc(from, func(s string) bool { return s == "</body>" || s == "</html>" })
	regular := 0
	for range documents {
		var b strings.Builder
		for i := range 1 + r.IntN(size) {
			b.WriteString(from[r.IntN(len(from))])
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(&b, "w%d", i)
			case 1:
				fmt.Fprintf(&b, "<a href=https://example.com/%d>t%[1]d</a>", i)
			}
		}
		source := b.String()
		if !htmlpart.IsRegular(t.Context(), source, 1<<20) {
			continue
		}
		regular++
		read := itemsOf(t, htmlpart.Read, source)
		for item := range itemsOf(t, htmlpart.ReadAlways, source) {
			if !read[item] {
				t.Errorf("only the tree of %s has\n%s", source, item)
			}
		}
	}
	if t.Logf("%d of %d documents are regular", regular, documents); regular < documents/10 {
		t.Error("too few documents are regular")
	}
}

// itemsOf returns what a reading has, without white space that programs show alike.
func itemsOf(t *testing.T, read func(context.Context, string, int, ...string) iter.Seq2[htmlpart.Item, error], source string) map[string]bool {
	t.Helper()
	items := make(map[string]bool)
	for item, err := range read(t.Context(), source, 1<<20) {
		if err != nil {
			t.Fatal(err)
		}
		var readings []string
		for _, reading := range item.Readings {
			readings = append(readings, strings.Join(strings.Fields(reading), " "))
		}
		items[fmt.Sprintf("%s %s %q %q %q %t", item.Element, item.URL, strings.Fields(item.Text), item.Labels, readings, item.Hidden)] = true
	}
	return items
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
