package filter_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// planted is a link that is flagged if it is found.
const planted = "http://paypa1.com/login"

// finds reports whether a finding of high severity is about the host of the planted link.
func finds(result report.Report) bool {
	for _, l := range result.Links {
		if l.Link.ASCIIHost() == "paypa1.com" && l.Verdict.Worst() >= policy.SeverityHigh {
			return true
		}
	}
	return false
}

// beside returns a message with an honest text and an attached part.
func beside(fields, body string) []byte {
	return []byte("From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\n" + fields + "\r\n\r\n" + body + "\r\n--b--\r\n")
}

// inBase64 returns a body in base64 with its field.
func inBase64(fields, content string) (withEncoding, body string) {
	return fields + "\r\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte(content))
}

// partTypes are media types and names of a part, with the ways in which it may have the planted
// link.
var partTypes = []struct {
	name, fields, content string
}{
	{"calendar description", "Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:See http://pay\r\n pa1.com/login\\nplease\r\nEND:VEVENT\r\nEND:VCALENDAR"},
	{"calendar URL", "Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nURL;VALUE=URI:" + planted + "\r\nEND:VCALENDAR"},
	{"calendar HTML", "Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nX-ALT-DESC;FMTTYPE=text/html:<a href=\"http\r\n ://paypa1.com\\,x/login\">x</a><a href=\"" + planted + "\">y</a>\r\nEND:VCALENDAR"},
	{"calendar attendee", "Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nATTENDEE;CN=Pay:mailto:x@paypa1.com\r\nEND:VCALENDAR"},
	{"calendar ALTREP", "Content-Type: text/calendar; charset=utf-8", "BEGIN:VCALENDAR\r\nDESCRIPTION;ALTREP=\"data:text/html,%3Ca%20href=%22http://paypa%31.com/login%22%3Ex\":y\r\nEND:VCALENDAR"},
	{"vcard", "Content-Type: text/vcard; charset=utf-8", "BEGIN:VCARD\r\nVERSION:3.0\r\nitem1.URL:" + planted + "\r\nEND:VCARD"},
	{"vcard 2.1", "Content-Type: text/x-vcard", "BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=utf-8:see http=3A//pay=\r\npa1.com/login\r\nEND:VCARD"},
	{"vcard in base64", "Content-Type: text/directory; profile=vcard", "BEGIN:VCARD\r\nNOTE;ENCODING=b:aHR0cDovL3BheXBh\r\n MS5jb20vbG9naW4=\r\nEND:VCARD"},
	{"ics by name", "Content-Type: application/octet-stream; name=\"invite.ICS\"", "BEGIN:VCALENDAR\r\nLOCATION:http://pay\r\n pa1.com/login\r\nEND:VCALENDAR"},
	{"application/ics", "Content-Type: application/ics", "BEGIN:VCALENDAR\r\nLOCATION:http://pay\r\n pa1.com/login\r\nEND:VCALENDAR"},
	{"news", "Content-Type: message/news", "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nhttp=3A//paypa1=2Ecom/login"},
	{"message as a delivery status", "Content-Type: message/delivery-status", "Subject: x\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte("see "+planted))},
	{"message as a feedback report", "Content-Type: message/feedback-report", "Received: x\r\nContent-Type: text/html\r\n\r\n<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"delivery status", "Content-Type: message/delivery-status", "Reporting-MTA: dns; x\r\n\r\nDiagnostic-Code: smtp; 550 see " + planted},
	{"disposition", "Content-Type: message/disposition-notification", "Disposition: x; " + planted},
	{"other message", "Content-Type: message/x-foo", "Subject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj1odHRwOi8vcGF5cGExLmNvbS9sb2dpbj54PC9hPg=="},
	{"other message of text", "Content-Type: message/x-foo", planted},
	{"external body", "Content-Type: message/external-body; access-type=URL; URL=\"http://pay\r\n pa1.com/login\"", "Content-Type: text/html\r\n\r\n"},
	{"enriched", "Content-Type: text/enriched", "http://pay<bold>pa1</bold>.com/login"},
	{"richtext", "Content-Type: text/richtext\r\nContent-Disposition: attachment", "see <nl>" + planted},
	{"markdown", "Content-Type: text/markdown\r\nContent-Disposition: attachment", "[x](" + planted + ")"},
	{"web markdown", "Content-Type: text/x-web-markdown", "<a href=" + planted + ">x</a>"},
	{"css", "Content-Type: text/css", "a { background: url(" + planted + ") }"},
	{"csv", "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=x.csv", "a," + planted},
	{"header", "Content-Type: text/rfc822-headers", "Subject: " + planted + "\r\n"},
	{"amp", "Content-Type: text/x-amp-html", "<a href=" + planted + ">x</a>"},
	{"rtf", "Content-Type: application/rtf; name=a.rtf", `{\rtf1 {\field{\*\fldinst HYPERLINK "http://paypa\'31.com/login"}{\fldrslt x}}}`},
	{"application/html", "Content-Type: application/html", "<a href=" + planted + ">x</a>"},
	{"force download", "Content-Type: application/force-download; name=login.html", "<p>\xff</p><a href=" + planted + ">x</a>"},
	{"download", "Content-Type: application/x-download\r\nContent-Disposition: attachment; filename*=utf-8''login%2Ehtm", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"picture by type", "Content-Type: image/png; name=login.html", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"encoded name", "Content-Type: image/png\r\nContent-Disposition: attachment; filename=\"=?utf-8?B?bG9naW4uaHRtbA==?=\"", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"two names", "Content-Type: application/octet-stream; name=login.html\r\nContent-Disposition: attachment; filename=a.png", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"dots at the end", "Content-Type: application/octet-stream; name=\"login.xht. .\"", "GIF89a <a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"invisible end", "Content-Type: application/octet-stream; name*=utf-8''login.html%E2%80%8B", "GIF89a <a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"several suffixes", "Content-Type: application/octet-stream; name=\"invoice.pdf.html\"", "GIF89a <a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"web archive", "Content-Type: application/octet-stream; name=page.mht", "MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3Dhttp://paypa1.com/login>x</a>"},
	{"message by name", "Content-Type: application/octet-stream; name=x.eml", "Subject: x\r\nContent-Transfer-Encoding: base64\r\n\r\naHR0cDovL3BheXBhMS5jb20vbG9naW4="},
	{"shortcut", "Content-Type: application/octet-stream; name=x.url", "[InternetShortcut]\r\nURL=" + planted},
	{"webloc", "Content-Type: application/octet-stream; name=x.webloc", "<?xml version=\"1.0\"?><plist><dict><key>URL</key><string>http://paypa&#49;.com/login</string></dict></plist>"},
	{"binary webloc", "Content-Type: application/octet-stream; name=x.webloc", "bplist00\xd1\x01\x02SURL_\x10\x17" + planted + "\x08\x0b\x0f"},
	{"desktop", "Content-Type: application/octet-stream; name=x.desktop", "[Desktop Entry]\nType=Link\nURL=" + planted},
	{"text by name", "Content-Type: image/jpeg; name=x.txt", planted},
	{"XML", "Content-Type: application/xml", "<?xml version=\"1.0\"?><x y=\"" + planted + "\"/>"},
	{"nameless page", "Content-Type: application/octet-stream", "\r\n <!DOCTYPE html><a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"nameless SVG", "Content-Type: application/octet-stream", "<svg xmlns=\"http://www.w3.org/2000/svg\"><a href=\"http:&#x2f;/paypa1.com/login\"><text>x</text></a></svg>"},
	{"nameless calendar", "Content-Type: application/x-unknown", "BEGIN:VCALENDAR\r\nLOCATION:http://pay\r\n pa1.com/login\r\nEND:VCALENDAR"},
	{"nameless text", "Content-Type: application/x-unknown", "Go to " + planted},
	{"HTML by a name in sections", "Content-Type: text/plain; name*1=\"a.ht\"; name*2=ml", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"HTML by a description", "Content-Type: text/plain\r\nContent-Description: a.html", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"HTML by a name without a disposition", "Content-Type: text/plain\r\nContent-Disposition: filename=a.html", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"HTML by a name with a wide dot", "Content-Type: text/plain; name=\"a\uff0ehtml\"", "<a href=http:&#x2f;/paypa1.com/login>x</a>"},
	{"UTF-16 with a mark", "Content-Type: text/html", "\xff\xfe" + widened("<a href="+planted+">x</a>", 2, 0)},
	{"UTF-16 without a mark", "Content-Type: text/html", widened("<a href="+planted+">x</a>", 2, 1)},
	{"UTF-16 attachment", "Content-Type: application/octet-stream; name=a.html", "\xfe\xff" + widened("<a href="+planted+">x</a>", 2, 1)},
	{"UTF-32", "Content-Type: text/plain; charset=utf-32", widened("see "+planted, 4, 3)},
	{"UTF-32LE", "Content-Type: text/plain", "\xff\xfe\x00\x00" + widened("see "+planted, 4, 0)},
	{"signed in DER", "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "0\x82\x01\x00\x06\x09*\x86H\xce\xf7\r\x01\x07\x02Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj1odHRwOi8vcGF5cGExLmNvbS9sb2dpbj54PC9hPg==\r\n\x00\x00"},
	{"Outlook message", "Content-Type: application/vnd.ms-outlook; name=x.msg", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x01" + widened("see "+planted, 2, 0) + "\x00\x00\x01"},
	{"TNEF by content", "Content-Type: application/octet-stream; name=a.dat", "\x78\x9f\x3e\x22\x01\x02\x03\x04\x05" + planted + "\x00\x02"},
	{"uuencode in HTML", "Content-Type: text/html", "<p>x</p><pre>begin 644 a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n</pre>"},
	{"uuencode behind a tag, in a type in doubt", "Content-Type: html", "<p>begin 644 a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n"},
	{"uuencode behind a tag, in plain text", "Content-Type: text/plain", "<p>begin 644 a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n"},
	{"uuencode with a long mode", "Content-Type: text/plain", "begin 0100644 a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n"},
	{"uuencode with spaces", "Content-Type: text/plain", "begin  644  a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n"},
	{"message in uuencode", "Content-Type: text/plain", inUuencode("a.eml", "Subject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj1odHRwOi8vcGF5cGExLmNvbS9sb2dpbj54PC9hPg==\r\n")},
	{"calendar in uuencode", "Content-Type: text/plain", inUuencode("a.ics", "BEGIN:VCALENDAR\r\nURL:http://pay\r\n pa1.com/login\r\nEND:VCALENDAR\r\n")},
	{"calendar with CR", "Content-Type: application/octet-stream; name=a.ics", "BEGIN:VCALENDAR\rDESCRIPTION:http://pay\r pa1.com/login\rEND:VCALENDAR\r"},
	{"vCard with CR", "Content-Type: application/octet-stream; name=a.vcf", "BEGIN:VCARD\rNOTE;ENCODING=QUOTED-PRINTABLE:http=3A//pay=\rpa1.com/login\rEND:VCARD\r"},
	{"yEnc", "Content-Type: text/plain; charset=iso-8859-1", yEnc("a.html", "<a href="+planted+">x</a>")},
	{"yEnc without a charset", "Content-Type: text/plain", yEnc("a.txt", planted)},
	{"XML in EBCDIC", "Content-Type: application/xml", inEBCDIC(`<?xml version="1.0" encoding="ibm500"?><a href="` + planted + `">x</a>`)},
	{"SVG in EBCDIC", "Content-Type: application/octet-stream; name=a.svg", inEBCDIC(`<?xml version="1.0"?><svg><a href="` + planted + `">x</a></svg>`)},
	{"message behind its length", "Content-Type: application/octet-stream; name=a.emlx", "  123\r\nSubject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj1odHRwOi8vcGF5cGExLmNvbS9sb2dpbj54PC9hPg==\r\n"},
	{"message behind a byte order mark", "Content-Type: application/octet-stream; name=a.eml", "\ufeffSubject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGEgaHJlZj1odHRwOi8vcGF5cGExLmNvbS9sb2dpbj54PC9hPg==\r\n"},
	{"TNEF", "Content-Type: application/ms-tnef; name=winmail.dat", "\x78\x9f\x3e\x22\x01" + planted + "\x00\x02"},
}

// inUuencode returns a file in uuencode.
func inUuencode(name, content string) string {
	var b strings.Builder
	digit := func(c byte) { b.WriteByte(' ' + c&63) }
	b.WriteString("begin 644 " + name + "\r\n")
	for content != "" {
		n := min(len(content), 45)
		digit(byte(n))
		for line := content[:n] + "\x00\x00"; len(line) > 2; line = line[3:] {
			digit(line[0] >> 2)
			digit(line[0]<<4 | line[1]>>4)
			digit(line[1]<<2 | line[2]>>6)
			digit(line[2])
		}
		b.WriteString("\r\n")
		content = content[n:]
	}
	return b.String() + "end\r\n"
}

// yEnc returns a file in yEnc whose bytes need no escape.
func yEnc(name, content string) string {
	encoded := []byte(content)
	for i := range encoded {
		encoded[i] += 42
	}
	return "=ybegin line=128 size=9 name=" + name + "\r\n" + string(encoded) + "\r\n=yend size=9\r\n"
}

// inEBCDIC returns a text in ASCII in EBCDIC.
func inEBCDIC(text string) string {
	encoded, err := charmap.CodePage037.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

// widened returns an ASCII text with size bytes for each character; the ASCII byte is at the offset
// at.
func widened(text string, size, at int) string {
	wide := make([]byte, size*len(text))
	for i := range len(text) {
		wide[size*i+at] = text[i]
	}
	return string(wide)
}

// TestPartsAreRead: the link is found in each kind of part that programs show or open.
func TestPartsAreRead(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range partTypes {
		for _, encode := range []bool{false, true} {
			fields, body := test.fields, test.content
			if encode {
				fields, body = inBase64(fields, test.content)
			} else if strings.ContainsAny(body, "\x00\r") && !strings.Contains(body, "\r\n") {
				continue // not in lines
			}
			if result := f.Scan(beside(fields, body)); !finds(result) {
				t.Errorf("%s, base64 %t: %s\n%s", test.name, encode, result, strings.Join(placed(result), "\n"))
			}
		}
	}
}

// TestOpaqueParts: the report names parts that are not read. They do not make a message partial.
func TestOpaqueParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct{ fields, content, want string }{
		{"Content-Type: application/pdf", "%PDF-1.7", "pdf"},
		{"Content-Type: application/octet-stream; name=a.PDF", "%PDF-1.7", "pdf"},
		{"Content-Type: application/octet-stream", "%PDF-1.7", "pdf"},
		{"Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document", "PK\x03\x04", "office"},
		{"Content-Type: application/msword; name=a.doc", "\xd0\xcf\x11\xe0", "office"},
		{"Content-Type: application/zip", "PK\x03\x04", "archive"},
		{"Content-Type: application/octet-stream; name=a.tar.gz", "\x1f\x8b", "archive"},
		{"Content-Type: image/png", "\x89PNG", "image"},
		{"Content-Type: audio/mpeg", "ID3", "audio"},
		{"Content-Type: video/mp4", "\x00\x00\x00\x18ftyp", "video"},
		{"Content-Type: application/pkcs7-mime; smime-type=enveloped-data", "0\x82\x01\x02", "encrypted"},
		{"Content-Type: application/octet-stream", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09", "binary"},
		{"Content-Type: application/octet-stream; name=winmail.dat", "\x78\x9f\x3e\x22\x01\x00", "binary"},
		{"Content-Type: application/octet-stream; name=a.msg", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 40), "binary"},
		{"Content-Type: image/png; name=a.one", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d" + strings.Repeat("\x00", 40), "binary"},
		{"Content-Type: application/onenote; name=a.one", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d" + strings.Repeat("\x00", 40), "binary"},
		{"Content-Type: application/vnd.ms-outlook; name=a.msg", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 40), "binary"},
		{"Content-Type: application/octet-stream; name=a.vbe", "#@~^AAAAAA==-mD~6x{xnh,)mOk7n^#~@", "script"},
		{"Content-Type: application/octet-stream; name=a.vbs", "Execute Chr(104) & Chr(116)", "script"},
		{"Content-Type: text/plain; name=a.ps1", "iex ([char]104+[char]116)", "script"},
		{"Content-Type: text/html", "<script language=\"JScript.Encode\">#@~^JAAAAA==-mD~6x{xnh^#~@</script>", "script"},
		{"Content-Type: application/octet-stream; name=a.bat", "@echo off\r\necho hello\r\n", ""},
		{"Content-Type: application/octet-stream; name=a.lnk", "L\x00\x00\x00\x01\x14\x02\x00" + strings.Repeat("\x00", 40), "binary"},
		{"Content-Type: text/plain; name=a.pdf", "%PDF-1.7", "pdf"},
		{"Content-Type: text/plain; name=a.gif", "GIF89a", "image"},
		{"Content-Type: text/plain; name=a", "%PDF-1.7", "pdf"},
		{"Content-Type: text/plain; name=a.txt", "\x80\x01\x02\x03\xff\x04\x05\x06", "binary"},
		{"Content-Type: application/json; name=a.json", "\x80\x01\x02\x03\xff\x04\x05\x06", "binary"},
		{"Content-Type: application/x-plist; name=a.plist", "bplist00\x01\x02\x03\x04", "binary"},
		{"Content-Type: application/vnd.sun.xml.writer; name=a", "PK\x03\x04", "archive"},
		{"Content-Type: application/octet-stream; name=a.sxw", "PK\x03\x04", "office"},
		{"Content-Type: application/octet-stream; name=a", "\xfd7zXZ\x00\x00\x01", "archive"},
		{"Content-Type: application/octet-stream; name=message.rpmsg", "\x76\xe8\x04\x60\xc4", "encrypted"},
		{"Content-Type: text/plain", "-----BEGIN AGE ENCRYPTED FILE-----\r\nYQ\r\n-----END AGE ENCRYPTED FILE-----\r\n", "encrypted"},
		{"Content-Type: application/octet-stream; name=a.ttf", "\x00\x01\x00\x00\x00", "font"},
		{"Content-Type: text/html\r\nContent-Disposition: attachment", "Rar!", "archive"},
		{"Content-Type: text/plain; name=winmail.dat", "\x78\x9f\x3e\x22\x01\x00\x00\x00", "binary"},
		{"Content-Type: text/plain; name=a.key", "not an archive", ""},
		{"Content-Type: text/plain", "hi\r\n(This file must be converted with BinHex 4.0)\r\n\r\n:x:\r\n", "archive"},
		{"Content-Type: text/plain", "-----BEGIN PGP MESSAGE-----\r\n\r\nhQ\r\n-----END PGP MESSAGE-----\r\n", "encrypted"},
		{"Content-Type: text/plain", "begin 644 a.zip\r\n$4$L#!\r\n`\r\nend\r\n", "archive"},
		{"Content-Type: text/plain", "begin 644 winmail.dat\r\n$>)\\^(@\r\n`\r\nend\r\n", "binary"},
		{"Content-Type: text/plain", "-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\nhi\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\nx\r\n", ""},
		{"Content-Type: application/pgp-signature; name=signature.asc", "-----BEGIN PGP SIGNATURE-----", ""},
		{"Content-Type: text/csv", "a,b", ""},
		{"Content-Type: application/rtf", `{\rtf1{\object{\*\objdata 01050000}}}`, "office"},
		{"Content-Type: application/rtf", `{\rtf1{\object\objautlink\objupdate{\*\objdata 0105` + hex.EncodeToString([]byte(widened(planted, 2, 0))) + `}}}`, "office"},
		{"Content-Type: application/rtf", `{\rtf1{\field{\*\fldinst HYPERLINK}{\*\datafield{\b0 ` + hex.EncodeToString([]byte(planted)) + `}}{\fldrslt x}}}`, "office"},
		{"Content-Type: application/rtf", `{\rtf1 objdata}`, ""},
	} {
		fields, body := inBase64(test.fields, test.content)
		result := f.Scan(beside(fields, body))
		got := ""
		for _, finding := range result.Findings {
			if finding.Code == report.CodeOpaque && finding.Severity == policy.SeverityInfo {
				got = finding.Detail
			}
		}
		if got != test.want || result.Outcome != report.OutcomeComplete {
			t.Errorf("%s: opaque %q, want %q; outcome %s", test.fields, got, test.want, result.Outcome)
		}
	}
}

// TestTransferEncodings: the link is found whatever encoding the field declares and the body has. A
// body that breaks its encoding is medium.
func TestTransferEncodings(t *testing.T) {
	f := newFilter(t, filter.Options{})
	encoded := base64.StdEncoding.EncodeToString([]byte("see " + planted + " now"))
	first, second := base64.StdEncoding.EncodeToString([]byte("Hello you, see http://pa")), base64.StdEncoding.EncodeToString([]byte("ypa1.com/login"))
	uuencoded := "begin 644 a.html\r\n=/&$@:')E9CUH='1P.B\\O<&%Y<&$Q+F-O;2]L;V<\r\n:\r\nend\r\n"
	for _, test := range []struct{ field, body string }{
		{"base64", encoded},
		{"BASE64", encoded},
		{"base64;", encoded},
		{"base64; x=y", encoded},
		{"base64 (really)", encoded},
		{"(a) base64", encoded},
		{"\"base64\"", encoded},
		{"'base64'", encoded},
		{"base-64", encoded},
		{"x-base64", encoded},
		{"base64,", encoded},
		{"8bit\r\nContent-Transfer-Encoding: base64", encoded},
		{"base64\r\nContent-Transfer-Encoding: 8bit", encoded},
		{"base64", first + "==\r\n" + second},
		{"base64", base64.StdEncoding.EncodeToString([]byte("see http://p")) + "\r\n" + base64.StdEncoding.EncodeToString([]byte("aypa1.com/")) + "\r\n" + base64.StdEncoding.EncodeToString([]byte("login now"))},
		{"base64", strings.Join(strings.Split(encoded, ""), "\r\n!#\x80")},
		{"base64", strings.ReplaceAll(encoded, "=", "")},
		{"base64", strings.ReplaceAll(encoded, "=", "") + "A"},
		{"base64", planted},
		{"x-unknown", planted},
		{"x-unknown", encoded},
		{"x-unknown", "http=3A//paypa1=2Ecom/login"},
		{"quoted-printable", "http=3A//pay=\r\npa1.com/login"},
		{"quoted-printable;", "http=3A//pay=\r\npa1.com/login"},
		{"quoted_printable", "http=3A//paypa1.com/login"},
		{"quoted-printable", "=3 = =\t\r\nhttp=3a//pay= \t\r\npa1.com/login="},
		{"quoted-printable", "=ZZ http://pay=pa1.com/login"},
		{"7bit", "\xfc " + planted},
		{"x-uuencode", uuencoded},
		{"uuencode", uuencoded},
		{"7bit", "Hello\r\n" + uuencoded},
	} {
		for _, mediaType := range []string{"text/plain; charset=utf-8", "text/html"} {
			fields := "Content-Type: " + mediaType + "\r\nContent-Transfer-Encoding: " + test.field
			if strings.Contains(mediaType, "html") && strings.HasPrefix(test.body, "Hello") {
				continue // files within a text are found in plain texts only
			}
			if result := f.Scan(beside(fields, test.body)); !finds(result) {
				t.Errorf("%s: %q: %s\n%s", fields, test.body, result, strings.Join(placed(result), "\n"))
			}
		}
	}
}

// TestEncodedMultipart: the parts of a multipart with a transfer encoding are found, both decoded
// and as they are.
func TestEncodedMultipart(t *testing.T) {
	f := newFilter(t, filter.Options{})
	inner := "--c\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString([]byte("<a href="+planted+">x</a>")) + "\r\n--c--\r\n"
	for name, body := range map[string]string{"obeyed": base64.StdEncoding.EncodeToString([]byte(inner)), "ignored": inner} {
		if result := f.Scan(beside("Content-Type: multipart/mixed; boundary=c\r\nContent-Transfer-Encoding: base64", body)); !finds(result) {
			t.Errorf("%s: %s", name, result)
		}
	}
}

// TestDelimiterInInnerHeader: a delimiter within the header of an attached message ends the part,
// but some programs read on. The header says how to read a body, so what follows is not honest.
func TestDelimiterInInnerHeader(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, mediaType := range []string{"message/rfc822", "message/global", "application/octet-stream; name=a.eml", "text/rfc822-headers"} {
		for behind, want := range map[string]report.Outcome{
			"--b\r\n\r\nPGEg": report.OutcomePartial, "--b--\r\n\r\nPGEg": report.OutcomePartial, "--b\r\nX: y\r\n\r\nPGEg": report.OutcomePartial,
			"": report.OutcomeComplete, "\r\n--b\r\n\r\nPGEg": report.OutcomeComplete,
		} {
			header := "From: anna@example.com\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64"
			if behind != "" {
				header += "\r\n" + behind
			}
			if result := f.Scan(beside("Content-Type: "+mediaType, header)); result.Outcome != want {
				t.Errorf("%s: %q: %s", mediaType, behind, result)
			}
		}
	}
}

// TestReturnedHeader: reports return the header of a multipart without its body, which is read
// completely. With a body, it is malformed.
func TestReturnedHeader(t *testing.T) {
	f := newFilter(t, filter.Options{})
	header := "From: anna@example.com\r\nContent-Type: multipart/alternative; boundary=c"
	for body, want := range map[string]int{"": 0, "\r\n": 0, "\r\n\r\n": 0, "\r\n\r\nx": 1} {
		if result := f.Scan(beside("Content-Type: message/rfc822", header+body)); result.Outcome != report.OutcomeComplete || len(result.Findings) != want {
			t.Errorf("%q: %s", body, result)
		}
	}
}

// TestBoundaryOfOtherTypes: parts are found between boundaries, although the type is not multipart.
func TestBoundaryOfOtherTypes(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, mediaType := range []string{"mulitpart/mixed", "text/plain", "application/x-foo"} {
		for _, boundary := range []string{"c", `"c\"d"`} {
			value, _ := strconv.Unquote(`"` + strings.Trim(boundary, `"`) + `"`)
			inner := "--" + value + "\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
				base64.StdEncoding.EncodeToString([]byte("<a href="+planted+">x</a>")) + "\r\n--" + value + "--\r\n"
			if result := f.Scan(beside("Content-Type: "+mediaType+"; boundary="+boundary, inner)); !finds(result) {
				t.Errorf("%s, %s: %s", mediaType, boundary, result)
			}
		}
	}
}

// TestListFields: the commands of a mailing list are judged.
func TestListFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, field := range []string{
		"List-Unsubscribe: <https://example.com/u>, <http://paypa1.com/u>",
		"List-Unsubscribe: <mailto:x@paypa1.com?subject=unsubscribe>",
		"List-Unsubscribe: <http://pay\r\n pa1.com/u>",
		"List-Help: see http://paypa1.com/help",
		"list-archive: <http://paypa1.com/>",
		"List-Id: x <paypa1.com>",
		"List-Unsubscribe: =?utf-8?b?PGh0dHA6Ly9wYXlwYTEuY29tLz4?=",
		"List-Unsubscribe: =?utf-8?q?<http=3A//pay pa1.com/u>?=",
	} {
		if result := f.Scan([]byte("From: a@example.com\r\n" + field + "\r\n\r\nHello\r\n")); !finds(result) {
			t.Errorf("%s: %s", field, strings.Join(placed(result), "\n"))
		}
	}
	honest := "From: a@example.com\r\nList-Unsubscribe: <https://example.com/u?x=%40>, <mailto:u@example.com>\r\n\r\nHello\r\n"
	if result := f.Scan([]byte(honest)); len(result.Links) > 0 {
		t.Error(fmt.Sprint(placed(result)))
	}
}
