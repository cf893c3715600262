package htmledit

import (
	"slices"
	"strings"
	"testing"
)

// FuzzDirectly: what is proved by comparing the source with the result directly is proved by
// marks, too; and where it finds places that readers do not agree on, so do marks.
func FuzzDirectly(f *testing.F) {
	for i, seed := range []string{
		`<p>See <a class=x href="u" target=_blank>your <b>X</b></a> u.`, `<table>u<tr><td>u&amp;</table>`, "<pre>\nu</pre><title>u</title>",
		`<a href=u>u</a><blockquote>u</blockquote>u`, `<!-- <a href="u"> --><svg><style><a href=u>u</style></svg>`, `<b><p>u</b>u</p><br>u`,
		`<div class="a gmail_quote">u</div><noscript><p>u`, `<a href="u">u</a><a href='u'>u</a> u<div id=appendonsend></div>u`, "<p>a\r\nu&amp\r\n;u</p>",
		`<select><option>u</select><iframe>u</iframe><script>u</script>`, `<b href=u><b href=u><b href=u><b href=u><p></b></b></b></b>u`, "\x00u<html>u</html>u",
	} {
		f.Add(seed, uint16(i*37))
	}
	f.Fuzz(func(t *testing.T, source string, choice uint16) {
		if len(source) > 2<<10 || strings.IndexByte(source, 0) >= 0 {
			return // a reader replaces NUL in some texts, which marks do not know
		}
		splices := splicesFor(source, choice)
		unsure, ok := proveDirectly(source, splices)
		if !ok {
			return
		}
		other, err := proveByMarks(source, splices)
		switch {
		case unsure == nil && (err != nil || other != nil):
			t.Errorf("%q with %+v is proved, but not by marks: %v %v", source, splices, other, err)
		case err == nil:
			for i := range unsure {
				if unsure[i] && !other[i] {
					t.Errorf("%q: %+v is unsure, but not by marks", source, splices[i])
				}
			}
		}
	})
}

var formatting = strings.Fields("b big code em font i nobr s small strike strong tt u")

// nameAt returns the name of the start tag at an offset, "" where there is not one.
func nameAt(source string, i int) string {
	if !isStartTag(source, i) {
		return ""
	}
	return elementName(source, i)
}

// splicesFor returns splices of a source: of its attributes href, and of each "u".
func splicesFor(source string, choice uint16) (splices []Splice) {
	for i := 0; i < len(source); i++ {
		// A parser tells equal formatting elements from others, which marks make unlike.
		if choice&1 == 0 && !slices.Contains(formatting, strings.ToLower(nameAt(source, i))) {
			for _, s := range WithoutAttributes(source, i, func(name string) bool { return strings.HasSuffix(name, "href") }) {
				if !strings.HasPrefix(strings.TrimLeft(source[s.End:], blanks), "=") { // a value of its mark
					splices = append(splices, s)
				}
			}
		}
		if source[i] == 'u' {
			s := Splice{Start: i, End: i + 1, Text: "<v&", Sure: choice&2 != 0}
			switch choice >> 2 & 3 {
			case 0:
				s.Href = "x?a&b"
			case 1:
				s.Around = "u"
			case 2:
				s.Start = i + 1
			}
			splices = append(splices, s)
		}
		choice = choice>>1 | choice<<15
	}
	slices.SortStableFunc(splices, func(a, b Splice) int { return a.Start - b.Start })
	end := 0
	return slices.DeleteFunc(splices, func(s Splice) bool {
		if s.Start < end {
			return true
		}
		end = s.End
		return false
	})
}
