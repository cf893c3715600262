package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestHonestFormsAreLow: gateways repeat fields, mailing lists add a footer behind base64, and old
// programs spell encodings in their own way. Once, such mail was tagged although every reading was
// judged.
func TestHonestFormsAreLow(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const text = "See https://www.example.com/page?a=b&id=12&c=d please.\r\n"
	const digits = "U2VlIGh0dHBzOi8vd3d3LmV4YW1wbGUuY29tLyBwbGVhc2UuDQpCeWUu"
	const footer = "_______________________________________________\r\nlist mailing list\r\nhttps://lists.example.org/mailman/listinfo/list\r\n"
	header := func(fields ...string) string {
		return "From: a@example.com\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"
	}
	const version, plain = "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"
	for name, raw := range map[string]string{
		"version twice":                 header(version, version, plain) + text,
		"version with a comment":        header(version, "Mime-Version: 1.0 (Mac OS X Mail)", plain) + text,
		"type twice":                    header(version, plain, plain) + text,
		"type in another case":          header(version, plain, "Content-Type: TEXT/PLAIN; charset=\"UTF-8\"") + text,
		"encoding twice":                header(version, plain, "Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: 8BIT") + text,
		"7bit and 8bit":                 header(version, plain, "Content-Transfer-Encoding: 7bit", "Content-Transfer-Encoding: 8bit") + text,
		"disposition twice":             header(version, plain, "Content-Disposition: inline", "Content-Disposition: Inline") + text,
		"charset twice":                 header(version, plain+"; charset=UTF-8") + text,
		"boundary twice":                header(version, "Content-Type: multipart/mixed; boundary=b; boundary=\"b\"") + "--b\r\n\r\n" + text + "--b--\r\n",
		"base64 without padding":        header(version, plain, "Content-Transfer-Encoding: base64") + strings.TrimSuffix(digits, "u") + "\r\n",
		"base64 and a footer":           header(version, plain, "Content-Transfer-Encoding: base64") + digits + "\r\n" + footer,
		"padded base64 and a footer":    header(version, plain, "Content-Transfer-Encoding: base64") + strings.TrimSuffix(digits, "Lg") + "==\r\n" + footer,
		"8-bit":                         header(version, plain, "Content-Transfer-Encoding: 8-bit") + text,
		"a raw equals sign":             header(version, plain, "Content-Transfer-Encoding: quoted-printable") + text + "a = b, x==y https://www.example.org==\r\n",
		"HTML that is not encoded":      header(version, "Content-Type: text/html", "Content-Transfer-Encoding: quoted-printable") + "<a href=https://www.example.com/?a=b><img src=\"https://img.example.com/x=1\">x</a>\r\n",
		"an attachment without padding": header(version, "Content-Type: multipart/mixed; boundary=b") + "--b\r\n\r\n" + text + "--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQKJeLjz9MKNCAwIG\r\n--b--\r\n",
	} {
		r := f.Message(t.Context(), stranger, []byte(raw)).Report
		if r.Worst() > policy.SeverityLow || tagged(r) {
			t.Errorf("%s: %v, %v", name, r.Worst(), r.Findings)
		}
	}
}

// TestReadingsThatDiffer: if programs open different sites, the finding malformed is medium, and
// the detail names both sites.
func TestReadingsThatDiffer(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const head = "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: "
	for name, test := range map[string]struct{ raw, one, other string }{
		"a raw equals sign in a host": {head + "quoted-printable\r\n\r\nhttps://www.good.example.com=.example.net/\r\n", "www.good.example.com=.example.net", "www.good.example.com.example.net"},
	} {
		r := f.Message(t.Context(), stranger, []byte(test.raw)).Report
		said := false
		for _, finding := range r.Findings {
			said = said || finding.Code == report.CodeMalformed && finding.Severity == policy.SeverityMedium &&
				strings.Contains(finding.Detail, "some "+test.one+",") && strings.HasSuffix(finding.Detail, "others "+test.other)
		}
		if !said {
			t.Errorf("%s: %v, %v", name, r.Findings, placed(r))
		}
	}
}

// TestGeneratedSlips breaks the form of honest mail in the ways of honest programs: nothing is above low.
func TestGeneratedSlips(t *testing.T) {
	f := newFilter(t, filter.Options{})
	random := rand.New(rand.NewPCG(11, 12))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	read := 0
	for range 400 {
		text := ""
		for range 1 + random.IntN(4) {
			text += pick("See ", "a = b, ", "x=y ", "Grüße ", "1+1==2 ") + fmt.Sprintf("https://%s.example.com/%s?id=%d&key=%s \r\n", pick("www", "shop", "a-b"), pick("", "page", "a=b"), random.IntN(1000), pick("abc", "=", "x=="))
		}
		fields := []string{"From: a@example.com", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"}
		switch random.IntN(4) {
		case 0:
			fields = append(fields, pick("Content-Transfer-Encoding: 8-bit", "Content-Transfer-Encoding: 8bits", "Content-Transfer-Encoding: \"8bit\""))
		case 1:
			fields = append(fields, "Content-Transfer-Encoding: quoted-printable")
		case 2:
			fields = append(fields, "Content-Transfer-Encoding: base64")
			text = strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(text)), "=") + "\r\n" + pick("", "--\r\nA list, https://lists.example.org/\r\n", "______\r\nlist@example.org\r\n")
		case 3:
			fields = append(fields, "Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: 8bit")
		}
		if random.IntN(2) == 0 {
			again := fields[1+random.IntN(2)]
			fields = append(fields, pick(again, strings.ToLower(again), again+" (x)"))
		}
		raw := strings.Join(fields, "\r\n") + "\r\n\r\n" + text
		r := f.Message(t.Context(), stranger, []byte(raw)).Report
		if r.Worst() > policy.SeverityLow {
			t.Errorf("%v %v:\n%s", r.Findings, placed(r), raw)
		}
		if len(r.Links) > 0 {
			read++
		}
	}
	t.Logf("links were found in %d messages", read)
	if read < 350 {
		t.Error("few links were found")
	}
}
