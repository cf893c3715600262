package filter_test

import (
	"context"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// TestNoFlaggedLinkStays: if text beside a defanged link becomes a flagged link, it is defanged,
// too, in the text and in the alternative.
func TestNoFlaggedLinkStays(t *testing.T) {
	needTables(t)
	for _, test := range []struct{ name, before, after string }{
		{"second address", "http://paypa1.com/ a@paypa1.com?x@example.org", "hxxp[:]//paypa1[.]com/ a[@]paypa1[.]com?x[@]example[.]org"},
		{"address after address", "a@paypa1.com?b@paypa1.com?c@paypa1.com?d@paypa1.com", "a[@]paypa1[.]com?b[@]paypa1[.]com?c[@]paypa1[.]com?d[@]paypa1[.]com"},
		{"honest beside", "http://paypa1.com/ https://example.com/%C3%BC", "hxxp[:]//paypa1[.]com/ https://example.com/ü"},
		{"honest touches", "http://paypa1.com/>https://example.com/%C3%BC", "hxxp[:]//paypa1[.]com/>https://example.com/ü"},
		{"angle brackets", "<http://paypa1.com/>,<a@paypa1.com>", "<hxxp[:]//paypa1[.]com/>,<a[@]paypa1[.]com>"},
		{"markdown", "[http://paypa1.com](http://paypa1.com/x)", "[hxxp[:]//paypa1[.]com](hxxp[:]//paypa1[.]com/x)"},
		{"mailto", "mailto:a@paypa1.com?cc=b@paypa1.com&subject=x", ""},
		{"second address, honest", "a@paypa1.com?x@example.org https://example.com/%C3%BC", "a[@]paypa1[.]com?x[@]example[.]org https://example.com/ü"},
		{"nested", "https://paypa1.com/?u=http://paypa1.com/", "hxxps[:]//paypa1[.]com/?u=http[:]//paypa1[.]com/"},
		{"suspect", "http://paypal.com@192.0.2.1/x", "hxxp[:]//paypal[.]com[@]192[.]0[.]2[.]1/x"},
		{"named in a link", "a@💩example.com https://example.org/%C3%BC/💩Example.com", "a[@]xn--example-sg05f[.]com hxxps[:]//example[.]org/%C3%BC/💩Example[.]com"},
		{"named with escapes", "a@💩example.com https://example.com/%F0%9F%92%A9example.com/%C3%BC", "a[@]xn--example-sg05f[.]com hxxps[:]//example[.]com/%F0%9F%92%A9example[.]com/%C3%BC"},
		{"symbol before the host", "a@💩example.com 💩example.com:80x", "a[@]xn--example-sg05f[.]com 💩example[.]com[:]80x"},
		{"longer names", "http://paypa1.com/ https://example.com/my-paypa1.com.html", "hxxp[:]//paypa1[.]com/ https://example.com/my-paypa1.com.html"},
		{"two touch", "http://paypa1.com/\"http://paypa1.com/", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, f := range defanging(t, false) {
				result := defangs(t, f, test.before+"\r\n")
				if result.Edited == nil {
					t.Fatalf("%s: %s", name, result.Report)
				}
				if got := textOf(t, result.Edited); test.after != "" && got != test.after+"\r\n" {
					t.Errorf("%s: got %q, want %q", name, got, test.after)
				}
			}
		})
	}
}

// TestFlaggedHostsInOtherSpellings: a flagged host is defanged everywhere in the text, in any
// spelling and beside any text. Longer names, which are other hosts, stay.
func TestFlaggedHostsInOtherSpellings(t *testing.T) {
	needTables(t)
	rules := []rule.Rule{{Name: "always", Plain: rule.PlainReadable, HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang}}
	f := newFilter(t, filter.Options{Rules: rules, Policy: policy.Options{Allow: []string{"good.paypa1.com"}, Block: []string{"example.net"}}})
	for _, test := range []struct{ flagged, named, after string }{
		{"http://💩example.com/", "file:💩example。com", "file[:]💩example[.]com"},
		{"http://💩example.com/", "example.org/xn--example-sg05f.com", "example[.]org/xn--example-sg05f[.]com"},
		{"http://💩example.com/", "x:💩example.comя", "x[:]💩example[.]comя"},
		{"http://💩example.com/", "ssh://💩EXAMPLE.com-x/", "ssh[:]//💩EXAMPLE[.]com-x/"},
		{"http://💩example.com/", "e.org/💩example.com.x", "e[.]org/💩example[.]com[.]x"},
		{"paypa1.com", "ssh://p%61ypa1.com/", "ssh[:]//p%61ypa1[.]com/"},
		{"paypa1.com", "file:paypa1%2ecom", "file[:]paypa1%2ecom"},
		{"paypa1.com", "mailto:x&a@PAYPA1%2Ecom", "mailto[:]x&a[@]PAYPA1%2Ecom"},
		{"paypa1.com", "l.cx/(ⓟaypa1.com", "l[.]cx/(ⓟaypa1[.]com"},
		{"paypa1.com", "x/(pay\u00adpa1.com", "x/(paypa1[.]com"},
		{"paypa1.com", "e.om#-paypa1.com", "e[.]om#-paypa1[.]com"},
		{"раураӏ.みんな", "раураӏ.みんなー", "раураӏ[.]みんなー"},
		{"paypa1.com", "https://good.paypa1.com/ok", "https://good.paypa1.com/ok"},
		{"http://example.net", "https://www.example.net/ok", "https://www.example.net/ok"},
		{"paypa1.com", "https://example.org/paypa1.company/xpaypa1.com", "https://example.org/paypa1.company/xpaypa1.com"},
	} {
		message := []byte(utf8Text("see " + test.flagged + " x\r\n" + test.named + " x\r\n"))
		result := check(t, test.named, f, localUser(), message)
		if result.Edited == nil {
			t.Errorf("%s: %s", test.named, result.Report)
			continue
		}
		for _, shown := range [...]string{textOf(t, result.Edited), textOfHTML(alternativeOf(t, result.Edited))} {
			shown = strings.TrimSpace(shown)
			got := strings.TrimSpace(shown[strings.LastIndexByte(shown, '\n')+1:])
			if colons := strings.NewReplacer("[:]", ":"); colons.Replace(got) != colons.Replace(test.after)+" x" {
				t.Errorf("%s: got %q", test.named, got)
			}
		}
	}
}

// TestManyFlaggedHosts: the text may name few or many flagged hosts; all are defanged everywhere.
func TestManyFlaggedHosts(t *testing.T) {
	needTables(t)
	f := defanging(t, false)["always"]
	for _, hosts := range []int{1, 10, 100, 1000} {
		var before, after strings.Builder
		for i := range hosts {
			fmt.Fprintf(&before, "a@💩%d.example.com 💩%d.example.com\r\nhttp://example.org/💩%d.EXAMPLE.com\r\n", i, i, i)
			link, err := engine.ParseLink(fmt.Sprintf("a@💩%d.example.com", i))
			if err != nil {
				t.Fatal(err)
			}
			host := strings.ReplaceAll(link.ASCIIHost(), ".", "[.]")
			fmt.Fprintf(&after, "a[@]%s 💩%d[.]example[.]com\r\nhxxp[:]//example[.]org/💩%d[.]EXAMPLE[.]com\r\n", host, i, i)
		}
		result := defangs(t, f, before.String())
		if result.Edited == nil {
			t.Fatal(result.Report)
		}
		if got := textOf(t, result.Edited); got != after.String() {
			t.Errorf("%d hosts: got %.200q, want %.200q", hosts, got, after.String())
		}
	}
}

// TestBrokenFlaggedLinks: a flagged link that is broken over lines is defanged in each line. So is
// a link whose first line alone is flagged.
func TestBrokenFlaggedLinks(t *testing.T) {
	needTables(t)
	for before, after := range map[string]string{
		"<https://paypa1.com/\r\nreport>":                             "<hxxps[:]//paypa1[.]com/\r\nreport>",
		"> <https://paypa1.com/\r\n> report.html> x":                  "> <hxxps[:]//paypa1[.]com/\r\n> report[.]html> x",
		"<https://example.com/a\r\n  b> and http://paypa1.com/":       "<https://example.com/a\r\n  b> and hxxp[:]//paypa1[.]com/",
		"<URL:https://pay\r\npa1.com/x>":                              "",
		"<https://paypa1.com\r\n/www.example.org/a@paypa1.com?x@y.z>": "",
		"<https://paypa1.com\r\n.example.org/> http://paypa1.com/":    "",
	} {
		for name, f := range defanging(t, true) {
			result := defangs(t, f, before+"\r\n")
			if result.Edited == nil {
				t.Errorf("%s: %q: %s", name, before, result.Report)
			} else if got := textOf(t, result.Edited); after != "" && got != after+"\r\n" {
				t.Errorf("%s: got %q, want %q", name, got, after)
			}
		}
	}
}

// defanging returns filters that defang plain texts.
func defanging(tb testing.TB, join bool) map[string]*filter.Filter {
	tb.Helper()
	filters := make(map[string]*filter.Filter)
	for name, mode := range map[string]rule.HTML{"never": rule.HTMLNever, "needed": rule.HTMLNeeded, "always": rule.HTMLAlways} {
		chosen := rule.Rule{Name: name, Plain: rule.PlainReadable, HTML: mode, Flagged: rule.FlaggedDefang}
		filters[name] = newFilter(tb, filter.Options{JoinLines: join, Rules: []rule.Rule{chosen}})
	}
	return filters
}

var hrefs = regexp.MustCompile(`<a href="([^"]*)"`)

// defangs filters a text with a filter that defangs, and checks the invariants of check. If the
// filter says that it edited the text, no flagged link may be left.
func defangs(tb testing.TB, f *filter.Filter, content string) filter.Result {
	tb.Helper()
	raw := []byte(utf8Text(content))
	result := check(tb, content, f, localUser(), raw)
	if !result.Report.Edited {
		return result
	}
	flagged := func(where, text string) {
		for _, l := range f.Text(text) {
			if l.Flagged {
				tb.Errorf("%q: %s %q still has the flagged %s %q", content, where, text, l.Link.Kind, l.Link.Text)
			}
		}
	}
	flagged("text", textOf(tb, result.Edited))
	if result.Report.Rule == "never" || !strings.Contains(string(result.Edited), "text/html") {
		return result
	}
	alternative := alternativeOf(tb, result.Edited)
	flagged("alternative", textOfHTML(alternative))
	for _, l := range f.Text(textOfHTML(alternative)) {
		if !slices.ContainsFunc(result.Report.Links, func(old report.Found) bool { return !old.Flagged && shareText(old, l.Link.Text) }) {
			tb.Errorf("%q: the alternative has the new %s %q", content, l.Link.Kind, l.Link.Text)
		}
	}
	for _, match := range hrefs.FindAllStringSubmatch(alternative, -1) {
		opened := html.UnescapeString(match[1])
		for _, l := range result.Report.Links {
			if l.Flagged && l.Place == report.PlaceText && l.Href == opened {
				tb.Errorf("%q: the alternative links %s", content, opened)
			}
		}
	}
	return result
}

// shareText reports whether a text contains a link, as typed or as shown, with or without its
// scheme, or is contained in it.
func shareText(link report.Found, text string) bool {
	for _, shown := range []string{link.Link.Text, link.Display, formOf(link, "")} {
		if strings.Contains(text, shown) || strings.Contains(shown, text) {
			return true
		}
	}
	return false
}

var (
	flaggedPieces = []string{
		"http://paypa1.com/", "HTTP://PAYPA1.COM", "paypa1.com", "www.paypa1.com", "a@paypa1.com", "mailto:a@paypa1.com?cc=b@paypa1.com",
		"https://paypa1.com/?u=http://paypa1.com/x", "https://p\u0430ypal.com/%C3%BC", "https://xn--pypal-4ve.com", "paypa1.com/a", "ftp://paypa1.com",
		"http://paypal.com@192.0.2.1/x", "http://paypal.com@paypa1.com/x", "paypa1\u3002com", "a.b@paypa1.com", "http://0xc0000201/", "paypa1.com:8080/x",
		"https://example.com/?u=http://paypa1.com/", "\"a b\"@paypa1.com",
	}
	honestPieces = []string{
		"https://example.com/%C3%BC", "https://xn--bcher-kva.example.com/", "example.org", "www.example.org/x", "b@example.org", "mailto:b@example.org",
		"https://de.wikipedia.org/wiki/%C3%9Cbersicht_(x)", "b@xn--bcher-kva.example.com", "https://example.com", "http://192.0.2.7/",
	}
	otherPieces = []string{"", "x", "\u4f60\u597d", "\u00fc", "http", "www.", "//", "a.b", "x_y", "-", "1.2", "mailto:", "\u05d0", "localhost", "http://"}
	separators  = []string{
		"", "", " ", " ", "?", "@", ",", ">", "<", "(", ")", "[", "](", "\"", "'", ";", ":", "/", ".", "|", "=", "&", "\u3002", "\u201c", "\u201d",
		"\t", "%", "#", "!", "_", "-", "+", "\\", "`", "*", "~", "\u00a0", "\u200b", "{", "}", "> ", "\r\n", "\r\n> ",
	}
)

// TestNoFlaggedLinkStaysInMadeLines puts flagged, honest and other pieces side by side. Honest
// links between white space stay links in both parts.
func TestNoFlaggedLinkStaysInMadeLines(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector; runs without -short")
	}
	needTables(t)
	const seed = 7
	lines := long.Rows(4000, 300)
	random := rand.New(rand.NewPCG(seed, seed))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	made := func() string {
		var b strings.Builder
		for range 1 + random.IntN(5) {
			b.WriteString(pick([][]string{flaggedPieces, flaggedPieces, honestPieces, otherPieces}[random.IntN(4)]))
			b.WriteString(pick(separators))
		}
		return b.String()
	}
	plain, joined := defanging(t, false), defanging(t, true)
	edited, refused, swallowed := 0, 0, 0
	for i := range lines {
		content := made() + " https://honest.example.net/%C3%BC " + made() + "\r\n"
		f := plain
		if i%3 == 0 {
			f, content = joined, "<"+strings.Replace(content, "/", "/\r\n", 1)
		}
		for _, f := range f {
			result := defangs(t, f, content)
			flagged := false
			for _, l := range result.Report.Links {
				flagged = flagged || l.Flagged && l.Place == report.PlaceText
				if strings.Contains(l.Display, "[.]") && !l.Flagged {
					swallowed++
				}
				if l.Link.Text == "https://honest.example.net/%C3%BC" && !l.Linked {
					t.Errorf("%q: the honest link is not linked", content)
				}
			}
			switch {
			case result.Report.Edited:
				edited++
			case flagged:
				refused++
				t.Errorf("%q: not edited: %s", content, result.Report)
			}
		}
		if t.Failed() && i > 100 {
			t.Fatal("enough")
		}
	}
	t.Logf("%d messages edited, %d refused, %d honest links defanged with what is beside them", edited, refused, swallowed)
	if edited < lines {
		t.Errorf("only %d messages edited", edited)
	}
}

// TestUnlinkedFlaggedLinks: with flagged = "unlink", no flagged link is a link in the alternative.
func TestUnlinkedFlaggedLinks(t *testing.T) {
	needTables(t)
	const seed = 11
	lines := long.Rows(1000, 200)
	random := rand.New(rand.NewPCG(seed, seed))
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "unlink", Plain: rule.PlainReadable, HTML: rule.HTMLAlways}}})
	for range lines {
		content := pick(flaggedPieces) + pick(separators) + pick(honestPieces) + pick(separators) + pick(flaggedPieces) + " https://honest.example.net/\r\n"
		result := check(t, content, f, localUser(), []byte(utf8Text(content)))
		if !result.Report.Edited {
			t.Fatalf("%q: %s", content, result.Report)
		}
		references := hrefs.FindAllStringSubmatch(alternativeOf(t, result.Edited), -1)
		if len(references) == 0 {
			t.Errorf("%q: no reference", content)
		}
		for _, match := range references {
			for _, l := range f.Text(html.UnescapeString(match[1])) {
				if l.Flagged {
					t.Errorf("%q: reference to %s", content, match[1])
				}
			}
		}
	}
}

// FuzzDefangedText defangs any text: either no flagged link is left, or the text stays as it was.
func FuzzDefangedText(f *testing.F) {
	for _, flagged := range flaggedPieces {
		for _, separator := range separators {
			f.Add(flagged+separator+honestPieces[0]+" x "+flagged, len(separator)%2 == 0)
		}
	}
	f.Add("http://paypa1.com/ a@paypa1.com?x@example.org", false)
	plain, joined := defanging(f, false), defanging(f, true)
	f.Fuzz(func(t *testing.T, content string, join bool) {
		filters := plain
		if join {
			filters = joined
		}
		for _, f := range filters {
			defangs(t, f, content)
		}
	})
}

// TestNotDefanged: if a link cannot be defanged, the message is not edited, and if_not_editable
// acts.
func TestNotDefanged(t *testing.T) {
	chosen := rule.Rule{
		Name: "r", Plain: rule.PlainReadable, HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionQuarantine,
	}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
	result := filter.NeverDefangs(f).Message(context.Background(), localUser(), []byte(text("http://paypa1.com/\r\n")))
	if result.Report.Edited || result.Report.NotDone != "not-defanged" || result.Action != rule.ActionQuarantine {
		t.Error(result.Report)
	}
}

// TestDefangedOverLimits: if the defanged text cannot be written, neither part is edited, and
// if_not_editable acts.
func TestDefangedOverLimits(t *testing.T) {
	chosen := rule.Rule{
		Name: "r", Plain: rule.PlainReadable, HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang, IfNotEditable: rule.ActionReject,
	}
	line := strings.Repeat("http://paypa1.com/ ", 30)
	for name, test := range map[string]struct {
		limits  filter.Limits
		content string
		reason  report.Reason
	}{
		"growth":    {filter.Limits{Growth: 100}, line, "growth-too-large"},
		"result":    {filter.Limits{Result: 2000}, line, "result-too-large"},
		"text":      {filter.Limits{Text: 500}, line, "text-too-large"},
		"long line": {filter.Limits{}, line + line, "line-too-long"},
	} {
		f := newFilter(t, filter.Options{Limits: test.limits, Rules: []rule.Rule{chosen}})
		result := f.Message(context.Background(), localUser(), []byte(text(test.content+"\r\n")))
		if result.Report.Edited || result.Report.NotDone != test.reason || result.Action != rule.ActionReject {
			t.Errorf("%s: %s, want %s", name, result.Report, test.reason)
		}
	}
	result := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}).Message(context.Background(), localUser(), []byte(text(line+"\r\n")))
	if !result.Report.Edited {
		t.Error(result.Report)
	}
}
