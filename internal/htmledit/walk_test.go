package htmledit

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/test/markup"
)

// plainSources have tokens of all kinds, plain and not.
var plainSources = []string{
	"<!DOCTYPE html><html><head><title>a &amp; b</title><style>td{a:b}</style></head><body class='x y' id=z>a &lt; b<br/><img src=\"u\" />&amp;\r\nc</BODY></HTML >",
	"<a href='?a=1&amp;b=2' TITLE=\"&quot;&lt\" name=x/>a<b</a b>", "<!-- a --><!--a--b--><!----><!-->x--><![if mso]>a<![endif]><?xml a?><?><!a><!>",
	"<script>if (a<b) x</script><script>x</script><textarea>&amp;<b></textarea><xmp>&amp;</xmp ><title/>a</title>", "<a =b c = d e=\"f\"g h='i' h=j k>", "<a b='\"&amp;' c=\"'&\">",
	"<plaintext><a>", "<style></style><noscript><a>b</noscript>c", "a<", "a</", "a</b", "a<b", "a<b c=\"", "<!--", "<!doctype", "<title>a", "<TITLE>a</title\n>b", "</>a</ b>", "\x00<a\x00b c=\"\x00\">\x00",
	"<svg><a xlink:href='u'/></svg>", "<p a:b.c-d_e=f#g%20>",
	"<a href=http://x.example/?a=1&amp;b=2&lt&copy=3&ampx;&#65x&semi;&nosuch;&;&#;&#x&NotEqualTilde;&ltx=\x00\r\n\r/><a b=c b=d/><a b=c B=d/ ><a b=/><a b/c/ =d==e/ f= >", "</a b=c/></a \"b>",
	"<a a1 A1" + markup.Numbered(1400, " a%d") + ">",
}

// checkWalk fails where a walk comes to other tokens than a Tokenizer.
func checkWalk(t *testing.T, source string) {
	t.Helper()
	named, unnamed, unread := newWalk(source, 0, len(source)), newRawWalk(source, 0), newRawWalk(source, 0)
	walks := []*walk{named, unnamed, unread}
	z := html.NewTokenizer(strings.NewReader(source))
	for start := 0; ; {
		kind := z.Next()
		end := start + len(z.Raw())
		token := z.Token()
		for _, w := range walks {
			if w.next() != (kind != html.ErrorToken) || w.kind != kind || w.start != start || w.end != end {
				t.Fatalf("%q: got %v at [%d,%d), want %v at [%d,%d)", source, w.kind, w.start, w.end, kind, start, end)
			}
		}
		if got := unnamed.read(); !reflect.DeepEqual(got, token) {
			t.Fatalf("%q: got %#v, want %#v", source, got, token)
		}
		switch kind {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			checkTag(t, named, unread, token)
		}
		start = end
	}
}

// checkTag compares what walks say of a tag with its token.
func checkTag(t *testing.T, named, unread *walk, want html.Token) {
	t.Helper()
	got := html.Token{Type: want.Type}
	got.Data, got.DataAtom = unread.tagName()
	if want.Type != html.EndTagToken {
		got.Attr = unread.appendAttributes(nil, func(name string) bool { return name != "" })
	}
	if named.name != want.Data || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: got %#v and name %q, want %#v", named.source, got, named.name, want)
	}
}

// TestWalk: whatever comes together, a walk comes to the tokens of a Tokenizer.
func TestWalk(t *testing.T) {
	for _, source := range plainSources {
		for i := range source {
			checkWalk(t, source[:i])
			checkWalk(t, source[i:])
		}
		checkWalk(t, source+strings.Repeat(" ", atLeast)+source)
	}
	pieces := []string{
		"<", "/", ">", "!", "-", "--", "?", "a", "A", "b", " ", "\n", "=", `"`, "'", "&amp;", "&lt", "&", "\r", "\x00", "title", "script", "<title>", "</title>", "<a ", "<!--", "doctype html", "[", "é",
	}
	var check func(source string, more int)
	check = func(source string, more int) {
		checkWalk(t, source)
		for i := 0; more > 0 && i < len(pieces); i++ {
			check(source+pieces[i], more-1)
		}
	}
	for _, begin := range []string{"", "<a ", "<a b=", `<a b="c"`, "<a b=/", "<a b=&lt", "<!--", "<title>", "<br"} {
		check(begin, 3)
	}
}

// TestWalkIsPlain: the tokens of ordinary HTML are plain.
func TestWalkIsPlain(t *testing.T) {
	source := plainSources[0]
	for w := newWalk(source, 0, len(source)); w.next(); {
		if w.tokens != nil {
			t.Fatalf("%q is not plain", source[w.start:])
		}
	}
}

func FuzzWalk(f *testing.F) {
	for _, source := range plainSources {
		f.Add(source, source)
	}
	f.Fuzz(func(t *testing.T, source, behind string) {
		checkWalk(t, source)
		checkWalk(t, source+strings.Repeat(" ", atLeast)+behind)
	})
}
