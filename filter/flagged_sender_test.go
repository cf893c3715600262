package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

// doubtful returns a filter that takes the links from messages of flagged senders.
func doubtful(tb testing.TB, change func(*rule.Rule)) *filter.Filter {
	u := rule.Rule{Name: "all", Edit: rule.EditFlagged, FlaggedSender: true, IfNotEditable: rule.ActionTag, On: rule.On{Medium: rule.ActionTag}}
	if change != nil {
		change(&u)
	}
	return newFilter(tb, filter.Options{Rules: []rule.Rule{u}, Policy: policy.Options{Protected: []string{"nordlichtwerke.de"}, Allow: []string{"example.edu"}}})
}

// TestFlaggedSenderLosesAllLinks: where a finding of medium or above is about the sender, no link of the
// message opens any more.
func TestFlaggedSenderLosesAllLinks(t *testing.T) {
	const page = "<p>Hello <a href=\"https://shop-x7.pages.dev/login\">Open</a>, <a href='https://www.example.com/'><img src=\"https://example.com/a.png\" alt=\"x\"></a>, " +
		"<a href=\"mailto:x@example.net\">write</a>, https://example.net/y</p><form action=\"https://example.com/f\"><input type=submit></form>\r\n"
	const taken = "<p>Hello <a>Open [link removed: doubtful sender]</a>, <a><img src=\"https://example.com/a.png\" alt=\"x\"> [link removed: doubtful sender]</a>, " +
		"<a>write [link removed: doubtful sender]</a>, https://example.net/y</p><form><input type=submit></form>\r\n"
	f := doubtful(t, nil)
	for _, from := range []string{
		"PayPal <x@evalora-host.com>", "PayPal <paypal@alfandega>", "H\u0435lp D\u0435sk <x@example.org>", "Anna <anna@nordIichtwerke.de>",
		"Nordlichtwerke <x@example.org>", "Anna <anna@nordl\u0456chtwerke.de>",
	} {
		raw := []byte(strings.Replace(string(claimed(page)), "PayPal <x@evalora-host.com>", from, 1))
		result := f.Message(t.Context(), byStranger(), raw)
		_, body, _ := strings.Cut(string(result.Message(raw)), "\r\n\r\n")
		if body != taken {
			t.Errorf("%s: %s\n%s\nwant\n%s", from, result.Report.NotDone, body, taken)
		}
		if again := f.Message(t.Context(), byStranger(), result.Message(raw)); again.Report.Edited {
			t.Errorf("%s: edited again:\n%s", from, again.Message(result.Message(raw)))
		}
	}
	honest := []byte(strings.Replace(string(claimed(page)), "PayPal <x@evalora-host.com>", "Eva <x@evalora-host.com>", 1))
	if result := f.Message(t.Context(), byStranger(), honest); result.Report.Edited {
		t.Error("a sender without a finding loses links")
	}
	off := doubtful(t, func(u *rule.Rule) { u.FlaggedSender = false })
	if result := off.Message(t.Context(), byStranger(), claimed(page)); result.Report.Edited {
		t.Error("links are lost without flagged_sender")
	}
}

// TestFlaggedSenderInText: a plain text is defanged as a whole, or its alternative links nothing.
func TestFlaggedSenderInText(t *testing.T) {
	raw := []byte(strings.Replace(string(claimed("Hello, https://shop-x7.pages.dev/login and www.example.com or x@example.net,\r\nnot https://example.edu/.\r\n")), "text/html", "text/plain", 1))
	result := doubtful(t, func(u *rule.Rule) { u.Flagged, u.Plain = rule.FlaggedDefang, rule.PlainReadable }).Message(t.Context(), byStranger(), raw)
	_, body, _ := strings.Cut(string(result.Message(raw)), "\r\n\r\n")
	if want := "Hello, hxxps[:]//shop-x7[.]pages[.]dev/login and www[.]example[.]com or x[@]example[.]net,\r\nnot https://example.edu/.\r\n"; body != want {
		t.Errorf("defanged: %s\n%s\nwant\n%s", result.Report.NotDone, body, want)
	}
	result = doubtful(t, func(u *rule.Rule) { u.HTML = rule.HTMLAlways }).Message(t.Context(), byStranger(), raw)
	if text := string(result.Message(raw)); !result.Report.Edited || strings.Count(text, "<a href") != 1 || !strings.Contains(text, "<a href=3D\"https://example.edu/\"") {
		t.Errorf("alternative: %s\n%s", result.Report.NotDone, text)
	}
}

// TestFlaggedSenderAndGuards: what keeps a flagged link keeps the links of a flagged sender, too.
func TestFlaggedSenderAndGuards(t *testing.T) {
	list := strings.Replace(string(claimed(openPage)), "Subject:", "List-Id: <l.example.com>\r\nSubject:", 1)
	signed := strings.Replace(string(claimed(openPage)), "Subject:", "DKIM-Signature: v=1; d=example.com; h=from; b=x\r\nSubject:", 1)
	for _, test := range []struct {
		name, raw string
		change    func(*rule.Rule)
		edited    bool
	}{
		{"a list", list, nil, true},
		{"a list that is kept", list, func(u *rule.Rule) { u.KeepLists = true }, false},
		{"signed", signed, nil, false},
		{"signed, and edited", signed, func(u *rule.Rule) { u.EditSigned = true }, true},
		{"no edits", string(claimed(openPage)), func(u *rule.Rule) { u.Edit = rule.EditNever }, false},
		{"an attached page", strings.Replace(string(claimed(openPage)), "Content-Type: text/html", "Content-Disposition: attachment\r\nContent-Type: text/html", 1), nil, false},
		{"a link that only Outlook shows", string(claimed(openPage + "<!--[if mso]><a href=\"https://example.org/z\">z</a><![endif]-->\r\n")), nil, true},
	} {
		result := doubtful(t, test.change).Message(t.Context(), byStranger(), []byte(test.raw))
		if result.Report.Edited != test.edited || result.Action != rule.ActionTag {
			t.Errorf("%s: edited %t, action %s (%s)\n%s", test.name, result.Report.Edited, result.Action, result.Report.NotDone, result.Message([]byte(test.raw)))
		}
	}
	if _, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "all", FlaggedSender: true, Flagged: rule.FlaggedLink}}}); err == nil || !strings.Contains(err.Error(), "flagged_sender: ") {
		t.Errorf("links that stay: %v", err)
	}
}
