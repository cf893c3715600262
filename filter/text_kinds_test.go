package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// TestKindsOfTexts: files that programs open by their type, name or content are read in each form.
// Once, a form was missing.
func TestKindsOfTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	sheet := `=HYPERLINK("` + evil + `","` + shownAs + `")`
	page := "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(trap))
	field := func(instruction string) string {
		return `{\rtf1{\field{\*\fldinst HYPERLINK ` + instruction + `}{\fldrslt ` + shownAs + `}}}`
	}
	for _, file := range []struct{ mediaType, name, content string }{
		{"text/comma-separated-values", "", sheet},
		{"text/tab-separated-values", "", "a\t" + sheet},
		{"application/xml", "", `<Workbook><Cell ss:Formula="` + strings.ReplaceAll(sheet, `"`, "&quot;") + `"/></Workbook>`},
		{"text/vnd.commonmark", "", "[" + shownAs + "](" + evil + ")"},
		{"image/png", "a.mkd", "[" + shownAs + "](" + evil + ")"},
		{"image/png", "a.jsonl", `{"u":"http:\u002f\u002fpaypa1.com"}`},
		{"image/png", "a.js", `location=atob("` + base64.StdEncoding.EncodeToString([]byte(lookLike)) + `")`},
		{"image/png", "a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\n" + trap},
		{"message/http", "", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + trap},
		{"message/cpim", "", "From: x <im:x@y>\r\n\r\nContent-Type: text/html\r\n\r\n" + trap},
		{"message/rfc822", "", "\r\nSubject: x\r\n" + page},
		{"image/png", "a.mht", "\r\n\r\nMIME-Version: 1.0\r\n" + page},
		{"application/octet-stream", "", "Reply-To: x\r\n" + page},
		{"application/octet-stream", "", "From a@b Sun Nov 22\nSubject: x\n" + page},
		{"application/pgp-signature", "", trap},
		{"application/pkcs7-signature", "smime.p7s", lookLike},
		{"text/rtf", "", `{\rtf1\uc0 http:\u47 \u47 paypa1.com/login}`},
		{"text/rtf", "", `{\rtf1{\uc0 x}http:\u47?\u47?paypa1.com/login}`},
		{"text/rtf", "", `{\rtf1\uc0 ` + strings.Repeat("{", 2000) + strings.Repeat("}", 2000) + `http://\u112 aypa1.com/login}`},
		{"text/rtf", "", field(`"https://e\uc2\u118\'41\'42il.example.net/x"`)},
		{"text/rtf", "", field(`\bin3 }}x"` + evil + `"`)},
		{"text/plain", "", strings.Replace(inUuencode("a", trap), " a\r\n", "\r\n", 1)},
		{"application/x-webarchive", "a.webarchive", "bplist00\x00\x01\x02<html><body>" + trap + "</html>\x00\x01"},
		{"text/plain", "a.dochtml", trap},
		{"text/plain", "a.xlshtml", trap},
		{"text/plain", "a.phtml", trap},
		{"text/plain", "a.docmhtml", "MIME-Version: 1.0\r\n" + page},
		{"text/plain", "a.xlsmhtml", "MIME-Version: 1.0\r\n" + page},
		{"text/plain", "a.xla", sheet},
		{"text/plain", "a.fb2", `<FictionBook><a l:href="` + evil + `">` + shownAs + `</a></FictionBook>`},
		{"text/plain", "a.xfdf", `<xfdf><f href="` + lookLike + `"/></xfdf>`},
		{"application/vnd.fdf", "", "%FDF-1.2\n1 0 obj<</FDF<</F(" + lookLike + ")>>>>endobj"},
		{"application/octet-stream", "a.rtf", `{\rtf1\fromhtml1 {\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt https://www.{\*\htmltag84 <b>}paypal.com/}}}`},
		{"text/rtf", "", `{\rtf1{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt {\htmltag ` + shownAs + `}}}}`},
		{"text/html", "", "+/v8-+ADw-a href=\"" + evil + "\"+AD4-" + shownAs + "+ADw-/a+AD4-"},
	} {
		if r := f.Scan(attached(file.mediaType, file.name, file.content)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s %s: %s: %v", file.mediaType, file.name, r, placed(r))
		}
	}
}

// TestUnknownTexts: if programs find more links in a file than linkmilter does, the report says so.
// For similar files, it does not.
func TestUnknownTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	shape := func(properties, text string) string {
		return `{\rtf1{\shp{\*\shpinst{\sp{\sn pihlShape}{\sv{\*\hl{\hlloc }{\hlsrc https://www.example.com/}}}}` + properties + `}}` + text + `}`
	}
	field := func(instruction string) string {
		return `{\rtf1{\field{\*\fldinst ` + instruction + `}{\fldrslt x}}}`
	}
	sheet := func(reference string) string {
		return `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="` + reference + `"?><invoice><a>x</a></invoice>`
	}
	const xslt = `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>`
	for _, file := range []struct {
		mediaType, content string
		partial            bool
	}{
		{"text/rtf", field(`HYPERLINK "{\field{\*\fldinst QUOTE x}{\fldrslt https://www.example.com/}}"`), true},
		{"text/rtf", field(`{\b {\field{\*\fldinst QUOTE HYPERLINK}}} "https://www.example.com/"`), true},
		{"text/rtf", field(`hyper{\field{\*\fldinst QUOTE LINK}} "https://www.example.com/"`), true},
		{"text/rtf", field(`IF {\field{\*\fldinst PAGE}{\fldrslt 1}} = 1 "a" "b"`), false},
		{"text/rtf", `{\rtf1{\field{\*\fldinst TOC}{\fldrslt {\field{\*\fldinst HYPERLINK \\l "_Toc1"}{\fldrslt a}}}}}`, false},
		{"text/rtf", field(`HYPERLINK ` + strings.Repeat(" ", 1<<20) + evil), true},
		{"text/rtf", `{\rtf1{\info{\*\hlinkbase https://www.example.com/}}{\field{\*\fldinst HYPERLINK "a"}{\fldrslt x}}}`, true},
		{"text/rtf", `{\rtf1{\info{\*\hlinkbase https://www.example.com/}}{\field{\*\fldinst HYPERLINK "https://www.example.org/"}{\fldrslt x}}}`, false},
		{"text/rtf", field(`HYPERLINK "a"`), false},
		{"text/rtf", shape(`{\shptxt x}`, ""), true},
		{"text/rtf", shape(`{\sp{\sn gtextUNICODE}{\sv x}}`, ""), true},
		{"text/rtf", shape(`{\sp{\sn pib}{\sv{\pict}}}`, `\viewkind4 `), false},
		{"text/xml", sheet("data:text/xml,x"), true},
		{"text/xml", sheet("d&#97;t\na:text/xml,x"), true},
		{"application/xml", sheet("#s"), true},
		{"image/svg+xml", sheet("a.xml") + xslt, true},
		{"application/octet-stream", strings.Replace(sheet("a.xml"), "?><invoice", "?><!DOCTYPE a [<!ENTITY x 'XSL'>]><invoice", 1), true},
		{"text/xml", sheet("invoice_v1.2.1.xsl"), false},
		{"text/xml", sheet("https://www.example.com/invoice.xsl"), false},
		{"text/xml", `<?xml version="1.0"?>` + xslt, false},
	} {
		r := f.Scan(attached(file.mediaType, "", file.content))
		if isPartial := r.Outcome == report.OutcomePartial; isPartial != file.partial || len(r.Findings) > 1 {
			t.Errorf("%s: %.300s: %s: %v", file.mediaType, file.content, r, r.Findings)
		}
	}
}

// TestTextsThatStayOpaque: files that are texts, but of which programs show more than the text, are
// opaque.
func TestTextsThatStayOpaque(t *testing.T) {
	f := newFilter(t, filter.Options{})
	word := `<?xml version="1.0"?><?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"><w:t>x</w:t></pkg:package>`
	pdf := base64.StdEncoding.EncodeToString([]byte("%PDF-1.4\n" + strings.Repeat("1 0 obj\n", 20)))
	for _, file := range []struct{ mediaType, name, content, kind string }{
		{"application/xml", "", word, "office"},
		{"text/xml", "a.xml", strings.ReplaceAll(word, "pkg", "p"), "office"},
		{"application/msword", "a.doc", word, "office"},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a.docx", word, "office"},
		{"text/plain", "a.docx", word, "office"},
		{"application/xml", "", `<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>`, "office"},
		{"text/plain", "a.xdp", `<?xml version="1.0"?><xdp:xdp><pdf><document><chunk>` + pdf + `</chunk></document></pdf></xdp:xdp>`, "binary"},
		{"application/vnd.fdf", "", "%FDF-1.2\n1 0 obj<</FDF<</F(http:\\057\\057paypa\\061.com/x.pdf)>>>>endobj", "pdf"},
		{"application/octet-stream", "", "%FDF-1.2\n1 0 obj<</FDF<</F<687474703a2f2f>>>>>endobj", "pdf"},
		{"text/plain", "a.fdf", "\n%FDF-1.2\n", "pdf"},
	} {
		r := f.Scan(attached(file.mediaType, file.name, file.content))
		if len(r.Findings) != 1 || r.Findings[0].Code != report.CodeOpaque || r.Findings[0].Detail != file.kind {
			t.Errorf("%s %s: %s: %v", file.mediaType, file.name, file.content, r.Findings)
		}
	}
	honest := `<html xmlns:w="urn:schemas-microsoft-com:office:word"><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"></Workbook>`
	if r := f.Scan(attached("application/xml", "", honest)); len(r.Findings) > 0 {
		t.Errorf("%v", r.Findings)
	}
}

// TestMailboxIsOrdinary: a mailbox is read completely.
func TestMailboxIsOrdinary(t *testing.T) {
	f := newFilter(t, filter.Options{})
	one := "From a@example.com Tue Mar  3 10:30:00 2026\nFrom: a@example.com\nSubject: x\n\nhi\n\n"
	for _, mediaType := range []string{"application/mbox", "application/octet-stream"} {
		if r := f.Scan(attached(mediaType, "", one+one)); r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s", mediaType, r)
		}
	}
}

// TestManyMessagesInText: if a text has more messages in uuencode than the filter reads, the report
// says so.
func TestManyMessagesInText(t *testing.T) {
	f := newFilter(t, filter.Options{Limits: filter.Limits{Limits: mime.Limits{Parts: 10}}})
	var b strings.Builder
	for i := range 12 {
		b.WriteString(inUuencode("a.eml", fmt.Sprintf("Subject: %d\r\n\r\nhi", i)))
	}
	if r := f.Scan(beside("Content-Type: text/plain", b.String())); r.Outcome != report.OutcomePartial {
		t.Error(r)
	}
}

// TestManyEncodings: the filter does not read a body again for each encoding that no program knows.
func TestManyEncodings(t *testing.T) {
	var fields strings.Builder
	for i := range 500 {
		fmt.Fprintf(&fields, "\r\nContent-Transfer-Encoding: x%d", i)
	}
	m := mime.Parse(t.Context(), beside("Content-Type: text/plain"+fields.String(), base64.StdEncoding.EncodeToString([]byte(planted))), mime.Limits{})
	for leaf := range m.Leaves() {
		n := 0
		for range m.Contents(leaf) {
			n++
		}
		if n > 10 {
			t.Errorf("%d contents", n)
		}
	}
}

// calendarFiles generates properties of calendars and vCards with a deceptive file or label.
type calendarFiles struct{ *rand.Rand }

func (c calendarFiles) pick(all ...string) string { return all[c.IntN(len(all))] }

// file returns a deceptive file with its parameters.
func (c calendarFiles) file() (parameters, content string) {
	named := func(mediaType, suffix string) string {
		return c.pick(";FMTTYPE="+mediaType, ";FMTTYPE=\""+strings.ToUpper(mediaType)+"; charset=utf-8\"", ";X-FILENAME=a."+suffix, ";FILENAME=\"a."+suffix+"\"")
	}
	switch c.IntN(5) {
	case 0:
		return named("message/rfc822", "eml"), "Subject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(trap))
	case 1:
		return named("text/calendar", "ics"), "BEGIN:VCALENDAR\r\nDESCRIPTION:http://pay\r\n pa1.com/login\r\nEND:VCALENDAR\r\n"
	case 2:
		return named("text/rtf", "rtf"), `{\rtf1{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + shownAs + `}}}`
	case 3:
		return named("text/markdown", "md"), "[" + shownAs + "](" + evil + ")"
	}
	return named("text/html", "htm"), trap
}

// property returns a property.
func (c calendarFiles) property() string {
	label := c.pick("LABEL", "X-LABEL", "X-TITLE", "TITLE", "TYPE", "FILENAME", "X-APPLE-FILENAME")
	switch c.IntN(4) {
	case 0:
		return c.pick("URL", "CONFERENCE;VALUE=URI", "ATTACH", "LINK;LINKREL=SOURCE", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI") + ";" + label + "=\"" + shownAs + "\":" + evil
	case 1:
		return c.pick("ATTENDEE", "ORGANIZER", "X-SENDER") + ";CN=" + c.pick("service@paypal.com", "\"service@paypal.com\"") + c.pick(":mailto:x@evil.example.net", ";EMAIL=x@evil.example.net:invalid:nomail")
	}
	parameters, content := c.file()
	encoded := base64.StdEncoding.EncodeToString([]byte(content))
	if c.IntN(3) == 0 && strings.HasPrefix(parameters, ";FMTTYPE=text") {
		uri := "data:" + strings.Trim(parameters[len(";FMTTYPE="):], `"`) + ";base64," + encoded
		return c.pick("ATTACH:"+uri, `DESCRIPTION;ALTREP="`+uri+`":x`, "STYLED-DESCRIPTION;VALUE=URI:"+uri)
	}
	return c.pick("ATTACH", "PHOTO", "X-FILE") + parameters + c.pick(";ENCODING=BASE64;VALUE=BINARY:", ";ENCODING=b:") + encoded
}

// TestGeneratedCalendarFiles: files and labels in calendars are read as those of messages.
func TestGeneratedCalendarFiles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	n := long.Rows(2000, 300)
	missed := 0
	for seed := range uint64(n) {
		c := calendarFiles{rand.New(rand.NewPCG(seed, 5545))}
		source := c.property()
		for at := 20 + c.IntN(60); at < len(source); at += 75 {
			source = source[:at] + c.pick("\r\n ", "\r\n\t", "\n ") + source[at:]
		}
		mediaType, head := "text/calendar", "BEGIN:VCALENDAR\r\n"
		if c.IntN(2) == 0 {
			mediaType, head = "text/vcard", "BEGIN:VCARD\r\n"
		}
		if r := f.Scan(beside("Content-Type: "+mediaType, head+source+"\r\n")); worstLink(r) < policy.SeverityMedium {
			if missed++; missed <= 5 {
				t.Errorf("%d: %s: %v\n%s", seed, r, placed(r), source)
			}
		}
	}
	t.Logf("%d of %d missed", missed, n)
}

// TestNestedCalendars: the filter reads nested calendars down to a depth, and reports deeper ones
// as unread.
func TestNestedCalendars(t *testing.T) {
	f := newFilter(t, filter.Options{})
	source := "BEGIN:VCALENDAR\r\nATTACH:" + strings.Repeat("data:text/calendar,ATTACH%3A", 20_000) + "x\r\n"
	if r := f.Scan(beside("Content-Type: text/calendar", source)); r.Outcome != report.OutcomePartial {
		t.Error(r)
	}
}

// TestCalendarsFoldedInCharacters: folds between the bytes of a character hide no host, and cause
// no finding in an honest calendar.
func TestCalendarsFoldedInCharacters(t *testing.T) {
	f := newFilter(t, filter.Options{})
	folded := func(line, fold string) string {
		var b strings.Builder
		for i := range len(line) {
			if i > 0 && line[i] >= 0x80 && line[i] < 0xC0 {
				b.WriteString(fold)
			}
			b.WriteByte(line[i])
		}
		return b.String()
	}
	for _, fold := range []string{"\r\n ", "\n\t"} {
		for _, mediaType := range []string{"text/calendar", "text/calendar; charset=utf-8", "application/octet-stream; name=a.ics", "text/vcard"} {
			for _, name := range []string{"DESCRIPTION:See ", "URL:", "X-ALT-DESC;FMTTYPE=text/html:<a href=x>x</a>"} {
				source := "BEGIN:VCALENDAR\r\n" + name + folded("http://\u0440\u0430\u0443\u0440\u0430l.com/", fold) + "\r\nEND:VCALENDAR\r\n"
				if r := f.Scan(beside("Content-Type: "+mediaType, source)); worstLink(r) < policy.SeverityMedium {
					t.Errorf("%s: %q: %v", mediaType, source, placed(r))
				}
			}
			honest := "BEGIN:VCALENDAR\r\n" + folded("LOCATION:Größe in München: https://www.münchen.de/ „www.example.com“", fold) + "\r\nEND:VCALENDAR\r\n"
			if r := f.Scan(beside("Content-Type: "+mediaType, honest)); r.Worst() >= policy.SeverityMedium {
				t.Errorf("%s: %q: %v", mediaType, honest, placed(r))
			}
		}
	}
}

// TestEscapesBesideHosts: escapes of calendars and RTF in or beside a host hide no host. If such a
// part is read as plain lines, they cause no finding.
func TestEscapesBesideHosts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	calendar := func(text string) []byte {
		return beside("Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nDESCRIPTION:"+text+"\r\nEND:VCALENDAR\r\n")
	}
	rtf := func(text string) []byte { return attached("application/rtf", "a.rtf", `{\rtf1\ansi `+text+`}`) }
	for _, honest := range [][]byte{
		calendar(`您好，\n\n请访问www.example.com.cn，或https://www.example.com/文件。谢谢！`), calendar(`x\Nwww.example.com.cn，y\, z`), calendar(`Grüße\nwww.müller.de\n„www.example.de“`),
		rtf(`See www.m\'fcller.de and www.caf\'e9.fr`), rtf(`www.m\u252?ller.de, http://m\u252\'fcller.de and anna@m\'fcller.de`),
	} {
		if r := f.Scan(honest); r.Worst() >= policy.SeverityMedium {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
	for _, trapped := range [][]byte{calendar(`see\n` + planted + `\nnow`), calendar(`\nhttp:\/\/paypa1.com\/`), rtf(`see\line ` + planted), rtf(`http://pay\'70a1.com/`)} {
		if r := f.Scan(trapped); !finds(r) {
			t.Errorf("%s: %v", trapped, placed(r))
		}
	}
}

// TestLabelsOfAddresses: in a vCard, the label of an address is compared with the address, but
// words and names of users are not.
func TestLabelsOfAddresses(t *testing.T) {
	f := newFilter(t, filter.Options{})
	scan := func(lines string) report.Report {
		return f.Scan(beside("Content-Type: text/vcard", "BEGIN:VCARD\r\nVERSION:3.0\r\n"+lines+"\r\nEND:VCARD\r\n"))
	}
	for _, lines := range []string{
		"item1.EMAIL:x@evil.example.net\r\nitem1.X-ABLabel:service@paypal.com", "item1.IMPP:xmpp:x@evil.example.net\r\nitem1.X-ABLabel:service@paypal.com",
		"X-SOCIALPROFILE;type=x;x-displayname=\"" + shownAs + "\":" + evil,
	} {
		if r := scan(lines); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %v", lines, placed(r))
		}
	}
	for _, lines := range []string{
		"item1.EMAIL:john@example.org\r\nitem1.X-ABLabel:_$!<Work>!$_", "item1.EMAIL:john@gmail.com\r\nitem1.X-ABLabel:Gmail",
		"X-SOCIALPROFILE;type=facebook;x-user=john.doe:http://www.facebook.com/john.doe\r\nX-SOCIALPROFILE;x-user=foo:x-apple:foo",
	} {
		if r := scan(lines); r.Worst() != policy.SeverityNone {
			t.Errorf("%s: %v", lines, placed(r))
		}
	}
}

// TestNamesOfCards: the name of a vCard is compared with its addresses, as the name of a sender is.
func TestNamesOfCards(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for lines, want := range map[string]bool{
		"FN:service@paypal.com\r\nEMAIL:x@evil.example.net":                   true,
		"EMAIL;TYPE=work:x@evil.example.net\r\nFN:PayPal Support":             true,
		"FN:https://www.paypal.com/\r\nitem1.EMAIL:mailto:x@evil.example.net": true,
		"FN:\u200bPay\u200bPal Support\r\nEMAIL:x@evil.example.net":           true,

		"FN:Anna Smith\r\nEMAIL:anna@example.com":                                              false,
		"FN:anna@example.com\r\nEMAIL:anna@example.com\r\nEMAIL:anna@example.org":              false,
		"FN:PayPal Support\r\nEMAIL:service@paypal.com\r\nURL:https://www.example.com/":        false,
		"FN:Example.com\r\nEMAIL:info@mail.example.com":                                        false,
		"FN:Apple Anna\r\nEMAIL:anna@example.org":                                              false,
		"FN:Google Anna Smith\r\nORG:Google\r\nEMAIL:anna@gmail.com\r\nEMAIL:anna@example.org": false,
		"FN:PayPal\r\nTEL:+49 30 1234":                                                         false,
	} {
		r := f.Scan(beside("Content-Type: text/vcard; charset=utf-8", "BEGIN:VCARD\r\nVERSION:3.0\r\n"+lines+"\r\nEND:VCARD\r\n"))
		if got := worstLink(r) >= policy.SeverityMedium; got != want {
			t.Errorf("%s: found %t, want %t: %v", lines, got, want, placed(r))
		}
	}
}

// TestFoldedCalendars: folds at any place cause no finding in an honest calendar or vCard, and hide
// none in another.
func TestFoldedCalendars(t *testing.T) {
	f := newFilter(t, filter.Options{})
	line := "DESCRIPTION:Join https://teams.microsoft.com/l/meetup or https://www.paypal.com/ or see docs.google.com or www.amazon.de"
	trapped := "DESCRIPTION:Join " + planted + " now"
	for at := 12; at < len(line); at++ {
		for _, fold := range []string{"\r\n ", "\n\t", "\r\n  "} {
			source := "BEGIN:VCALENDAR\r\n" + line[:at] + fold + line[at:] + "\r\nEND:VCALENDAR\r\n"
			if strings.HasSuffix(fold, "  ") && line[at-1] != ' ' {
				continue // the text has another space
			}
			if r := f.Scan(beside("Content-Type: text/calendar; charset=utf-8", source)); r.Worst() >= policy.SeverityMedium {
				t.Errorf("%q: %v", source, placed(r))
			}
			if at >= len(trapped) || strings.HasSuffix(fold, "  ") {
				continue
			}
			if r := f.Scan(beside("Content-Type: text/calendar", "BEGIN:VCALENDAR\r\n"+trapped[:at]+fold+trapped[at:]+"\r\n")); !finds(r) {
				t.Errorf("%d: %v", at, placed(r))
			}
		}
		soft := "BEGIN:VCARD\r\nNOTE;ENCODING=QUOTED-PRINTABLE:" + line[12:at] + "=\r\n" + line[at:] + "\r\nEND:VCARD\r\n"
		if r := f.Scan(beside("Content-Type: text/vcard", soft)); r.Worst() >= policy.SeverityMedium {
			t.Errorf("%q: %v", soft, placed(r))
		}
	}
	cut := "BEGIN:VCALENDAR\r\nDESCRIPTION:see x\r\n " + planted + "\r\nEND:VCALENDAR\r\n"
	if r := f.Scan(beside("Content-Type: text/calendar", cut)); !finds(r) {
		t.Errorf("a line of its own: %v", placed(r))
	}
}

// TestCutLines: lines that are cut at any place cause no finding in honest mailboxes and rich text,
// and hide none in others.
func TestCutLines(t *testing.T) {
	f := newFilter(t, filter.Options{})
	mailbox := "From a@example.com Tue Mar  3 10:30:00 2026\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\n%s\n"
	for _, kind := range []struct{ mediaType, format, cut string }{
		{"application/mbox", mailbox, "=\n"},
		{"text/rtf", `{\rtf1\ansi %s}`, "\r\n"},
		{"application/rtf", `{\rtf1\ansi %s}`, "\n"},
	} {
		for text, honest := range map[string]bool{"see https://teams.microsoft.com/l/meetup or www.amazon.de now": true, "see " + planted + " now": false} {
			for at := 4; at < len(text)-4; at++ {
				r := f.Scan(attached(kind.mediaType, "", fmt.Sprintf(kind.format, text[:at]+kind.cut+text[at:])))
				if honest && r.Worst() >= policy.SeverityMedium || !honest && !finds(r) {
					t.Errorf("%s: %q: %v", kind.mediaType, text[:at], placed(r))
				}
			}
		}
	}
}

// TestFoldsThatAreShown: a host behind a fold counts if programs show the fold as a line end: in a
// text with the name of a calendar, and in a file within one.
func TestFoldsThatAreShown(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const lines = "see https://www.example.com/\r\n paypa1.com/login\r\n"
	file := "BEGIN:VCALENDAR\r\nATTACH;FMTTYPE=text/plain;FILENAME=a.txt;ENCODING=BASE64:" + base64.StdEncoding.EncodeToString([]byte(lines)) + "\r\n"
	for _, part := range []struct{ mediaType, name, content string }{
		{"text/plain", "a.ics", lines},
		{"text/plain", "a.eml", "X: " + lines},
		{"text/plain", "a.rtf", strings.ReplaceAll(lines, "\r\n ", "\r\n")},
		{"text/x-other", "a.vcf", lines},
		{"text/calendar", "", file},
	} {
		if r := f.Scan(attached(part.mediaType, part.name, part.content)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s %s: %s: %v", part.mediaType, part.name, r, placed(r))
		}
	}
}
