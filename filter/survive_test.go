package filter_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// behind returns a message with two parts: one with the given fields and body, and HTML with a
// spoof behind it.
func behind(fields, body string) []byte {
	return []byte("From: a@example.com\r\nTo: b@example.org\r\nSubject: t\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + fields + "\r\n\r\n" + body + "\r\n--b\r\n" +
		"Content-Type: text/html\r\n\r\n<a href=\"http://paypa1.com/" + strings.Repeat("x", 600) + "\">here</a>\r\n--b--\r\n")
}

// TestPanicCostsOnePart: if linkmilter panics at a part, it still finds a spoof in another one. The
// report says so, and the body stays as it came.
func TestPanicCostsOnePart(t *testing.T) {
	f := filter.PanicOnShort(newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "always", HTML: rule.HTMLAlways, Flagged: rule.FlaggedDefang}}}))
	const short = "see http://paypa1.com/ now"
	attached := "Content-Type: text/plain\r\n\r\n" + short
	for name, raw := range map[string]struct {
		fields, body, lost string
	}{
		"text":             {"Content-Type: text/plain", short, "1"},
		"HTML":             {"Content-Type: text/html", short, "1"},
		"calendar":         {"Content-Type: text/calendar", "BEGIN:VCALENDAR\r\nDESCRIPTION:" + short, "1"},
		"attached message": {"Content-Type: message/rfc822", attached, "1.1"},
		"field of a part":  {"Content-Type: text/plain\r\nContent-Location: http://paypa1.com/", "x", ""},
		"outside of parts": {"Content-Type: multipart/mixed; boundary=c", short + "\r\n--c\r\n\r\nx\r\n--c--", ""},
	} {
		result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, behind(raw.fields, raw.body))
		r := result.Report
		if worstLink(r) < policy.SeverityHigh {
			t.Errorf("%s: the spoof is lost: %v", name, placed(r))
		}
		if r.Failure != "panic" || r.NotDone != "panic" || r.Outcome != report.OutcomePartial || result.Plan.Body != nil {
			t.Errorf("%s: %s, edit %+v", name, r, result.Plan)
		}
		lost := slices.IndexFunc(r.Parts, func(p report.Part) bool { return p.Outcome == report.OutcomeUnread })
		if raw.lost == "" != (lost < 0) || lost >= 0 && (r.Parts[lost].Number != raw.lost || r.Parts[lost].Reason != "panic") {
			t.Errorf("%s: parts %+v", name, r.Parts)
		}
	}
	subject := strings.Replace(string(behind("Content-Type: text/plain", "x")), "Subject: t", "Subject: "+short, 1)
	if r := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, []byte(subject)).Report; worstLink(r) < policy.SeverityHigh || !slices.Contains(r.Reasons, "panic") {
		t.Errorf("header: %s", r)
	}
}

// TestOffsetsInInvalidBytes: offsets stay right behind bytes that are no UTF-8, whose length
// changes in lower case.
func TestOffsetsInInvalidBytes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	invalid := strings.Repeat("\xc7\xb7\xc3\xce", 40)
	for name, part := range map[string][2]string{
		"GBK before www.": {"Content-Type: text/plain", "\xc7\xeb\xb7\xc3\xce\xcawww.a.com"},
		"many bytes":      {"Content-Type: text/plain", invalid + "WWW.a.com"},
		"GBK in HTML":     {"Content-Type: text/html", "<p>" + invalid + "www.a.com</p>"},
		"signed":          {"Content-Type: application/pkcs7-mime; smime-type=signed-data", invalid + "Content-Type: text/plain\r\n\r\nhttp://www.example.com/"},
	} {
		r := f.Scan(behind(part[0]+"\r\nContent-Transfer-Encoding: 8bit", part[1]))
		if worstLink(r) < policy.SeverityHigh || r.Failure != "" {
			t.Errorf("%s: %s %v", name, r, placed(r))
		}
	}
}

// FuzzUndeclared filters a page in a charset that it does not declare. No part may make linkmilter
// panic, or hide the spoof in the next part.
func FuzzUndeclared(f *testing.F) {
	for _, name := range []string{"gbk", "big5", "euc-jp", "shift_jis", "euc-kr"} {
		e, err := htmlindex.Get(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, text := range []string{
			"\u8bf7\u8bbf\u95eewww.a.com", "\u8acbWWW.example.com\u8acb", "\u65e5\u672chttp://\u65e5\u672c.com/\u65e5", "\ud55c\uad6dwww.example.kr\uc5d0\uc11c",
			"<p>\u65e5\u672c<a href=\"http://www.example.com/\u65e5\">www.example.com\u65e5</a>", "x@\u65e5\u672c.jp www.\u65e5\u672c.jp",
		} {
			content, err := e.NewEncoder().String(text)
			if err != nil {
				continue // the charset lacks a character
			}
			f.Add(content, false)
			f.Add(content[:len(content)-1]+" "+content, true)
		}
	}
	filter := newFilter(f, filter.Options{})
	f.Fuzz(func(t *testing.T, content string, isHTML bool) {
		fields := "Content-Type: text/plain"
		if isHTML {
			fields = "Content-Type: text/html"
		}
		fields, body := inBase64(fields, content)
		r := filter.Scan(behind(fields, body))
		if r.Failure != "" || worstLink(r) < policy.SeverityHigh {
			t.Error(fmt.Sprint(r, placed(r)))
		}
	})
}
