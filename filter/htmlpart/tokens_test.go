package htmlpart

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// checkTokens fails where tokens are not those of a Tokenizer, in which the content of noscript is
// markup.
func checkTokens(t *testing.T, source string, limit int) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(source))
	z.SetMaxBuf(limit)
	tokens := newReader(t.Context(), source, limit, nil).newTokens(source, 0)
	for start := 0; ; {
		want := z.Next()
		end := start + len(z.Raw())
		kind, at := tokens.next()
		if kind != want || at != end {
			t.Fatalf("%.100q, limit %d: got %v up to %d, want %v up to %d", source, limit, kind, at, want, end)
		}
		switch kind {
		case html.ErrorToken:
			if !errors.Is(tokens.end(), z.Err()) {
				t.Fatalf("%.100q, limit %d: got the error %v, want %v", source, limit, tokens.end(), z.Err())
			}
			return
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			checkTag(t, source[start:end], &tokens, kind, z)
		}
		start = end
	}
}

// checkTag compares the names and attributes of a tag.
func checkTag(t *testing.T, source string, tokens *tokens, kind html.TokenType, z *html.Tokenizer) {
	t.Helper()
	from := strings.TrimLeft(source, "</")
	name, tag := tokens.name(from)
	token := z.Token()
	var got []html.Attribute
	if kind != html.EndTagToken {
		tokens.each(func(name, value string) { got = append(got, html.Attribute{Key: name, Val: value}) })
	}
	if tag != token.DataAtom || name != token.Data || fmt.Sprint(got) != fmt.Sprint(token.Attr) {
		t.Fatalf("%q: got %s %v, want %v", source, name, got, token)
	}
	if kind != html.EndTagToken && tag == atom.Noscript {
		z.NextIsNotRawText()
		tokens.notRawText()
	}
}

// tokenSources have plain tokens and others beside each other.
var tokenSources = []string{
	"<p a=1>x<p a=1 a=2 =b c/d=/>y</p ><!-- x --><!-->--!>z</ a></><!x>",
	"<title>a</title><title>a<b></title><noscript><style>x</style></noscript><TITLE>x",
	"<a " + strings.Repeat("b ", 40) + strings.Repeat("c", 40) + "><a\x00b \xc3\xa9=\xc3\xa9 c=\x00\r\n>&amp;\r\n",
	"<script><!--<script></script>--></script><xmp><b></xmp><plaintext><b>",
	"<a\u0130 B\u212a=\u212a></a\u0130 >",
}

// TestTokens: the tokens are those of a Tokenizer, also where one is too long.
func TestTokens(t *testing.T) {
	for _, source := range tokenSources {
		for _, long := range []string{source, source + strings.Repeat(" ", atLeast) + source} {
			for _, limit := range []int{1, 5, 20, 40, 1 << 10, 1 << 20} {
				for i := range long {
					checkTokens(t, long[i:], limit)
				}
				checkTokens(t, long[:len(long)/2], limit)
			}
		}
	}
}

// TestManyAttributes: each name counts once, however many there are.
func TestManyAttributes(t *testing.T) {
	for _, size := range []int{100, 2000, 20000, 500000} {
		names := markup.Numbered(size, "a%d ")
		for _, more := range []string{"", strings.ToUpper(names), "a1=x B A2 b "} {
			checkTokens(t, "<i "+names+more+"><i a a1 A1><i "+names+">", 4<<20)
		}
	}
}

// TestLongTokens: those that are as long as what is read without a check of the context.
func TestLongTokens(t *testing.T) {
	for _, name := range []string{"style", "title", "noscript", "script", "p"} {
		for _, behind := range []string{"", "</" + name + ">", "</" + name} {
			checkTokens(t, "<p><"+name+">"+strings.Repeat("<b>", checkEvery/2)+behind+"<a b>", 1<<20)
			checkTokens(t, "<p><"+name+">"+strings.Repeat("x", checkEvery)+behind+"<a b>", 1<<20)
		}
	}
}

// FuzzTokens is TestTokens for any source.
func FuzzTokens(f *testing.F) {
	for _, source := range tokenSources {
		f.Add(source, source, uint16(100))
	}
	f.Fuzz(func(t *testing.T, source, behind string, limit uint16) {
		checkTokens(t, source+strings.Repeat(" ", atLeast)+behind, int(limit)+1)
	})
}

// TestTokensAfterTheEnd: where the context has ended, a text that is too long is not looked at
// again and again.
func TestTokensAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tokens := newReader(ctx, strings.Repeat("<", 1<<20), 1<<18, nil).newTokens(strings.Repeat("<", 1<<20), 0)
	for n := range 8 {
		if kind, _ := tokens.next(); kind == html.ErrorToken {
			t.Logf("ends after %d tokens", n)
			return
		}
	}
	t.Errorf("no end at byte %d", tokens.at)
}

// TestTagsAfterTheEnd: where the context has ended, a tag with many attributes is read no further.
func TestTagsAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	source := "<a " + markup.Numbered(1<<20, "a%d ") + ">"
	tokens := newReader(ctx, source, len(source), nil).newTokens(source, 0)
	if kind, _ := tokens.next(); kind != html.ErrorToken || len(tokens.plain.Attributes) > 2*checkEvery/len("a100 ") {
		t.Errorf("%s after %d attributes", kind, len(tokens.plain.Attributes))
	}
}
