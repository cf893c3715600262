//go:build linux

package e2e

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"testing"
)

// A link as browsers copy it, and as people read it.
const (
	typedLink    = "https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"
	readableLink = "https://hi.wikipedia.org/wiki/महात्मा_गांधी"
)

// Bodies for messages that are edited and that are not.
const (
	linkText = "नमस्ते,\r\nsee " + typedLink + " please.\r\n"
	noLink   = "Nothing to see here, thank you.\r\n"
)

const textPlain = "text/plain; charset=utf-8"

// compose makes a message of a body, with the Content-Type given and more
// header fields ("Name: value") where a test needs them.
func compose(contentType, body string, fields ...string) []byte {
	header := append([]string{
		"From: =?utf-8?q?A?= <a@example.test>",
		"To: b@example.test",
		"Subject: A message",
		"Date: Fri, 20 Nov 2026 10:00:00 +0000",
		"Message-ID: <1@client.example>",
		"MIME-Version: 1.0",
		"Content-Type: " + contentType,
		"Content-Transfer-Encoding: 8bit",
	}, fields...)
	return []byte(strings.Join(header, "\r\n") + "\r\n\r\n" + body)
}

// filler returns lines of text, size bytes in all or a few more.
func filler(size int) string {
	const line = "0123456789012345678901234567890123456789012345678901234567890123456789\r\n"
	return strings.Repeat(line, size/len(line)+1)
}

// mixed returns the Content-Type and the body of a message with a text and an attachment of about
// attachment bytes.
func mixed(text string, attachment int) (contentType, body string) {
	return `multipart/mixed; boundary="=_mixed"`, "--=_mixed\r\n" +
		"Content-Type: " + textPlain + "\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + text +
		"\r\n--=_mixed\r\n" +
		"Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=a.bin\r\n\r\n" + filler(attachment) +
		"\r\n--=_mixed--\r\n"
}

// readAlternative reads a delivered multipart/alternative as a mail client would, and returns its
// two parts: the first as its bytes, the HTML part decoded.
func readAlternative(t *testing.T, d Delivered) (text, html string) {
	t.Helper()
	message, err := mail.ReadMessage(strings.NewReader(strings.Join(d.Header, "") + "\n" + d.Body))
	if err != nil {
		t.Fatal(err)
	}
	mediaType, params, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/alternative" {
		t.Fatalf("Content-Type %q (%v), want multipart/alternative", mediaType, err)
	}
	parts := multipart.NewReader(message.Body, params["boundary"])
	var bodies []string
	var headers []textproto.MIMEHeader
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		bodies, headers = append(bodies, string(content)), append(headers, part.Header)
	}
	if len(bodies) != 2 {
		t.Fatalf("%d parts, want 2", len(bodies))
	}
	if got := headers[1].Get("Content-Type"); !strings.HasPrefix(got, "text/html") {
		t.Fatalf("second part is %q, want text/html", got)
	}
	return bodies[0], decodeTransfer(t, headers[1].Get("Content-Transfer-Encoding"), bodies[1])
}

func decodeTransfer(t *testing.T, encoding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	default:
		t.Fatalf("HTML part in Content-Transfer-Encoding %q", encoding)
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(decoded)
}

// lf replaces the line ends of SMTP by those of a mailbox.
func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
