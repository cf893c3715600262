package filter_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/test/long"
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

// opening are pieces of HTML that open an honest link.
var opening = []string{
	`<a href="https://www.example.com/x">Open</a>`, `<a href='http://example.net'>http://example.net</a>`, `<A HREF=//example.org/y>y</A>`,
	`<a href="mailto:x@example.net?subject=a">write</a>`, `<area href="https://example.com/map">`, `<form action="https://example.com/f"><button>Send</button></form>`,
	`<button formaction="https://example.com/g">Go</button>`, `<svg><a xlink:href="https://example.com/s"><text>s</text></a></svg>`,
	`<!--[if mso]><v:roundrect href="https://example.com/v">v</v:roundrect><![endif]-->`, `<meta http-equiv=refresh content="0;url=https://example.com/r">`,
	`<a href="&#104;ttps://example.com/&#x65;">e</a>`, `<iframe srcdoc="&lt;a href=https://example.com/i&gt;i&lt;/a&gt;"></iframe>`, `https://example.com/text`,
	`<a href="https://example.edu/">allowed</a>`, `<a name=top>top</a>`, `<img src="https://example.com/p.png">`,
}

// TestFlaggedSenderGenerated: whatever the page, an edited message has no element that opens a link, its
// other bytes stay, and it is edited once.
func TestFlaggedSenderGenerated(t *testing.T) {
	f := doubtful(t, func(u *rule.Rule) { u.On = rule.On{} }) // tags name links, which are gone the second time
	r := rand.New(rand.NewPCG(1, 2))
	all, edited := long.Rows(3000, 300), 0
	for range all {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			switch r.IntN(3) {
			case 0:
				b.WriteString(before[r.IntN(len(before))])
			case 1:
				b.WriteString("<p>Text</p>")
			}
			b.WriteString(opening[r.IntN(len(opening))])
		}
		raw := claimed(b.String() + "\r\n")
		result := check(t, b.String(), f, byStranger(), raw)
		if t.Failed() {
			return
		}
		if !result.Report.Edited {
			continue
		}
		edited++
		for _, scripts := range []bool{false, true} {
			doc, err := nethtml.ParseWithOptions(strings.NewReader(textOf(t, result.Message(raw))), nethtml.ParseOptionEnableScripting(scripts))
			if err != nil {
				t.Fatal(err)
			}
			for n := range doc.Descendants() {
				for _, a := range n.Attr {
					opens := a.Key == "href" && n.Data != "img" || a.Key == "action" || a.Key == "formaction" || a.Key == "content"
					if opens && strings.Contains(a.Val, "example.") && !strings.Contains(a.Val, "example.edu") {
						t.Fatalf("%s opens %s in\n%s", n.Data, a.Val, textOf(t, result.Message(raw)))
					}
				}
			}
		}
	}
	if t.Logf("%d of %d edited", edited, all); edited < all/2 {
		t.Error("too few were edited")
	}
}

// TestFlaggedSenderTextGenerated: a defanged text has no link left, and its other words stay.
func TestFlaggedSenderTextGenerated(t *testing.T) {
	f := doubtful(t, func(u *rule.Rule) { u.Flagged, u.Plain, u.On = rule.FlaggedDefang, rule.PlainReadable, rule.On{} })
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("Hello, https://www.example.com/x (http://example.net) x@example.org, example.com/a?b=c. <https://example.org/%C3%BC> www.example.net! https://user@example.com:8080/ text - (ok) mailto:x@example.com https://bücher.example.org/ü")
	all, edited := long.Rows(3000, 300), 0
	for range all {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(words[r.IntN(len(words))] + []string{" ", "\r\n", ", "}[r.IntN(3)])
		}
		raw := []byte(strings.Replace(string(claimed(b.String()+"\r\n")), "text/html", "text/plain", 1))
		result := check(t, b.String(), f, byStranger(), raw)
		if t.Failed() {
			return
		}
		if !result.Report.Edited {
			continue
		}
		edited++
		for _, l := range f.Text(textOf(t, result.Message(raw))) {
			t.Fatalf("%q stays in\n%s", l.Link.Text, textOf(t, result.Message(raw)))
		}
	}
	if t.Logf("%d of %d edited", edited, all); edited < all*3/4 {
		t.Error("too few were edited")
	}
}
