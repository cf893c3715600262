package filter_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// brokenQuoted are ways in which honest programs break quoted-printable.
var brokenQuoted = map[string]*strings.Replacer{
	"raw bytes":         strings.NewReplacer("=C3=BC", "ü"),
	"equals sign":       strings.NewReplacer("and more", "and = more"),
	"no digits":         strings.NewReplacer("and more", "and =ZZ more"),
	"CR CR LF":          strings.NewReplacer("\r\n", "\r\r\n"),
	"blank behind soft": strings.NewReplacer("=\r\n", "= \r\n", "and more", "and = more"),
}

// TestSoftBreakInBrokenQuotedPrintable: a body with one wrong escape was also read as written, where a
// soft line break parts the host of an honest link: "the text names paypal.com, but the link opens www.pa=".
func TestSoftBreakInBrokenQuotedPrintable(t *testing.T) {
	const page = "<p>Dear customer, here you find all that you ordered and more for=C3=BC: <a href=3D\"https://www.pay=\r\n" +
		"pal.com/\">https://www.paypal.com/</a> <a href=3D\"https://www.example.com/\">www.exam=\r\nple.com</a></p>\r\n"
	f := newFilter(t, filter.Options{})
	for name, broken := range brokenQuoted {
		r := f.Scan(quotedHTML(broken.Replace(page)))
		if r.Worst() > policy.SeverityLow || len(r.Links) < 2 || r.Links[0].Href != "https://www.paypal.com/" {
			t.Errorf("%s: %s %v", name, r, placed(r))
		}
	}
	spoof := strings.ReplaceAll(page, "3D\"https://www.example", "3D\"https://www.elsewhere")
	for name, broken := range brokenQuoted {
		if r := f.Scan(quotedHTML(broken.Replace(spoof))); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: no spoof: %v", name, placed(r))
		}
	}
}

// quotedHTML returns a message of HTML in quoted-printable.
func quotedHTML(body string) []byte {
	return []byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + body)
}

// TestGeneratedBrokenQuotedPrintable: wherever soft line breaks part the links of honest HTML, a broken
// body has no finding above low, and all links are found.
func TestGeneratedBrokenQuotedPrintable(t *testing.T) {
	f := newFilter(t, filter.Options{})
	random := rand.New(rand.NewPCG(52, 5))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	for range long.Rows(5000, 400) {
		var page strings.Builder
		var hosts []string
		for range 1 + random.IntN(4) {
			host := pick("www.paypal.com", "www.sparkasse-koelnbonn.de", "shop.example.co.uk", "www.amazon.de", "news.example.org")
			url := pick("https://", "http://") + host + pick("/", "/a/b?c=d&amp;e=f", "/x")
			fmt.Fprintf(&page, "<p>%s <a href=\"%s\">%s</a> and more für alle</p>\r\n", strings.Repeat("x", random.IntN(70)), url, pick(url, host, "here"))
			hosts = append(hosts, host)
		}
		var body bytes.Buffer
		w := quotedprintable.NewWriter(&body)
		if _, err := w.Write([]byte(page.String())); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for name, broken := range brokenQuoted {
			r := f.Scan(quotedHTML(broken.Replace(body.String())))
			if r.Worst() > policy.SeverityLow || len(r.Links) < len(hosts) {
				t.Errorf("%s: %s %v for\n%s", name, r, placed(r), body.String())
			}
		}
	}
}

// TestPartsInCRCRLF: a message whose lines end in CR CR LF has parts, as transports write that take CRLF for
// LF, with folded fields and with a header that ends its lines in CRLF. Where only a delimiter has such
// an end, programs see other parts.
func TestPartsInCRCRLF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const head = "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\r\n micalg=sha-256;\r\n boundary=\"b\"\r\n"
	const body = "\r\n--b\r\nContent-Type: text/plain;\r\n charset=us-ascii\r\n\r\nSee https://www.example.com/ please.\r\n\r\n--b\r\n" +
		"Content-Type: application/pkcs7-signature; name=smime.p7s\r\nContent-Transfer-Encoding: base64\r\n\r\nMAAA\r\n--b--\r\n"
	cr := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }
	for name, raw := range map[string]string{"all lines": cr(head + body), "lines of the body": head + cr(body)} {
		r := f.Scan([]byte(raw))
		if r.Worst() > policy.SeverityLow || len(r.Links) != 1 || r.Parts[0].Locked != "bare-cr" {
			t.Errorf("%s: %s: parts %+v, %v", name, r, r.Parts, placed(r))
		}
	}
	one := head + strings.Replace(body, "\r\n--b\r\nContent-Type: application", "\r\n--b\r\r\nContent-Type: application", 1)
	if r := f.Scan([]byte(one)); r.Worst() < policy.SeverityMedium {
		t.Errorf("one delimiter: %s", r)
	}
}
