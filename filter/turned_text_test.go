package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// TestTextsWithUnseenCharacters: a text is found although it has characters that show nothing,
// blanks of any width, or lines through it.
func TestTextsWithUnseenCharacters(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, between := range []string{
		"\u2009", "\u200a", "\u202f", "\u2800", "\u3000", "\u205f", "&#1;", "&#127;", "\u0085", "\ufff9", "\ufffb", "\u0332", "\u0333", "\u0305", "\u0336", "\u0337", "\u0338", "\u20dd", "\u20e0", "\u0332\u00ad",
	} {
		for _, text := range []string{shownAs, "https://www.paypal.com/login", "http://paypal.com"} {
			flagged(t, f, `<a href=`+evil+`>`+strings.Join(strings.Split(text, ""), between)+`</a>`)
		}
	}
}

// TestTextsWithSignsForDots: signs that look like dots, and repeated dots, are read as the dots of
// a host.
func TestTextsWithSignsForDots(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, dot := range []string{"..", "...", "\u30fb", "\u25cf", "\u2218", "\u25aa", "\u26ab", "\u00b0", "\u02f3", "\u066b", "\u2022", "\u00b7"} {
		flagged(t, f, `<a href=`+evil+`>https://www`+dot+`paypal`+dot+`com/</a>`)
	}
	flagged(t, f, `<a href=`+evil+`>https://.paypal.com/</a>`)
	for _, text := range []string{"iPhone\u30fbMac", "Mon\u25cfTue", "20\u00b0C", "www.example.com...", "https://www.example.com/..", "wait..https://www.example.com"} {
		if r := f.Scan(htmlMessage(`<a href=https://www.example.com/>` + text + `</a>`)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", text, placed(r))
		}
	}
}

// TestTextsOfStyleAttributes: a text that a style attribute adds to a link is judged.
func TestTextsOfStyleAttributes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, style := range []string{
		`<q style="quotes:'%' ''"></q>`, `<span style="QUOTES : '%' ''"><q></q></span>`, `<span style="display:list-item;list-style:'%' inside"></span>`,
		`<b style="display:list-item;list-style-type:'%'"></b>`, `<i style="qu\6ftes:'%' ''"><q></q></i>`,
	} {
		for _, text := range []string{shownAs, "www.paypal.com"} {
			inside := strings.ReplaceAll(style, "%", text)
			flagged(t, f, `<a href=`+evil+`>`+inside+`</a>`)
			flagged(t, f, `<style>p{margin:0}</style><a href=`+evil+`>`+inside+`</a>`)
		}
	}
	honest := `<ul style="list-style:'\2192  ' inside"><li><a href=https://www.example.com/>Example</a></ul><q style="quotes:'\00ab' '\00bb'"><a href=https://www.example.com/>x</a></q>`
	if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
		t.Errorf("%v", placed(r))
	}
}
