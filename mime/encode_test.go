package mime

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
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
		{"more than one piece", strings.Repeat("<p>some text with an ü and From here </p> ", 1000), "quoted-printable"},
		{"a long line that ends in From", strings.Repeat("x", 4090) + "From you \n", "quoted-printable"},
		{"long lines among short ones", strings.Repeat(strings.Repeat("short\n", 900)+strings.Repeat("word ", 5000)+"ü\n", 3), "quoted-printable"},
		{"dots", ".\n..\n.a\n", "quoted-printable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			encoded, encoding := encodeText(t, tt.text, "\r\n")
			if encoding != tt.encoding {
				t.Errorf("encoding %s, want %s", encoding, tt.encoding)
			}
			checkEncoded(t, tt.text, encoded, encoding)
			if lf, same := encodeText(t, tt.text, "\n"); same != encoding || crlf(lf) != encoded {
				t.Errorf("with LF %q in %s", lf, same)
			}
		})
	}
}

// encodeText encodes a text in the shorter encoding. It checks that the result has the length that
// was measured, and is the same if the text is written in pieces.
func encodeText(t testing.TB, text, eol string) (encoded, encoding string) {
	t.Helper()
	e := textEncoders.Get().(*textEncoder)
	defer textEncoders.Put(e)
	as, err := e.measure(sourceOf(text), len(text), eol)
	if err != nil {
		t.Fatal(err)
	}
	digest := newDigest()
	digest.normalised([]byte(text))
	if as.digest != digest.sum() {
		t.Error("another digest")
	}
	all, err := e.append([]byte("before"), sourceOf(text), as, eol)
	if err != nil {
		t.Fatal(err)
	}
	all = bytes.TrimPrefix(all, []byte("before"))
	for _, n := range []int{1, 7, longestStretch - 1} {
		again, err := appendEncoded(nil, inPieces(text, n), as.encoding, eol)
		if err != nil || !bytes.Equal(again, all) {
			t.Errorf("%q, in pieces of %d %q, %v", all, n, again, err)
		}
	}
	shortest := len(text) * 4
	for _, name := range []string{"quoted-printable", "base64"} {
		wire, err := appendEncoded(nil, sourceOf(text), name, "\r\n")
		if err != nil {
			t.Fatal(err)
		}
		shortest = min(shortest, len(wire))
		if name == as.encoding && (len(wire) > shortest || eol == "\r\n" && as.size != len(wire) || as.size < len(all)) {
			t.Errorf("%d bytes in %s, %d at the least, measured %d", len(wire), name, shortest, as.size)
		}
	}
	return string(all), as.encoding
}

// inPieces returns a document that writes text n bytes at a time.
func inPieces(text string, n int) document {
	return func(w io.Writer) error {
		for piece := range slices.Chunk([]byte(text), n) {
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
		return nil
	}
}

// collect returns what a decoder passes on.
func collect(decode func(*meter.Meter, []byte, func([]byte) error) error, body []byte) ([]byte, error) {
	var all []byte
	err := decode(meter.New(context.Background()), body, func(piece []byte) error {
		all = append(all, piece...)
		return nil
	})
	return all, err
}

// checkEncoded checks the form of an encoded text, and that this package and the standard library
// decode it to the text.
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
		own, err = collect(decodeBase64, []byte(encoded))
		reader = base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded))
	case "quoted-printable":
		own, err = collect(decodeQuotedPrintable, []byte(encoded))
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
		text = strings.ToValidUTF8(text, "?")
		for strings.Contains(text, "\r\n") { // CR CR LF becomes CR LF
			text = normalised(text)
		}
		encoded, encoding := encodeText(t, text, "\r\n")
		checkEncoded(t, text, encoded, encoding)
	})
}

// strictQuoted decodes quoted-printable line by line and byte by byte, and
// reports whether it is valid.
func strictQuoted(body []byte) (decoded []byte, ok bool) {
	for line := range bytes.Lines(body) {
		content := trimLineEnd(line)
		ending := line[len(content):]
		content = bytes.TrimRight(content, " \t")
		if soft, ok := bytes.CutSuffix(content, []byte("=")); ok {
			content, ending = soft, nil
		}
		for len(content) > 0 {
			n, b := 1, content[:1]
			if content[0] == '=' {
				n, b = min(3, len(content)), make([]byte, 1)
				if decoded, err := hex.Decode(b, content[1:n]); err != nil || decoded != 1 {
					return nil, false
				}
			} else if content[0] > '~' {
				return nil, false
			}
			decoded = append(decoded, b...)
			content = content[n:]
		}
		decoded = append(decoded, ending...)
	}
	return decoded, true
}

// FuzzQuotedPrintable compares the decoder with one that goes byte by byte. What these accept, the
// standard library also accepts, with the same result.
func FuzzQuotedPrintable(f *testing.F) {
	for _, seed := range []string{
		"a=3D=\nb", "a= \r\n=C3=bc \t\n", "=", "=\n", "a=4", "\xff", "a\rb", "a \r", "= \r", "a \n \t\r\n =20 \n ",
		strings.Repeat("a line that ends in white space \r\n", 200) + "\x7f",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		own, err := collect(decodeQuotedPrintable, body)
		if strict, ok := strictQuoted(body); ok != (err == nil) || ok && !bytes.Equal(strict, own) {
			t.Errorf("%q decodes to %q, %v, byte by byte to %q, %t", body, own, err, strict, ok)
		}
		if err != nil || bareCR(body) >= 0 { // the standard library drops a CR at the end
			return
		}
		std, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
		if err == nil && !bytes.Equal(std, own) {
			t.Errorf("%q decodes to %q, standard library says %q", body, own, std)
		}
	})
}

// sourceOf returns a document that writes text.
func sourceOf(text string) document {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}
