package filter_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// readable has rules that rewrite links in plain texts, with and without an HTML alternative.
func readable() map[string][]rule.Rule {
	return map[string][]rule.Rule{
		"plain":          {{Name: "plain", Plain: rule.PlainReadable}},
		"plain-and-html": {{Name: "both", Plain: rule.PlainReadable, HTML: rule.HTMLNeeded}},
		"defang":         {{Name: "defang", Plain: rule.PlainReadable, HTML: rule.HTMLNeeded, Flagged: rule.FlaggedDefang}},
	}
}

// TestSamplesRewritten filters every sample under rules that rewrite plain texts, and checks I1,
// I2, I4 and I5.
func TestSamplesRewritten(t *testing.T) {
	needTables(t)
	for name, rules := range readable() {
		t.Run(name, func(t *testing.T) {
			f := newFilter(t, filter.Options{Rules: rules})
			made, edited := 0, 0
			for _, s := range samples(t) {
				result := check(t, s.name, f, localUser(), s.raw)
				if !strings.HasPrefix(s.name, "edit-plain-") {
					continue
				}
				made++
				if result.Edited != nil && textOf(t, s.raw) != textOf(t, result.Edited) {
					edited++
				}
			}
			t.Logf("%d of %d samples made for it were rewritten", edited, made)
			if edited < made || made < 12 {
				t.Errorf("%d of %d samples made for it were rewritten", edited, made)
			}
		})
	}
}

// TestRewrittenSamples compares whole rewritten messages with goldens.
func TestRewrittenSamples(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "plain", Plain: rule.PlainReadable, Flagged: rule.FlaggedDefang}}})
	for _, s := range samples(t) {
		if strings.HasPrefix(s.name, "edit-plain-") {
			t.Run(s.name, func(t *testing.T) {
				golden(t, filepath.Join("plain", s.name+".golden"), string(check(t, s.name, f, localUser(), s.raw).Edited))
			})
		}
	}
}

// TestRewrite compares the text of messages after rules that rewrite it.
func TestRewrite(t *testing.T) {
	const uebersicht = "https://de.wikipedia.org/wiki/%C3%9Cbersicht"
	for _, test := range []struct {
		name    string
		flagged rule.Flagged
		before  string
		after   string // "" if nothing changes
	}{
		{"over-escaped", rule.FlaggedUnlink, "See " + uebersicht + ".", "See https://de.wikipedia.org/wiki/Übersicht."},
		{"nothing to do", rule.FlaggedUnlink, "See https://example.com/ and a@example.com.", ""},
		{"reserved characters stay", rule.FlaggedUnlink, "https://example.com/%2F%26%23%25%2B%28", ""},
		{"punycode", rule.FlaggedUnlink, "https://xn--bcher-kva.example.com/", "https://bücher.example.com/"},
		{"bare host", rule.FlaggedUnlink, "de.wikipedia.org/wiki/%C3%9Cbersicht", "de.wikipedia.org/wiki/Übersicht"},
		{"e-mail", rule.FlaggedUnlink, "Write to anna@xn--bcher-kva.example.com!", "Write to anna@bücher.example.com!"},
		{"flagged stays as typed", rule.FlaggedUnlink, "https://аpple.example.com/%C3%BC and " + uebersicht, "https://аpple.example.com/%C3%BC and https://de.wikipedia.org/wiki/Übersicht"},
		{"flagged and linked stays as typed", rule.FlaggedLink, "https://аpple.example.com/%C3%BC", ""},
		{"flagged is defanged", rule.FlaggedDefang, "https://аpple.example.com/%C3%BC and " + uebersicht, "hxxps[:]//xn--pple-43d[.]example[.]com/ü and https://de.wikipedia.org/wiki/Übersicht"},
		{"parentheses", rule.FlaggedUnlink, "(https://en.wikipedia.org/wiki/%C3%9C_(x))", "(https://en.wikipedia.org/wiki/Ü_(x))"},
	} {
		t.Run(test.name, func(t *testing.T) {
			needTables(t)
			f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "r", Plain: rule.PlainReadable, Flagged: test.flagged}}})
			raw := []byte(strings.Replace(text(test.before+"\r\n"), "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1))
			result := check(t, test.name, f, localUser(), raw)
			if test.after == "" {
				if result.Edited != nil || result.Report.NotDone != "nothing-to-change" {
					t.Errorf("edited to %s", result.Edited)
				}
				return
			}
			if result.Edited == nil {
				t.Fatalf("not edited: %s", result.Report)
			}
			if got := textOf(t, result.Edited); got != test.after+"\r\n" {
				t.Errorf("got %q, want %q", got, test.after)
			}
		})
	}
}

// TestRewriteKeepsGuards: each guard against an alternative is also one against a rewrite, except
// for the root part of a multipart/related, which stays a text.
func TestRewriteKeepsGuards(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: readable()["plain"]})
	for _, s := range samples(t) {
		if s.name != "guard-related-start" && (strings.HasPrefix(s.name, "guard-") || strings.HasPrefix(s.name, "broken-")) {
			if result := check(t, s.name, f, localUser(), s.raw); result.Report.Edited {
				t.Errorf("%s was edited", s.name)
			}
		}
	}
}

// textOf returns the text of a message's first leaf.
func textOf(tb testing.TB, raw []byte) string {
	tb.Helper()
	t, err := firstText(raw)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func firstText(raw []byte) (string, error) {
	m := mime.Parse(context.Background(), raw, mime.Limits{})
	for leaf := range m.Leaves() {
		return m.Text(leaf)
	}
	return "", fmt.Errorf("no leaf")
}

// onlyLinksDiffer fails if the text of the first leaf differs from the original in more than the
// display of its links, or if a link opens something else afterwards (I2, I4). It uses the report,
// not the plan.
func onlyLinksDiffer(raw []byte, result filter.Result) error {
	before, err := firstText(raw)
	if err != nil {
		return err
	}
	after, err := firstText(result.Edited)
	if err != nil {
		return err
	}
	from, to := lf(before), lf(after)
	// If CRLF becomes LF, each line end before a link moves it by one byte.
	offset := func(i int) int { return len(lf(before[:i])) }
	pos := 0
	var hrefs []string
	for _, l := range result.Report.Links {
		if l.Broken || l.Guessed || l.Place != report.PlaceText || l.Part != result.Report.Parts[0].Number {
			continue
		}
		start, end := offset(l.Link.Start), offset(l.Link.End)
		var ok bool
		if to, ok = cutText(to, from[pos:start]); !ok {
			return fmt.Errorf("%.200q became %.200q", from[pos:], to)
		}
		pos = end
		if rest, ok := strings.CutPrefix(to, l.Display); ok {
			to = rest
		} else if to, ok = strings.CutPrefix(to, l.Link.Text); !ok {
			return fmt.Errorf("link %q shown as %q became %.200q", l.Link.Text, l.Display, to)
		}
		if l.Link.Kind != engine.KindSuspect && !l.Flagged && !strings.Contains(l.Display, "[.]") {
			hrefs = append(hrefs, l.Href)
		}
	}
	if rest, ok := cutText(to, from[pos:]); !ok || rest != "" {
		return fmt.Errorf("%.200q became %.200q", from[pos:], to)
	}
	return sameTargets(after, hrefs)
}

// cutText removes the text between two links from the start of a text. The text may be defanged.
func cutText(to, between string) (string, bool) {
	for between != "" {
		_, size := utf8.DecodeRuneInString(between)
		for live, dead := range map[string]string{"http": "hxxp", "ftp": "fxp"} {
			if strings.HasPrefix(to, dead) && len(between) >= len(live) && strings.EqualFold(between[:len(live)], live) {
				to, size = live+to[len(dead):], len(live)
				between = live + between[len(live):]
			}
		}
		rest, ok := strings.CutPrefix(to, between[:size])
		if !ok && judge.Defang(between[:size]) != between[:size] {
			rest, ok = strings.CutPrefix(to, judge.Defang(between[:size]))
		}
		if !ok {
			return to, false
		}
		to, between = rest, between[size:]
	}
	return to, true
}

// sameTargets fails if a text has no link for one of the hrefs.
func sameTargets(text string, hrefs []string) error {
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		return err
	}
	// The filter includes the query and further recipients of a mailto: URL in the link; detection
	// does not.
	key := func(href string) string {
		if strings.HasPrefix(href, "mailto:") {
			href = href[:strings.IndexAny(href+"?", "?,")]
		}
		return unescaped(href)
	}
	found := make(map[string]int)
	for link := range scanner.All(text) {
		found[key(link.Href())]++
	}
	for _, href := range hrefs {
		if found[key(href)]--; found[key(href)] < 0 {
			return fmt.Errorf("no link opens %q", href)
		}
	}
	return nil
}

// unescaped decodes the escapes in a URL, except those of reserved characters, so that spellings of
// one URL compare as equal.
func unescaped(href string) string {
	return escapes.ReplaceAllStringFunc(href, func(escape string) string {
		value, _ := strconv.ParseUint(escape[1:], 16, 8)
		return string([]byte{byte(value)})
	})
}

var escapes = regexp.MustCompile("%[0-9A-Fa-f]{2}")

func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
