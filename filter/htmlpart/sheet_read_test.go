package htmlpart

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestSheetsInBrackets: a rule says the same whether only those of its declarations are read
// together that say something, or all, as where one of them has brackets.
func TestSheetsInBrackets(t *testing.T) {
	rules := strings.Split("display:none|display:inline-block|display:block|display:flex|opacity:0|opacity:1|visibility:hidden|visibility:visible|"+
		"unicode-bidi:isolate|direction:rtl|font-size:0|font-size:.5em|font:1px Arial|width:20px|max-height:0|overflow:hidden|overflow:visible|"+
		"color:#fff|color:inherit|background:#fff|mso-element:field-begin|position:absolute|margin:0|margin-left:-9999px|float:left|"+
		"text-indent:-9999px|white-space:nowrap|line-height:1.5|font-family:Wingdings|list-style:'paypal.com'|content:'.'|content:\"a;b\"|"+
		"--x:'paypal.com'|border:0|padding:1000px|gap:20px", "|")
	ends := []string{";", "; ", ";\n", ";;", "!important;", " ! IMPORTANT ;"}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	read := func(declarations string) *sheet {
		s := newSheet()
		s.readSource(".a > b { "+declarations+" }", func(int) error { return nil })
		return &s
	}
	long := strings.Repeat("color:#fff;", maxSaid) + "text-indent:-9999px;display:inline;"
	if got := read(long); !reflect.DeepEqual(got, read("border-color:rgb(0,0,0);"+long)) || got.moved == nil {
		t.Errorf("a long rule says %+v", got)
	}
	said := 0
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(5) {
			b.WriteString(pick(rules) + pick(ends))
		}
		declarations := b.String()
		if random.IntN(2) == 0 {
			declarations = strings.TrimRight(declarations, "; \n")
		}
		got, want := read(declarations), read("border-color:rgb(0,0,0);"+declarations)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q says\n%+v, with brackets\n%+v", declarations, got, want)
		}
		if empty := newSheet(); !reflect.DeepEqual(got, &empty) {
			said++
		}
	}
	if said < 10_000 {
		t.Errorf("only %d rules say something", said)
	}
}

// TestSelectorsOfManyDeclarations: many declarations with many selectors around them take no longer
// than other style sheets, and do not count for fewer elements.
func TestSelectorsOfManyDeclarations(t *testing.T) {
	const size = 1 << 19
	for _, selector := range []string{"b", ".b,", "b::first-letter,", "&:b,"} {
		for _, declaration := range []string{"display:none;", "content:'x.y';", "quotes:'x.y' 'z';", "position:absolute;"} {
			source := "<style>" + strings.Repeat(selector, size/len(selector)) + "{" + strings.Repeat(declaration, size/len(declaration)) + "}</style>"
			start := time.Now()
			s := newReader(t.Context(), source, len(source), nil).sheetOf(source)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s {%s}: %s", selector, declaration, took)
			}
			for _, part := range []*sheet{s, s.generating, s.moved} {
				if part != nil && len(part.classes)+len(part.ids)+len(part.attributes)+len(part.elements) > 0 && !part.all {
					t.Errorf("%s {%s}: not for all elements", selector, declaration)
				}
			}
		}
	}
}

// TestSheetEnds: a style sheet is read no further than where the context ends.
func TestSheetEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	source := "<style>" + strings.Repeat("i{color:red}", checkEvery) + "b{display:none}</style>"
	if s := newReader(ctx, source, len(source), nil).sheetOf(source); s != nil && s.elements["b"] {
		t.Error("the context has ended, and all was read")
	}
	if s := newReader(t.Context(), source, len(source), nil).sheetOf(source); s == nil || !s.elements["b"] {
		t.Error("not all was read")
	}
}

// TestManyTextsOfStyles: of the texts in a style, no more is kept than is read. Where there are more,
// the reading is partial.
func TestManyTextsOfStyles(t *testing.T) {
	for _, property := range []string{"symbols", "prefix"} {
		declarations := strings.Repeat(property+":'abcdefghij';", maxStyleText)
		var s style
		s.declareAll(declarations)
		if len(s.text) > 2*maxStyleText {
			t.Errorf("%s: %d bytes are kept", property, len(s.text))
		}
		source := `<a href="https://example.com/" style="` + declarations + `">x</a>`
		var last error
		for _, err := range Read(t.Context(), source, len(source)) {
			last = err
		}
		if !errors.Is(last, ErrTooComplex) {
			t.Errorf("%s: %v", property, last)
		}
	}
}
