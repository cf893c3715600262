package filter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// utf8Text returns a message with a text in UTF-8.
func utf8Text(content string) string {
	return strings.Replace(text(content), "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1)
}

// TestFlaggedLinks: how each mode shows flagged links. Nothing else may change.
func TestFlaggedLinks(t *testing.T) {
	needTables(t)
	const (
		bad     = "https://p\u0430ypal.com/x?u=http://example.net/"
		suspect = "http://paypal.com@192.0.2.1/x"
		good    = "https://b\u00fccher.example.com/"
		mail    = "anna@p\u0430ypal.com"
	)
	message := utf8Text(bad + " " + suspect + " " + good + " " + mail + "\r\n")
	for flagged, want := range map[rule.Flagged][]string{
		rule.FlaggedUnlink: {
			"https://xn--pypal-4ve.com/x?u=http://example.net/ flagged",
			suspect + " flagged",
			good + " linked",
			"anna@xn--pypal-4ve.com flagged",
		},
		rule.FlaggedLink: {
			"https://xn--pypal-4ve.com/x?u=http://example.net/ linked flagged",
			suspect + " flagged",
			good + " linked",
			"anna@xn--pypal-4ve.com linked flagged",
		},
		rule.FlaggedDefang: {
			"hxxps[:]//xn--pypal-4ve[.]com/x?u=http[:]//example[.]net/ flagged",
			"hxxp[:]//paypal[.]com[@]192[.]0[.]2[.]1/x flagged",
			good + " linked",
			"anna[@]xn--pypal-4ve[.]com flagged",
		},
	} {
		t.Run(fmt.Sprint("flagged ", flagged), func(t *testing.T) {
			chosen := rule.Rule{Name: "r", HTML: rule.HTMLNeeded, Flagged: flagged}
			result := check(t, "flagged", newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}), stranger, []byte(message))
			var got []string
			for _, l := range result.Report.Links {
				if l.Place != report.PlaceText {
					continue
				}
				shown := l.Display
				if l.Linked {
					shown += " linked"
				}
				if l.Flagged {
					shown += " flagged"
				}
				got = append(got, shown)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
			html := alternativeOf(t, result.Edited)
			if got, want := strings.Count(html, "<a "), strings.Count(strings.Join(want, "\n"), " linked"); got != want {
				t.Errorf("%d links in the alternative, want %d:\n%s", got, want, html)
			}
			if !strings.Contains(string(result.Edited), bad) {
				t.Error("the text itself was changed")
			}
		})
	}
}

// TestNothingToClickInDefangedAlternative: detection, in both modes, finds no flagged link in the
// alternative.
func TestNothingToClickInDefangedAlternative(t *testing.T) {
	chosen := rule.Rule{Name: "r", HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
	flagged := 0
	for _, s := range samples(t) {
		result := f.Message(context.Background(), localUser(), s.raw)
		if !result.Report.Edited {
			continue
		}
		shown := make(map[string]bool)
		for _, l := range result.Report.Links {
			if l.Flagged {
				flagged++
			} else {
				shown[l.Display], shown[formOf(l, "")] = true, true
			}
		}
		html := alternativeOf(t, result.Edited)
		for line := range strings.Lines(html) {
			for _, strict := range []bool{false, true} {
				scanner, err := engine.New(engine.Options{Strict: strict})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(line, "[.]") {
					continue
				}
				for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return r == '<' || r == '>' }) {
					if strings.HasPrefix(piece, "a href=") {
						continue
					}
					for _, link := range scanner.Append(nil, piece) {
						if !shown[link.Text] {
							t.Errorf("%s: %s in %q", s.name, link.Text, piece)
						}
					}
				}
			}
		}
	}
	if flagged == 0 {
		t.Error("no flagged link in any sample")
	}
}

// TestMixedScripts is UASG 1.4: a label of mixed scripts is shown as A-label, without a link. A
// word of a path that mixes scripts and reads as Latin stays as typed.
func TestMixedScripts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		link, display string
		linked        bool
	}{
		{"https://p\u0430ypal.com/\u00fc", "https://xn--pypal-4ve.com/\u00fc", false},
		{"https://xn--pypal-4ve.com/%C3%BC", "https://xn--pypal-4ve.com/\u00fc", false},
		{"https://b\u00fccher.example.com/p\u0430y", "https://b\u00fccher.example.com/p\u0430y", true},
		{"https://xn--bcher-kva.example.com/p%D0%B0y", "https://b\u00fccher.example.com/p%D0%B0y", true},
		{"b\u00fccher.com/%D1%84/p%D0%B0y?q=%C3%BC#\u00fc", "b\u00fccher.com/\u0444/p%D0%B0y?q=\u00fc#\u00fc", true},
		{"https://example.com?q=p%D0%B0y%C3%BC", "https://example.com?q=p\u0430y\u00fc", true},
		{"https://cv.wikipedia.org/wiki/\u0427\u0103\u0432\u0430\u0448_\u0447\u0115\u043b\u0445\u0438", "https://cv.wikipedia.org/wiki/\u0427\u0103\u0432\u0430\u0448_\u0447\u0115\u043b\u0445\u0438", true},
		{"https://cv.wikipedia.org/wiki/%D0%A7%C4%83%D0%B2%D0%B0%D1%88_%D1%87%C4%95%D0%BB%D1%85%D0%B8", "https://cv.wikipedia.org/wiki/\u0427\u0103\u0432\u0430\u0448_\u0447\u0115\u043b\u0445\u0438", true},
		{"https://os.wikipedia.org/wiki/\u0418\u0440\u043e\u043d_\u00e6\u0432\u0437\u0430\u0433", "https://os.wikipedia.org/wiki/\u0418\u0440\u043e\u043d_\u00e6\u0432\u0437\u0430\u0433", true},
		{"https://example.com/\u03bcTorrent_\u0441\u043a\u0430\u0447\u0430\u0442\u044c", "https://example.com/\u03bcTorrent_\u0441\u043a\u0430\u0447\u0430\u0442\u044c", true},
		{"https://example.com/\u0394T", "https://example.com/\u0394T", true},
		{"https://example.com/\u0440\u0430\u0443", "https://example.com/\u0440\u0430\u0443", true},
		{"https://example.com/" + "\u6771\u4eac\u30bf\u30ef\u30fcguide", "https://example.com/\u6771\u4eac\u30bf\u30ef\u30fcguide", true},
	} {
		found := f.Text(test.link)
		if len(found) != 1 || found[0].Display != test.display || found[0].Linked != test.linked {
			t.Errorf("%s: %+v, want %s, linked %v", test.link, found, test.display, test.linked)
			continue
		}
		// What is shown is what is opened (I4).
		if shown, err := engine.ParseLink(found[0].Display); err != nil || !strings.EqualFold(shown.Href(), found[0].Href) {
			t.Errorf("%s opens %s, %v; not %s", found[0].Display, shown.Href(), err, found[0].Href)
		}
	}
}

func TestAllowedHosts(t *testing.T) {
	f := newFilter(t, filter.Options{Policy: policy.Options{Allow: []string{"paypa1.com", ".g00gle.com", "p\u0430ypal.com"}}})
	for link, flagged := range map[string]bool{
		"https://paypa1.com/":                                      false,
		"https://PAYPA1.com.:8080/x":                               false,
		"anna@paypa1.com":                                          false,
		"https://www.paypa1.com/":                                  true,
		"https://www.g00gle.com/":                                  false,
		"https://g00gle.com/":                                      true,
		"https://xn--pypal-4ve.com/":                               false,
		"https://p\u0430ypal.com/":                                 false,
		"https://p\u0430ypal.net/":                                 true,
		"https://paypa1.com@192.0.2.1/":                            true,
		"https://example.com/":                                     false,
		"https://deref-gmx.net/?u=https%3A%2F%2Fpaypa1.com%2F":     false,
		"https://deref-gmx.net/?u=https%3A%2F%2Fwww.paypa1.com%2F": true,
	} {
		found := f.Text(link)
		if len(found) != 1 || found[0].Flagged != flagged || (found[0].Verdict.Worst() > policy.SeverityLow) != flagged {
			t.Errorf("%s: %+v, want flagged %v", link, found, flagged)
		}
	}
	for _, pattern := range []string{"", ".", "*.example.com", "a b", "https://example.com"} {
		if _, err := filter.New(filter.Options{Policy: policy.Options{Allow: []string{pattern}}}); err == nil || !strings.Contains(err.Error(), "allow") {
			t.Errorf("pattern %q: %v", pattern, err)
		}
	}
}

// TestHiddenHost: a host without a finding that a display rule hides is shown with A-labels, and is
// a link.
func TestHiddenHost(t *testing.T) {
	f := newFilter(t, filter.Options{})
	found := f.Text("http://h\u00e9llo\u4e2d\u56fd.cn/%C3%BC")
	if len(found) != 1 || found[0].Flagged || !found[0].Linked || found[0].Display != "http://xn--hllo-bpa7979ih5m.cn/\u00fc" {
		t.Errorf("%+v", found)
	}
}

func TestProtectedDomains(t *testing.T) {
	f := newFilter(t, filter.Options{Policy: policy.Options{Protected: []string{"ourbank.net"}}})
	if found := f.Text("https://0urbank.net/"); len(found) != 1 || !found[0].Flagged {
		t.Errorf("%+v", found)
	}
}

func TestNeverLink(t *testing.T) {
	f := newFilter(t, filter.Options{NeverLink: []string{"Node.js", "asp.*", "*/internal/*"}, Rules: always()})
	const message = "See node.js, ASP.net, https://example.com/internal/%C3%9C, but https://example.com/%C3%9C\r\n"
	result := check(t, "never linked", f, stranger, []byte(text(message)))
	var got []string
	for _, l := range result.Report.Links {
		if l.Place == report.PlaceText && l.Linked {
			got = append(got, l.Display)
		}
	}
	if diff := cmp.Diff([]string{"https://example.com/\u00dc"}, got); diff != "" {
		t.Errorf("linked (-want +got):\n%s", diff)
	}
	if html := alternativeOf(t, result.Edited); !strings.Contains(html, "https://example.com/internal/%C3%9C") || strings.Count(html, "<a ") != 1 {
		t.Errorf("alternative:\n%s", html)
	}
	// Flagged links are still shown as flagged.
	f = newFilter(t, filter.Options{NeverLink: []string{"*paypa1*"}})
	if found := f.Text("https://paypa1.com/"); !found[0].Flagged || found[0].Linked {
		t.Errorf("%+v", found)
	}
	for _, pattern := range []string{"", "*", "**"} {
		if _, err := filter.New(filter.Options{NeverLink: []string{pattern}}); err == nil {
			t.Errorf("pattern %q is taken", pattern)
		}
	}
}

// TestOptOut: users of the operator can keep the filter from editing a message, by a field that it
// removes. In strangers' mail the field has no effect and stays.
func TestOptOut(t *testing.T) {
	for _, test := range []struct {
		name     string
		options  filter.Options
		field    string
		stranger bool
		optedOut bool
		removed  bool
	}{
		{name: "yes", field: "X-Linkmilter-Opt-Out: yes", optedOut: true, removed: true},
		{name: "any value, any case", field: "x-linkmilter-OPT-out: please", optedOut: true, removed: true},
		{name: "no value", field: "X-Linkmilter-Opt-Out:", optedOut: true, removed: true},
		{name: "no", field: "X-Linkmilter-Opt-Out: No", removed: true},
		{name: "two fields", field: "X-Linkmilter-Opt-Out: no\r\nX-Linkmilter-Opt-Out: yes", optedOut: true, removed: true},
		{name: "another field", field: "X-Opt-Out: yes"},
		{name: "a stranger's", field: "X-Linkmilter-Opt-Out: yes", stranger: true},
		{name: "another name", options: filter.Options{OptOut: "X-Leave-Alone"}, field: "X-Leave-Alone: yes", optedOut: true, removed: true},
		{name: "the default under another name", options: filter.Options{OptOut: "X-Leave-Alone"}, field: "X-Linkmilter-Opt-Out: yes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			env := localUser()
			if test.stranger {
				env = stranger
			}
			raw := with(test.field)
			result := check(t, test.name, newFilter(t, test.options), env, []byte(raw))
			r := result.Report
			if optedOut(r) != test.optedOut || r.Edited == (test.optedOut || test.stranger) {
				t.Errorf("opted out %v: %s", optedOut(r), r)
			}
			if test.optedOut && (r.NotDone != "opted-out" || string(result.Edited) != plain) {
				t.Errorf("%s: became\n%s", r, result.Edited)
			}
			if there := strings.Contains(string(result.Message([]byte(raw))), test.field); there == test.removed {
				t.Errorf("the field is there: %v", there)
			}
		})
	}
}

// TestOptOutIsNoWayAround: with an opt-out, the rule still acts on findings, and if_not_editable
// does not act.
func TestOptOutIsNoWayAround(t *testing.T) {
	chosen := rule.Rule{
		Name: "out", When: rule.When{Authenticated: new(true)}, HTML: rule.HTMLAlways,
		IfNotEditable: rule.ActionReject, On: rule.On{High: rule.ActionQuarantine},
	}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}})
	for message, want := range map[string]rule.Action{highMessage: rule.ActionQuarantine, plain: rule.ActionNone} {
		result := f.Message(context.Background(), localUser(), []byte("X-Linkmilter-Opt-Out: yes\r\n"+message))
		if result.Action != want || result.Report.Edited {
			t.Errorf("%s, want action %s", result.Report, want)
		}
	}
}

// TestManyOptOuts: if there are more opt-out fields than the filter may remove, it removes none.
func TestManyOptOuts(t *testing.T) {
	raw := []byte(strings.Repeat("X-Linkmilter-Opt-Out: yes\r\n", 1000) + plain)
	result := check(t, "many", newFilter(t, filter.Options{}), localUser(), raw)
	if !optedOut(result.Report) || result.Edited != nil {
		t.Errorf("%s: %d edits", result.Report, len(result.HeaderEdits))
	}
}

// TestOptionsAboutFields: New refuses options that would damage a message.
func TestOptionsAboutFields(t *testing.T) {
	for _, name := range []string{
		"Subject", "from", "Content-Type", "CONTENT-Language", "DKIM-Signature", "ARC-Seal", "List-Id", "Received",
		"X-Linkmilter", "X Y", "X:", "\u00c4", "X\r\nBcc",
	} {
		if _, err := filter.New(filter.Options{OptOut: name}); err == nil {
			t.Errorf("opt-out field %q is taken", name)
		}
	}
	for _, id := range []string{"mx example.org", "1mx.example.org", "mx;x", "m\u00fcnchen.example", strings.Repeat("x", 300), "*", "-mx"} {
		if _, err := filter.New(filter.Options{ID: id}); err == nil {
			t.Errorf("id %q is taken", id)
		}
		if _, err := filter.New(filter.Options{OtherIDs: []string{id}}); err == nil {
			t.Errorf("other id %q is taken", id)
		}
	}
}

// TestEditsOfManyHeaderFields: the filter does not edit if that takes too many edits of the header.
func TestEditsOfManyHeaderFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for n, edited := range map[int]bool{20: true, 50: true, 60: false, 5000: false} {
		raw := []byte(strings.Repeat("Content-Description: x\r\n", n) + plain)
		result := check(t, "many", f, localUser(), raw)
		if result.Report.Edited != edited || !edited && result.Report.NotDone != "too-many-fields" {
			t.Errorf("%d fields: %s", n, result.Report)
		}
		if n := len(mime.Parse(context.Background(), result.Message(raw), mime.Limits{}).Root.Fields); n == 0 {
			t.Error("no fields")
		}
	}
}
