package mime

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"strings"
	"testing"
)

func TestEncodeText(t *testing.T) {
	tests := []struct{ name, text, encoding string }{
		{"empty", "", "quoted-printable"},
		{"ASCII", "<p>text</p>\n", "quoted-printable"},
		{"little else", "<p>some text with an ü</p>\n", "quoted-printable"},
		{"Chinese", strings.Repeat("你好", 40), "base64"},
		{"empty lines", "\n\n\n", "quoted-printable"},
		{"bare CR", "a\rb", "base64"},
		{"controls", "\x00\x1b\x7f", "base64"},
		{"long line", strings.Repeat("a ", 5000), "quoted-printable"},
		{"long line of spaces", strings.Repeat(" ", 500), "quoted-printable"},
		{"From lines", strings.Repeat("From ", 100) + "\nFrom \n>From \n", "quoted-printable"},
		{"dots", ".\n..\n.a\n", "quoted-printable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			encoded, encoding := encodeText(tt.text, "\r\n")
			if encoding != tt.encoding {
				t.Errorf("encoding %s, want %s", encoding, tt.encoding)
			}
			checkEncoded(t, tt.text, encoded, encoding)
			if lf, same := encodeText(tt.text, "\n"); same != encoding || crlf(lf) != encoded {
				t.Errorf("with LF %q in %s", lf, same)
			}
		})
	}
}

// checkEncoded checks the form of encoded text and that the decoders of this
// package and of the standard library give the text again.
func checkEncoded(t testing.TB, text, encoded, encoding string) {
	t.Helper()
	for line := range strings.SplitSeq(encoded, "\r\n") {
		if len(line) > 76 || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") || strings.HasPrefix(line, "From ") {
			t.Errorf("line %q", line)
		}
	}
	var own []byte
	var reader io.Reader
	var err error
	switch encoding {
	case "base64":
		own, err = decodeBase64([]byte(encoded))
		reader = base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded))
	case "quoted-printable":
		own, err = decodeQuotedPrintable([]byte(encoded))
		reader = quotedprintable.NewReader(strings.NewReader(encoded))
	}
	if err != nil || string(own) != crlf(text) {
		t.Errorf("decodes to %q, %v, want %q", own, err, crlf(text))
	}
	if std, err := io.ReadAll(reader); err != nil || string(std) != crlf(text) {
		t.Errorf("standard library decodes to %q, %v, want %q", std, err, crlf(text))
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("From grüße \n\t\n=\r\x00")
	f.Add(strings.Repeat("From ", 50))
	f.Fuzz(func(t *testing.T, text string) {
		text = normalised(text)
		encoded, encoding := encodeText(text, "\r\n")
		checkEncoded(t, text, encoded, encoding)
	})
}

// FuzzQuotedPrintable compares the strict decoder with the standard library's,
// which takes everything that the strict one takes and gives the same for it.
func FuzzQuotedPrintable(f *testing.F) {
	for _, seed := range []string{"a=3D=\nb", "a= \r\n=C3=bc \t\n", "=", "=\n", "a=4", "\xff", "a\rb"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		own, err := decodeQuotedPrintable(body)
		if err != nil || bareCR(body) >= 0 { // the standard library drops a CR at the end
			return
		}
		std, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
		if err == nil && !bytes.Equal(std, own) {
			t.Errorf("%q decodes to %q, standard library says %q", body, own, std)
		}
	})
}
