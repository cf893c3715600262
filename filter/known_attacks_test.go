package filter_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/policy"
)

// TestKnownHTML: HTML that browsers showed and opened and that was not read once, unchanged.
func TestKnownHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, source := range map[string]string{
		"svg, CDATA, style":         `<svg><![CDATA[></svg><style>]]></svg>` + trap,
		"math, desc, style":         `<math><desc><style><p>` + trap,
		"html ends svg":             `<html><svg></html><style></svg>` + trap,
		"cells and svg":             `<table><td><svg><td><style></svg>` + trap,
		"257 elements":              strings.Repeat("<b>", 257) + `<svg><style></svg>` + trap,
		"svg, xmp":                  `<p><svg><xmp></svg>` + trap,
		"base in a template":        `<template><base href=` + shownAs + `></template><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"base in svg":               `<svg><base href=` + shownAs + `></svg><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"base in CDATA":             `<svg><![CDATA[<base href=` + shownAs + `>]]></svg><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"base about:blank":          `<base href=about:blank><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"base data:,x":              `<base href=data:,x><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"empty base":                `<base href=""><base href=` + evil + `><a href=x>` + shownAs + `</a>`,
		"base without slashes":      `<base href="https:evil.example.net/x"><a href=x>` + shownAs + `</a>`,
		"form":                      `<form action=` + evil + `><button>` + shownAs + `</button></form>`,
		"button formaction":         `<form><button formaction=` + evil + `>` + shownAs + `</button></form>`,
		"set on href":               `<svg><a><set attributeName="href" to="` + evil + `"/><text>` + shownAs + `</text></a></svg>`,
		"animate on href":           `<svg><a><animate attributeName="href" values="` + evil + `"/><text>` + shownAs + `</text></a></svg>`,
		"intent":                    `<a href="intent://evil.example.net/x#Intent;scheme=https;end">` + shownAs + `</a>`,
		"x-safari-https":            `<a href="x-safari-https://evil.example.net/x">` + shownAs + `</a>`,
		"googlechrome":              `<a href="googlechrome://evil.example.net/x">` + shownAs + `</a>`,
		"iframe srcdoc":             `<iframe srcdoc="&lt;a href=` + evil + `&gt;` + shownAs + `&lt;/a&gt;"></iframe>`,
		"meta refresh":              `<meta http-equiv=refresh content="0;url=` + lookLike + `">`,
		"entity of a DTD":           `<!DOCTYPE svg [<!ENTITY u "` + evil + `">]><svg xmlns="http://www.w3.org/2000/svg"><a href="&u;"><text>` + shownAs + `</text></a></svg>`,
		"prefixes":                  `<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:q="http://www.w3.org/1999/xlink"><s:a q:href="` + evil + `"><s:text>` + shownAs + `</s:text></s:a></s:svg>`,
		"2,100 spaces":              `<a href=` + evil + `>` + strings.Repeat(" ", 2100) + shownAs + `</a>`,
		"display twice":             `<a href=` + evil + `><span style="display:none;display:inline">` + shownAs + `</span></a>`,
		"no height":                 `<a href=` + evil + `><span style="height:0;overflow:hidden">` + shownAs + `</span></a>`,
		"hidden, displayed":         `<a href=` + evil + `><span hidden style="display:inline">` + shownAs + `</span></a>`,
		"ruby":                      `<a href=` + evil + `>` + shownAs + `<ruby><rp>.evil.example.net/</rp></ruby></a>`,
		"escaped display":           `<a href=` + evil + `>https://www.paypal.com<span style="d\69splay:none">.evil.example.net</span>/</a>`,
		"class with display":        `<style>.x{display:none}</style><a href=` + evil + `>https://www.paypal.com<span class=x>.evil.example.net</span>/</a>`,
		"text with a hyphen":        `<a href=` + evil + `>-https://www.paypal.com/</a>`,
		"text with U+2024":          `<a href=` + evil + ">https://www\u2024paypal\u2024com/</a>",
		"text with U+A789":          `<a href=` + evil + ">https\ua789//www.paypal.com/</a>",
		"text with U+FF1A":          `<a href=` + evil + ">https\uff1a//www.paypal.com/</a>",
		"text without a scheme":     `<a href=` + evil + `>//www.paypal.com/</a>`,
		"text that is a look-alike": `<a href=` + evil + `>https://www.paypa1.com/</a>`,
	} {
		t.Run(name, func(t *testing.T) { flagged(t, f, source) })
	}
}

// TestKnownTexts: texts that common programs link and that were not even suspects once, unchanged.
func TestKnownTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, text := range []string{
		"-http://paypa1.com/login", "see-http://paypa1.com/login", "//paypa1.com/login", "a@example.org/http://paypa1.com/login", "www.http://paypa1.com/login",
		"http:paypa1.com/login", `http:\\paypa1.com\login`, "http:///paypa1.com/login", "paypa1.com%", "paypa1.com:99999", "_x.paypa1.com/login",
		"http://paypa1.com/ a@paypa1.com?x@example.org",
	} {
		if r := f.Scan([]byte(utf8Text(text + "\r\n"))); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %v", text, placed(r))
		}
	}
	for _, text := range []string{"See http://paypa1.com/x \r\n.example.org/\r\n", "See http://paypa1.com \r\n.example.org/\r\n"} {
		raw := "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\r\n\r\n" + text
		if r := f.Scan([]byte(raw)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("DelSp: %q: %v", text, placed(r))
		}
	}
	delSp := "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\r\n\r\n"
	for text, want := range map[string]bool{"see http://pay \r\npa1.com/login\r\n": true, "see http://pay=20\r\npa1.com/login\r\n": true, "see example.com \r\n \r\nand more \r\n": false} {
		if r := f.Scan([]byte(delSp + text)); worstLink(r) >= policy.SeverityMedium != want {
			t.Errorf("DelSp in quoted-printable: %q: %v", text, placed(r))
		}
	}
}

// TestKnownParts: parts that were once neither read nor reported, unchanged.
func TestKnownParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	calendar := func(line string) string {
		return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + line + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	}
	mail := "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n" + trap
	for _, part := range []struct{ mediaType, name, content string }{
		{"text/calendar", "", calendar("DESCRIPTION:" + lookLike)},
		{"text/calendar", "", calendar("URL:" + lookLike)},
		{"text/calendar", "", calendar("X-ALT-DESC;FMTTYPE=text/html:" + trap)},
		{"text/vcard", "", "BEGIN:VCARD\r\nURL:" + lookLike + "\r\nEND:VCARD\r\n"},
		{"message/news", "", mail},
		{"message/x-foo", "", mail},
		{"message/delivery-status", "", "Reporting-MTA: dns; x\r\n\r\nDiagnostic-Code: smtp; " + lookLike},
		{"application/html", "login.html", trap},
		{"application/force-download", "login.html", trap},
		{"application/x-download", "login.html", trap},
		{"image/png", "login.html", trap},
		{"application/octet-stream", "x.xht", trap},
		{"application/octet-stream", "x.mht", mail},
		{"application/octet-stream", "x.eml", mail},
		{"application/octet-stream", "x.txt", lookLike},
		{"application/octet-stream", "x.url", "[InternetShortcut]\r\nURL=" + lookLike + "\r\n"},
		{"text/html", "x.html", "\xff\xfe" + widened(trap, 2, 0)},
		{"text/html", "", "\xfe\xff" + widened(trap, 2, 1)},
	} {
		fields := "Content-Type: " + part.mediaType + "\r\nContent-Transfer-Encoding: base64"
		if part.name != "" {
			fields += "\r\nContent-Disposition: attachment; filename=" + part.name
		}
		if r := f.Scan(beside(fields, base64.StdEncoding.EncodeToString([]byte(part.content)))); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s %s: %s: %v", part.mediaType, part.name, r, placed(r))
		}
	}
	pdf := f.Scan(beside("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte("%PDF-1.7"))))
	if text := fmt.Sprint(pdf.Findings); !strings.Contains(text, "pdf") {
		t.Errorf("PDF: %s", text)
	}
}

// TestKnownHosts: hosts whose Unicode form deceives are shown with A-labels.
func TestKnownHosts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, host := range []string{
		"account.booking.xn--comdetailrestric-access-ge5vga.www-account-booking.com", "xn--paypalcom-5pa.evil-host.net", "com\u0242x.example.net", "google\u4e01com.com",
		"paypal\u2010com.example.net", "paypal\u2011com.example.net", "paypal\u2019com.example.net", "paypal\u2027com.example.net", "paypal\u02bccom.example.net", "\ua4d0\ua4d4\ua4f3.example.net",
	} {
		for _, found := range f.Text("http://" + host + "/") {
			if !ascii.Is(found.Display) && found.Link.Text != found.Display {
				t.Errorf("%s is shown as %s", host, found.Display)
			}
			if found.Verdict.DisplayUnicode && !ascii.Is(found.Link.UnicodeHost()) {
				t.Errorf("%s: displayed in Unicode", host)
			}
		}
	}
}

// TestKnownCharsets: charsets that once hid a text, unchanged.
func TestKnownCharsets(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for name, raw := range map[string]string{
		"stray byte": "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nhttp://facebook.com/ http://faceboo\u043a.com/ \xff\r\n",
		"ibm037":     "Content-Type: text/plain; charset=ibm037\r\n\r\n" + lookLike + "\r\n",
		"meta":       "Content-Type: text/html\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<meta charset=windows-1251><a href=\"http://faceboo\xea.com/\">x</a>\r\n",
	} {
		if r := f.Scan([]byte("From: a@example.com\r\nMIME-Version: 1.0\r\n" + raw)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %s: %v", name, r, placed(r))
		}
	}
}

// TestKnownSenders: display names that programs decode and linkmilter once did not, unchanged.
func TestKnownSenders(t *testing.T) {
	f := newFilter(t, filter.Options{})
	encoded := base64.StdEncoding.EncodeToString([]byte("service@paypal.com"))
	for name, from := range map[string]string{
		"base64 in quotes": `"=?utf-8?B?` + encoded + `?="`,
		"utf-7":            `=?utf-7?Q?service+AEA-paypal.com?=`,
		"raw space":        `=?utf-8?Q?service@paypal.com support?=`,
		"unpadded":         `=?utf-8?B?` + strings.TrimRight(encoded, "=") + `?=`,
		"2 KiB before":     strings.Repeat("\u200b", 700) + "service@paypal.com",
		"brand":            `"PayPal"`,
	} {
		if r := f.Scan([]byte("From: " + from + " <x@evil.example.net>\r\n\r\nHello\r\n")); !deceptive(r) {
			t.Errorf("%s: %v", name, placed(r))
		}
	}
}
