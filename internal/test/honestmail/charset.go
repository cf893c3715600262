package honestmail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// encodeCharset returns the bytes of a text in a charset.
func encodeCharset(text, charset string) ([]byte, error) {
	if charset == "utf-8" {
		return []byte(text), nil
	}
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("charset %q: %w", charset, err)
	}
	b, err := encoding.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("text %q in %s: %w", text, charset, err)
	}
	return b, nil
}

// quotedPrintable writes text in quoted-printable.
func quotedPrintable(out *bytes.Buffer, b []byte) error {
	w := quotedprintable.NewWriter(out)
	if _, err := w.Write(b); err != nil {
		return err
	}
	return w.Close()
}

// phrase returns a text of a header field, with encoded words where it is not ASCII.
func (d *draft) phrase(text string) string {
	if isASCII(text) {
		return text
	}
	if d.charset == "utf-8" {
		encoder := mime.QEncoding
		if strings.Count(text, "")*2 < len(text) || d.service.encoding == "base64" {
			encoder = mime.BEncoding
		}
		return strings.ReplaceAll(encoder.Encode("utf-8", text), "?= =?", "?=\r\n =?")
	}
	var encoded []string
	for len(text) > 0 {
		n := 0
		for count := 0; n < len(text) && count < 12; count++ {
			_, size := utf8.DecodeRuneInString(text[n:])
			n += size
		}
		b, err := encodeCharset(text[:n], d.charset)
		if err != nil {
			b = []byte(text[:n])
		}
		encoded = append(encoded, "=?"+d.charset+"?B?"+base64.StdEncoding.EncodeToString(b)+"?=")
		text = text[n:]
	}
	return strings.Join(encoded, "\r\n ")
}

// address returns an address with its display name.
func (d *draft) address(a *mail.Address) string {
	switch {
	case a.Name == "":
		return "<" + a.Address + ">"
	case !isASCII(a.Name):
		return d.phrase(a.Name) + "\r\n <" + a.Address + ">"
	case strings.ContainsAny(a.Name, `()<>[]:;@\,."`):
		return `"` + strings.ReplaceAll(a.Name, `"`, `\"`) + `" <` + a.Address + ">"
	default:
		return a.Name + " <" + a.Address + ">"
	}
}

// isASCII reports whether a text has ASCII only.
func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
