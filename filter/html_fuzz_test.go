package filter_test

import (
	"slices"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
)

// FuzzEditHTML edits any HTML in any charset and transfer encoding. Bytes outside the plan stay,
// nothing opens a flagged link afterwards, and a second pass changes nothing.
func FuzzEditHTML(f *testing.F) {
	for i, seed := range []string{
		`<a href="` + escapedURL + `">` + escapedURL + `</a> ` + escapedURL,
		trap + `<p>See <a href=` + lookLike + `>x</a> ` + lookLike, `<svg><style>` + trap + `</style></svg><base href=` + lookLike + `>`,
		`<!--[if mso]><v:rect href="` + lookLike + `"><![endif]--><table>` + trap + `<form action=` + lookLike + `>`,
		`<blockquote>` + escapedURL + `</blockquote>&amp; http://pay<b>pa1</b>.com/ü`, `<iframe srcdoc="<a href=` + lookLike + `>x">`,
	} {
		f.Add([]byte(seed), uint8(i), uint8(i*3), uint8(i))
	}
	charsets := []string{"utf-8", "windows-1252", "iso-2022-jp", "gb2312", "us-ascii", "koi8-r", "utf-16", "shift_jis", "utf-7"}
	encodings := []string{"8bit", "7bit", "quoted-printable", "base64"}
	var filters []*filter.Filter
	for _, flagged := range []rule.Flagged{rule.FlaggedUnlink, rule.FlaggedLink, rule.FlaggedDefang} {
		filters = append(filters, editing(f, flagged))
	}
	f.Fuzz(func(t *testing.T, source []byte, charset, encoding, flagged uint8) {
		if len(source) > 4<<10 {
			return
		}
		raw := []byte("From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=" + charsets[int(charset)%len(charsets)] +
			"\r\nContent-Transfer-Encoding: " + encodings[int(encoding)%len(encodings)] + "\r\n\r\n" + string(source))
		choice := int(flagged) % len(filters)
		result := check(t, "fuzz", filters[choice], localUser(), raw)
		if !result.Report.Edited || choice == 1 {
			return
		}
		again := filters[choice].Scan(result.Edited)
		opens := func(l report.Found) bool { return l.Flagged && l.Place == report.PlaceHTMLLink }
		if slices.ContainsFunc(again.Links, opens) {
			t.Errorf("something opens a flagged link after the edit: %v", placed(again))
		}
	})
}
