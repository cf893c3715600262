package filter_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// showing returns a filter that adds an alternative to every text.
func showing(tb testing.TB) *filter.Filter {
	tb.Helper()
	return newFilter(tb, filter.Options{Rules: []rule.Rule{{Name: "all", HTML: rule.HTMLAlways}}})
}

// openedBy returns what the links of an HTML document open.
func openedBy(document string) (all []string) {
	for {
		_, rest, ok := strings.Cut(document, `<a href="`)
		if !ok {
			return all
		}
		href, after, _ := strings.Cut(rest, `"`)
		all, document = append(all, html.UnescapeString(href)), after
	}
}

// opens returns what the alternative of a text opens.
func opens(tb testing.TB, f *filter.Filter, content string) []string {
	tb.Helper()
	raw := []byte(utf8Text(content))
	result := check(tb, content, f, localUser(), raw)
	return openedBy(textsOf(tb.(*testing.T), result.Message(raw)))
}

// TestMailtoKeepsQuery: a moderator sends a key by clicking a mailto: link. The key was lost once,
// since the link ended at the domain.
func TestMailtoKeepsQuery(t *testing.T) {
	needTables(t)
	f := showing(t)
	for text, want := range map[string]string{
		"<mailto:sympa@lists.example.be?subject=DISTRIBUTE%20test%2056238>":      "mailto:sympa@lists.example.be?subject=DISTRIBUTE%20test%2056238",
		"Click mailto:sympa@lists.example.be?subject=REJECT%20test%2056238.":     "mailto:sympa@lists.example.be?subject=REJECT%20test%2056238",
		"(mailto:list@example.be?subject=a&body=Gr%C3%BC%C3%9Fe)":                "mailto:list@example.be?subject=a&body=Gr%C3%BC%C3%9Fe",
		"mailto:list@example.be?subject=Grüße, please":                           "mailto:list@example.be?subject=Gr%C3%BC%C3%9Fe",
		"MAILTO:list@example.be?cc=joe@example.org&subject=x":                    "mailto:list@example.be?cc=joe@example.org&subject=x",
		"<mailto:joe@example.de,ann@example.org?subject=x>":                      "mailto:joe@example.de,ann@example.org?subject=x",
		"Is it mailto:joe@example.de?":                                           "mailto:joe@example.de",
		"mailto:ann@example.de?subject=Look&body=https://www.example.com/a/b":    "mailto:ann@example.de?subject=Look&body=https://www.example.com/a/b",
		"joe@example.de?subject=x has no scheme":                                 "mailto:joe@example.de",
		"<mailto:list@münchen.example.de?subject=x>":                             "mailto:list@xn--mnchen-3ya.example.de?subject=x",
		"mailto:list@example.be?subject=x#fragment that mail programs leave out": "mailto:list@example.be?subject=x",
	} {
		if got := opens(t, f, "see "+text+"\n"); len(got) != 1 || got[0] != want {
			t.Errorf("%s opens %q, want %q", text, got, want)
		}
	}
}

// TestMailtoKeepsQueryInHTML: a flagged address in a text of HTML is shown with its query.
func TestMailtoKeepsQueryInHTML(t *testing.T) {
	source := "<p>write to mailto:joe@paypa1.com?subject=a%20b&amp;cc=x@example.org today</p>"
	got, _ := htmlOf(t, editing(t, rule.FlaggedDefang), source)
	if !strings.Contains(got, "mailto[:]joe[@]paypa1[.]com?subject=a%20b&amp;cc=x[@]example[.]org") {
		t.Error(got)
	}
}

// TestMailtoRecipients: each recipient of a mailto: URL is judged.
func TestMailtoRecipients(t *testing.T) {
	f := showing(t)
	for _, query := range []string{
		"@example.org?to=x@paypa1.com", "@example.org?subject=a&cc=x@paypa1.com", "@example.org?BCC=x%40paypa1.com",
		"@example.org,x@paypa1.com?subject=a", "@example.org?cc=b@example.net,x@paypa1.com",
		"@example.org?body=https://paypa1.com/",
	} {
		for _, raw := range []string{utf8Text("see mailto:joe" + query + "\n"), string(htmlMessage("<p>see mailto:joe" + query + "</p>"))} {
			r := check(t, query, f, localUser(), []byte(raw)).Report
			if worstLink(r) < policy.SeverityMedium {
				t.Errorf("%s: worst finding %v", query, worstLink(r))
			}
		}
		if got := opens(t, f, "see mailto:joe"+query+"\n"); len(got) > 0 {
			t.Errorf("%s: opens %q", query, got)
		}
	}
	honest := "mailto:a@example.org?subject=a&cc=b@example.net&body=https://www.example.com/\n"
	if r := check(t, honest, f, localUser(), []byte(utf8Text(honest))).Report; worstLink(r) > policy.SeverityLow {
		t.Error(r)
	}
}

// TestGeneratedMailto: a mailto: link opens what was typed, bare and in angle brackets, and the
// links of a text do not overlap.
func TestGeneratedMailto(t *testing.T) {
	f := showing(t)
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for range 300 {
		url := "mailto:" + pick("joe", "a.b+c", "list-request", "owner-x") + "@" + pick("example.org", "lists.example.be", "a.example.co.uk")
		for range random.IntN(2) {
			url += "," + pick("ann", "bob") + "@" + pick("example.net", "example.de")
		}
		separator := "?"
		for range 1 + random.IntN(3) {
			url += separator + pick("subject=", "body=", "cc=ann@example.net&subject=", "In-Reply-To=%3C1@example.org%3E&body=") + pick("CONFIRM%20", "auth+", "sub_") + fmt.Sprint(random.IntN(1e6))
			separator = "&"
		}
		before, after := "<", ">"
		if random.IntN(2) == 0 {
			before, after = pick("", "at ", "(", "\n"), ""
			if after = pick("", ".", ", or", " now", "\n"); before == "(" {
				after = ")"
			}
		}
		raw := []byte(utf8Text("Confirm " + before + url + after + "\n"))
		result := check(t, url, f, localUser(), raw)
		if got := openedBy(textsOf(t, result.Message(raw))); len(got) != 1 || got[0] != url {
			t.Errorf("%q opens %q", before+url+after, got)
		}
		end := 0
		for _, l := range result.Report.Links {
			if l.Place != report.PlaceText {
				continue
			}
			if l.Link.Start < end {
				t.Errorf("%q: a link at %d before %d", url, l.Link.Start, end)
			}
			end = l.Link.End
		}
	}
}
