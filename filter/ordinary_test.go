package filter_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	stdmime "mime"
	"mime/quotedprintable"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// A language is a charset, and texts that people write in it.
type language struct{ charset, name, text string }

// languages are charsets that mail is written in.
var languages = []language{
	{"us-ascii", "John Smith", "Hello, please see https://www.example.com/a?b=c&d=e or www.example.org. It's 5 < 6.\n"},
	{"utf-8", "Jürgen Müller", "Grüße aus Köln – siehe https://example.com/straße und „Menü“. 🎉\n"},
	{"iso-8859-1", "François Lefèvre", "Voilà l'été à Genève: http://www.example.com/été?x=1\n"},
	{"iso-8859-2", "Łukasz Żak", "Zażółć gęślą jaźń, patrz http://www.example.pl/\n"},
	{"iso-8859-15", "José Núñez", "El señor pagó 5 € en www.example.es mañana.\n"},
	{"windows-1250", "Jiří Dvořák", "Příliš žluťoučký kůň – https://www.example.cz/\n"},
	{"windows-1251", "Анна Петрова", "Обычное письмо, смотрите http://example.ru/ сегодня.\n"},
	{"windows-1252", "Zoë O’Brien", "“Smart quotes” – and a dash… see https://example.com/\n"},
	{"koi8-r", "Иван Иванов", "Здравствуйте, это обычный текст: http://пример.рф/\n"},
	{"iso-8859-7", "Γιώργος", "Καλημέρα, δείτε το http://www.example.gr/\n"},
	{"iso-2022-jp", "田中太郎", "日本語のメールです。http://www.example.jp/ をご覧ください。\n"},
	{"iso-2022-jp", "佐藤次郎", "ご注文は http://例え.jp/ です。info＠example.co.jp までどうぞ。\n"},
	{"shift_jis", "鈴木花子", "ソフトウェアの表示。 http://www.example.co.jp/能力 よろしく。\n"},
	{"gb2312", "王小明", "中文邮件，请看 http://www.example.cn/ 谢谢。\n"},
	{"big5", "陳大文", "許功蓋的郵件，請看 http://www.example.tw/ 謝謝。\n"},
	{"euc-kr", "김철수", "안녕하세요. http://www.example.kr/ 를 보세요.\n"},
	{"windows-1256", "محمد", "مرحبا، انظر http://www.example.com/ شكرا\n"},
}

// ordinary generates messages as mail programs write them.
type ordinary struct {
	*rand.Rand
	language
	parts int
}

func (o *ordinary) pick(all ...string) string { return all[o.IntN(len(all))] }

// encode returns a text in the charset of the language.
func (o *ordinary) encode(text string) string {
	name := o.charset
	if name == "us-ascii" || name == "utf-8" {
		return text
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		panic(err)
	}
	encoded, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

// body returns the fields and the body of a text in a transfer encoding that fits it.
func (o *ordinary) body(mediaType, text string) string {
	text = strings.ReplaceAll(o.encode(text), "\n", "\r\n")
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
	encodings := []string{"quoted-printable", "base64"}
	if ascii {
		encodings = append(encodings, "7bit", "7bit")
	} else {
		encodings = append(encodings, "8bit")
	}
	how := o.pick(encodings...)
	fields := "Content-Type: " + mediaType + "; charset=" + o.pick(o.charset, `"`+o.charset+`"`, strings.ToUpper(o.charset)) + "\r\n"
	if how == "7bit" && o.IntN(2) == 0 {
		return fields + "\r\n" + text
	}
	fields += "Content-Transfer-Encoding: " + o.pick(how, strings.ToUpper(how[:1])+how[1:]) + "\r\n"
	switch how {
	case "base64":
		text = wrapped([]byte(text))
	case "quoted-printable":
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		text = b.String()
	}
	return fields + "\r\n" + text
}

// wrapped returns a content in lines of base64.
func wrapped(content []byte) string {
	encoded := base64.StdEncoding.EncodeToString(content)
	var b strings.Builder
	for len(encoded) > 76 {
		b.WriteString(encoded[:76] + "\r\n")
		encoded = encoded[76:]
	}
	return b.String() + encoded + "\r\n"
}

// multipart joins parts.
func (o *ordinary) multipart(kind string, parts ...string) string {
	o.parts++
	boundary := fmt.Sprintf("%s%d_%x", o.pick("----=_NextPart_000_", "Apple-Mail=_", "0000000000", "------------", "b1_"), o.parts, o.Uint64())
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=%q\r\n\r\n", kind, boundary)
	if o.IntN(3) == 0 {
		b.WriteString("This is a multi-part message in MIME format.\r\n\r\n")
	}
	for _, part := range parts {
		b.WriteString("--" + boundary + "\r\n" + part + "\r\n")
	}
	b.WriteString("--" + boundary + "--\r\n")
	return b.String()
}

// file returns an attached file.
func (o *ordinary) file() string {
	files := []struct{ mediaType, name, content string }{
		{"application/pdf", "invoice 2026.pdf", "%PDF-1.7\n\x00\x01\x02"},
		{"image/png", "logo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"},
		{"image/jpeg", "IMG_0001.jpg", "\xff\xd8\xff\xe0\x00\x10JFIF"},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "Brief.docx", "PK\x03\x04\x14\x00"},
		{"application/zip", "files.zip", "PK\x03\x04\x14\x00"},
		{"application/octet-stream", "data.bin", "\x00\x01\x02\x03\x04\x05\x06\x07"},
		{"text/csv", "list.csv", "name,address\r\nAnna,anna@example.com\r\n"},
		{"text/plain", "notes.txt", "See README.md and setup.py\r\n"},
		{"text/vcard", "anna.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna\r\nEMAIL:anna@example.com\r\nURL:https://www.example.com/\r\nEND:VCARD\r\n"},
		{"text/calendar; method=REQUEST", "invite.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Meeting\r\nLOCATION:https://meet.example.com/abc\r\nORGANIZER;CN=Anna:mailto:anna@example.com\r\nDESCRIPTION:Join at https://meet.example.com/abc\\nThanks\\, Anna\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"},
		{"application/pgp-signature", "signature.asc", "-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n"},
		{"application/rtf", "letter.rtf", "{\\rtf1\\ansi Hello {\\b World}\\par}"},
		{"application/xml", "invoice.xml", "<?xml version=\"1.0\" encoding=\"utf-8\"?><invoice xmlns=\"https://www.example.com/ns\"><total>5</total></invoice>"},
		{"message/rfc822", "forwarded.eml", ""},
	}
	f := files[o.IntN(len(files))]
	if f.mediaType == "message/rfc822" {
		return "Content-Type: message/rfc822; name=\"forwarded.eml\"\r\n\r\n" + o.header() + "MIME-Version: 1.0\r\n" + o.body("text/plain", o.text)
	}
	name := f.name
	if o.IntN(3) == 0 {
		name = stdmime.QEncoding.Encode("utf-8", o.name+" "+name)
	}
	return fmt.Sprintf("Content-Type: %s; name=\"%s\"\r\nContent-Disposition: %s; filename=\"%s\"\r\nContent-Transfer-Encoding: base64\r\n\r\n%s",
		f.mediaType, name, o.pick("attachment", "inline"), name, wrapped([]byte(f.content)))
}

// header returns the fields that every message has.
func (o *ordinary) header() string {
	word := stdmime.WordEncoder(o.pick("b", "q")[0])
	name := o.name
	if strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 }) >= 0 {
		name = word.Encode("utf-8", name)
	} else {
		name = o.pick(name, `"`+name+`"`)
	}
	return "From: " + name + " <" + o.pick("info", "anna.smith", "no-reply+tag") + "@" + o.pick("example.com", "mail.example.org") + ">\r\n" +
		"To: bert@example.net\r\nSubject: " + word.Encode("utf-8", o.pick("Re: ", "Fwd: ", "")+strings.TrimSpace(o.name)) + "\r\n" +
		"Date: Tue, 03 Mar 2026 10:30:00 +0000\r\nMessage-ID: <" + fmt.Sprint(o.Uint64()) + "@mail.example.com>\r\n"
}

// html returns the text as HTML.
func (o *ordinary) html() string {
	meta := o.pick("", `<meta http-equiv="Content-Type" content="text/html; charset=`+o.charset+`">`, `<meta charset="`+o.charset+`">`)
	return "<html><head>" + meta + "</head><body><p>" + strings.NewReplacer("<", "&lt;", "&", "&amp;", "\n", "<br>\n").Replace(o.text) +
		"</p><a href=\"https://www.example.com/\">" + o.pick("Click here", "www.example.com", "https://www.example.com/") + "</a><img src=\"cid:logo\"></body></html>\n"
}

// message returns a message in the format of a mail program.
func (o *ordinary) message() string {
	text := strings.Repeat(o.text, 1+o.IntN(5))
	plain, html := func() string { return o.body("text/plain", text) }, func() string { return o.body("text/html", o.html()) }
	head := o.header() + o.pick("MIME-Version: 1.0\r\n", "Mime-Version: 1.0 (Mac OS X Mail 16.0)\r\n", "MIME-Version: 1.0\r\n")
	switch o.IntN(10) {
	case 0: // mutt
		return head + plain()
	case 1: // Outlook
		return head + "X-Mailer: Microsoft Outlook 16.0\r\n" + o.multipart("mixed", o.multipart("related", o.multipart("alternative", plain(), html()), o.file()), o.file())
	case 2: // Thunderbird
		return head + "User-Agent: Mozilla Thunderbird\r\n" + strings.Replace(plain(), "; charset", "; format=flowed; charset", 1)
	case 3: // Apple Mail
		return head + "X-Mailer: Apple Mail (2.3774)\r\n" + o.multipart("alternative", plain(), o.multipart("mixed", html(), o.file(), html()))
	case 4: // Gmail
		return head + o.multipart("alternative", plain(), html())
	case 5: // a newsletter
		return head + "List-Unsubscribe: <https://example.com/u?x=1>, <mailto:u@example.com>\r\nPrecedence: bulk\r\n" + o.multipart("alternative", plain(), html())
	case 6: // an invitation
		return head + o.multipart("mixed", o.multipart("alternative", plain(), html(), "Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"), o.file())
	case 7: // a bounce
		return head + o.multipart("report; report-type=delivery-status", plain(), "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; bert@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown, see https://example.com/help\r\n", "Content-Type: message/rfc822\r\n\r\n"+o.header()+"MIME-Version: 1.0\r\n"+plain())
	case 8: // signed with PGP
		return head + o.multipart("signed; micalg=pgp-sha256; protocol=\"application/pgp-signature\"", plain(), "Content-Type: application/pgp-signature; name=\"signature.asc\"\r\nContent-Description: OpenPGP digital signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n")
	}
	// a web mailer
	return head + o.multipart("mixed", html(), o.file(), o.file())
}

// TestOrdinaryMail: of messages as mail programs write them, nearly all are read completely, and
// none has a finding of medium or above.
func TestOrdinaryMail(t *testing.T) {
	f := newFilter(t, filter.Options{})
	n := long.Rows(5000, 1000)
	unread := 0
	kinds := make(map[string]int)
	for seed := range uint64(n) {
		o := ordinary{Rand: rand.New(rand.NewPCG(seed, 2026))}
		o.language = languages[o.IntN(len(languages))]
		raw := o.message()
		result := f.Scan([]byte(raw))
		if result.Outcome != report.OutcomeComplete {
			if unread++; unread <= 5 {
				t.Logf("%d: %s\n%s", seed, result, raw)
			}
		}
		if result.Worst() >= policy.SeverityMedium {
			t.Errorf("%d: %s\n%s\n%s", seed, result, strings.Join(placed(result), "\n"), raw)
		}
		kinds[o.charset] += len(result.Links)
	}
	if t.Logf("%d of %d not read to the end; links by charset: %v", unread, n, kinds); unread*200 > n {
		t.Errorf("%d of %d are not read to the end", unread, n)
	}
	for _, l := range languages {
		if kinds[l.charset] == 0 {
			t.Errorf("no link in %s", l.charset)
		}
	}
}
