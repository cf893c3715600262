package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// alternativeMail returns a message of a plain text beside HTML.
func alternativeMail(text, html string) []byte {
	part := func(subtype, content string) string {
		return "--b\r\nContent-Type: text/" + subtype + "; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + content + "\r\n"
	}
	return []byte("From: anna@example.com\r\nSubject: Sample\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n" +
		part("plain", text) + part("html", html) + "--b--\r\n")
}

// named returns a link whose text is its URL.
func named(url string) string { return `<a href="` + url + `">` + url + "</a>" }

// neutralHTML returns a rule that makes links in HTML readable if that raises no spam score.
func neutralHTML(plain rule.Plain) rule.Rule {
	return rule.Rule{Name: "r", ReadableHTML: true, Plain: plain, NeutralOnly: true}
}

// TestHTMLEditCost: which edits of HTML would raise a spam score, by the rule of the filter that
// scores them.
func TestHTMLEditCost(t *testing.T) {
	needTables(t)
	const sentence = "Please read this article before Monday"
	httpLink := strings.Replace(escapedLink, "https", "http", 1)
	for name, test := range map[string]struct {
		text, html string // without a text, the HTML is the only part
		free       bool
	}{
		"a sentence":                      {sentence + " " + escapedLink, "<p>" + sentence + "<p>" + named(escapedLink), true},
		"a URL alone in the text":         {sentence + " " + escapedLink, "<p>" + sentence + "<p>" + escapedLink, true},
		"a link alone":                    {escapedLink, named(escapedLink), false},
		"a link and a name":               {"Ann, " + escapedLink, "<p>Ann, <p>" + named(escapedLink), true},
		"a link alone without a text":     {"", named(escapedLink), true},
		"another text":                    {"No HTML here, sorry.", "<p>" + sentence + "<p>" + named(escapedLink), true},
		"words only in the HTML":          {escapedLink, "<p>" + sentence + "<p>" + named(escapedLink), false},
		"four links, few words":           {sentence + strings.Repeat(" "+escapedLink, 4), "<p>" + sentence + strings.Repeat("<p>"+named(escapedLink), 4), true},
		"a target without TLS":            {sentence + " " + httpLink, "<p>" + sentence + "<p>" + named(httpLink), false},
		"one beside another link":         {sentence + " " + httpLink + " " + escapedLink, "<p>" + sentence + "<p>" + named(httpLink) + " " + named(escapedLink), true},
		"Cyrillic and umlauts":            {"", "<p>Schöne Grüße aus München, dort können wir üben:<p>" + named(escapedLink) + " " + named("https://de.wikipedia.org/wiki/%C3%9C"), true},
		"Cyrillic beside French":          {"", "<p>Merci, voici le texte dont nous avons parlé hier, il faut le lire avant mardi:<p>" + named(escapedLink), true},
		"two of them":                     {sentence + " " + httpLink, "<p>" + sentence + "<p>" + named(httpLink) + " " + named(httpLink), true},
		"one without a text":              {"", "<p>" + sentence + "<p>" + named(httpLink), true},
		"Cyrillic beside umlauts":         {"", "<p>Schöne Grüße aus München, dort können wir üben:<p>" + named(escapedLink), false},
		"www in few words":                {"", "<p>Hi<p>www.example.de/%C3%BCbungen/gr%C3%B6%C3%9Fe", false},
		"www in many words":               {"", "<p>" + strings.Repeat(sentence+"<br>", 4) + "<p>www.example.de/%C3%BCbungen", true},
		"Cyrillic letters like e":         {"", "<p>" + strings.Repeat("e", 21) + strings.Repeat(" е", 7) + "<p>" + named(escapedLink+strings.Repeat("%D0%B5", 2)), false},
		"Cyrillic letters like e, before": {"", "<p>" + strings.Repeat("e", 21) + strings.Repeat(" е", 70) + "<p>" + named(escapedLink), true},
	} {
		t.Run(name, func(t *testing.T) {
			raw := alternativeMail(test.text+"\r\n", test.html+"\r\n")
			if test.text == "" {
				raw = htmlMessage(test.html + "\r\n")
			}
			u := neutralHTML(rule.PlainKeep)
			result := check(t, name, newFilter(t, filter.Options{Rules: []rule.Rule{u}}), localUser(), raw)
			if result.Report.Edited != test.free {
				t.Errorf("edited %v: %s", result.Report.Edited, result.Report)
			}
			if !test.free && result.Report.NotDone != "edit-cost" {
				t.Errorf("not done because of %q", result.Report.NotDone)
			}
			u.NeutralOnly = false
			if r := check(t, name, newFilter(t, filter.Options{Rules: []rule.Rule{u}}), localUser(), raw).Report; !r.Edited {
				t.Errorf(`edit_cost = "any": %s`, r)
			}
		})
	}
}

// TestHTMLLinksThatCost: a link that MailScanner would warn of stays as it is; the others become
// readable.
func TestHTMLLinksThatCost(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainKeep)}})
	const stays = "https://192.0.2.7/%C3%BC and https://bücher.com/%C3%BC"
	raw := htmlMessage("<p>" + stays + "<p>" + named("https://de.wikipedia.org/wiki/%C3%9C") + "\r\n")
	result := check(t, "links", f, localUser(), raw)
	got := textOf(t, result.Message(raw))
	if !strings.Contains(got, "<p>"+stays+"<p>") || !strings.Contains(got, ">de.wikipedia.org/wiki/Ü<") {
		t.Error(got)
	}
}

// TestOneCostlyLink: in HTML, a link whose edit would raise a score stays as it is; the others
// become readable.
func TestOneCostlyLink(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainKeep)}})
	const umlauts = "https://de.wikipedia.org/wiki/%C3%9C"
	httpLink := strings.Replace(escapedLink, "https", "http", 1)
	for name, raw := range map[string][]byte{
		httpLink:    alternativeMail("Please read "+umlauts+" "+httpLink+"\r\n", "Please read "+named(umlauts)+" "+named(httpLink)+"\r\n"),
		escapedLink: htmlMessage("<p>Schöne Grüße aus München, dort können wir üben:<p>" + named(umlauts) + " " + named(escapedLink) + "\r\n"),
	} {
		page := htmlLeaf(t, check(t, name, f, localUser(), raw).Edited)
		if !strings.Contains(page, ">de.wikipedia.org/wiki/Ü<") || !strings.Contains(page, ">"+name+"<") {
			t.Errorf("%s:\n%s", name, page)
		}
	}
}

// TestFrenchIsNotMixed: a French text may have many letters é before SpamAssassin takes them for
// disguised letters e.
func TestFrenchIsNotMixed(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainKeep)}})
	const sentence = "voici l'article dont nous avons parlé hier, merci de le lire avant la réunion."
	raw := alternativeMail(strings.Repeat(sentence+"\r\n", 4)+escapedLink+"\r\n", "<p>"+strings.Repeat(sentence+"<br>", 4)+named("https://fr.wikipedia.org/wiki/%C3%89t%C3%A9")+"\r\n")
	if r := check(t, "French", f, localUser(), raw).Report; !r.Edited {
		t.Errorf("%s", r)
	}
}

// TestTextBesideHTML: a plain text is not rewritten if it would then share no word with its HTML,
// which spam filters score.
func TestTextBesideHTML(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainReadable)}})
	notEdited(t, f, localUser(), alternativeMail(escapedLink+"\r\n", `<a href="`+escapedLink+`">Mir</a> `+escapedLink+"\r\n"), "edit-cost")
	raw := alternativeMail("Please read this article: "+escapedLink+"\r\n", "Please read this article: "+named(escapedLink)+"\r\n")
	result := check(t, "both", f, localUser(), raw)
	if got := textOf(t, result.Message(raw)); !strings.Contains(got, readableLink) {
		t.Error(got)
	}
}

// TestUnlinkingCosts: a flagged link loses what opens it, even if that raises a spam score.
func TestUnlinkingCosts(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{neutralHTML(rule.PlainKeep)}})
	raw := alternativeMail("https://www.paypa1.com/\r\n", named("https://www.paypa1.com/")+named(escapedLink)+"\r\n")
	result := check(t, "unlink", f, localUser(), raw)
	if !result.Report.Edited || strings.Contains(string(result.Edited), "href=\"https://www.paypa1.com") {
		t.Errorf("not unlinked: %s", result.Report)
	}
}

// TestOwnFlaggedLinks: under the built-in rules, a flagged link in HTML of own users stays, and
// other links become readable.
func TestOwnFlaggedLinks(t *testing.T) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const intranet = `<a href="http://192.168.1.5/x">http://intranet/x</a>`
	raw := htmlMessage("<p>Please read this: " + intranet + " " + named(escapedLink) + "\r\n")
	result := check(t, "own", f, localUser(), raw)
	if got := textOf(t, result.Message(raw)); !strings.Contains(got, intranet) || !strings.Contains(got, ">ru.wikipedia.org/wiki/Мир<") {
		t.Errorf("%s:\n%s", result.Report, got)
	}
}
