package htmledit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/htmledit"
)

// at returns a splice of the first place of a source with the text old.
func at(tb testing.TB, source, old string, s htmledit.Splice) htmledit.Splice {
	tb.Helper()
	i := strings.Index(source, old)
	if i < 0 {
		tb.Fatalf("%q is not in %q", old, source)
	}
	s.Start, s.End = i, i+len(old)
	return s
}

// TestProve: Prove accepts planned changes, whatever is around them.
func TestProve(t *testing.T) {
	for _, test := range []struct{ before, after string }{
		{`<p>See <a class=x href="u" target=_blank>your <b>X</b></a>.`, `<p>See <a class=x target=_blank>your <b>X</b></a>.`},
		{`<a href=u>`, `<a>`},
		{`<a href=u/>X`, `<a>X`},
		{`<a/href=u>X`, `<a/>X`},
		{"<a title='a'href='u'class=x\nid=y>", "<a title='a'class=x\nid=y>"},
		{`<a href=u HREF=v>`, `<a>`},
		{`<a href>X</a>`, `<a>X</a>`},
		{"<a\n\thref = \"u\"\n>X</a>", "<a\n>X</a>"},
		{`<svg><a xlink:href="u"><set href=x /></svg>`, `<svg><a><set /></svg>`},
		{`<svg><animate id=y href="u"/></svg>`, `<svg><animate id=y /></svg>`},
		{`<svg><style><a href="u"></style></svg>`, `<svg><style><a></style></svg>`},
		{`<!--[if mso]><v:rect href="u" fill="t"><![endif]-->`, `<!--[if mso]><v:rect fill="t"><![endif]-->`},
		{`<noscript><a href="u&amp;v">X</a></noscript>`, `<noscript><a>X</a></noscript>`},
		{`<table><a href=u>X</a><tr><td></table>`, `<table><a>X</a><tr><td></table>`},
		{`<title><a href=u></title><p title="<a href=u>">`, `<title><a></title><p title="<a>">`},
		{`<a href="a&lt=b">X`, `<a>X`},
		{`<b><a href=u><p>X</b></a>Y`, `<b><a><p>X</b></a>Y`},
	} {
		var splices []htmledit.Splice
		for i := range len(test.before) {
			splices = append(splices, htmledit.WithoutAttributes(test.before, i, func(name string) bool { return strings.HasSuffix(name, "href") })...)
		}
		if got := htmledit.Apply(test.before, splices); got != test.after {
			t.Errorf("%s became %s, want %s", test.before, got, test.after)
		}
		if _, unsure, err := htmledit.Prove(t.Context(), test.before, splices); err != nil || unsure != nil {
			t.Errorf("%s: %v", test.before, err)
		}
	}
}

// TestProveTexts: it also accepts changed texts, and links in place of texts.
func TestProveTexts(t *testing.T) {
	for _, test := range []struct {
		source, old string
		splice      htmledit.Splice
		after       string
	}{
		{`<p>a&amp;b`, "a&amp;b", htmledit.Splice{Text: "<b> & c"}, `<p>&lt;b&gt; &amp; c`},
		{`<p>a u b`, "u", htmledit.Splice{Text: "v", Href: `x?a&"b`}, `<p>a <a href="x?a&amp;&#34;b">v</a> b`},
		{`u`, "u", htmledit.Splice{Text: "v", Href: "x"}, `<a href="x">v</a>`},
		{`<table>u<tr>`, "u", htmledit.Splice{Text: "v"}, `<table>v<tr>`},
		{"<!-- a\r\nb -->", "a\r\nb", htmledit.Splice{Text: "&"}, `<!-- &amp; -->`},
		{"<script>a='b'</script>", "a='b'", htmledit.Splice{}, "<script></script>"},
		{"<a>X</a>", "", htmledit.Splice{Text: "Y"}, ""},
	} {
		s := at(t, test.source, test.old, test.splice)
		if test.old == "" {
			s.Start = strings.Index(test.source, "</a>")
			s.End, test.after = s.Start, "<a>XY</a>"
		}
		splices := []htmledit.Splice{s}
		if got := htmledit.Apply(test.source, splices); got != test.after {
			t.Errorf("%s became %s, want %s", test.source, got, test.after)
		}
		if _, unsure, err := htmledit.Prove(t.Context(), test.source, splices); err != nil || unsure != nil {
			t.Errorf("%s: %v", test.source, err)
		}
	}
}

// TestProveRefuses: Prove refuses an edit that a reader would see as another one.
func TestProveRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		source, old string
		splice      htmledit.Splice
	}{
		"within a name":               {"<table>", "bl", htmledit.Splice{Text: "x"}},
		"a tag":                       {"a<b>c", "<b>", htmledit.Splice{Text: "x"}},
		"the end of a tag":            {"<a href=x>y", "=x>", htmledit.Splice{Text: "x"}},
		"another attribute":           {"<a href=x title=y>", "title=y", htmledit.Splice{Attribute: "href"}},
		"a link in a link":            {"<a href=x>u</a>", "u", htmledit.Splice{Text: "v", Href: "x"}},
		"a text in a table":           {"<table><tr></table>", "<tr>", htmledit.Splice{Text: "v"}},
		"a link in a raw text":        {"<textarea>u</textarea>", "u", htmledit.Splice{Text: "v", Href: "x"}},
		"the end of a comment":        {"<!-- <a href=x-->", "href=x--", htmledit.Splice{Attribute: "href"}},
		"an attribute with an effect": {"<table><input type=hidden></table>", "type=hidden", htmledit.Splice{Attribute: "type"}},
	} {
		_, _, err := htmledit.Prove(t.Context(), test.source, []htmledit.Splice{at(t, test.source, test.old, test.splice)})
		if !errors.Is(err, htmledit.ErrUnproved) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReplacements: an insertion becomes a replacement of the characters beside it, with the same
// result.
func TestReplacements(t *testing.T) {
	source := "<a>übel</a>é"
	for _, splices := range [][]htmledit.Splice{
		{{Start: 3, End: 3, Text: "x"}},
		{{Start: 8, End: 8, Text: "x"}},
		{{Start: 3, End: 5, Text: "x"}, {Start: 5, End: 5, Text: "y"}, {Start: 8, End: 8, Text: "z"}},
		{{Start: 8, End: 8, Text: "x"}, {Start: 8, End: 8, Text: "y"}},
		{{Start: 3, End: 3, Text: "x"}, {Start: 3, End: 5, Text: "y"}},
		{{Start: 3, End: 3, Text: "x"}, {Start: 5, End: 6, Text: "y"}},
		{{Start: len(source), End: len(source), Text: "x"}},
		{{Start: 0, End: 0, Text: "x"}, {Start: 12, End: 12, Text: "y"}},
	} {
		got, pos := "", 0
		for _, r := range htmledit.Replacements(source, splices) {
			if r.Start >= r.End || r.Start < pos {
				t.Fatalf("%+v: %+v behind %d", splices, r, pos)
			}
			got += source[pos:r.Start] + r.New
			pos = r.End
		}
		got += source[pos:]
		if want := htmledit.Apply(source, splices); got != want {
			t.Errorf("%+v: got %q, want %q", splices, got, want)
		}
	}
}

// TestUnsure: a place is sure only if all readers agree on it.
func TestUnsure(t *testing.T) {
	for source, unsure := range map[string]bool{
		"<p>u":                                  false,
		"<table><td>u</table>":                  false,
		"<table>u<tr>":                          false,
		"<blockquote>u</blockquote>":            true,
		"<blockquote></blockquote>u":            false,
		"<a href=x>u</a>":                       true,
		"<svg><style>u</style></svg>":           true,
		"<pre><b>u</b></pre>":                   true,
		"<div class='a gmail_quote'>u</div>":    true,
		"<div id=appendonsend></div><p>u":       true,
		"<title>u</title>":                      true,
		"<p title='u'>":                         true,
		"<!-- u -->":                            true,
		"<b><p>u</b></p>":                       false,
		"<noscript><p>u</noscript>":             true,
		"<p style='border-top:solid #E1E1E1'>u": true,
	} {
		_, got, err := htmledit.Prove(t.Context(), source, []htmledit.Splice{at(t, source, "u", htmledit.Splice{Text: "v", Href: "x", Sure: true})})
		if strings.Contains(source, "blockquote></b") {
			i := strings.LastIndex(source, "u")
			_, got, err = htmledit.Prove(t.Context(), source, []htmledit.Splice{{Start: i, End: i + 1, Text: "v", Href: "x", Sure: true}})
		}
		if err != nil || (got != nil) != unsure {
			t.Errorf("%s: unsure %v, %v", source, got, err)
		}
	}
}

// TestOriginal: a range of the result has a range of the source, unless it is inside a splice.
func TestOriginal(t *testing.T) {
	splices := []htmledit.Splice{{Start: 2, End: 4, Text: "xyz"}, {Start: 6, End: 8, Attribute: "href"}, {Start: 9, End: 9, Text: "x"}}
	original := htmledit.Original(splices)
	for _, test := range []struct {
		start, end, from, to int
		ok                   bool
	}{
		{0, 2, 0, 2, true},
		{1, 5, 1, 4, true},
		{2, 5, 2, 4, true},
		{3, 5, 0, 0, false},
		{5, 6, 4, 5, true},
		{7, 8, 6, 9, true},
		{8, 9, 9, 9, true},
		{9, 12, 9, 12, true},
	} {
		from, to, ok := original(test.start, test.end)
		if ok != test.ok || ok && (from != test.from || to != test.to) {
			t.Errorf("[%d,%d): got [%d,%d) %t", test.start, test.end, from, to, ok)
		}
	}
}

func TestScripts(t *testing.T) {
	source := `<a href=x ONclick="a&amp;b">on</a><script>c</script><p>d<script/>e</script><!-- <b onload=f> --><img onerror='g'>`
	got := slices.Collect(htmledit.Scripts(source))
	if want := []string{"a&b", "c", "e", "g"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
