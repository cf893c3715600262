package letters

import (
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// A language has the texts that letters are made of.
type language struct {
	name     string
	charset  string // of 8 bits, as mail had before UTF-8; UTF-8 where the language had none
	person   string
	local    string // local-part of an address
	subject  string
	sentence string
	link     string // as browsers copy it
}

var languages = []language{
	{"Hindi", "utf-8", "अनिता", "अनिता", "महात्मा गांधी के बारे में", "नमस्ते, कृपया यह लेख पढ़ें।", "https://hi.wikipedia.org/wiki/%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"},
	{"Arabic", "windows-1256", "ليلى", "ليلى", "موعد الاجتماع", "مرحبا، أرجو قراءة هذا المقال.", "https://ar.wikipedia.org/wiki/%D9%85%D8%B5%D8%B1"},
	{"Japanese", "euc-jp", "花子", "花子", "会議のお知らせ", "こんにちは。この記事を読んでください。", "https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC"},
	{"German", "iso-8859-1", "Jürgen", "jürgen", "Grüße aus Köln", "Schöne Grüße, bitte diesen Artikel lesen.", "https://de.wikipedia.org/wiki/K%C3%B6ln"},
	{"Chinese", "gbk", "小明", "小明", "会议通知", "你好，请阅读这篇文章。", "https://zh.wikipedia.org/wiki/%E4%B8%AD%E5%9B%BD"},
	{"Russian", "koi8-r", "Анна", "анна", "Встреча в понедельник", "Здравствуйте, прочитайте эту статью.", "https://ru.wikipedia.org/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0"},
	{"Hebrew", "windows-1255", "דנה", "דנה", "פגישה ביום ראשון", "שלום, בבקשה לקרוא את המאמר.", "https://he.wikipedia.org/wiki/%D7%97%D7%99%D7%A4%D7%94"},
	{"Thai", "windows-874", "สมชาย", "สมชาย", "นัดประชุม", "สวัสดี กรุณาอ่านบทความนี้", "https://th.wikipedia.org/wiki/%E0%B9%84%E0%B8%97%E0%B8%A2"},
	{"Greek", "iso-8859-7", "Ελένη", "ελένη", "Συνάντηση στην Αθήνα", "Γεια σας, διαβάστε αυτό το άρθρο.", "https://el.wikipedia.org/wiki/%CE%91%CE%B8%CE%AE%CE%BD%CE%B1"},
	{"Korean", "euc-kr", "지민", "지민", "회의 안내", "안녕하세요, 이 글을 읽어 주세요.", "https://ko.wikipedia.org/wiki/%ED%95%9C%EA%B5%AD"},
}

// text returns a text of two lines with a link.
func (l language) text() string {
	return l.sentence + "\r\n\r\n" + l.link + "\r\n"
}

// html returns it as a document.
func (l language) html() string {
	return "<!DOCTYPE html>\r\n<html><body>\r\n<p>" + l.sentence + "</p>\r\n<p><a href=\"" + l.link + "\">" + l.subject + "</a></p>\r\n</body></html>\r\n"
}

// encoded returns a text in the charset of the language.
func (l language) encoded(tb testing.TB, text string) string {
	tb.Helper()
	charset, err := htmlindex.Get(l.charset)
	if err != nil {
		tb.Fatal(err)
	}
	encoded, err := charset.NewEncoder().String(text)
	if err != nil {
		tb.Fatalf("%s in %s: %v", l.name, l.charset, err)
	}
	return encoded
}
