package policy_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/policy"
)

func TestRestrictedCharacter(t *testing.T) {
	const code = policy.CodeRestrictedCharacter
	check(t, []judged{
		{"a technical letter", "http://ɡoogle.example", code, policy.SeverityMedium},
		{"an emoji", "http://i❤.ws", code, policy.SeverityMedium},
		{"a historic script", "http://𐌰𐌱.com", code, policy.SeverityMedium},
		{"a mark on a dotless letter", "http://bı\u0301rd.com", code, policy.SeverityMedium},
		{"a diacritic on Thai", "http://ไทย\u0329.com", code, policy.SeverityMedium},
		{"an uncommon letter", "http://ĕxample.com", code, policy.SeverityLow},
		{"a script of limited use", "http://ᏣᎳᎩ.com", code, policy.SeverityLow},
		{"a diacritic on a Latin letter", "http://ọ̀rọ̀.ng", code, policy.SeverityNone},
		{"sharp s", "http://straße.de", code, policy.SeverityNone},
		{"middle dot in Catalan", "http://col·legi.cat", code, policy.SeverityNone},
		{"gershayim", "http://צה״ל.co.il", code, policy.SeverityNone},
		{"joiner in Sinhala", "http://ශ්\u200dරී.ලංකා", code, policy.SeverityNone},
	})
}

func TestMixedDigits(t *testing.T) {
	const code = policy.CodeMixedDigits
	check(t, []judged{
		{"two systems", "http://১2৪.com", code, policy.SeverityMedium},
		{"a letter among digits", "http://16з.com", code, policy.SeverityMedium},
		{"Cyrillic be is not a six", "http://1б5.com", code, policy.SeverityNone},
		{"a house number in Russia", "http://12б.рф", code, policy.SeverityNone},
		{"digits in a word", "http://24-часа.com", code, policy.SeverityNone},
		{"one system", "http://२०२४.भारत", code, policy.SeverityNone},
		{"ASCII digits", "http://163.com", code, policy.SeverityNone},
		{"Latin letters among digits", "http://16é3.com", code, policy.SeverityNone},
	})
}

func TestInvisibleCharacter(t *testing.T) {
	const code = policy.CodeInvisibleCharacter
	check(t, []judged{
		{"dot above i", "http://exaṁpli\u0307.com", code, policy.SeverityLow},
		{"a mark twice", "http://ñ\u0303andu.com", code, policy.SeverityMedium},
		{"soft hyphen in a host", "http://exam\u00adple.com", code, policy.SeverityMedium},
		{"zero width space in a host", "http://exam\u200bple.com", code, policy.SeverityMedium},
		{"zero width space in a path", "http://example.com/a\u200bb", code, policy.SeverityLow},
		{"the same escaped", "http://example.com/a%E2%80%8Bb", code, policy.SeverityLow},
		{"joiner between Latin letters", "http://example.com/a\u200db", code, policy.SeverityLow},
		{"braille blank", "http://example.com/a\u2800b", code, policy.SeverityLow},
		{"umlaut", "http://bücher.de/ü", code, policy.SeverityNone},
		{"numero sign", "http://example.com/№1", code, policy.SeverityNone},
		{"two different marks", "http://việt.vn", code, policy.SeverityNone},
		{"ZWNJ in Persian", "http://نامه\u200cای.com/می\u200cخواهم", code, policy.SeverityNone},
		{"emoji with selector and joiner", "http://example.com/❤\ufe0f\u200d🔥", code, policy.SeverityNone},
		{"a flag of tags", "http://example.com/🏴\U000e0067\U000e0062\U000e007f", code, policy.SeverityNone},
	})
}

func TestSyntaxLookalike(t *testing.T) {
	const code = policy.CodeSyntaxLookalike
	check(t, []judged{
		{"fraction slash in a host", "http://example.com⁄path.example.net", code, policy.SeverityHigh},
		{"division slash in a host", "http://example.com∕path.example.net", code, policy.SeverityHigh},
		{"katakana no after Latin", "http://example.comノpath.example.net", code, policy.SeverityMedium},
		{"prolonged sound mark after Latin", "http://aーb.jp", code, policy.SeverityMedium},
		{"middle dot after Latin", "http://www・example.jp", code, policy.SeverityMedium},
		{"Han one between Latin", "http://a一b.cn", code, policy.SeverityMedium},
		{"division slash in a path", "http://example.com/a∕b", code, policy.SeverityLow},
		{"full-width colon in a Chinese path", "http://example.com/首页：新闻", code, policy.SeverityNone},
		{"katakana no in a word", "http://ノート.jp", code, policy.SeverityNone},
		{"katakana no between Han", "http://一ノ関.jp", code, policy.SeverityNone},
		{"sound mark in a word", "http://ラーメン.jp", code, policy.SeverityNone},
		{"middle dot in a name", "http://ハンター・ハンター.jp", code, policy.SeverityNone},
		{"Han one in a word", "http://第一.cn", code, policy.SeverityNone},
		{"Han one alone", "http://一.cn", code, policy.SeverityNone},
		{"visarga looks like a colon", "http://दुःख.भारत", code, policy.SeverityNone},
		{"hyphen", "http://a-b.com", code, policy.SeverityNone},
	})
}

// TestDomainLabel: a label left of the registrable domain that reads as a domain name, or as the
// end of one, has a finding.
func TestDomainLabel(t *testing.T) {
	const code = policy.CodeSyntaxLookalike
	check(t, []judged{
		{"middle dot", "http://paypal·com.evil-host.net", code, policy.SeverityMedium},
		{"the same as A-label", "http://xn--paypalcom-5pa.evil-host.net", code, policy.SeverityMedium},
		{"hyphenation point", "http://www.paypal‧com.example.net/", code, policy.SeverityMedium},
		{"hyphen", "http://login-paypal‐com.example.net/", code, policy.SeverityMedium},
		{"middle dot behind a domain", "http://paypal.com·evil.example.net/", code, policy.SeverityMedium},
		{"middle dot in the registrable domain", "http://www.paypal.com·evil.net/", code, policy.SeverityMedium},
		{"Catalan that begins as a country", "http://www.il·lusio.cat/", code, policy.SeverityNone},
		{"Japanese middle dot", "http://www.ドメイン・テスト.jp/", code, policy.SeverityNone},
		{"hiragana n as a slash", "https://account.booking.comんdetailんrestric-access.example.com/en/", code, policy.SeverityMedium},
		{"the same as A-label", "https://account.booking.xn--comdetailrestric-access-ge5vga.example.com/en/", code, policy.SeverityMedium},
		{"dot and slash", "http://paypal·comんlogin.example.net/", code, policy.SeverityMedium},
		{"apostrophe", "http://mybank’com.example.net/", code, policy.SeverityMedium},
		{"the same as A-label", "http://xn--mybankcom-lb0e.example.net/", code, policy.SeverityMedium},
		{"modifier apostrophe", "http://mybankʼcom.example.net/", code, policy.SeverityMedium},
		{"apostrophe behind a domain", "http://mybank.comʼlogin.example.net/", code, policy.SeverityMedium},
		{"question mark behind a domain", "http://www.mybank.comɂlogin.example.net/", code, policy.SeverityMedium},
		{"hyphen behind a domain, as A-label", "http://mybank.xn--comlogin-2m3d.example.net/", code, policy.SeverityMedium},
		{"double hyphen of kana behind a domain, as A-label", "http://mybank.xn--comlogin-ds4g.example.net/", code, policy.SeverityMedium},
		{"ideograph in a protected domain", "http://google丁com.com/", code, policy.SeverityMedium},
		{"kana in a protected domain", "http://www.paypalエcom.example.net/", code, policy.SeverityMedium},
		{"ideograph in a protected domain of two labels", "http://www.barclays三co三uk.example.net/", code, policy.SeverityMedium},
		{"kana before a protected domain", "http://httpsノノpaypal.com.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"ideographs before a protected domain, as A-label", "http://xn--httpspaypal-pm8qa.com.example.net/", policy.CodeLookalike, policy.SeverityMedium},
		{"English apostrophe", "http://xn--its-so0a.example.com/", code, policy.SeverityNone},
		{"Uzbek", "http://bogʻcha.example.uz", code, policy.SeverityNone},
		{"Hawaiian", "http://hawaiʻi.example.org", code, policy.SeverityNone},
		{"Chinese behind a company", "http://google中国.example.com", code, policy.SeverityNone},
		{"not a top-level domain", "http://anna·zzzz.example.net", code, policy.SeverityNone},
		{"Catalan", "http://col·legi.example.cat", code, policy.SeverityNone},
		{"the registrable domain", "http://comんabc.com", code, policy.SeverityNone},
		{"hiragana n in a word", "http://おでんcom.example.jp", code, policy.SeverityNone},
		{"hiragana n at the start", "http://comんabc.example.jp", code, policy.SeverityNone},
	})
}

// TestWholeScriptReading: a label has the finding only if all of it reads as ASCII, and only below
// top-level domains where readers expect Latin letters.
func TestWholeScriptReading(t *testing.T) {
	check(t, []judged{
		{"Cyrillic that is English", "http://сор.org", policy.CodeWholeScript, policy.SeverityLow},
		{"Greek that is English", "http://υοι.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Lisu", "http://ꓢꓴꓑꓑꓳꓣꓔ.example.net", policy.CodeWholeScript, policy.SeverityMedium},
		{"Lisu, as A-label", "http://xn--9l8auab3ed.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Cherokee", "http://ᎪᎡᎢ.com", policy.CodeWholeScript, policy.SeverityMedium},
		{"Cherokee that does not read as Latin", "http://ᏣᎳᎩ.com", policy.CodeWholeScript, policy.SeverityNone},
		{"with a digit and a hyphen", "http://2-хор.com", policy.CodeWholeScript, policy.SeverityLow},
		{"a letter that looks like a phonetic one", "http://νέα.com", policy.CodeWholeScript, policy.SeverityNone},
		{"a letter that looks like a small capital", "http://кот.com", policy.CodeWholeScript, policy.SeverityNone},
		{"marks on letters", "http://ёрс.com", policy.CodeWholeScript, policy.SeverityNone},
		{"at home", "http://сор.рф", policy.CodeWholeScript, policy.SeverityNone},
		{"in its country", "http://сор.ru", policy.CodeWholeScript, policy.SeverityNone},
		{"in another one", "http://сор.gr", policy.CodeWholeScript, policy.SeverityLow},
	})
}
