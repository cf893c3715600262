package engine_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
)

// TestLinksBesideEachOtherStayTwo: behind a scheme, punctuation that no host has ends the host,
// unless a browser opens what follows as part of it. Tried in eight scripts and both modes.
func TestLinksBesideEachOtherStayTwo(t *testing.T) {
	for _, d := range []detection{
		{name: "Latin", strict: "⸠https://example.com⸡|⸠www.example.org⸡ ⸠https://example.com⸡^⸠example.org⸡ ⸠https://example.com⸡…⸠example.org⸡"},
		{name: "Chinese", strict: "⸠https://example.com⸡：⸠或www.example.org⸡", normal: "⸠https://example.com⸡：或⸠www.example.org⸡"},
		{name: "Chinese, question", strict: "见⸠https://example.com⸡？⸠www.example.org⸡", normal: "见⸠https://example.com⸡？⸠www.example.org⸡"},
		{name: "Japanese", strict: "⸠https://example.com⸡、またはjoe@example.comへ。", normal: "⸠https://example.com⸡、または⸠joe@example.com⸡へ。"},
		{name: "Japanese, particle", strict: "⸠https://example.com⸡、www.example.orgをご覧", normal: "⸠https://example.com⸡、⸠www.example.org⸡をご覧"},
		{name: "Korean", strict: "⸠https://example.com⸡：⸠www.example.org⸡ ⸠https://example.com⸡／joe@example.org입니다", normal: "⸠https://example.com⸡：⸠www.example.org⸡ ⸠https://example.com⸡／⸠joe@example.org⸡입니다"},
		{name: "Arabic", strict: "⸠https://example.com⸡؛ ⸠www.example.org⸡ ⸠https://example.com⸡؟⸠www.example.org⸡"},
		{name: "Hebrew", strict: "⸠https://example.com⸡׃⸠www.example.org⸡"},
		{name: "Cyrillic", strict: "⸠https://example.com⸡|⸠пример.рф⸡ ⸠https://пример.рф⸡|⸠www.example.org⸡"},
		{name: "Greek", strict: "⸠https://example.com⸡… ⸠παράδειγμα.ελ⸡ ⸠https://παράδειγμα.ελ⸡|⸠example.org⸡"},
		{name: "Devanagari", strict: "⸠https://example.com⸡। ⸠www.example.org⸡ ⸠https://example.com⸡|⸠www.example.org⸡"},
		{name: "Thai", strict: "⸠https://example.com⸡|⸠www.example.org⸡ ⸠https://example.com⸡： ⸠joe@example.org⸡"},
		{name: "quotes end hosts in strict mode, too", strict: "“⸠https://example.com⸡” «⸠example.org⸡» —⸠example.com⸡— ⸠a.com⸡、⸠b.com⸡"},
	} {
		d.run(t)
	}
}

// TestLinksBesideEachOtherOfAllPunctuation puts each punctuation mark between two links, in text of
// each script. Either both are links, or both together are one suspect that browsers open.
func TestLinksBesideEachOtherOfAllPunctuation(t *testing.T) {
	words := []string{"", "или", "または", "或", "또는", "أو", "או", "ή", "या", "หรือ"}
	marks := strings.Split("| ^ ： ； ， ？ ！ 、 ／ ＼ ＠ ＃ ％ （ ） 「 」 ” » ’ – — … ؛ ، ؟ ׃ । ๏ ־ ; , ! ' ` ~ * + = & $", " ")
	seconds := []string{"www.example.org", "example.org", "joe@example.org", "example.org/a"}
	two, one := 0, 0
	for _, strict := range []bool{false, true} {
		s := newScanner(t, engine.Options{Strict: strict, Suspects: true})
		for _, mark := range marks {
			for _, word := range words {
				for _, second := range seconds {
					text := "https://example.com" + mark + word + second + " x"
					links := s.Append(nil, text)
					switch {
					case len(links) > 0 && links[0].Kind == engine.KindURL && links[0].ASCIIHost() == "example.com":
						two++
						if len(links) != 2 || links[1].Kind == engine.KindSuspect && !strict || !strings.HasSuffix(links[1].ASCIIHost(), ".org") {
							t.Errorf("strict %t, %q: %s", strict, text, describe(links))
						}
					case len(links) == 1 && strings.HasSuffix(links[0].ASCIIHost(), ".org"):
						one++ // a browser would open a host below .org
					default:
						t.Errorf("strict %t, %q: %s", strict, text, describe(links))
					}
				}
			}
		}
	}
	if t.Logf("%d two, %d one", two, one); two < 500 || one < 500 {
		t.Error("too few of a kind")
	}
}

// TestMailtoTakesThePathOfItsLocalPart: behind "mailto:", text such as example.com/@user is one
// address, although it begins like a host with a path (UTS #58 §5.2).
func TestMailtoTakesThePathOfItsLocalPart(t *testing.T) {
	for _, d := range []detection{
		{name: "grave accent", strict: "<⸠mailto:abc.fr`/@a.de⸡>"},
		{name: "without mailto", strict: "⸠abc.fr`/@a.de⸡"},
		{name: "path", strict: "⸠mailto:abc.fr/@a.de⸡ ⸠MAILTO:www.a.fr/x@a.de⸡ ⸠mailto:a.fr/b.de/c@a.de⸡"},
		{name: "query and fragment", strict: "⸠mailto:abc.fr?x@a.de⸡ ⸠mailto:abc.fr#x@a.de⸡"},
		{name: "U-labels", strict: "⸠mailto:пример.рф/x@a.de⸡"},
		{name: "a path without mailto is one", strict: "⸠abc.fr/@a.de⸡ ⸠https://abc.fr/x@a.de⸡"},
		{name: "a space ends it", strict: "⸠abc.fr/x⸡ ⸠y@a.de⸡"},
	} {
		d.run(t)
	}
}
