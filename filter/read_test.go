package filter_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// htmlMessage returns a message whose only part is the HTML.
func htmlMessage(source string) []byte {
	return []byte("From: anna@example.com\r\nSubject: Sample\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + source)
}

var placeNames = map[report.Place]string{
	report.PlaceText: "text", report.PlaceHTMLLink: "html-link", report.PlaceHTMLText: "html-text",
	report.PlaceHeader: "header", report.PlaceEnvelope: "envelope",
}

// placed describes the links of a report, one a line: part, place, link, and the codes of the
// findings.
func placed(r report.Report) (lines []string) {
	for _, l := range r.Links {
		line := fmt.Sprintf("%s %s %s", l.Part, placeNames[l.Place], l.Link.Text)
		if l.Hidden {
			line += " hidden"
		}
		for _, f := range l.Verdict.Findings {
			line += fmt.Sprintf(" %s:%s", f.Code, f.Severity)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestReadHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		name, source string
		want         []string
	}{
		{"links and texts", `See example.com <a href="https://example.org/">here</a> and <b>example</b>.net`, []string{
			"1 html-text example.com", "1 html-link https://example.org/", "1 html-text example.net",
		}},
		{"text of the link is not listed", `<a href="https://example.com/">https://example.com/</a>`, []string{"1 html-link https://example.com/"}},
		{"text that names another", `<a href="https://example.net/">https://example.com/</a>`, []string{"1 html-link https://example.net/ text-target-mismatch:medium"}},
		{"mail", `<a href="mailto:anna@example.com?subject=x">write</a>`, []string{"1 html-link mailto:anna@example.com?subject=x"}},
		{"mail to two", `<a href="mailto:a@example.com,b@example.com">write</a>`, []string{"1 html-link mailto:a@example.com", "1 html-link b@example.com"}},
		{"without a scheme", `<a href="www.example.com/x">x</a> <a href="page.html">y</a> <a href="#z">z</a>`, []string{"1 html-link www.example.com/x"}},
		{"in another scheme", `<a href="microsoft-edge:https://paypa1.com/">x</a><a href="javascript:location='https://example.com/'">y</a>`, []string{
			"1 html-link https://paypa1.com/ lookalike:high", "1 html-link https://example.com/",
		}},
		{"of no kind that is read", `<a href="tel:+12345">x</a><a href="cid:x@example.com">y</a><img src="https://example.com/">`, nil},
		{"refused by browsers", `<a href="https://exa mple.com/">x</a><a href="https://www..example.com/">y</a>`, []string{
			"1 html-link https://exa unknown-tld:low invalid-idna:low", "1 html-link https://www..example.com/ invalid-idna:medium",
		}},
		{"text of a script", `<a href="javascript:void(0)">https://www.paypal.com/</a>`, []string{"1 html-text https://www.paypal.com/ text-target-mismatch:high"}},
		{"text of a page in the URL", `<a href="data:text/html;base64,PGI+">Go to www.example.org or paypa1.com</a>`, []string{
			"1 html-text www.example.org text-target-mismatch:medium", "1 html-text paypa1.com lookalike:high",
		}},
		{"text of other schemes", `<a href="VBScript:x">x</a><a href="file://198.51.100.7/x">www.example.org</a><a href="tel:+1">www.example.org</a><a href="page.html">example.org</a>`, []string{
			"1 html-link https://198.51.100.7/x ip-host:low text-target-mismatch:medium", "1 html-text www.example.org", "1 html-text example.org",
		}},
		{"relative URL named like a scheme", `<a href="data">https://www.paypal.com/</a><a href="file">https://www.paypal.com/</a>`, []string{
			"1 html-text https://www.paypal.com/", "1 html-text https://www.paypal.com/",
		}},
		{"address hidden behind a script", `<a href="javascript:linkTo('x')">info@example.org</a>`, []string{"1 html-text info@example.org"}},
		{"script that opens a link", `<a href="javascript:location='https://example.net/'">https://www.paypal.com/</a>`, []string{"1 html-link https://example.net/ text-target-mismatch:high"}},
		{"picture that names another", `<a href="https://example.net/"><img alt="https://www.paypal.com/"></a>`, []string{"1 html-link https://example.net/ text-target-mismatch:high"}},
		{"title that names another", `<a href="https://example.net/" title="www.example.org">here</a>`, []string{"1 html-link https://example.net/ text-target-mismatch:low"}},
		{"label worse than the text", `<a href="https://example.net/" aria-label="www.paypal.com">https://example.org/</a>`, []string{"1 html-link https://example.net/ text-target-mismatch:high"}},
		{"label that names the same", `<a href="https://www.example.net/" title="https://example.net/">here</a>`, []string{"1 html-link https://www.example.net/"}},
		{"refused, but mapped by others", `<a href="https://evil.example&#xff03;.paypal.com/">x</a><a href="https://www.example.com&#xff20;evil.example/">y</a>`, []string{
			"1 html-link https://evil.example\uff03.paypal.com/ invalid-idna:medium restricted-character:medium syntax-lookalike:high", "1 html-link https://www.example.com syntax-lookalike:high",
		}},
		{"turned text", `<a href="https://example.net/">&#x202e;moc.lapyap.www//:sptth</a>`, []string{"1 html-link https://example.net/ bidi-control:high"}},
		{"text turned by markup", `<a href="https://example.net/"><bdo dir="RTL">moc.lapyap</bdo></a>`, []string{"1 html-link https://example.net/ bidi-control:high"}},
		{"text turned by a style around", `<p style="unicode-bidi: bidi-override; direction: rtl"><a href="https://example.net/">moc.lapyap</a></p><a href="https://example.net/">x</a>`, []string{
			"1 html-link https://example.net/ styled-text:low", "1 html-link https://example.net/",
		}},
		{"text from right to left", "<p dir=rtl style=\"direction: rtl\"><a href=\"https://example.net/\">\u05e9\u05dc\u05d5\u05dd</a></p>", []string{"1 html-link https://example.net/"}},
		{"joiner in the text", `<a href="https://example.net/">https://www.pay&zwnj;pal.com/</a>`, []string{"1 html-link https://example.net/ text-target-mismatch:high"}},
		{"joiner that a language needs", "<a href=\"https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/\">https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/</a>", []string{"1 html-link https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/"}},
		{"text that looks like a protected domain", "<a href=\"https://example.net/\">https://www.p\u0430ypal.com/</a>", []string{"1 html-link https://example.net/ text-target-mismatch:high"}},
		{"hidden", `<p hidden>example.com <a href=https://example.org/>x</a>`, []string{"1 html-text example.com hidden", "1 html-link https://example.org/ hidden"}},
		{"in order", `<i hidden>example.com</i>example.org<i hidden>example.net</i><form action=https://example.com/f>`, []string{
			"1 html-text example.com hidden", "1 html-text example.org", "1 html-text example.net hidden", "1 html-link https://example.com/f",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := f.Scan(htmlMessage(test.source))
			got := placed(r)
			if diff := cmp.Diff(test.want, got); diff != "" || r.Outcome != report.OutcomeComplete {
				t.Errorf("%s\noutcome %s (-want +got):\n%s", test.source, r.Outcome, diff)
			}
		})
	}
}

// TestHonestHTML: HTML of newsletters, shops and colleagues has no finding of medium or above.
func TestHonestHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"newsletter": `<html xmlns:v="urn:schemas-microsoft-com:vml"><head><meta charset="utf-8"><title>News</title><style>@import url(https://fonts.example.com/css);</style></head>` +
			`<body><div style="display:none;max-height:0;overflow:hidden">Our offers of the week &#847;&zwnj;&nbsp;</div><table><tr><td style="font-size:0px">` +
			`<a href="https://click.mailer.com/?qs=0a1b"><img src="https://img.mailer.com/1.png" alt="www.example.com"></a></td></tr><tr><td>` +
			`<a href="https://click.mailer.com/?qs=1"><b>Shop now</b> &raquo;</a> <a href="https://click.mailer.com/?qs=2">Unsubscribe</a> ` +
			`<a href="https://click.mailer.com/?qs=3">anna@example.org</a> <a href="https://click.mailer.com/?qs=4">Example.com</a></td></tr></table></body></html>`,
		"button for Outlook": `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://www.example.com/" style="height:40px"><center>Go</center></v:roundrect><![endif]-->`,
		"code review":        `<a href="https://github.com/x/y/blob/main/README.md">README.md</a> <a href="https://github.com/x/y/commit/1">x/y@1a2b3c</a> main.rs setup.py`,
		"signature":          `Anna Müller<br>Tel. <a href="tel:+49891234">+49 89 1234</a><br><a href="mailto:anna@example.com">anna@example.com</a><br><a href="https://www.example.com/">www.example.com</a>`,
		"scripts":            `<a href="https://xn--wgv71a119e.jp/">日本語.jp</a> <a href="https://xn--bcher-kva.com/">bücher.com</a> https://пример.рф/ <a href="https://xn--mgbh0fb.xn--kgbechtv/">مثال</a>`,
		"wrapped by Outlook": `<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.example.com%2Fa&amp;data=05">https://www.example.com/a</a>`,
	} {
		if r := f.Scan(htmlMessage(source)); r.Worst() >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s\n%s", name, r, strings.Join(placed(r), "\n"))
		}
	}
}

// TestHTMLOffsets: each link stands in the source where the report says.
func TestHTMLOffsets(t *testing.T) {
	const source = "<p>See ex<b>ample.com</b>/&auml; and\n<a href='https://example.org/'>this</a>"
	r := newFilter(t, filter.Options{}).Scan(htmlMessage(source))
	var got []string
	for _, l := range r.Links {
		got = append(got, source[l.Link.Start:l.Link.End])
	}
	want := []string{"ex<b>ample.com</b>/&auml;", "<a href='https://example.org/'>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadHeader(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		name, fields string
		want         []string
	}{
		{"nothing found", "From: Anna <anna@example.com>\r\nSubject: Hello", nil},
		{"link in the subject", "Subject: See example.com", []string{"header:Subject header example.com"}},
		{"encoded subject", "Subject: =?utf-8?Q?https=3A//p=D0=B0ypal.com/?=", []string{"header:Subject header https://p\u0430ypal.com/ mixed-script:high lookalike:high"}},
		{"lookalike sender", "From: service@paypa1.com", []string{"header:From header service@paypa1.com lookalike:high"}},
		{"any case, more than one", "FROM: a@paypa1.com, b@example.com, c@paypa1.com\r\nsender: d@paypa1.com\r\nreply-to: e@paypa1.com", []string{
			"header:From header a@paypa1.com lookalike:high", "header:From header c@paypa1.com lookalike:high",
			"header:Sender header d@paypa1.com lookalike:high", "header:Reply-To header e@paypa1.com lookalike:high", "header:From header a@paypa1.com text-target-mismatch:low",
		}},
		{"address as the name", "From: \"service@paypal.com\" <x@example.net>", []string{"header:From header x@example.net display-name:high"}},
		{"address as the name, not quoted", "From: service@paypal.com <x@example.net>", []string{"header:From header x@example.net display-name:high"}},
		{"encoded name", "From: =?iso-8859-1?Q?www.paypal.com?= <x@example.net>", []string{"header:From header x@example.net display-name:high"}},
		{"link in the name", "From: \"https://paypa1.com\" <x@paypa1.com>", []string{
			"header:From header x@paypa1.com lookalike:high display-name:medium", "header:From header https://paypa1.com lookalike:high",
		}},
		{"name that is turned", "From: =?utf-8?B?4oCubW9jLmxhcHlhcA==?= <x@example.net>", []string{"header:From header x@example.net bidi-control:high"}},
		{"name of a brand", "From: PayPal Support <x@example.net>", []string{"header:From header x@example.net display-name:medium"}},
		{"name of a brand, its address", "From: PayPal Support <x@paypal.com>", nil},
		{"pile of marks", "From: =?utf-8?Q?A=CC=80=CC=81=CC=82=CC=83=CC=84?= <x@example.net>", []string{"header:From header x@example.net email-profile:medium"}},
		{"mixed scripts in the address", "From: \u0430dmin@example.net", []string{"header:From header \u0430dmin@example.net email-profile:medium"}},
		{"name is the address", "From: \"anna@example.com\" <anna@mail.example.com>", nil},
		{"name by way of a list", "From: \"Anna via List\" <list@example.com>", nil},
		{"international address", "From: \u00fcber@p\u0430ypal.com", []string{"header:From header \u00fcber@p\u0430ypal.com mixed-script:high lookalike:high"}},
		{"domain that cannot be", "From: <x@xn--a.com>", []string{"header:From header http://xn--a.com invalid-idna:medium restricted-character:medium"}},
		{"quoted local-part", "From: \"a b\"@paypa1.com", []string{"header:From header http://paypa1.com lookalike:high"}},
		{"address in the local-part", "From: \"service@paypal.com\"@example.net", []string{"header:From header http://example.net text-target-mismatch:high"}},
		{"address as the name of a broken group", "From: service@paypal.com: x@example.net;", []string{"header:From header x@example.net display-name:high"}},
		{"address in a comment", "From: x@example.net (service@paypal.com)", []string{"header:From header x@example.net display-name:high"}},
		{"not an address", "From: nobody\r\nReply-To:", nil},
		{"other fields", "To: x@paypa1.com\r\nX-Link: paypa1.com\r\nReceived: https://paypa1.com/", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := f.Scan([]byte(test.fields + "\r\n\r\nHello\r\n"))
			if diff := cmp.Diff(test.want, placed(r)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.fields, diff)
			}
		})
	}
}

// TestHugeFields: a field with a megabyte of names and addresses takes no longer than the deadline.
func TestHugeFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const size = 500 << 10
	for name, field := range map[string]string{
		"links as name and address": "From: " + strings.Repeat("http://a.example.net ", size/21) + "<" + strings.Repeat("http://paypa1.com ", size/18) + ">",
		"addresses":                 "From: " + strings.Repeat("x@paypa1.com, ", size/14),
		"quoted":                    "From: \"" + strings.Repeat("service@paypal.com", size/18) + "\"@example.net",
		"angle brackets":            "From: " + strings.Repeat("<", size),
		"subject":                   "Subject: " + strings.Repeat("https://paypa1.com ", size/19),
	} {
		start := time.Now()
		r := f.Scan([]byte(field + "\r\n\r\nHello\r\n"))
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
		t.Logf("%s: %d links in %s", name, len(r.Links), time.Since(start))
	}
}

func TestReadEnvelopeSender(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for sender, want := range map[string][]string{
		"anna@example.com": nil,
		"":                 nil,
		"x@paypa1.com":     {"envelope:sender envelope x@paypa1.com lookalike:high"},
	} {
		env := localUser()
		env.Sender = sender
		r := f.Message(context.Background(), env, []byte("From: anna@example.com\r\n\r\nHello\r\n")).Report
		if diff := cmp.Diff(want, placed(r)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", sender, diff)
		}
	}
}

// TestAttachedMessage: header and HTML of an attached message are read like those of the message
// itself.
func TestAttachedMessage(t *testing.T) {
	r := newFilter(t, filter.Options{}).Scan(readSample(t, "spoof-attached-message"))
	want := []string{
		"2/header:From header service@mail.example.net display-name:high",
		"2/header:Subject header paypa1.com lookalike:high",
		"2.1 html-link https://login.example.net/ text-target-mismatch:high",
	}
	if diff := cmp.Diff(want, placed(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHTMLFiles: files that browsers open as HTML are read, others are not.
func TestHTMLFiles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const page = `<svg><a xlink:href="https://paypa1.com/">x</a></svg>`
	encoded := base64.StdEncoding.EncodeToString([]byte(page))
	want := []string{"2 html-link https://paypa1.com/ lookalike:high"}
	for _, test := range []struct {
		fields string
		want   []string
	}{
		{"Content-Type: application/octet-stream; name=\"Invoice.HTML\"", want},
		{"Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=\"=?utf-8?Q?invoice=2Ehtm?=\"", want},
		{"Content-Type: image/svg+xml", want},
		{"Content-Type: application/xhtml+xml", want},
		{"Content-Type: application/octet-stream; name=\"invoice.html.zip\"", want},
		{"Content-Type: application/pdf; name=\"invoice.html\"", want},
	} {
		raw := "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\n" + test.fields +
			"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + encoded + "\r\n--b--\r\n"
		r := f.Scan([]byte(raw))
		if diff := cmp.Diff(test.want, placed(r)); diff != "" || r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: outcome %s (-want +got):\n%s", test.fields, r.Outcome, diff)
		}
	}
}

// TestLimitOfLinks: the limit counts the links of header, text and HTML together.
func TestLimitOfLinks(t *testing.T) {
	message := "Subject: example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nexample.org\r\n" +
		"--b\r\nContent-Type: text/html\r\n\r\n<a href=https://example.net/>x</a>example.com\r\n--b--\r\n"
	for limit := 1; limit <= 4; limit++ {
		f := newFilter(t, filter.Options{Engine: engine.Options{MaxLinks: limit}})
		r := f.Scan([]byte(message))
		if len(r.Links) != limit || slices.Contains(r.Reasons, "too-many-links") != (limit < 4) {
			t.Errorf("limit %d: %d links, %s", limit, len(r.Links), r)
		}
	}
}

// TestHTMLTooLong: a tag that is too long ends the first reading, and the report says so, also if
// the tree has the rest.
func TestHTMLTooLong(t *testing.T) {
	source := `<a href=https://example.com/>x</a><img src="` + strings.Repeat("x", 5<<20) + `"><a href=https://example.org/>y</a>`
	r := newFilter(t, filter.Options{}).Scan(htmlMessage(source))
	if len(r.Links) != 2 || r.Outcome != report.OutcomePartial || !slices.Equal(r.Reasons, []report.Reason{"html-too-long"}) {
		t.Errorf("%d links, %s", len(r.Links), r)
	}
}

// TestHTMLDeadline: reading HTML ends with the context.
func TestHTMLDeadline(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	r := newFilter(t, filter.Options{}).Message(ctx, localUser(), htmlMessage(strings.Repeat("<p>x", 1<<20))).Report
	if !slices.Contains(r.Reasons, "deadline") {
		t.Errorf("%s", r)
	}
}

// TestHTMLIsNeverEdited: findings in HTML change nothing in it, unless the rule edits HTML.
func TestHTMLIsNeverEdited(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: always()})
	for _, s := range samples(t) {
		if !strings.HasPrefix(s.name, "spoof-html-") || s.name == "spoof-html-beside-text" {
			continue
		}
		if r := notEdited(t, f, localUser(), s.raw, "not-plain-text"); r.Worst() == 0 {
			t.Errorf("%s: nothing found", s.name)
		}
	}
}

// TestAllowedTarget: the text of a link to a host that the operator allows may name another site.
func TestAllowedTarget(t *testing.T) {
	source := htmlMessage(`<a href="https://click.mailer.com/x">https://www.example.com/</a>`)
	for _, test := range []struct {
		allow []string
		want  []string
	}{
		{nil, []string{"1 html-link https://click.mailer.com/x text-target-mismatch:medium"}},
		{[]string{".mailer.com"}, []string{"1 html-link https://click.mailer.com/x"}},
	} {
		got := placed(newFilter(t, filter.Options{Policy: policy.Options{Allow: test.allow}}).Scan(source))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("allow %q (-want +got):\n%s", test.allow, diff)
		}
	}
}

// TestReadGuessed: texts that are not as declared are judged as readers see them, and not edited.
func TestReadGuessed(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		name, header, body string
		want               string
		outcome            report.Outcome
	}{
		{"windows-1252 as iso-8859-1", "Content-Type: text/plain; charset=iso-8859-1", "See \x93http://xn--pypal-4ve.com/\x94", "1 text http://xn--pypal-4ve.com/ mixed-script:high lookalike:high", report.OutcomeComplete},
		{"HTML in windows-1252 as iso-8859-1", "Content-Type: text/html; charset=iso-8859-1", "\x93<a href='http://xn--pypal-4ve.com/'>x</a>\x94", "1 html-link http://xn--pypal-4ve.com/ mixed-script:high lookalike:high", report.OutcomeComplete},
		{"UTF-8 without a charset", "Content-Type: text/plain", "See http://p\u0430ypal.com/", "1 text http://p\u0430ypal.com/ mixed-script:high lookalike:high", report.OutcomeComplete},
		{"a control", "Content-Type: text/plain", "\x1b http://p%61ypal.example.com/ http://paypa1.com/", "1 text http://paypa1.com/ lookalike:high", report.OutcomeComplete},
		{"UTF-7", "Content-Type: text/plain; charset=utf-7", "http://paypa1.com/", "1 text http://paypa1.com/ lookalike:high", report.OutcomeUnread},
		{"no boundary", "Content-Type: multipart/mixed", "--b\r\n\r\nhttp://paypa1.com/", "1 text http://paypa1.com/ lookalike:high", report.OutcomeUnread},
		{"an unknown type of text", "Content-Type: text/x-anything; charset=utf-8", "http://paypa1.com/", "1 text http://paypa1.com/ lookalike:high", report.OutcomeComplete},
		{"an unknown charset", "Content-Type: text/html; charset=x-unknown", "<a href='http://paypa1.com/'>x</a>", "1 html-link http://paypa1.com/ lookalike:high", report.OutcomeUnread},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := "From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\n" + test.header + "\r\n\r\n" + test.body + "\r\n"
			result := f.Message(t.Context(), localUser(), []byte(raw))
			if got := placed(result.Report); len(got) == 0 || got[len(got)-1] != test.want {
				t.Errorf("found %q; want %q", got, test.want)
			}
			if result.Report.Outcome != test.outcome || result.Edited != nil {
				t.Errorf("outcome %s, edited %t; want %s and no edit", result.Report.Outcome, result.Edited != nil, test.outcome)
			}
		})
	}
}
