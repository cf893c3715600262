package filter_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// deceptive reports whether a finding of medium or above is about the sender.
func deceptive(result report.Report) bool {
	for _, l := range result.Links {
		if l.Place == report.PlaceHeader && l.Verdict.Worst() >= policy.SeverityMedium {
			return true
		}
	}
	return false
}

// TestDeceptiveSenders: a display name that names another domain than the address is found in each
// form that lenient programs decode.
func TestDeceptiveSenders(t *testing.T) {
	f := newFilter(t, filter.Options{})
	encoded := base64.StdEncoding.EncodeToString([]byte("service@paypal.com"))
	for _, test := range []struct{ name, fields string }{
		{"base64 in quotes", `From: "=?utf-8?B?` + encoded + `?=" <x@evil.example.net>`},
		{"base64 without padding", `From: =?utf-8?B?` + strings.TrimRight(encoded, "=") + `?= <x@evil.example.net>`},
		{"UTF-7", `From: =?utf-7?Q?service+AEA-paypal.com?= <x@evil.example.net>`},
		{"raw space", `From: =?utf-8?Q?service@paypal.com for you?= <x@evil.example.net>`},
		{"space in the name", `From: =?utf-8?Q?service@pay pal.com?= <x@evil.example.net>`},
		{"adjacent words", `From: =?utf-8?Q?service@pay?= =?utf-8?Q?pal.com?= <x@evil.example.net>`},
		{"split base64", `From: =?utf-8?B?c2Vydml?= =?utf-8?B?jZUBwYXlwYWwuY29t?= <x@evil.example.net>`},
		{"split escape", `From: =?utf-8?Q?service=4?= =?utf-8?Q?0paypal.com?= <x@evil.example.net>`},
		{"name in capitals of another shape", `From: "Ⓜicrosoft 365" <x@evil.example.net>`},
		{"name that reads as a host", `From: Microsoft.Security <x@evil.example.net>`},
		{"split character", `From: =?utf-8?B?c2VydmljZUBwYXlwYWwuY29tIMM=?= =?utf-8?B?vA==?= <x@evil.example.net>`},
		{"glued to text", `From: x=?utf-8?Q?_service@paypal.com?= <x@evil.example.net>`},
		{"word without an end", `From: "=?utf-8?Q?service@paypal.com" <x@evil.example.net>`},
		{"word in a comment", `From: x@evil.example.net (=?utf-8?Q?service@paypal.com?=)`},
		{"zero width", "From: " + strings.Repeat("\u200b", 1000) + "service@paypal.com <x@evil.example.net>"},
		{"encoded zero width", "From: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\u2060\u00ad", 700)+"service@paypal.com")) + "?= <x@evil.example.net>"},
		{"spaces before", "From: \"" + strings.Repeat("\u3164 ", 2000) + "service@paypal.com\" <x@evil.example.net>"},
		{"group", "From: service@paypal.com: x@evil.example.net;"},
		{"group with a quoted name", "From: \"service@paypal.com\": <x@evil.example.net>;"},
		{"comment", "From: (service@paypal.com) x@evil.example.net"},
		{"nested comment", "From: x@evil.example.net (a (service@paypal.com) b)"},
		{"comment in brackets", "From: service@paypal.com <x@evil.example.net(y)>"},
		{"route", "From: service@paypal.com <@a.example,@b.example:x@evil.example.net>"},
		{"two in brackets", "From: Pay <service@paypal.com> <x@evil.example.net>"},
		{"text behind", "From: <x@evil.example.net> service@paypal.com"},
		{"URL behind", "From: <x@evil.example.net> https://www.paypal.com/"},
		{"encoded URL behind", "From: <x@evil.example.net> =?utf-7?Q?https://www.paypal+A08DTwNPA08.com/?="},
		{"open quote", "From: \"service@paypal.com <x@evil.example.net>"},
		{"open bracket", "From: service@paypal.com <x@evil.example.net"},
		{"escaped", `From: "service\@paypal.com" <x@evil.example.net>`},
		{"URL", "From: \"https://www.paypal.com/\" <x@evil.example.net>"},
		{"domain", "From: \"PayPal (paypal.com)\" <x@evil.example.net>"},
		{"second in the list", "From: a@example.com, \"service@paypal.com\" <x@evil.example.net>"},
		{"white space in an address", "From: x @ paypa1 . com"},
		{"line end in an address", "From: x@paypa1\r\n .com"},
		{"space before the colon", "From : service@paypal.com <x@evil.example.net>"},
		{"answers to the list", "From: a@example.com\r\nMail-Followup-To: x@paypa1.com"},
		{"notifications", "From: a@example.com\r\nDisposition-Notification-To: x@paypa1.com"},
		{"two fields", "From: service@paypal.com\r\nFrom: x@evil.example.net"},
		{"a mailbox that says a service", "From: \"Mail: account.support@gmail.com\" <x@evil.example.net>"},
		{"a mailbox before a brand", "From: \"anna@gmail.com, PayPal support\" <x@evil.example.net>"},
		{"a mailbox before an address", "From: \"anna@gmail.com or service@paypal.com\" <x@evil.example.net>"},
		{"a mailbox alone", "From: \"anna@gmail.com\" <x@evil.example.net>"},
		{"two authors", "From: service@paypal.com, x@evil.example.net"},
		{"two authors, the other first", "From: News <x@evil.example.net>, PayPal <service@paypal.com>"},
		{"many authors before another field", "From: a@evil.example.net" + strings.Repeat(", a@evil.example.net", 30) + manyAuthors(30) + "\r\nFrom: service@paypal.com"},
		{"many authors before one", "From: x@evil.example.net" + manyAuthors(300) + ", service@paypal.com"},
		{"name before a comma", "From: PayPal Support, \"Anna\" <anna@evil.example.net>"},
		{"name before a comma, without quotes", "From: PayPal Support, Anna Smith <anna@evil.example.net>"},
		{"brand before a comma", "From: PayPal, <anna@evil.example.net>"},
		{"encoded name before a comma", "From: =?utf-8?Q?PayPal_Support?=, Anna <anna@evil.example.net>"},
		{"name behind a comma", "From: x@evil.example.net, PayPal Support"},
		{"open quote before a name and a comma", "From: \"PayPal Support, x@evil.example.net"},
		{"name behind a semicolon", "From: x@evil.example.net; \"PayPal Support\""},
		{"quoted address behind a comma", "From: x <x@evil.example.net>, \"service@paypal.com\""},
		{"name between authors", "From: Bert <b@evil.example.net>, PayPal Support, Anna <anna@evil.example.net>"},
		{"name in angle brackets before a comma", "From: PayPal Support <x>, Anna <anna@evil.example.net>"},
		{"Reply-To with a name before a comma", "From: a@example.com\r\nReply-To: PayPal Support, x@evil.example.net"},
		{"Sender with a name behind a comma", "From: a@example.com\r\nSender: x@evil.example.net, PayPal Support"},
		{"URL as the quoted local-part", "From: \"https://www.paypal.com/\"@evil.example.net"},
		{"host as the local-part", "From: www.paypal.com@evil.example.net"},
		{"wide signs in the local-part", "From: \"service\uff20paypal\uff0ecom\"@evil.example.net"},
		{"URL as the local-part", "From: \"=?utf-8?Q?https=3A//www.paypal.com/?=\"@evil.example.net"},
		{"group with an address", "From: PayPal <service@paypal.com>: x@evil.example.net;"},
		{"group with an encoded address", "From: =?utf-7?Q?PayPal_<service@paypal.com>?=: x@evil.example.net;"},
		{"glued to the address", "From: =?utf-8?Q?service@paypal.com?=<x@evil.example.net>"},
		{"glued in quotes", `From: "=?utf-8?B?` + encoded + `?="<x@evil.example.net>`},
		{"word as the local-part", "From: =?utf-8?B?" + encoded + "?=@evil.example.net"},
		{"word as the quoted local-part", `From: "=?utf-8?Q?service=40paypal.com?="@evil.example.net`},
		{"Reply-To", "From: a@example.com\r\nReply-To: \"=?utf-8?B?" + encoded + "?=\" <x@evil.example.net>"},
		{"Sender", "From: a@example.com\r\nSender: =?utf-7?Q?service+AEA-paypal.com?= <x@evil.example.net>"},
		{"Return-Path", "Return-Path: <x@paypa1.com>\r\nFrom: a@example.com"},
		{"Resent-From", "From: a@example.com\r\nResent-From: x@paypa1.com"},
		{"raw windows-1252", "From: J\xfcrgen service@paypal.com <x@evil.example.net>"},
		{"comments in the address", "From: <service(x)@(y)paypa1(z (w)).com>"},
		{"spread address", "From: s e r v i c e @ p a y p a l . c o m <x@evil.example.net>"},
		{"spread name of two words", "From: W e l l s   F a r g o <x@evil.example.net>"},
		{"sign behind the name", "From: PayPal\u2122 Support <x@evil.example.net>"},
		{"name twice", "From: Wells Fargo <Wells Fargo> <x@evil.example.net>"},
		{"look-alike words", "From: P\u0251yP\u0251l Su\u0440\u0440ort <x@evil.example.net>"},
		{"two angle brackets", "From: PayPal <x@evil.example.net> <x@evil.example.net>"},
		{"name in angle brackets behind", "From: <x@evil.example.net> <PayPal Support>"},
		{"base64 for URLs", "From: =?utf-8?B?" + base64.URLEncoding.EncodeToString([]byte("??>~~~ service@paypal.com")) + "?= <x@evil.example.net>"},
		{"at sign of Turkish EBCDIC", "From: =?cp1026?Q?=A2=85=99=A5=89=83=85=AE=97=81=A8=97=81=93K=83=96=94?= <x@evil.example.net>"},
		{"name alone in angle brackets", "From: x@evil.example.net <PayPal>"},
		{"comment within angle brackets", "From: <x@evil.example.net (PayPal Support)>"},
		{"name behind an address", "From: x@evil.example.net PayPal Support"},
		{"quoted name behind an address", "From: x@evil.example.net \"PayPal Support\""},
		{"group without an address before", "From: PayPal Support:;, x@evil.example.net"},
		{"second group without an address", "From: x <x@evil.example.net>, \"PayPal Support\":;"},
		{"marks of direction before", "From: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\u200e", 1500)+"service@paypal.com")) + "?= <x@evil.example.net>"},
		{"marks of direction before a name", "From: " + strings.Repeat("\u200f\u061c\u202a\u202c", 500) + "PayPal <x@evil.example.net>"},
		{"long name of a charset", "From: =?" + strings.Repeat("x", 300) + "?Q?service@paypal.com?= <x@evil.example.net>"},
		{"empty angle brackets behind", "From: www.paypal.com <x@evil.example.net> <>"},
		{"comment before angle brackets", "From: (service@paypal.com) <x@evil.example.net> <y>"},
		{"beside Chinese", "From: PayPal客服 <x@evil.example.net>"},
		{"beside Japanese", "From: PayPalカスタマーサービス <x@evil.example.net>"},
		{"beside Russian", "From: Служба поддержки PayPal <x@evil.example.net>"},
		{"beside Spanish", "From: Servicio al cliente de PayPal <x@evil.example.net>"},
		{"folded in the word", "From: =?utf-8?Q?service@pay\r\n pal.com?= <x@evil.example.net>"},
		{"another name out of sight", "From: \"PayPal" + strings.Repeat(" ", 200) + "Anna Smith\" <x@evil.example.net>"},
		{"another name behind wide blanks", "From: \"PayPal" + strings.Repeat("\u3000", 60) + "Anna Smith\" <x@evil.example.net>"},
		{"another name behind zero width and blanks", "From: \"PayPal" + strings.Repeat("\u200b ", 60) + "Anna Smith\" <x@evil.example.net>"},
		{"another name behind blank letters", "From: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte("\u200ePayPal"+strings.Repeat("\u2800", 60)+"Anna Smith")) + "?= <x@evil.example.net>"},
		{"another name behind a line end", "From: =?utf-8?Q?PayPal=0D=0A=0D=0AAnna_Smith?= <x@evil.example.net>"},
		{"another name behind NUL", "From: =?utf-8?Q?PayPal=00Anna_Smith?= <x@evil.example.net>"},
		{"another name behind a separator of lines", "From: \"PayPal\u2028Anna Smith\" <x@evil.example.net>"},
		{"name in isolates", "From: \u2067\u2066Pal Support\u2069\u2066Pay\u2069\u2069 <x@evil.example.net>"},
		{"name in embeddings in an isolate", "From: \u2067\u202aPal Support\u202c\u200f\u202aPay\u202c\u2069 <x@evil.example.net>"},
		{"address in isolates", "From: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte("\u2067\u2066pal.com\u2069\u2066service@pay\u2069\u2069")) + "?= <x@evil.example.net>"},
		{"Reply-To in isolates", "From: a@example.com\r\nReply-To: \u202b\u2066Pal Support\u2069\u2066Pay\u2069\u202c <x@evil.example.net>"},
		{"no address", "From: PayPal Support"},
		{"no domain", "From: \"PayPal\" <x>"},
		{"empty angle brackets", "From: PayPal <>"},
		{"group without an address", "From: PayPal Support:;"},
		{"encoded without an address", "From: =?utf-8?Q?PayPal_Support?="},
		{"address as the name, without an address", "From: \"service@paypal.com\" <x>"},
		{"name and address in two fields", "From: PayPal\r\nFrom: x@evil.example.net"},
		{"Reply-To without an address", "From: a@example.com\r\nReply-To: PayPal Support"},
		{"domain as the local-part", "From: paypal.com@evil.example.net"},
		{"host as the local-part, without www", "From: <service.paypal.com@evil.example.net>"},
		{"host as the quoted local-part", "From: a..b@example.com, <\"www.paypal.com\"@evil.example.net>"},
		{"host as the quoted local-part, without www", "From: a..b@example.com, <\"service.paypal.com\"@evil.example.net>"},
		{"host as the quoted local-part, with backslashes", `From: a..b@example.com, <"service.pay\pal.com"@evil.example.net>`},
		{"look-alike as the local-part", "From: accounts.paypa1.com@evil.example.net"},
		{"name as the quoted local-part", "From: \"PayPal Support\"@evil.example.net"},
	} {
		if result := f.Scan([]byte(test.fields + "\r\n\r\nHello\r\n")); !deceptive(result) {
			t.Errorf("%s: %s\n%s", test.name, result, strings.Join(placed(result), "\n"))
		}
	}
}

// manyAuthors returns addresses, each behind a comma.
func manyAuthors(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", a%d@evil.example.net", i)
	}
	return b.String()
}

// TestHonestSenders: names and addresses as people and programs write them have no finding of
// medium or above.
func TestHonestSenders(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, fields := range []string{
		"From: Anna Müller <anna@example.com>",
		"From: =?iso-8859-1?Q?Anna_M=FCller?= <anna@example.com>",
		"From: =?utf-8?B?0JDQvdC90LA=?= =?utf-8?B?INCf0LXRgtGA0L7QstCw?= <anna@example.com>",
		"From: \"Müller, Anna (Sales)\" <anna@example.com>",
		"From: anna@example.com (Anna)",
		"From: \"anna@example.com\" <anna@example.com>",
		"From: Example.com <news@mail.example.com>",
		"From: Proton Mail <no-reply@mail.proton.me>",
		"From: \"Anna via List\" <list@lists.example.com>\r\nReply-To: anna@example.org",
		"From: \"anna@gmail.com via List\" <list@lists.example.com>",
		"From: \"'anna@web.de' via Team\" <team@example.com>",
		"From: \"Anna Smith (anna.smith@outlook.com)\" <no-reply@calendly.com>",
		"From: \"karl@gmx.net via Dropbox\" <no-reply@dropbox.com>",
		"From: a@example.com, b@example.org\r\nSender: a@example.com",
		"From: Team: a@example.com, b@example.com;",
		"From: \"St. Mary's\" <office@example.com>\r\nReturn-Path: <bounce+a=example.org@mailer.example.com>",
		"From: x@example.com\r\nSubject: =?utf-8?q?Your_invoice_1=2E2?= =?utf-8?q?_of_today?=",
		"From: =?utf-8?Q?=F0=9F=8E=89_Shop?= <shop@example.com>",
		"From: J R R T <jrrt@example.com>",
		"From: A B C D Ltd <abcd@example.com>",
		"From: Anna (Sales) (Example\u2122) <anna@example.com>",
		"From: Anna Anna <anna@example.com>",
		"From: Anna <anna@example.com> <anna@example.com>",
		"From: PayPal王 <anna@example.com>",
		"From: Amigos de Facebook <anna@example.com>",
		"From: Отдел поддержки со <help@example.com>",
		"From: \"Anna Smith" + strings.Repeat(" ", 60) + "PayPal\" <anna@example.com>",
		"From: Anna" + strings.Repeat(" ", 60) + "Smith <anna@example.com>",
		"From: \u2067דוד כהן\u2069 <david@example.com>",
		"From: \u202bדוד כהן (\u202aDavid Cohen\u202c)\u202c <david@example.com>",
		"From: \u2068Anna Smith\u2069 (\u2068שלום\u2069) <anna@example.com>",
		"From: \u2067ש\u05b8\u05c1לו\u05b9ם\u2069 <david@example.com>",
		"From: \u2067\u2066Smith\u2069 \u2066Anna\u2069\u2069 <anna@example.com>",
		"From: \u2067david@example.com\u2069 <david@example.com>",
		"From: root (Cron Daemon)",
		"From: MAILER-DAEMON (Mail Delivery System)",
		"From: anna@example.com Anna Smith",
		"From: Anna <anna@example.com> <Anna>",
		"From: Friends:;, anna@example.com",
		"From: Apple, Anna <anna@example.com>",
		"From: Doe, John <john@example.com>",
		"From: Doe, John (Sales, Europe) <john@example.com>",
		"From: Müller, Anna, Dr. <anna@example.com>, Example Ltd., Sales <sales@example.com>",
		"From: PayPal, Inc. <service@paypal.com>",
		"From: service@paypal.com, PayPal",
		"From: Hilton, Paris <paris@example.com>\r\nReply-To: Ford, Anna <anna@example.com>",
		"From: Chase, Anna <anna@gmail.com>",
		"From: News from Berlin, Paris and London <news@example.com>",
		"From: Example.com, Sales <sales@example.com>",
		"From: Anna (PayPal, Berlin) Smith, Bert <anna@paypal.com>",
		"From: undisclosed-recipients:;",
		"From: Apple, Anna",
		"From: GitLab <gitlab>",
		"From: \"anna@example.org\" <anna>",
		"From: bounces+123-abc-anna=gmail.com@mail.example.com",
		"From: anna=40paypal.com@lists.example.org",
		"From: anna.shop@example.com",
		"From: info.de@example.com",
		"From: \"Anna Smith\"@example.com",
		"From: PayPal via DocuSign <dse@docusign.net>",
	} {
		if result := f.Scan([]byte(fields + "\r\n\r\nHello\r\n")); deceptive(result) {
			t.Errorf("%s:\n%s", fields, strings.Join(placed(result), "\n"))
		}
	}
}

// brandInShapes returns the name of a brand in letters of a random shape and case, often with a
// word beside it.
func brandInShapes(r *rand.Rand) string {
	brand := [...]string{"paypal", "microsoft", "mastercard", "facebook", "netflix", "linkedin"}[r.IntN(6)]
	first := [...]rune{'a', 'A', 'ａ', 'Ａ', 'ⓐ', 'Ⓐ', '𝐚', '𝐀', '𝗮', '𝙰', '🅐', '🅰', '🄰', '🇦'}[r.IntN(14)]
	shaped := strings.Map(func(c rune) rune { return first + c - 'a' }, brand)
	if mark := [...]string{"", "", "", "\u0332", "\u0335", "\u0301"}[r.IntN(6)]; mark != "" && first == 'a' {
		shaped = strings.Join(strings.Split(shaped, ""), mark) + mark
	}
	if first == 'a' && shaped == brand && r.IntN(2) == 0 {
		signs := [...][2]string{{"a", "@"}, {"s", "$"}, {"e", "\u20ac"}, {"i", "l"}, {"i", "1"}, {"l", "|"}, {"i", "!"}, {"p", "\u20b1"}, {"c", "\u00a2"}}
		sign := signs[r.IntN(len(signs))]
		shaped = strings.Replace(brand, sign[0], sign[1], 1+r.IntN(2))
	}
	beside := [...]string{"", " Support", " 365", ".de", "-Team", " ✅", "™", " Su\u0440\u0440ort", " t\u0435am", " S\u00fapport"}[r.IntN(10)]
	if sign := [...]string{".", "-", "_", "·"}[r.IntN(4)]; r.IntN(8) == 0 {
		return strings.Join(strings.Split(shaped, ""), sign) + beside
	}
	if beside == "" && r.IntN(2) == 0 {
		return strings.Join(strings.Split(shaped, ""), " ")
	}
	return shaped + beside
}

// deceptiveSender returns a From field, in one of many forms, whose name names another domain than
// its address has.
func deceptiveSender(r *rand.Rand) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	name := pick("service@paypal.com", "www.paypal.com", "https://www.paypal.com/x", "PayPal service@paypal.com", brandInShapes(r))
	hide := strings.Repeat(pick("\u200b", "\u2060", "\u00ad", "\ufe0f", " ", "\u3164"), r.IntN(900))
	isName := !strings.Contains(name, "paypal.com")
	name = hide + name
	switch r.IntN(6) {
	case 0:
		name = "=?" + pick("utf-8", "UTF-8*en", "x-none", "") + "?" + pick("b", "B") + "?" + strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(name)), pick("=", "")) + "?="
	case 1:
		var b strings.Builder
		for i := range len(name) {
			if c := name[i]; c > 0x7e || c <= ' ' || c == '?' || c == '_' || c == '=' || r.IntN(5) == 0 {
				fmt.Fprintf(&b, "=%02X", c)
			} else {
				b.WriteByte(c)
			}
			if r.IntN(20) == 0 && name[i] < 0x80 {
				b.WriteString("?= =?utf-8?q?")
			}
		}
		name = "=?utf-8?q?" + b.String() + "?="
	case 2:
		name = "=?utf-7?q?" + strings.ReplaceAll(strings.TrimLeft(name, hide), "@", "+AEA-") + "?="
	}
	address := pick("x", "a.b", "no-reply") + "@" + pick("evil.example.net", "mail.example.org")
	ways := 14
	if isName {
		ways = 11 // a local-part is no name
	}
	switch r.IntN(ways) {
	case 0:
		return name + " <" + address + ">"
	case 1:
		return `"` + name + `" <` + address + ">"
	case 2:
		return address + " (" + name + ")"
	case 3:
		return "(" + name + ") " + address
	case 4:
		return `"` + name + `": ` + address + ";"
	case 5:
		return "a@example.com, \"" + name + `" <` + address + ">"
	case 6:
		return `"` + name + `" <@a.example:` + address + ">"
	case 7:
		return name + "<" + address + ">"
	case 8:
		return "<" + address + "> " + name
	case 9:
		return `"` + name + `" <` + address + "> <" + address + ">"
	case 10:
		return `"` + name + `" <` + address + "> " + pick("<>", "< >", "<x>", "<")
	case 11:
		return `"` + name + `"@evil.example.net`
	case 12:
		return "PayPal <service@paypal.com>, " + address
	}
	return "\"" + name + `" (x) < ` + address + " >"
}

// TestGeneratedSenders varies the ways to hide a deceptive display name.
func TestGeneratedSenders(t *testing.T) {
	f := newFilter(t, filter.Options{})
	n := long.Rows(3000, 500)
	missed := 0
	for seed := range uint64(n) {
		field := deceptiveSender(rand.New(rand.NewPCG(seed, 58)))
		if result := f.Scan([]byte("From: " + field + "\r\n\r\nHello\r\n")); !deceptive(result) {
			if missed++; missed <= 5 {
				t.Errorf("%d: %.300q", seed, field)
			}
		}
	}
	t.Logf("%d of %d missed", missed, n)
}

// TestQuotedHostAsEnvelopeSender: a host in quotes as the local-part of an envelope sender is found.
func TestQuotedHostAsEnvelopeSender(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, sender := range []string{`"www.paypal.com"@evil.example.net`, `"service.paypal.com"@evil.example.net`} {
		links := f.Message(context.Background(), envelope.Envelope{Sender: sender}, []byte("From: a@example.com\r\n\r\nHello\r\n")).Report.Links
		if len(links) == 0 || links[0].Verdict.Worst() < policy.SeverityMedium {
			t.Errorf("%s: %+v", sender, links)
		}
	}
}

// namesWithInvalidBytes are display names that end within a character, or have bytes that are no
// UTF-8.
var namesWithInvalidBytes = []string{"x\xff\f", "\xff\v", "x\xe2\x80\f", "PayPal\xff" + strings.Repeat(" ", 10) + "x", "x\xff\x00"}

// TestInvalidByteBeforeGap: a byte that is not UTF-8 before the end of a line does not stop the
// reading of a display name.
func TestInvalidByteBeforeGap(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, name := range namesWithInvalidBytes {
		if result := f.Scan([]byte("From: " + name + " <a@b.com>\r\n\r\nHello\r\n")); result.Failure != "" {
			t.Errorf("%q: %s", name, result.Failure)
		}
	}
}

// FuzzSender reads any header of sender fields.
func FuzzSender(f *testing.F) {
	judge := newFilter(f, filter.Options{})
	for seed := range uint64(30) {
		f.Add(deceptiveSender(rand.New(rand.NewPCG(seed, 1))))
	}
	for _, name := range namesWithInvalidBytes {
		f.Add(name + " <a@b.com>")
	}
	f.Fuzz(func(t *testing.T, value string) {
		if strings.ContainsAny(value, "\r\n") {
			return
		}
		for _, field := range []string{"From", "List-Unsubscribe", "Subject"} {
			result := judge.Scan([]byte(field + ": " + value + "\r\n\r\nHello\r\n"))
			if result.Failure != "" {
				t.Errorf("%s: %s", field, result.Failure)
			}
			for _, l := range result.Links {
				if l.Link.Start < 0 || l.Link.End < l.Link.Start {
					t.Errorf("%s: link at %d to %d", field, l.Link.Start, l.Link.End)
				}
			}
		}
	})
}
