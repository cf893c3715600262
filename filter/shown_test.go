package filter_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// showsTheText checks invariant I3 on whole messages: an alternative shows the words of the
// original text, with each link as the report displays it. The tests of internal/alternative
// compare white space and quotes.
func showsTheText(tb testing.TB, raw []byte, result filter.Result) {
	tb.Helper()
	if !result.Report.Edited || optedOut(result.Report) {
		return
	}
	var html string
	m := mime.Parse(context.Background(), result.Edited, mime.Limits{})
	for leaf := range m.Leaves() {
		if leaf.MediaType == "text/html" {
			text, err := m.Text(leaf)
			if err != nil {
				tb.Fatal(err)
			}
			html = text
			break
		}
	}
	if html == "" {
		return // only the text was rewritten
	}
	text, err := firstText(raw)
	if err != nil {
		tb.Fatal(err)
	}
	got, want := words(textOfHTML(html)), words(asDisplayed(text, result.Report))
	// The text beside a link may be defanged with it.
	same := func(got, want string) bool { rest, ok := cutText(got, want); return ok && rest == "" }
	if !slices.EqualFunc(got, want, same) {
		tb.Errorf("the alternative shows\n%q, not\n%q", got, want)
	}
}

// asDisplayed returns a text with its links as displayed.
func asDisplayed(text string, r report.Report) string {
	var b strings.Builder
	pos := 0
	for _, l := range r.Links {
		if !l.Broken && !l.Guessed && l.Place == report.PlaceText && l.Part == r.Parts[0].Number {
			b.WriteString(text[pos:l.Link.Start])
			b.WriteString(formOf(l, b.String()))
			pos = l.Link.End
		}
	}
	return b.String() + text[pos:]
}

// formOf returns the form in which an alternative shows a link behind a text: without its scheme, if
// it is linked, its text is not its target, and it would not run into the text before.
func formOf(l report.Found, before string) string {
	short := regexp.MustCompile("(?i)^https?://([^/?#@]*([/?#].*)?)$").FindStringSubmatch(l.Display)
	same := strings.EqualFold(l.Display, l.Href) || strings.EqualFold(l.Display+"/", l.Href)
	same = same && !strings.ContainsAny(l.Display, "()")
	if l.Linked && short != nil && !same && regexp.MustCompile(`(^|[\s([{<>"',;]|[\p{Ps}\p{Pi}，、：；！？])$`).MatchString(before) {
		return short[1]
	}
	return l.Display
}

// textOfHTML returns the text of a document, a line for each <br> and block.
func textOfHTML(doc string) string {
	var b strings.Builder
	z := nethtml.NewTokenizer(strings.NewReader(doc))
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return b.String()
		case nethtml.TextToken:
			b.WriteString(z.Token().Data)
		default:
			if name, _ := z.TagName(); string(name) == "br" || string(name) == "div" {
				b.WriteByte('\n')
			}
		}
	}
}

// words returns the words of a text, without quote marks at the start of lines.
func words(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, strings.Fields(strings.TrimLeft(line, "> \t\u00a0"))...)
	}
	return all
}

// TestAlternativesShowTheText is showsTheText on all samples.
func TestAlternativesShowTheText(t *testing.T) {
	for name, rules := range map[string][]rule.Rule{"needed": nil, "always": always(), "defang": readable()["defang"]} {
		f := newFilter(t, filter.Options{Rules: rules})
		shown := 0
		for _, s := range samples(t) {
			result := f.Message(t.Context(), localUser(), s.raw)
			showsTheText(t, s.raw, result)
			if result.Report.Edited {
				shown++
			}
		}
		if shown < 50 {
			t.Errorf("%s: %d samples edited", name, shown)
		}
	}
}
