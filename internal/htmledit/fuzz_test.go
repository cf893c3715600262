package htmledit_test

import (
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/htmledit"
)

// FuzzWithoutAttributes removes attributes from any HTML. If Prove accepts that, a tokenizer finds
// all other attributes unchanged.
func FuzzWithoutAttributes(f *testing.F) {
	for _, seed := range []string{
		`<a class=x href="u" target=_blank>X</a>`, `<a/href=u/>`, `<a title='a'href='u'class=x id=y>`, `<a =href href = u>`, `<!-- <a href=u> --><a "href=x`,
		"<svg><a xlink:href=u><style><a href=v></style>", "<p title='<a href=u>'>", "<title><a href=u></title>", "<a href=u\x00 href\n=v>",
	} {
		f.Add(seed, uint8(0))
	}
	f.Fuzz(func(t *testing.T, source string, tag uint8) {
		if len(source) > 2<<10 || !strings.Contains(source, "<") {
			return
		}
		var splices []htmledit.Splice
		for i := range len(source) {
			if i%8 != int(tag)%8 || len(splices) > 0 && i < splices[len(splices)-1].End {
				continue
			}
			splices = append(splices, htmledit.WithoutAttributes(source, i, func(name string) bool { return name == "href" })...)
		}
		after := htmledit.Apply(source, splices)
		for _, r := range htmledit.Replacements(source, splices) {
			if r.Start >= r.End || r.End > len(source) {
				t.Fatalf("%q: %+v", source, r)
			}
		}
		if len(splices) == 0 {
			return
		}
		if _, _, err := htmledit.Prove(t.Context(), source, splices); err != nil {
			return
		}
		removed := count(source, "href") - count(after, "href")
		if got, want := count(source, "")-count(after, ""), removed; got != want {
			t.Errorf("%q became %q: %d attributes went, %d of them href", source, after, got, want)
		}
	})
}

// count returns the number of attributes with a name that a tokenizer finds, or of all.
func count(source, name string) int {
	n := 0
	z := nethtml.NewTokenizer(strings.NewReader(source))
	for z.Next() != nethtml.ErrorToken {
		for _, a := range z.Token().Attr {
			if name == "" || a.Key == name {
				n++
			}
		}
	}
	return n
}
