package filter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
)

// TestJoinLines reads URLs in angle brackets that are broken over lines (RFC 3986
// appendix C).
func TestJoinLines(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // links with join_lines
		plain      []string // links without it
	}{
		{"over two lines", "see <https://example.com/a/\r\nb?c=d> now", []string{"https://example.com/a/b?c=d"}, []string{"https://example.com/a/"}},
		{"with a prefix and indents", "<URL:https://example.com/a\n   /b\n   /c>", []string{"https://example.com/a/b/c"}, []string{"https://example.com/a"}},
		{"spaces around it", "< https://example.com/a\n/b >", []string{"https://example.com/a/b"}, []string{"https://example.com/a"}},
		{"in a quote", "> <https://example.com/a\r\n> /b> x", []string{"https://example.com/a/b"}, []string{"https://example.com/a"}},
		{"broken in the host", "<https://\nexample.com/>", []string{"https://example.com/"}, []string{"example.com/"}},
		{"others before, between and after", "a.com <https://b.com/\nb> c.com <https://d.com/\nd> e.com", []string{"a.com", "https://b.com/b", "c.com", "https://d.com/d", "e.com"}, []string{"a.com", "https://b.com/", "c.com", "https://d.com/", "e.com"}},
		{"on one line", "<https://example.com/a>", []string{"https://example.com/a"}, []string{"https://example.com/a"}},
		{"more than a URL", "<https://example.com/a\nor b>", []string{"https://example.com/a"}, []string{"https://example.com/a"}},
		{"no scheme", "<example.com/a\n/b>", []string{"example.com/a"}, []string{"example.com/a"}},
		{"never closed", "<https://example.com/a\n/b", []string{"https://example.com/a"}, []string{"https://example.com/a"}},
		{"opened again", "<https://example.com/a\n<https://example.com/b>", []string{"https://example.com/a", "https://example.com/b"}, []string{"https://example.com/a", "https://example.com/b"}},
		{"directly behind a link", "http://example.org/x<https://example.com/a\nb>", []string{"http://example.org/x", "https://example.com/ab"}, []string{"http://example.org/x", "https://example.com/a"}},
		{"too far", "<https://example.com/a\n" + strings.Repeat("x", 5000) + ">", []string{"https://example.com/a"}, []string{"https://example.com/a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for join, want := range map[bool][]string{true: test.want, false: test.plain} {
				f := newFilter(t, filter.Options{JoinLines: join})
				var got []string
				end := 0
				for _, l := range f.Text(test.text) {
					got = append(got, l.Link.Text)
					if l.Link.Start < end || l.Link.End > len(test.text) {
						t.Errorf("link at [%d,%d) after %d", l.Link.Start, l.Link.End, end)
					}
					end = l.Link.End
					if broken := strings.Contains(test.text[l.Link.Start:end], "\n"); broken != l.Broken || broken && l.Linked {
						t.Errorf("%q: broken %v, linked %v", l.Link.Text, l.Broken, l.Linked)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("join %v (-want +got):\n%s", join, diff)
				}
			}
		})
	}
}

// TestBrokenLinksStayAsTyped: a link that is broken over lines is judged, but neither linked nor
// made readable; links beside it are. If it is flagged, it is defanged.
func TestBrokenLinksStayAsTyped(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{JoinLines: true, Rules: readable()["defang"]})
	raw := []byte(strings.Replace(text("<https://xn--pple-43d.example.com/\r\n%C3%BC> <https://example.com/\r\n%C3%BC> https://example.com/%C3%BC\r\n"), "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1))
	result := check(t, "broken", f, localUser(), raw)
	if result.Edited == nil {
		t.Fatal(result.Report)
	}
	if got, want := textOf(t, result.Edited), "<hxxps[:]//xn--pple-43d[.]example[.]com/\r\n%C3%BC> <https://example.com/\r\n%C3%BC> https://example.com/ü\r\n"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if html := alternativeOf(t, result.Edited); strings.Count(html, "<a ") != 1 || !strings.Contains(html, "https://example.com/<br>") {
		t.Errorf("alternative %s", html)
	}
	if !result.Report.Links[0].Flagged {
		t.Errorf("not flagged: %+v", result.Report.Links[0])
	}
	onlyBroken := text("<https://example.com/\r\n%C3%BC>\r\n")
	if result := check(t, "only broken", f, localUser(), []byte(onlyBroken)); result.Edited != nil {
		t.Errorf("edited: %s", result.Report)
	}
}

// TestOutlookURLInBrackets: Outlook writes the URL of a link in angle brackets behind its text.
// Text and URL are two links, and each opens what it shows.
func TestOutlookURLInBrackets(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, url := range []string{"https://www.example.com/page.html", "https://ja.wikipedia.org/wiki/東京", "https://example.com/?a=b#c", "https://my_site.example.com/", "mailto:anna@example.com"} {
		shown := strings.TrimPrefix(url, "mailto:")
		for _, behind := range []string{"", " as agreed.", ", and", "。", "\r\n> next"} {
			r := f.Scan([]byte(utf8Text("See " + shown + "<" + url + ">" + behind + "\r\n")))
			if len(r.Links) != 2 || r.Links[0].Link.Text != shown || r.Links[1].Link.Text != url || r.Links[0].Href != r.Links[1].Href {
				t.Errorf("%s<%s>%s: %v", shown, url, behind, placed(r))
			}
		}
	}
}
