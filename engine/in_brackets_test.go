package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestGeneratedURLsInBrackets: a link ends before "<", whatever stands there: the target that Outlook
// writes behind its text, markup, or an arrow.
func TestGeneratedURLsInBrackets(t *testing.T) {
	scanner := newScanner(t, engine.Options{})
	random := rand.New(rand.NewPCG(52, 3))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	urls := func() string {
		host := pick("www.example.com", "example.org", "my-site.example.co.uk", "bücher.example.de", "ja.wikipedia.org", "192.0.2.1", "例子.中国")
		path := pick("", "/", "/page.html", "/a_(b)", "/東京", "/%E6%97%A5", "/a/b?c=d&e=f", "/?q=ü#x", "/#top", "/मुंबई")
		return pick("https://", "http://", "HTTPS://", "ftp://") + host + pick("", ":8080") + path
	}
	for range long.Rows(50_000, 5000) {
		first, second := urls(), urls()
		want := []string{first}
		text := pick("", "See ", "(", "„", "请看 ", "> ") + first
		switch random.IntN(4) {
		case 0:
			text += "<" + second + ">"
			want = append(want, second)
		case 1:
			text += "<mailto:anna@example.com>"
			want = append(want, "mailto:anna@example.com")
		default:
			text += pick("<br>", "<br/>", "<BR />", "</a>", "<b>", "<-- here", "<---", "<=", "<3", "<", "<<", "<!-- x -->")
		}
		text += pick("", " as agreed.", ")", ".", ", and", "\r\n> next", "。")
		var got []string
		for _, link := range scanner.Append(nil, text) {
			got = append(got, link.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestGeneratedMailtoBeforeMarks: the domain of an address ends before a mark that ends its part of a list
// or sentence, as in "mailto:a@b.de,". ParseLink refuses the mark.
func TestGeneratedMailtoBeforeMarks(t *testing.T) {
	scanner := newScanner(t, engine.Options{})
	random := rand.New(rand.NewPCG(52, 9))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for range long.Rows(20_000, 2000) {
		address := pick("", "mailto:", "MAILTO:") + pick("a", "anna.b", "list-request", "x+y") + "@" + pick("b.de", "example.com", "mail.example.co.uk", "bücher.example.org", "пример.рф")
		mark := pick(",", ";", ":", "!", "?", ".", ",,", "...", ")", ">", "\"", "，", "；", "。", "」", "،")
		text := pick("", "Write to ", "(", "<") + address + mark + pick("", " ", "\r\n", " and c@d.example", "\r\nnext")
		links := scanner.Append(nil, text)
		if len(links) == 0 || links[0].Text != address {
			t.Errorf("%q: %+v", text, links)
			continue
		}
		if host := links[0].ASCIIHost(); host == "" || strings.ContainsAny(host, ",;:!?%") {
			t.Errorf("%q opens %q", text, host)
		}
	}
	for _, mark := range []string{",", ";", "%2C", "，"} {
		if l, err := engine.ParseLink(fmt.Sprintf("mailto:a@b.de%s", mark)); err == nil {
			t.Errorf("%q: %+v", mark, l)
		}
	}
}
