package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
)

const (
	escapedLink  = "https://ru.wikipedia.org/wiki/%D0%9C%D0%B8%D1%80"
	readableLink = "https://ru.wikipedia.org/wiki/Мир"
)

// neutral returns a rule that does not edit if the edit would raise a spam score.
func neutral(plain rule.Plain) []rule.Rule {
	return []rule.Rule{{Name: "r", HTML: rule.HTMLNeeded, Plain: plain, NeutralOnly: true}}
}

// TestEditCost: which alternatives would raise a spam score, by the rule of the filter that scores
// them.
func TestEditCost(t *testing.T) {
	needTables(t)
	for name, test := range map[string]struct {
		content string
		free    bool
	}{
		"a sentence and a link":             {"Please read this article before Monday:\r\n" + escapedLink, true},
		"a Japanese sentence":               {"先日お話しした資料はこちらにあります。\r\n" + escapedLink, true},
		"a Thai sentence":                   {"กรุณาอ่านบทความนี้ก่อนการประชุม\r\n" + escapedLink, true},
		"a link alone":                      {escapedLink, false},
		"links alone":                       {escapedLink + "\r\n" + escapedLink, false},
		"two words":                         {"Hi Ann,\r\n" + escapedLink, false},
		"words that touch the link":         {"Hello: " + escapedLink + ",please,read,this", false},
		"a Japanese word":                   {"佐藤様\r\n" + escapedLink, false},
		"mostly a link that counts twice":   {"Please read this now\r\nhttps://www.example.de/%C3%BCbungen/gr%C3%B6%C3%9Fe", false},
		"mostly a link that counts once":    {"Please read this now\r\nhttps://example.de/%C3%BCbungen/gr%C3%B6%C3%9Fe", true},
		"a target that may be a number":     {"Please read this article before Monday:\r\nhttps://192.0.2.7/%C3%BC", false},
		"a name that may be a number":       {"Please read this article before Monday:\r\nhttps://abc.de/%C3%BC", false},
		"a number beside the link":          {"Please read https://192.0.2.7/ and this article:\r\n" + escapedLink, false},
		"behind a letter":                   {"Please read this article before Monday, 见" + escapedLink, false},
		"a host that MailScanner misreads":  {"Please read this article before Monday:\r\nhttps://bücher.com/", false},
		"a host in Unicode":                 {"Please read this article before Monday:\r\nhttps://пример.рф/", false},
		"two hosts in Unicode":              {"Please read these articles and more before Monday:\r\nhttps://пример.рф/ https://élan.fr/", false},
		"a host that begins in ASCII":       {"Please read this article before Monday:\r\nhttps://bücher.de/", true},
		"a host in Unicode without TLS":     {"Please read this article before Monday:\r\nhttp://bücher.de/", false},
		"a host that it does not look at":   {"Please read this article before Monday:\r\nhttps://xn--e1afmkfd.xn--p1ai/", true},
		"Cyrillic beside umlauts":           {"Schöne Grüße aus München, dort können wir üben:\r\n" + escapedLink, false},
		"Cyrillic beside long words":        {"Die Unterkunftsmöglichkeiten für Übernachtungen, und was man sonst noch dazu wissen will:\r\n" + escapedLink, true},
		"French beside French":              {strings.Repeat("voici l'article dont nous avons parlé hier, merci de le lire avant la réunion.\r\n", 4) + "https://fr.wikipedia.org/wiki/%C3%89t%C3%A9", true},
		"Cyrillic beside few umlauts":       {"Die Übung im Mai, und danach in der Stadt, wie immer, mit allen, die so gern mitkommen wollen und nicht nur reden:\r\n" + escapedLink, true},
		"umlauts beside umlauts":            {"Schöne Grüße aus München, dort können wir üben:\r\nhttps://de.wikipedia.org/wiki/%C3%9C", true},
		"a host alone beside the link":      {"Please read this article before Monday, from www.example.de:\r\n" + escapedLink, true},
		"a host with a query right behind":  {"Please read this article before Monday:\r\nhttps://example.com?q=%C3%BC", false},
		"www before a host beyond ASCII":    {"Please read this article before Monday:\r\nhttps://www.пример.рф/", false},
		"A-labels that MailScanner reads":   {"Please read this article before Monday:\r\nhttps://xn--bcher-kva.com/%C3%BC", true},
		"an ASCII link that stays as typed": {"Please read https://example.com/page and this article, which we talked about:\r\n" + escapedLink, true},
	} {
		t.Run(name, func(t *testing.T) {
			raw := []byte(utf8Text(test.content + "\r\n"))
			result := check(t, name, newFilter(t, filter.Options{Rules: neutral(rule.PlainKeep)}), localUser(), raw)
			if result.Report.Edited != test.free {
				t.Errorf("edited %v: %s", result.Report.Edited, result.Report)
			}
			if !test.free && result.Report.NotDone != "edit-cost" {
				t.Errorf("not done because of %q", result.Report.NotDone)
			}
			costing := neutral(rule.PlainKeep)
			costing[0].NeutralOnly = false
			if r := check(t, name, newFilter(t, filter.Options{Rules: costing}), localUser(), raw).Report; !r.Edited {
				t.Errorf(`edit_cost = "any": %s`, r)
			}
		})
	}
}

// TestTextInstead: if an alternative would raise a score, then, with plain = "needed", the plain
// text itself becomes readable.
func TestTextInstead(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: neutral(rule.PlainNeeded)})
	for content, instead := range map[string]bool{
		escapedLink: true,
		"Please read this article before Monday:\r\n" + escapedLink: false,
	} {
		result := check(t, content, f, localUser(), []byte(utf8Text(content+"\r\n")))
		edited := string(result.Edited)
		if readable := strings.Contains(textOf(t, result.Edited), readableLink); readable != instead || strings.Contains(edited, "text/html") == instead {
			t.Errorf("%q: readable text %v:\n%s", content, readable, edited)
		}
	}
	r := notEdited(t, f, localUser(), []byte(utf8Text("https://bücher.com/\r\n")), "edit-cost")
	if r.Action != rule.ActionNone {
		t.Errorf("action %s for an edit that the rule gives up", r.Action)
	}
}

// TestAlternativeThatImprovesNothing: if an alternative would show every link as it was typed,
// because MailScanner compares hosts in ASCII, the filter makes the plain text readable instead.
func TestAlternativeThatImprovesNothing(t *testing.T) {
	needTables(t)
	const content = "Please read this article before Monday:\r\nhttps://www.xn--mnchen-3ya.de/\r\n"
	notEdited(t, newFilter(t, filter.Options{Rules: neutral(rule.PlainKeep)}), localUser(), []byte(utf8Text(content)), "nothing-to-change")
	result := check(t, "instead", newFilter(t, filter.Options{Rules: neutral(rule.PlainNeeded)}), localUser(), []byte(utf8Text(content)))
	if !strings.Contains(textOf(t, result.Edited), "https://www.münchen.de/") || strings.Contains(string(result.Edited), "text/html") {
		t.Errorf("%s:\n%s", result.Report, result.Edited)
	}
}

// TestShownHost: the alternative shows a host in ASCII if it was typed so and MailScanner would
// take its Unicode form for a fraud, unless edits may raise scores.
func TestShownHost(t *testing.T) {
	needTables(t)
	const content = "Please read this article before Monday:\r\nhttps://xn--bcher-kva.com/%C3%BC and https://xn--e1afmkfd.xn--p1ai/ too.\r\n"
	for shown, rules := range map[string][]rule.Rule{">xn--bcher-kva.com/ü<": neutral(rule.PlainKeep), ">bücher.com/ü<": nil} {
		result := check(t, shown, newFilter(t, filter.Options{Rules: rules}), localUser(), []byte(utf8Text(content)))
		html := alternativeOf(t, result.Edited)
		for _, want := range []string{shown, ">пример.рф/<"} {
			if !strings.Contains(html, want) {
				t.Errorf("no %s in:\n%s", want, html)
			}
		}
	}
}

// TestHrefOfAHostAlone: the target has a slash behind the host only if the text had one. A text in
// parentheses has no scheme.
func TestHrefOfAHostAlone(t *testing.T) {
	const content = "Please read https://example.de and www.example.org#x and https://example.net/ and https://example.net/x_(y) there: " + escapedLink + "\r\n"
	html := alternativeOf(t, check(t, "hosts", newFilter(t, filter.Options{}), localUser(), []byte(utf8Text(content))).Edited)
	for _, want := range []string{
		`<a href="https://example.de">https://example.de</a>`, `<a href="http://www.example.org#x">www.example.org#x</a>`,
		`<a href="https://example.net/">https://example.net/</a>`, `<a href="https://example.net/x_(y)">example.net/x_(y)</a>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in:\n%s", want, html)
		}
	}
}

// TestDefangingCosts: a flagged link is defanged, even if that raises a spam score.
func TestDefangingCosts(t *testing.T) {
	rules := neutral(rule.PlainKeep)
	rules[0].Flagged = rule.FlaggedDefang
	result := check(t, "defang", newFilter(t, filter.Options{Rules: rules}), localUser(), []byte(utf8Text("https://www.paypa1.com/\r\n")))
	if !result.Report.Edited || !strings.Contains(alternativeOf(t, result.Edited), "paypa1[.]com") {
		t.Errorf("not defanged: %s", result.Report)
	}
}

// TestBuiltinRulesAreNeutral: under the built-in rules no edit may raise a spam score, and the
// report says so.
func TestBuiltinRulesAreNeutral(t *testing.T) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := f.Message(t.Context(), localUser(), []byte(utf8Text("Hi Ann: https://bücher.com/\r\n"))).Report; r.Edited || r.NotDone != report.Reason("edit-cost") {
		t.Errorf("%s", r)
	}
	if r := f.Message(t.Context(), localUser(), []byte(utf8Text(escapedLink+"\r\n"))).Report; !r.Edited {
		t.Errorf("%s", r)
	}
}
