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
	properties := strings.Fields("display opacity visibility unicode-bidi direction font-size font width max-height overflow color background " +
		"mso-element position margin margin-left float text-indent white-space line-height font-family list-style content --x border padding")
	values := strings.Fields("none block inline 0 1px 20px -9999px 100% .5em smaller auto hidden visible rtl ltr white #fff inherit nowrap absolute 1000px " +
		"field-begin 1.5 flex Wingdings disc '.' '://' 'paypal.com' \"a;b\" 'a{b'")
	ends := []string{";", "; ", ";\n", ";;", "!important;", " ! IMPORTANT ;"}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	read := func(declarations string) *sheet {
		s := newSheet()
		s.readSource(".a > b { " + declarations + " }")
		return &s
	}
	said := 0
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(5) {
			b.WriteString(pick(properties) + ":" + pick(values) + pick(ends))
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
