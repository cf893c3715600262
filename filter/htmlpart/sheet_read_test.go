package htmlpart

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
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
		s.readSource(".a > b { " + declarations + " }")
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
