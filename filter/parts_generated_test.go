package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// A hiddenPart generates a part with the planted link, in one of many types, names, encodings and
// charsets.
type hiddenPart struct{ *rand.Rand }

func (h hiddenPart) pick(all ...string) string { return all[h.IntN(len(all))] }

// anyCase returns a text with letters of ASCII in any case.
func (h hiddenPart) anyCase(s string) string {
	if h.IntN(2) == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' && h.IntN(2) == 0 {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

// name returns the parameters with a file name of a suffix, in one of the ways that mail
// programs read.
func (h hiddenPart) name(suffix string) string {
	name := h.pick("login", "a.pdf", "Rechnung 2026", "x.y.z", "invoice.doc") + "." + h.anyCase(suffix)
	name += h.pick("", "", ".", " ", ". .", "\u200b")
	switch h.IntN(6) {
	case 0:
		return "; name*=utf-8''" + url.PathEscape(name)
	case 1:
		return "; name=\"=?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?=\""
	case 2:
		return "\r\nContent-Disposition: " + h.pick("attachment", "inline", "x") + "; filename*0*=utf-8''" + url.PathEscape(name[:3]) + ";\r\n filename*1*=" + url.PathEscape(name[3:])
	case 3:
		return "; name=a.png\r\nContent-Disposition: attachment; filename=\"" + name + "\""
	case 4:
		return "\r\nContent-Disposition: attachment;\r\n filename=\"" + name + "\""
	}
	return "; name=\"" + name + "\""
}

// content returns the fields of a media type and a content that holds the link.
func (h hiddenPart) content() (fields, content string) {
	page := "<html><body>" + h.pick("", "<p>x</p>", "\n") + h.pick(
		"<a href=\""+planted+"\">x</a>", "<a href='http:&#47;/paypa1.com/login'>x</a>", "<p>"+planted+"</p>", "<form action="+planted+"></form>") + "</body></html>"
	binary := h.pick("application/octet-stream", "application/x-download", "application/force-download", "image/png", "application/x-msdownload", "application/pdf", "audio/mpeg")
	folded := planted[:4+h.IntN(15)]
	folded += h.pick("\r\n ", "\r\n\t", "\n ", "\r ") + planted[len(folded):]
	switch h.IntN(18) {
	case 17:
		name, content := h.pick("a.html", "x"), page
		if h.IntN(2) == 0 {
			name, content = h.pick("a.eml", "a.txt"), "Subject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n"+base64.StdEncoding.EncodeToString([]byte(page))
		}
		return h.pick("text/plain", "text/x-any", "text/html"), h.pick("", "see\r\n") + strings.Replace(inUuencode(name, content), " ", h.pick(" ", "  "), 2)
	case 15:
		var b strings.Builder
		for _, c := range []byte(planted) {
			b.WriteString(h.pick(string(c), fmt.Sprintf(`\u%04x`, c), strings.Replace(string(c), "/", `\/`, 1)))
		}
		return h.pick("application/json", "application/ld+json", "application/calendar+json", "text/json", "text/javascript", binary+h.name(h.pick("json", "js", "geojson"))), `{"a":1,"u":"` + b.String() + `"}`
	case 16:
		first := "From a@b Sun Nov 22\n" + h.pick("", "Subject: x\n") + "\nHi\n\n"
		return h.pick("application/mbox", binary+h.name(h.pick("mbox", "mbx"))), strings.Repeat(first, 1+h.IntN(3)) + "From c@d Sun\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(page)) + "\n"
	case 12:
		return h.pick("audio/x-mpegurl", "application/vnd.apple.mpegurl", "audio/x-scpls", "video/x-ms-asf", "application/vnd.ms-wpl", "application/x-rdp", binary+h.name(h.pick("m3u", "pls", "rdp", "ram", "iqy", "scf"))),
			h.pick("#EXTM3U\r\n#EXTINF:1,x\r\n", "[playlist]\r\nFile1=", "<asx><entry><ref href=", "full address:s:", "WEB\r\n1\r\n") + planted + h.pick("\r\n", " ")
	case 13:
		attribute := h.pick("labeledURI", "mozillaHomeUrl", "description;lang-en", "info")
		ldif := attribute + "::" + h.pick("", " ") + base64.StdEncoding.EncodeToString([]byte(h.pick(planted, page, "see "+planted)))
		if at := len(attribute) + 3 + h.IntN(20); h.IntN(2) == 0 {
			ldif = ldif[:at] + h.pick("\r\n ", "\n ") + ldif[at:]
		}
		return h.pick("text/ldif", "application/x-ldif", binary+h.name(h.pick("ldif", "ldi")), "application/octet-stream"), h.pick("", "version: 1\r\n") + "dn: cn=x\r\n" + h.pick(ldif, attribute+": "+folded) + "\r\n"
	case 14:
		markup := h.pick("<![CDATA[<a href='"+planted+"'>x</a>]]>", "&lt;a href='"+planted+"'&gt;x&lt;/a&gt;", "&#60;a href='"+planted+"'>x</a>", "<![CDATA[<a href=http:&#47;/paypa1.com/login>x</a>]]>")
		return h.pick("application/rss+xml", "application/atom+xml", "application/vnd.google-earth.kml+xml", "text/xml", binary+h.name(h.pick("kml", "rss", "atom", "opml", "xspf"))), "<?xml version=\"1.0\"?><x><description>" + markup + "</description></x>"
	case 0:
		return h.anyCase(binary) + h.name(h.pick("html", "htm", "xhtml", "xht", "shtml", "svg", "xml")), page
	case 1:
		return h.pick("text/html", "application/html", "application/xhtml+xml", "text/x-amp-html", "image/svg+xml", "application/vnd.wap.xhtml+xml", "text/xml"), page
	case 2:
		return h.pick("text/calendar", "application/ics", "text/x-vcalendar", binary+h.name(h.pick("ics", "vcs"))),
			"BEGIN:VCALENDAR\r\n" + h.pick("DESCRIPTION", "SUMMARY", "LOCATION", "URL", "COMMENT", "ATTACH", "CONFERENCE", "X-ANY", "X-ALT-DESC;FMTTYPE=text/html", "URL;VALUE=URI") + ":" + folded + "\r\nEND:VCALENDAR"
	case 3:
		return h.pick("text/vcard", "text/x-vcard", "text/directory", binary+h.name(h.pick("vcf", "vcard"))),
			"BEGIN:VCARD\r\nVERSION:2.1\r\n" + h.pick("NOTE", "URL", "TITLE", "X-A") + h.pick(";ENCODING=QUOTED-PRINTABLE", ";QUOTED-PRINTABLE;CHARSET=utf-8") + ":http=3A//pay=\r\npa1=2Ecom/login\r\nEND:VCARD"
	case 4:
		return h.pick("message/rfc822", "message/global", "message/news", "message/x-any", binary+h.name(h.pick("eml", "mht", "mhtml"))),
			"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(page))
	case 5:
		return binary + h.name(h.pick("url", "txt", "md", "csv", "desktop", "webloc", "text", "json", "js", "rtf")), "x\r\nURL=" + planted + "\r\n"
	case 6:
		return h.pick("text/plain", "text/markdown", "text/enriched", "text/richtext", "text/csv", "text/x-any", "text/css", "text/rtf") + h.pick("", "\r\nContent-Disposition: attachment"), "see " + planted + " now"
	case 7:
		return h.pick("message/delivery-status", "message/disposition-notification", "message/feedback-report", "text/rfc822-headers"), "X: y; " + planted + "\r\n"
	case 8:
		return h.pick("application/octet-stream", "application/x-any", "x/y"), h.pick("", "\r\n", "\xEF\xBB\xBF") + page
	case 9:
		wide, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(page)
		return h.pick("text/html", "text/html; charset=utf-16", binary+h.name("html")), wide
	case 10:
		ebcdic, _ := charmap.CodePage037.NewEncoder().String("see " + planted + " now")
		return "text/plain; charset=" + h.pick("ibm037", "IBM037", "cp037"), ebcdic
	}
	return "text/" + h.pick("plain", "html") + "; charset=" + h.pick("utf-8", "iso-2022-jp", "x-none", "gbk", "shift_jis", "big5", "ibm037", "utf-16", "utf-7", "hz-gb-2312", "iso-2022-kr", "koi8-r"),
		h.pick("\xff ", "\x83", "", "\xe9t\xe9 ", "\x1b(B") + planted + h.pick(" ", " \xff", "\r\n")
}

// part returns a part.
func (h hiddenPart) part() (fields, body string) {
	fields, content := h.content()
	fields = "Content-Type: " + fields
	encoded := base64.StdEncoding.EncodeToString([]byte(content))
	if !strings.ContainsAny(content, "\x00") && h.IntN(3) == 0 {
		var b strings.Builder
		for i := range len(content) {
			if c := content[i]; c >= 0x7f || c < ' ' && c != '\r' && c != '\n' || c == '=' || h.IntN(4) == 0 {
				fmt.Fprintf(&b, "=%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		return fields + "\r\nContent-Transfer-Encoding: " + h.anyCase(h.pick("quoted-printable", "quoted-printable;", "quoted-printable (x)")), b.String()
	}
	noise := h.pick("", "", "\r\n", " ", "!\r\n", "\r\n#")
	var b strings.Builder
	for len(encoded) > 40 {
		n := 1 + h.IntN(40)
		b.WriteString(encoded[:n] + noise)
		encoded = encoded[n:]
	}
	b.WriteString(strings.TrimRight(encoded, h.pick("=", "")))
	return fields + "\r\nContent-Transfer-Encoding: " + h.anyCase(h.pick("base64", "base64;", "base64 (x)", `"base64"`, "base64; charset=x", "x-base64")), b.String()
}

// TestGeneratedParts varies the parts in which a link may hide.
func TestGeneratedParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	n := long.Rows(10_000, 1000)
	missed := 0
	for seed := range uint64(n) {
		fields, body := hiddenPart{rand.New(rand.NewPCG(seed, 7))}.part()
		if result := f.Scan(beside(fields, body)); !finds(result) {
			if missed++; missed <= 5 {
				t.Errorf("%d: %s\n%s\n\n%.300q", seed, result, fields, body)
			}
		}
	}
	t.Logf("%d of %d missed", missed, n)
}

// FuzzParts filters generated parts with any bytes before their body.
func FuzzParts(f *testing.F) {
	judge := newFilter(f, filter.Options{})
	for seed := range uint64(50) {
		f.Add(seed, "", "")
		f.Add(seed, "; name=x", "\x00\xff<!--")
	}
	f.Fuzz(func(t *testing.T, seed uint64, parameters, before string) {
		fields, body := hiddenPart{rand.New(rand.NewPCG(seed, 7))}.part()
		result := judge.Scan(beside(fields+parameters, before+body))
		if parameters == "" && before == "" && !finds(result) {
			t.Errorf("%d: %s\n%s\n\n%.300q", seed, result, fields, body)
		}
		if result.Failure == "panic" {
			t.Errorf("%d: panic", seed)
		}
	})
}
