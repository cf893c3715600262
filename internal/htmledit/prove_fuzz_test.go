package htmledit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FuzzProve: if Prove accepts splices of tags and of Sure texts, then a tokenizer, and a parser
// with and without scripts, read the result like the source, except for the splices. They agree on
// the places of the Sure ones.
func FuzzProve(f *testing.F) {
	for i, seed := range []string{
		`<p>See <a class=x href="u" target=_blank>your <b>X</b></a> u.`, `<table>u<tr><td>u&amp;</table>`, "<pre>\nu</pre><title>u</title>",
		`<a href=u>u</a><blockquote>u</blockquote>u`, `<!-- <a href="u"> --><svg><style><a href=u>u</style></svg>`, `<b><p>u</b>u</p><br>u`,
		`<div class="a gmail_quote">u</div><noscript><p>u`, `<a href="u">u</a><a href='u'>u</a> u<div id=appendonsend></div>u`, "<p>a\r\nu&amp\r\n;u</p>",
		`<select><option>u</select><iframe>u</iframe><script>u</script>`, `<b href=u><b href=u><b href=u><b href=u><p></b></b></b></b>u`, "\x00u<html>u</html>u",
		`<body><table><tr><td>u<td><a href=u>u</a></table><ul><li>u<li>u</ul>u</body>u<body id=appendonsend>`, "0<A 0 href=\"\"\xbf \x88>",
		`<b><a href=u><i><u><s><div>u</b>`, "00000000<!000000000u", "u<!--u", "u<!DOCTYPE u", `<table><tr><td>u</table><table><div id=appendonsend></div></table>`,
	} {
		for n := range uint16(4) {
			f.Add(seed, uint16(i*37)+n*4)
		}
	}
	f.Add("00000000<!000000000u", uint16(201))
	f.Fuzz(func(t *testing.T, source string, choice uint16) {
		if len(source) > 2<<10 || containsFold(strings.ToLower(source), "bdi") {
			return
		}
		splices := splicesFor(source, choice)
		for range 4 { // as often as the filter tries
			after, unsure, err := Prove(t.Context(), source, splices)
			if err != nil {
				return
			}
			if unsure == nil {
				checkReadings(t, source, after, splices)
				return
			}
			splices = without(splices, unsure)
		}
	})
}

// without returns splices without those that are unsure.
func without(splices []Splice, unsure []bool) (sure []Splice) {
	for i, s := range splices {
		if !unsure[i] {
			if s.Attribute == "" {
				s.Text = string(rune(firstStamp+len(sure))) + writtenBeside
				s.isKnown = false
			}
			sure = append(sure, s)
		}
	}
	return sure
}

// tagStarts returns the offsets of the start tags of a tokenizer.
func tagStarts(source string) map[int]bool {
	starts := make(map[int]bool)
	for t := newTokens(source, 0, len(source)); t.next(); {
		if t.kind == html.StartTagToken || t.kind == html.SelfClosingTagToken {
			starts[t.start] = true
		}
	}
	return starts
}

// checkReadings fails if a reader sees another change than the splices of splicesFor.
func checkReadings(t *testing.T, source, after string, splices []Splice) {
	t.Helper()
	tree := func(scripts bool) func(string) ([]event, error) {
		return func(source string) ([]event, error) { return treeOf(context.Background(), nil, source, scripts) }
	}
	tokens := func(source string) ([]event, error) {
		return tokensOf(context.Background(), make(map[string]event), nil, source)
	}
	for i, read := range []func(string) ([]event, error){tokens, tree(false), tree(true)} {
		was, err := read(source)
		if err != nil || slices.ContainsFunc(was, hasStamp) {
			return
		}
		is, err := read(after)
		if err != nil {
			t.Fatalf("%q became %q: %v", source, after, err)
		}
		s := stamps{t: t, splices: splices, found: make([]int, len(splices))}
		if want, got := s.without(was), s.without(is); !equal(want, got) {
			t.Fatalf("%q became %q: reader %d reads\n%+v, want\n%+v", source, after, i, got, want)
		}
		for k, n := range s.found {
			if splices[k].Sure && n != 1 {
				t.Fatalf("%q became %q: reader %d has splice %d at %d places that fit", source, after, i, k, n)
			}
		}
	}
}

// firstStamp is the first of the private characters that splices write; each splice has its own.
const firstStamp = '\ue000'

func isStamp(r rune) bool { return r >= firstStamp && r <= '\uf8ff' }

func hasStamp(e event) bool {
	return strings.ContainsFunc(e.name+e.text, isStamp) ||
		slices.ContainsFunc(e.attributes, func(a html.Attribute) bool { return strings.ContainsFunc(a.Key+a.Val, isStamp) })
}

// stamps removes splices from what a reader reads, and counts in how many right places it found
// each of them.
type stamps struct {
	t       *testing.T
	splices []Splice
	found   []int
	places  places
}

// without returns events without what splices of texts wrote, without attributes that they may
// remove, and without texts of comments.
func (s *stamps) without(events []event) []event {
	var r reading
	s.places = places{}
	var written []bool // whether a splice wrote the open element
	for i := range events {
		e := events[i]
		switch e.kind {
		case html.CommentNode:
			e.text = ""
		case html.ElementNode:
			wrote := e.name == "bdi" || slices.ContainsFunc(e.attributes, func(a html.Attribute) bool { return a.Val == stampedURL })
			if !isVoid(atom.Lookup([]byte(e.name))) {
				written = append(written, wrote)
			}
			if wrote {
				continue
			}
			tag := atom.Lookup([]byte(e.name))
			s.places.start(openElementOf(e.name, tag, e.attributes), beginsQuotes(tag, e.attributes))
			e.attributes = slices.DeleteFunc(slices.Clone(e.attributes), func(a html.Attribute) bool { return strings.HasSuffix(strings.ToLower(a.Key), "href") })
		case ended:
			n := len(written)
			if n > 0 && written[n-1] && (e.name == "a" || e.name == "bdi") {
				written = written[:n-1]
				continue
			}
			if n > 0 && !isVoid(atom.Lookup([]byte(e.name))) {
				written = written[:n-1]
			}
			s.places.end(e.name)
		case html.TextNode:
			s.count(e.text)
		}
		r.add(e)
	}
	var unstamped reading
	for _, e := range r.events {
		if e.kind == html.TextNode {
			e.text = s.unstamped(e.text)
		}
		unstamped.add(e)
	}
	return unstamped.events
}

// count counts the splices in a text. A wrong place counts as many.
func (s *stamps) count(text string) {
	for _, r := range text {
		if !isStamp(r) {
			continue
		}
		s.found[r-firstStamp]++
		if !s.places.fits(&s.splices[r-firstStamp]) {
			s.found[r-firstStamp]++
		}
	}
}

// unstamped returns a text without the characters of splices.
func (s *stamps) unstamped(text string) string {
	for i := range s.splices {
		if splice := &s.splices[i]; splice.Attribute == "" {
			text = strings.ReplaceAll(text, splice.Text, source(splice))
		}
	}
	return text
}

// source returns the text that a splice of splicesFor replaced.
func source(s *Splice) string { return "u"[:s.End-s.Start] }

// stampedURL is the URL of links that splices write. writtenBeside is a text in these links.
const (
	stampedURL    = "x?a&\uf8ff"
	writtenBeside = "<\u05d0&"
)

var formatting = strings.Fields("b big code em font i nobr s small strike strong tt u")

// nameAt returns the name of the start tag at an offset, "" where there is not one.
func nameAt(source string, i int) string {
	if !isStartTag(source, i) {
		return ""
	}
	return elementName(source, i)
}

// splicesFor returns splices of a source: of its href attributes, and of each "u".
func splicesFor(source string, choice uint16) (splices []Splice) {
	tags := tagStarts(source)
	for i := 0; i < len(source); i++ {
		// A parser treats equal formatting elements in another way than different ones, and marks
		// make them different.
		if choice&1 == 0 && tags[i] && !slices.Contains(formatting, strings.ToLower(nameAt(source, i))) {
			for _, s := range WithoutAttributes(source, i, func(name string) bool { return strings.HasSuffix(name, "href") }) {
				if !strings.HasPrefix(strings.TrimLeft(source[s.End:], blanks), "=") { // a value of its mark
					splices = append(splices, s)
				}
			}
		}
		if source[i] == 'u' {
			s := Splice{Start: i, End: i + 1, Sure: true, URL: choice&16 != 0}
			switch choice >> 2 & 3 {
			case 0:
				s.Href = stampedURL
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
	splices = slices.DeleteFunc(splices, func(s Splice) bool {
		if s.Start < end {
			return true
		}
		end = s.End
		return false
	})
	for i := range splices {
		if splices[i].Attribute == "" {
			splices[i].Text = string(rune(firstStamp+i)) + writtenBeside
		}
	}
	return splices
}
