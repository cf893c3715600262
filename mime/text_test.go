package mime

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// textOf parses a message of one leaf and decodes its text.
func textOf(header, body string) (leafText, error) {
	m := parse([]byte(header+"\n"+body), Limits{})
	return m.leafText(m.Root)
}

// wantReason checks that err wraps the reason.
func wantReason(t testing.TB, err error, want Reason) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %s", err, want)
	}
}

const (
	utf8Type = "Content-Type: text/plain; charset=utf-8\n"
	eightBit = "Content-Transfer-Encoding: 8bit\n"
	qpField  = "Content-Transfer-Encoding: quoted-printable\n"
	b64Field = "Content-Transfer-Encoding: base64\n"
)

// TestASCIIText reads every byte of US-ASCII, alone and in line ends, in charsets that extend
// US-ASCII. Printable characters, white space and line ends stay; other controls are refused.
func TestASCIIText(t *testing.T) {
	charsets := []string{"us-ascii", "utf-8", "iso-8859-1", "iso-8859-2", "iso-8859-15", "windows-1250", "windows-1251", "windows-1252", "koi8-r"}
	all := []string{"\r\n", "\n", "a\tb\r\n\r\n", "\r", "\r\r\n", "a\rb", "\n\r"}
	for c := range 128 {
		all = append(all, string([]byte{byte(c)}))
	}
	for _, charset := range charsets {
		read := 0
		for _, body := range all {
			m := parse([]byte("Content-Type: text/plain; charset="+charset+"\r\n"+eightBit+"\r\n"+body), Limits{})
			checkText(t, m, m.Root)
			text, err := m.leafText(m.Root)
			if err == nil {
				read++
				if text.content != body {
					t.Errorf("%s: %q reads as %q", charset, body, text.content)
				}
			}
		}
		if want := len("\t\n\f") + '~' - ' ' + 1 + 3; read != want {
			t.Errorf("%s: %d texts read, want %d", charset, read, want)
		}
	}
	m := parse([]byte("Content-Type: text/plain; charset=hz-gb-2312\n\n~{VPND~}"), Limits{})
	if text, err := m.leafText(m.Root); err != nil || text.content != "中文" {
		t.Errorf("got %q, %v", text.content, err)
	}
}

func TestText(t *testing.T) {
	tests := []struct{ name, header, body, want string }{
		{"no header", "", "text\n", "text\n"},
		{"empty", utf8Type, "", ""},
		{"us-ascii", "Content-Type: text/plain; charset=US-ASCII\n", "text\r\n", "text\r\n"},
		{"8bit", utf8Type + eightBit, "grüße", "grüße"},
		{"binary", utf8Type + "Content-Transfer-Encoding: binary\n", "grüße", "grüße"},
		{"html", "Content-Type: text/html; charset=utf-8\n" + eightBit, "grüße", "grüße"},
		{"quoted-printable", utf8Type + qpField, "gr=C3=bc=\nsse \t\n = \t\r\n=3D=20\n=", "grüsse\n = \n"},
		{"quoted-printable CRLF", utf8Type + qpField, "a=\r\nb\r\n", "ab\r\n"},
		{"base64", utf8Type + b64Field, "Z3LD\r\n vMOf \tZQ==\r\n", "grüße"},
		{"base64 in lines of one", utf8Type + b64Field, "Z\n3\nL\nD\nvMOfZQ==", "grüße"},
		{"controls of text", utf8Type, "a\tb\fc\r\nd\n", "a\tb\fc\r\nd\n"},
		{"encoded U+FFFD", utf8Type + eightBit, "a\uFFFDb", "a\uFFFDb"},
		{"byte order mark in UTF-8 stays", utf8Type + eightBit, "\uFEFFa", "\uFEFFa"},
		{"U+00A0 is not a C1 control", utf8Type + eightBit, "\u00A0", "\u00A0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := textOf(tt.header, tt.body)
			if err != nil || got.content != tt.want {
				t.Errorf("got %q, %v, want %q", got.content, err, tt.want)
			}
		})
	}
}

func TestTextUnreadable(t *testing.T) {
	charset := func(name string) string { return "Content-Type: text/plain; charset=" + name + "\n" + eightBit }
	tests := []struct {
		name, header, body string
		want               Reason
	}{
		{"not text", "Content-Type: application/json\n", "{}", reasonNotText},
		{"unknown encoding", utf8Type + "Content-Transfer-Encoding: x-none\n", "a", reasonUnknownEncoding},
		{"misspelt encoding", utf8Type + "Content-Transfer-Encoding: x-uuencode\n", "a", reasonMisspeltEncoding},
		{"empty encoding", utf8Type + "Content-Transfer-Encoding:\n", "a", reasonMisspeltEncoding},
		{"8-bit without charset", eightBit, "ü", reasonUndeclared8Bit},
		{"8-bit in us-ascii", charset("us-ascii"), "ü", reasonUndeclared8Bit},
		{"8-bit in ascii", charset("ASCII"), "ü", reasonUndeclared8Bit},
		{"8-bit in us-ascii, encoded", "Content-Type: text/plain; charset=us-ascii\n" + qpField, "=FC", reasonUndeclared8Bit},
		{"8-bit in 7bit", utf8Type, "ü", reasonUndeclared8Bit},
		{"8-bit in quoted-printable", utf8Type + qpField, "ü", reasonInvalidQuotedPrintable},
		{"no digits", utf8Type + qpField, "a=GGb", reasonInvalidQuotedPrintable},
		{"one digit", utf8Type + qpField, "a=4\nb", reasonInvalidQuotedPrintable},
		{"equals sign before a word", utf8Type + qpField, "a = b", reasonInvalidQuotedPrintable},
		{"no padding", utf8Type + b64Field, "Z3LDvMOfZQ", reasonInvalidBase64},
		{"data behind the padding", utf8Type + b64Field, "Z3LDvMOfZQ==\nZ3LD", reasonInvalidBase64},
		{"footer behind base64", utf8Type + b64Field, "Z3LDvMOfZQ==\n-- \nlist", reasonInvalidBase64},
		{"other byte", utf8Type + b64Field, "Z3LD-MOfZQ==", reasonInvalidBase64},
		{"unknown charset", charset("x-none"), "a", reasonUnknownCharset},
		{"unknown-8bit", charset("unknown-8bit"), "a", reasonUnknownCharset},
		{"empty charset", charset(`""`), "a", reasonUnknownCharset},
		{"charset without strict decoder", charset("iso-2022-kr"), "a", reasonUndecodable},
		{"charset by an unusual name", charset("win-1251"), "a", reasonUndecodable},
		{"x-user-defined", charset("x-user-defined"), "a", reasonUnknownCharset},
		{"UTF-32", charset("utf-32"), "a", reasonUndecodable},
		{"UTF-7", charset("utf-7"), "+ADw-", reasonUTF7},
		{"UTF-7 by its old name", charset("unicode-1-1-utf-7"), "+ADw-", reasonUTF7},
		{"UTF-16 without BOM", charset("utf-16"), "\x00a", reasonUTF16WithoutBOM},
		{"UTF-16LE without BOM", charset("utf-16le"), "a\x00", reasonUTF16WithoutBOM},
		{"UTF-16LE with the other BOM", charset("utf-16le"), "\xfe\xff\x00a", reasonUTF16WithoutBOM},
		{"UTF-16LE by another name, without BOM", charset("unicode"), "a\x00", reasonUTF16WithoutBOM},
		{"lone surrogate", charset("utf-16"), "\xfe\xff\xd8\x00", reasonUndecodable},
		{"half a unit", charset("utf-16"), "\xfe\xff\x00a\x00", reasonUndecodable},
		{"broken UTF-8", charset("utf-8"), "a\xc3b", reasonUndecodable},
		{"overlong UTF-8", charset("utf-8"), "\xc0\xaf", reasonUndecodable},
		{"surrogate in UTF-8", charset("utf-8"), "\xed\xa0\x80", reasonUndecodable},
		{"unassigned byte", charset("windows-1253"), "\xff", reasonUndecodable},
		{"broken Shift_JIS", charset("shift_jis"), "\x81", reasonUndecodable},
		{"broken EUC-JP", charset("euc-jp"), "\xa4a", reasonUndecodable},
		{"broken EUC-KR", charset("euc-kr"), "\xb0", reasonUndecodable},
		{"broken Big5", charset("big5"), "\xa4\xff", reasonUndecodable},
		{"broken GBK", charset("gbk"), "\xff", reasonUndecodable},
		{"broken GB18030", charset("gb18030"), "\x81\x30\x81", reasonUndecodable},
		{"GB18030 with U+FFFD and a broken one", charset("gb18030"), "\x84\x31\xa4\x37\x81\x30", reasonUndecodable},
		{"ISO-2022-JP with an unknown escape", charset("iso-2022-jp"), "\x1b$Za", reasonUndecodable},
		{"ISO-2022-JP cut off", charset("iso-2022-jp"), "\x1b$B$", reasonUndecodable},
		{"8-bit in ISO-2022-JP", charset("iso-2022-jp"), "\xb1", reasonUndecodable},
		{"C1 in ISO 8859-1", charset("iso-8859-1"), "\x93quoted\x94", reasonC1Control},
		{"C1 in ISO 8859-1 by another name", charset("iso8859-1"), "\x93quoted\x94", reasonC1Control},
		{"NEL", utf8Type + eightBit, "\u0085", reasonC1Control},
		{"NUL", utf8Type, "a\x00", reasonNUL},
		{"NUL, encoded", utf8Type + qpField, "=00", reasonNUL},
		{"backspace", utf8Type, "a\b", reasonC0Control},
		{"DEL", utf8Type, "a\x7fb", reasonC0Control},
		{"escape", utf8Type, "\x1b[0m", reasonC0Control},
		{"another charset", utf8Type, "a\x1b$B", reasonUndecodable},
		{"vertical tab", utf8Type, "\v", reasonC0Control},
		{"bare CR", utf8Type, "a\rb", reasonBareCR},
		{"bare CR at the end", utf8Type, "a\r", reasonBareCR},
		{"bare CR, encoded", utf8Type + qpField, "a=0Db", reasonBareCR},
		{"CR CR LF", utf8Type, "a\r\r\n", reasonBareCR},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := textOf(tt.header, tt.body)
			wantReason(t, err, tt.want)
		})
	}
}

func TestTextCharsets(t *testing.T) {
	tests := []struct {
		names string
		enc   encoding.Encoding
		text  string
	}{
		{"utf-8 UTF8 unicode-1-1-utf-8", unicode.UTF8, "grüße мир 例え"},
		{"iso-8859-1 latin1 latin-1 ISO_8859-1 iso8859-1 8859_1 l1", charmap.ISO8859_1, "grüße"},
		{"iso-8859-2 latin2 iso8859-2", charmap.ISO8859_2, "příliš"},
		{"iso-8859-3 latin3", charmap.ISO8859_3, "ġurnata"},
		{"iso-8859-4 latin4", charmap.ISO8859_4, "lūdzu"},
		{"iso-8859-5 cyrillic", charmap.ISO8859_5, "мир"},
		{"iso-8859-6 arabic", charmap.ISO8859_6, "سلام"},
		{"iso-8859-7 greek", charmap.ISO8859_7, "κόσμε"},
		{"iso-8859-8 iso-8859-8-i hebrew", charmap.ISO8859_8, "שלום"},
		{"iso-8859-9 latin5", charmap.ISO8859_9, "ışık"},
		{"iso-8859-10 latin6", charmap.ISO8859_10, "þökk"},
		{"iso-8859-11 tis-620 windows-874", charmap.Windows874, "สวัสดี"},
		{"iso-8859-13", charmap.ISO8859_13, "ąžuolas"},
		{"iso-8859-14 latin8", charmap.ISO8859_14, "ŵyl"},
		{"iso-8859-15 latin9 iso8859-15", charmap.ISO8859_15, "5 €"},
		{"iso-8859-16", charmap.ISO8859_16, "țară"},
		{"windows-1250 cp1250", charmap.Windows1250, "„příliš“"},
		{"windows-1251 cp1251 x-cp1251", charmap.Windows1251, "мир"},
		{"windows-1252 cp1252", charmap.Windows1252, "“grüße”"},
		{"windows-1253", charmap.Windows1253, "κόσμε"},
		{"windows-1254", charmap.Windows1254, "ışık"},
		{"windows-1255", charmap.Windows1255, "שלום"},
		{"windows-1256", charmap.Windows1256, "سلام"},
		{"windows-1257", charmap.Windows1257, "ąžuolas"},
		{"windows-1258", charmap.Windows1258, "đăng"},
		{"koi8-r koi8r", charmap.KOI8R, "мир"},
		{"koi8-u koi8u koi8-ru", charmap.KOI8U, "їжак"},
		{"ibm866 cp866", charmap.CodePage866, "мир"},
		{"macintosh", charmap.Macintosh, "grüße"},
		{"iso-2022-jp csISO2022JP iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-ms cp50220 cp50221 cp50222", japanese.ISO2022JP, "例えば、テスト。abc"},
		{"shift_jis Shift-JIS sjis x-sjis ms932 cp932 windows-31j", japanese.ShiftJIS, "例えば、テスト。ｱ"},
		{"euc-jp x-euc-jp eucjp eucjp-ms", japanese.EUCJP, "例えば、テスト。"},
		{"euc-kr ks_c_5601-1987 cp949 uhc", korean.EUCKR, "안녕하세요"},
		{"gb2312 gbk gb_2312-80 cp936 euc-cn", simplifiedchinese.GBK, "你好，世界"},
		{"gb18030", simplifiedchinese.GB18030, "你好，世界 😀 \uFFFD"},
		{"hz-gb-2312", simplifiedchinese.HZGB2312, "你好 abc"},
		{"big5 big5-hkscs cp950", traditionalchinese.Big5, "你好，世界"},
		{"utf-16 utf-16be utf16 unicodeFFFE", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "grüße 😀\uFFFD"},
		{"utf-16 utf-16le unicode csUnicode ISO-10646-UCS-2 ucs-2 unicodeFEFF", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "grüße 😀\uFFFD"},
	}
	for _, tt := range tests {
		data, err := tt.enc.NewEncoder().String(tt.text)
		if err != nil {
			t.Fatalf("%s: %v", tt.names, err)
		}
		for name := range strings.FieldsSeq(tt.names) {
			t.Run(name, func(t *testing.T) {
				header := "Content-Type: text/plain; charset=\"" + name + "\"\n" + b64Field
				got, err := textOf(header, base64.StdEncoding.EncodeToString([]byte(data)))
				if err != nil || got.content != tt.text {
					t.Errorf("got %q, %v, want %q", got.content, err, tt.text)
				}
			})
		}
	}
}

func TestTextParameters(t *testing.T) {
	tests := []struct {
		name, contentType string
		want              leafText
	}{
		{"none", "text/plain", leafText{charset: "us-ascii"}},
		{"flowed", "text/plain; format=Flowed", leafText{charset: "us-ascii", flowed: true}},
		{"delsp", "text/plain; charset=UTF-8; format=flowed; delsp=Yes", leafText{charset: "utf-8", flowed: true, delSp: true}},
		{"delsp alone", "text/plain; delsp=yes", leafText{charset: "us-ascii"}},
		{"not in html", "text/html; format=flowed", leafText{charset: "us-ascii"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := textOf("Content-Type: "+tt.contentType+"\n", "")
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// TestIllegalBytes tries every byte alone in every charset by name. The result is a text without
// U+FFFD and controls, or a reason.
func TestIllegalBytes(t *testing.T) {
	for _, name := range strings.Fields("iso-8859-1 iso-8859-6 windows-1252 windows-1255 koi8-r iso-2022-jp shift_jis euc-jp euc-kr gbk gb18030 big5 utf-8 us-ascii hz-gb-2312") {
		for c := range 256 {
			text, err := textOf("Content-Type: text/plain; charset="+name+"\nContent-Transfer-Encoding: binary\n", string([]byte{'a', byte(c), 'b'}))
			if err != nil {
				if reason := Reason(""); !errors.As(err, &reason) {
					t.Fatal(err)
				}
				continue
			}
			for _, r := range text.content {
				if r == '\uFFFD' || r < ' ' && r != '\t' && r != '\n' && r != '\f' || 0x80 <= r && r < 0xA0 {
					t.Errorf("%s: byte 0x%02x is %q", name, c, text.content)
				}
			}
		}
	}
}

// TestBase64OfBareLineEnds: the guess of a decoded length stays right if the lines of a body end in
// LF in a message of CRLF.
func TestBase64OfBareLineEnds(t *testing.T) {
	raw := "Subject: x\r\nMIME-Version: 1.0\r\n" + crlf("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n") +
		strings.Repeat("\n", 30) + "QQ==\r\n"
	m := parse([]byte(raw), Limits{})
	if text, err := m.leafText(m.Root); err != nil || text.content != "A" {
		t.Errorf("%q, %v", text.content, err)
	}
}
