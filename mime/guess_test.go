package mime

import (
	"errors"
	"testing"
)

// TestGuessText reads texts that are refused for editing as readers see them.
func TestGuessText(t *testing.T) {
	for _, test := range []struct {
		name, header, body string
		refused            Reason // by Text
		want               string
	}{
		{"windows-1252 as iso-8859-1", "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit", "\x93a\x94", reasonC1Control, "“a”"},
		{"windows-1252 as latin1", "Content-Type: text/plain; charset=latin1\r\nContent-Transfer-Encoding: 8bit", "\x93a\x94", reasonC1Control, "“a”"},
		{"windows-1252 as us-ascii", "Content-Type: text/plain; charset=us-ascii\r\nContent-Transfer-Encoding: 8bit", "\x93\xfc\x94", reasonUndeclared8Bit, "“ü”"},
		{"UTF-8 without a charset", "Content-Transfer-Encoding: 8bit", "ü", reasonUndeclared8Bit, "ü"},
		{"UTF-8 under 7bit", "Content-Type: text/plain; charset=utf-8", "ü", reasonUndeclared8Bit, "ü"},
		{"KOI8-R under 7bit", "Content-Type: text/plain; charset=koi8-r", "\xc1", reasonUndeclared8Bit, "а"},
		{"no UTF-8", "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit", "\xfc", reasonUndecodable, "ü"},
		{"unknown charset", "Content-Type: text/plain; charset=x-foo", "http://a.de", reasonUnknownCharset, "http://a.de"},
		{"UTF-7", "Content-Type: text/plain; charset=utf-7", "http://a.de +BBA-", reasonUTF7, "http://a.de +BBA-"},
		{"a multipart without a boundary", "Content-Type: multipart/mixed", "--b\r\n\r\nü", reasonNotText, "--b\r\n\r\nü"},
		{"a multipart in base64", "Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64", "LS1iCgph", reasonNotText, "--b\n\na"},
		{"byte order mark", "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit", "\xef\xbb\xbf\xd0\x90", reasonC1Control, "\ufeffА"},
		{"UTF-16LE without a byte order mark", "Content-Type: text/plain; charset=utf-16le\r\nContent-Transfer-Encoding: base64", "YQBiAA==", reasonUTF16WithoutBOM, "ab"},
		{"a control", "Content-Type: text/plain", "a\x1bb", reasonC0Control, "a\x1bb"},
		{"NUL", "Content-Type: text/plain", "a\x00b", reasonNUL, "a\x00b"},
		{"carriage return", "Content-Type: text/plain", "a\rb", reasonBareCR, "a\rb"},
		{"equals sign", "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable", "?a=xy=C3=BC=\r\nb= \n=", reasonInvalidQuotedPrintable, "?a=xyüb="},
		{"base64 cut short", "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64", "YWJj\r\nZGVmZ", reasonInvalidBase64, "abcdef"},
		{"base64 and a footer", "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64", "YWI=\r\n--\r\nlist", reasonInvalidBase64, "ab"},
		{"unknown encoding", "Content-Type: text/plain\r\nContent-Transfer-Encoding: x-none", "a", reasonUnknownEncoding, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := parse([]byte("Subject: x\r\n"+test.header+"\r\n\r\n"+test.body), Limits{})
			_, err := m.leafText(m.Root)
			if !errors.Is(err, test.refused) {
				t.Errorf("Text: error %v; want %s", err, test.refused)
			}
			got, err := m.GuessText(m.Root)
			if err != nil || got != test.want {
				t.Errorf("GuessText: %q, error %v; want %q", got, err, test.want)
			}
		})
	}
}

// TestGuessTextOfFiles: a file that programs open as text is read like a text.
func TestGuessTextOfFiles(t *testing.T) {
	m := parse([]byte("Content-Type: application/xhtml+xml\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+"), Limits{})
	if got, err := m.GuessText(m.Root); err != nil || got != "<b>" {
		t.Errorf("got %q, error %v", got, err)
	}
}
