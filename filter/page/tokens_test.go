package page

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// checkTokens compares the tokens of a source with those of the tokenizer of x/net/html. Callers of both
// say of some tags what may follow.
func checkTokens(t *testing.T, source string) {
	t.Helper()
	z, ours := html.NewTokenizer(strings.NewReader(source)), newTokens(t.Context(), source)
	for at := 0; ; {
		kind, got := z.Next(), ours.next()
		raw := string(z.Raw())
		if kind != got || ours.start != at || ours.end != at+len(raw) {
			t.Fatalf("token at %d: %v of %d bytes, want %v of %d: %q\nof %.200q", ours.start, got, ours.end-ours.start, kind, len(raw), raw[:min(len(raw), 100)], source)
		}
		at += len(raw)
		switch kind {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			var want []html.Attribute
			for more := true; more; {
				var key, value []byte
				if key, value, more = z.TagAttr(); len(key) > 0 && len(want) < maxAttributes {
					want = append(want, html.Attribute{Key: string(key), Val: string(value)})
				}
			}
			if !slices.Equal(ours.attributes, want) {
				t.Fatalf("attributes of %q: %q, want %q", raw, ours.attributes, want)
			}
			if len(raw)%5 == 0 {
				z.NextIsNotRawText()
				ours.inRaw = false
			}
		}
		ours.cdata = len(raw)%3 == 0
		z.AllowCDATA(ours.cdata)
	}
}

// TestTokens compares tokens of sources made of pieces that the rules tell apart.
func TestTokens(t *testing.T) {
	for _, hostile := range markup.Hostile() {
		checkTokens(t, hostile(16<<10))
	}
	pieces := strings.Split("<a|<A|<td|<br|<style|<script|<title|<TEXTAREA|<noscript|<plaintext|<svg:a|<o:p|<x_y|<1|<|</|</a|</style|</script|</title|</textarea|</td|<!--|-->|--!>|<!|<?|<![CDATA[|]]>|<!doctype html|"+
		">|/>|/| />|=|==| = |\"|'|\"x\"|'y'|=\"|='| href| HREF| href=\"https://example.com/?a=1&b=2\"| href='/a&amp;b'| b=&copy;| b=\"&copy=1\"| b=\"&notit;\"| b=\"&amp=1&ampx&amp;amp;\"|"+
		" width=600| w=\"1\r\n2\"| w=\"\x00\"| c=a/b| c=a/| \x00| é=ü| disabled| a.b| x:y=z|a|b|text & more|&amp;|\r|\n|\t|\f|\x00|ü|<<|`|;", "|")
	r := rand.New(rand.NewPCG(1, 13))
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(16) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		checkTokens(t, b.String())
	}
}

// TestTokensOfManyAttributes: the tokenizer reads a tag with more attributes than are read here.
func TestTokensOfManyAttributes(t *testing.T) {
	for _, n := range []int{31, 32, 33, 100, maxAttributes + 1} {
		checkTokens(t, "<a"+strings.Repeat(" a b=1 A", n)+">")
		var b strings.Builder
		for i := range n {
			b.WriteString(" a" + strings.Repeat("b", i))
		}
		checkTokens(t, "<p x=1>text<a"+b.String()+"><b y=2>")
	}
}

// FuzzTokens compares tokens of any source.
func FuzzTokens(f *testing.F) {
	f.Add("<a href=\"https://example.com/?a=1&amp;b=2\" width=600>text</a><style>a</style><!-- b --><br/>")
	f.Fuzz(checkTokens)
}
