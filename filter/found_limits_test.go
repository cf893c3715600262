package filter_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

const (
	eightBitText = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
	eightBitHTML = "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
	fromExample  = "From: a@example.com\r\n"
)

// An ending is a context that counts how often it is asked, and ends after a number of answers.
type ending struct {
	context.Context
	asked, after int
}

func (c *ending) Err() error {
	if c.asked++; c.asked > c.after {
		return context.DeadlineExceeded
	}
	return nil
}

// strict returns a filter whose only rule acts on findings of high severity.
func strict(t *testing.T, action rule.Action, limits filter.Limits) *filter.Filter {
	t.Helper()
	return newFilter(t, filter.Options{Limits: limits, Rules: []rule.Rule{{Name: "r", On: rule.On{High: action}}}})
}

// TestFoundBeforeALimit: the filter acts on a spoof that stands before the place where it reaches a
// limit.
func TestFoundBeforeALimit(t *testing.T) {
	multipart := "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" +
		strings.TrimPrefix(eightBitText, "MIME-Version: 1.0\r\n") + spoof + "\r\n"
	var nested strings.Builder
	for i := range 22 {
		fmt.Fprintf(&nested, "--b%s\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", strings.TrimPrefix(fmt.Sprint(i-1), "-1"), i)
	}
	for name, test := range map[string]struct {
		raw    string
		reason report.Reason
	}{
		"500 parts":     {multipart + strings.Repeat("--b\r\n\r\nx\r\n", 600) + "--b--\r\n", "too-many-parts"},
		"10,000 links":  {eightBitText + spoof + "\r\n" + strings.Repeat("see example.com\r\n", 10_100), "too-many-links"},
		"comment":       {eightBitHTML + spoof + "<!--" + strings.Repeat("x", 4_300_000) + "-->", "html-too-long"},
		"header fields": {strings.Repeat("X: y\r\n", 200_000) + eightBitText + spoof, "header-too-large"},
		"nested":        {multipart + nested.String() + "--b--\r\n", "too-deep"},
		"link":          {eightBitText + spoof + "\r\nhttp://example.org/" + strings.Repeat("аб/", 100_000), "link-too-long"},
		"reference":     {eightBitHTML + spoof + "<a href=\"http://example.org/" + strings.Repeat("аб/", 100_000) + "\">x</a>", "link-too-long"},
		"size":          {eightBitText + spoof + "\r\n" + strings.Repeat("padding\r\n", 10_000_000/9), "message-too-large"},
	} {
		for _, action := range []rule.Action{rule.ActionTag, rule.ActionQuarantine, rule.ActionReject} {
			f := strict(t, action, filter.Limits{Message: 9_000_000})
			raw := []byte(fromExample + test.raw)
			if name == "header fields" { // behind the limit, the fields are text
				raw = []byte(strings.Replace(string(raw), fromExample, fromExample+strings.TrimSuffix(eightBitText, "\r\n"), 1))
			}
			result := f.Message(t.Context(), stranger, raw)
			r := result.Report
			if result.Action != action || r.Outcome != report.OutcomePartial || !slices.Contains(r.Reasons, test.reason) {
				t.Errorf("%s, %s: action %s: %s", name, action, result.Action, r)
			}
			if !tagged(r) || len(result.HeaderEdits) == 0 || !result.Plan.Empty() {
				t.Errorf("%s, %s: tagged %v, header not done %q", name, action, tagged(r), r.HeaderNotDone)
			}
		}
	}
}

// hardShapes makes contents of n bytes that are hard to read.
var hardShapes = map[string]func(n int) string{
	"no link":       func(n int) string { return eightBitText + strings.Repeat("a", n) },
	"words":         func(n int) string { return eightBitText + strings.Repeat("word ", n/5) },
	"long link":     func(n int) string { return eightBitText + "http://example.org/" + strings.Repeat("аб/", n/5) },
	"links":         func(n int) string { return eightBitText + strings.Repeat("а.co ", n/6) },
	"link of links": func(n int) string { return eightBitText + strings.Repeat("а.co/", n/6) },
	"dots":          func(n int) string { return eightBitText + strings.Repeat("а.", n/3) },
	"CJK":           func(n int) string { return eightBitText + strings.Repeat("例え。", n/9) },
	"signs":         func(n int) string { return eightBitText + strings.Repeat("@", n) },
	"comment":       func(n int) string { return eightBitHTML + "<!--" + strings.Repeat("x", n) },
	"tag":           func(n int) string { return eightBitHTML + "<a " + strings.Repeat("x=y ", n/4) },
	"opened tags":   func(n int) string { return eightBitHTML + strings.Repeat("<", n) },
	"characters":    func(n int) string { return eightBitHTML + strings.Repeat("&amp;", n/5) },
	"fields of RTF": func(n int) string {
		return strings.Replace(eightBitHTML, "html", "rtf", 1) + `{\rtf1 ` + strings.Repeat(`{\v x}y{\field{\*\fldinst HYPERLINK "a"}{\fldrslt b}}`, n/50)
	},
	"formulas": func(n int) string {
		return strings.Replace(eightBitHTML, "html", "csv", 1) + strings.Repeat("HYPERLINK(\"\"", n/12)
	},
	"parameters": func(n int) string {
		return strings.Replace(eightBitHTML, "html", "enriched", 1) + strings.Repeat("x<param>y</param>", n/17)
	},
	"joined strings": func(n int) string {
		return eightBitHTML + strings.Repeat("<script>atob "+strings.Repeat(`"AAAAAAAA"+"" `, 1000)+"</script>", 1+n/14_000)
	},
	"boxes": func(n int) string {
		return eightBitHTML + strings.Repeat("x.<a href=http://a.co>www.</a>y<td>", n/35)
	},
	"long target": func(n int) string {
		return eightBitHTML + "<a href=\"http://example.org/" + strings.Repeat("аб/", n/5) + "\">x</a>"
	},
	"texts": func(n int) string {
		return eightBitHTML + strings.Repeat("<a href=http://example.org>"+strings.Repeat("а.co ", 340)+"</a>", 1+n/2071)
	},
	"flowed": func(n int) string {
		return "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" +
			"http://example.org/" + strings.Repeat("аб/ \r\n", n/8)
	},
	"base64": func(n int) string {
		return "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Repeat("Y\r\nW\r\nF\r\nh\r\n", n/12)
	},
	"quoted-printable": func(n int) string {
		return "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + strings.Repeat("=\r\n", n/3)
	},
	"charset": func(n int) string {
		return "Content-Type: text/plain; charset=gb18030\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + strings.Repeat("\xb0\xa1", n/2)
	},
	"broken base64": func(n int) string {
		return "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Repeat("YQ==\r\n!-_", n/9)
	},
	"broken quoted-printable": func(n int) string {
		return "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + strings.Repeat("=ZZ=41", n/6)
	},
	"unknown encoding": func(n int) string {
		return "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-any\r\n\r\nbegin 644 a.html\r\n" + strings.Repeat("M86)C=3D\r\n", n/10)
	},
	"wrong bytes": func(n int) string {
		return eightBitHTML + strings.Repeat("\xff\x1b$B\x00\x0ea", n/7)
	},
	"UTF-7": func(n int) string {
		return "Content-Type: text/plain; charset=utf-7\r\n\r\n" + strings.Repeat("+BDo-+", n/6)
	},
	"calendar": func(n int) string {
		return "Content-Type: text/calendar\r\n\r\n" + strings.Repeat("A;B=c:d\\,<b>\r\n x\r\n", n/20)
	},
	"long property": func(n int) string {
		return "Content-Type: text/calendar\r\n\r\nX" + strings.Repeat(";B=\"c:\"", n/8) + ":d"
	},
	"folds": func(n int) string {
		return "Content-Type: text/vcard\r\n\r\nX;QUOTED-PRINTABLE:" + strings.Repeat("=\r\n ", n/4)
	},
	"RTF": func(n int) string {
		return "Content-Type: application/rtf\r\n\r\n{\\rtf" + strings.Repeat("\\u1072?{\\b ", n/12)
	},
	"XML": func(n int) string {
		return "Content-Type: application/xml\r\n\r\n<?xml?>" + strings.Repeat("<a b=\"&#1072;.co\">", n/19)
	},
	"strings": func(n int) string {
		return "Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + strings.Repeat("\x01\x02\x00a.co", n/7)
	},
	"encoded multipart": func(n int) string {
		return "Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64\r\n\r\n" + strings.Repeat("LS1iDQoNCng=\r\n", n/14)
	},
	"multipart": func(n int) string {
		return "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--\n", n/3)
	},
}

// TestReadingsTogether: the readings of all parts share one budget. Findings from before it is
// spent count.
func TestReadingsTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60 MB")
	}
	const parts = 20
	page := "<p>" + strings.Repeat("\xd1\xec\xee\xf2\xf0\xe8\xf2\xe5 ", 40_000) // in no declared charset
	raw := "Content-Type: multipart/mixed; boundary=b\r\n\r\n" +
		strings.Repeat("--b\r\nContent-Type: text/html\r\n\r\n"+spoof+page+"\r\n", parts) + "--b--\r\n"
	r := newFilter(t, filter.Options{Limits: filter.Limits{Time: time.Minute}}).Scan([]byte(fromExample + raw))
	if worstLink(r) < policy.SeverityMedium || !slices.Contains(r.Reasons, "html-too-complex") {
		t.Errorf("%s", r)
	}
}

// TestContextIsAskedOften: the filter asks the context at least every 64 KiB of any message. When
// the context ends, it reports what it has found.
func TestContextIsAskedOften(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector; runs without -short")
	}
	f := strict(t, rule.ActionTag, filter.Limits{})
	for name, shape := range hardShapes {
		for _, size := range []int{256 << 10, 1 << 20}[:long.Rows(2, 1)] {
			raw := []byte(fromExample + shape(size))
			ctx := &ending{Context: t.Context(), after: 1 << 30}
			f.Message(ctx, stranger, raw)
			if most := len(raw) / (64 << 10); ctx.asked < most {
				t.Errorf("%s: asked %d times in %d bytes", name, ctx.asked, len(raw))
			}
			for _, after := range []int{0, 1, 2, ctx.asked / 2} {
				ctx := &ending{Context: t.Context(), after: after}
				start := time.Now()
				r := f.Message(ctx, stranger, raw).Report
				if !slices.Contains(r.Reasons, "deadline") || r.Outcome == report.OutcomeComplete || r.NotDone != "deadline" {
					t.Errorf("%s ended after %d: %s", name, after, r)
				}
				if taken := time.Since(start); taken > 20*time.Second {
					t.Errorf("%s ended after %d: took %s", name, after, taken)
				}
			}
		}
	}
}

// TestFoundBeforeTheDeadline: the filter acts on a spoof at the beginning, whenever the deadline
// ends behind it.
func TestFoundBeforeTheDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector; runs without -short")
	}
	f := strict(t, rule.ActionReject, filter.Limits{})
	for name, shape := range hardShapes {
		head, rest, _ := strings.Cut(shape(200<<10), "\r\n\r\n")
		head = "Subject: " + spoof + "\r\n" + strings.TrimPrefix(head, "MIME-Version: 1.0\r\n")
		raw := []byte(fromExample + head + "\r\n\r\n" + rest)
		whole := &ending{Context: t.Context(), after: 1 << 30}
		f.Message(whole, stranger, raw)
		found := 0
		ends := min(whole.asked, 200)
		rows := long.Rows(ends, 6)
		for row := range rows {
			after := row * ends / rows
			result := f.Message(&ending{Context: t.Context(), after: after}, stranger, raw)
			r := result.Report
			if len(r.Links) == 0 { // the time ended before
				continue
			}
			found++
			if result.Action != rule.ActionReject || !tagged(r) {
				t.Errorf("%s, ended after %d: action %s, tagged %v: %s", name, after, result.Action, tagged(r), r)
			}
		}
		if found == 0 {
			t.Errorf("%s: the spoof was never found", name)
		}
	}
}

// TestTimeInLongLists: the filter searches a long list of addresses for the place of each flagged
// address, and asks the context each time.
func TestTimeInLongLists(t *testing.T) {
	const authors = 1_000
	var list strings.Builder
	for i := range authors {
		fmt.Fprintf(&list, "x@paypa1.%d.example.net,\r\n ", i)
	}
	raw := "From: " + list.String() + "a@example.com\r\n" + eightBitText
	whole := &ending{Context: t.Context(), after: 1 << 30}
	r := newFilter(t, filter.Options{}).Message(whole, stranger, []byte(raw)).Report
	if len(r.Links) < authors || whole.asked < authors {
		t.Errorf("%d findings, and the time was looked at %d times", len(r.Links), whole.asked)
	}
}

// TestLongLinks: long links are judged by their host; tried at every length around the limit.
func TestLongLinks(t *testing.T) {
	f := strict(t, rule.ActionTag, filter.Limits{})
	for _, length := range []int{engine.DefaultMaxLinkLen, engine.DefaultMaxLinkLen + 1, 40_000, 70_000, 200_000} {
		const start = "https://xn--pypal-4ve.com/"
		link := start + strings.Repeat("a", length-len(start))
		for name, raw := range map[string]string{
			"text": eightBitText + "see " + link + " now",
			"HTML": eightBitHTML + "<a href=" + link + ">now</a>",
		} {
			r := f.Scan([]byte(fromExample + raw))
			tooLong := slices.Contains(r.Reasons, "link-too-long")
			if tooLong != (length > engine.DefaultMaxLinkLen) || tooLong != (r.Outcome == report.OutcomePartial) {
				t.Errorf("%s of %d: %s", name, length, r)
			}
			if len(r.Links) == 0 || r.Links[0].Link.ASCIIHost() != "xn--pypal-4ve.com" || tooLong != (r.Links[0].Link.Kind == engine.KindSuspect) {
				t.Errorf("%s of %d: links %.200v", name, length, r.Links)
			}
			if tooLong && len(r.Links[0].Display) > 100 {
				t.Errorf("%s of %d: %d bytes are shown", name, length, len(r.Links[0].Display))
			}
		}
	}
}

// TestLongAuthorities: text of any length before a host hides neither the host nor that a text
// names another one.
func TestLongAuthorities(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, schemes := range []string{"http:", "HTTPS:", "view-source:https:", "x-safari-https:"} {
		for _, before := range []string{"x", "é", "%41", "a.", "x:", "/", `\`, `/\`} {
			for _, times := range []int{1, 300, 4_000, engine.DefaultMaxLinkLen - 30, engine.DefaultMaxLinkLen, 20_000, 300_000} {
				url := schemes + "//" + strings.Repeat(before, times)
				if strings.Trim(before, `/\`) != "" {
					url += "@"
				}
				flagged(t, f, `<a href="`+url+`evil.example.net/x">`+shownAs+`</a>`)
				flagged(t, f, `<a href="`+url+`paypa1.com/login">x</a>`)
				text := "see http:" + strings.TrimPrefix(url, schemes) + "paypa1.com/login now"
				r := f.Scan([]byte(fromExample + eightBitText + text))
				isUserinfo := strings.HasSuffix(url, "@") // no program links a host behind many slashes
				if worstLink(r) < policy.SeverityMedium && (isUserinfo || r.Outcome == report.OutcomeComplete) {
					t.Errorf("nothing found in %.50s of %d: %s", text, len(text), r)
				}
			}
		}
	}
}

// TestWindowsFindTheSame: the filter scans a text in pieces, and finds the links that a scan of the
// whole text finds. Separators end a link.
func TestWindowsFindTheSame(t *testing.T) {
	f := newFilter(t, filter.Options{})
	whole, err := engine.New(engine.Options{Suspects: true, MaxLinkLen: engine.DefaultMaxLinkLen})
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"http://example.com/path?q=1#f", "example.org", "joe@example.com", "例え.com", "http://a_b.example/x", "www.example.net/ä"} {
		for _, between := range []string{" ", "\r\n", "\t", " (", "\u3000", "\" <"} {
			for _, pad := range []int{32<<10 - 20, 44 << 10, 7, 0, 1, 50_000}[:long.Rows(6, 3)] {
				text := strings.Repeat("x", pad) + strings.Repeat(between+link, 3000)
				want, got := whole.Append(nil, text), f.Text(text)
				if len(got) != len(want) {
					t.Fatalf("%q after %q, %d: %d links, want %d", link, between, pad, len(got), len(want))
				}
				for i := range want {
					if got[i].Link != want[i] {
						t.Fatalf("%q after %q, %d: %+v, want %+v", link, between, pad, got[i].Link, want[i])
					}
				}
			}
		}
	}
}
