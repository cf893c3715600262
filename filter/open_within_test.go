package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// TestRecipientsOfMailto: each address that a mailto URL fills in is judged.
func TestRecipientsOfMailto(t *testing.T) {
	f := newFilter(t, filter.Options{})
	h := hiddenPart{rand.New(rand.NewPCG(6, 5))}
	for range 200 {
		address := h.pick("x@paypa1.com", "X@PAYPA1.com", "<x@paypa1.com>", `"a" <x@paypa1.com>`, "a@example.com,x@paypa1.com")
		if h.IntN(2) == 0 {
			address = url.QueryEscape(address)
		}
		source := h.anyCase("mailto") + ":" + h.pick("a@example.com", "", "a@example.com,b@example.com") + "?" + h.pick("", "subject=x&amp;", "body=hello&") + h.anyCase(h.pick("cc", "bcc", "to")) + "=" + address
		flagged(t, f, `<a href='`+source+`'>x</a>`)
		if t.Failed() {
			return
		}
	}
	flagged(t, f, `<a href="mailto:%22a%22%3Cx@paypa1.com%3E">x</a>`)
	for _, honest := range []string{
		`<a href="mailto:list@example.com?cc=anna@example.org&subject=x">list@example.com</a>`, `<a href="mailto:?to=anna@example.org">Mail anna@example.org</a>`, `<a href="mailto:a@example.com?cc=,,&bcc">a@example.com</a>`,
	} {
		if r := f.Scan(htmlMessage(honest)); worstLink(r) >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestScriptsOfURLs: strings are judged that the script of a URL decodes at their place.
func TestScriptsOfURLs(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, script := range []string{
		`location='http:\x2f/paypa1.com'`, `open('http://pay'+'pa1.com/')`, fmt.Sprintf("eval(atob('%s'))", base64.StdEncoding.EncodeToString([]byte("location='http://paypa1.com/'"))), `location=unescape('http%253A//paypa1.com/')`, `location='//paypa1.com/'`,
	} {
		for _, name := range []string{"javascript", "vbscript", "VBScript", " java&Tab;script"} {
			flagged(t, f, `<a href="`+name+`:`+script+`">x</a>`)
		}
	}
	flagged(t, f, `<a href="vbscript:window.open('//paypa1.com/')">x</a>`)
}

// TestPunctuationBehindMailto: mail programs link the punctuation of a sentence with a mailto: URL.
// It belongs to no domain: the link opens the address that its text names.
func TestPunctuationBehindMailto(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, address := range []string{"anna@example.com", "anna@bücher.example.com", "анна@пример.рф", "a.b+c@mail.example.co.uk"} {
		for _, behind := range []string{",", ";", ", ", ",%20", "%2C", "%3B", ",,", "'", "!", "&quot;", ")", "、", "，", "。", "”", "»", "—"} {
			for _, text := range []string{address, address + ",", "Mail"} {
				source := `<a href="mailto:` + address + behind + `">` + text + `</a>`
				r := f.Scan(htmlMessage(source))
				if worstLink(r) >= policy.SeverityLow || len(r.Links) == 0 {
					t.Errorf("%s: %v", source, placed(r))
				}
			}
			flagged(t, f, `<a href="mailto:x@paypa1.com`+behind+`">x</a>`)
		}
	}
}
