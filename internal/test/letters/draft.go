package letters

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"strings"
	"testing"
)

// A draft is a message that is being written.
type draft struct {
	language
	tb     testing.TB
	domain string
	fields []string
	body   string
}

// set sets a field, in place of that of the same name.
func (d *draft) set(field string) {
	name, _, _ := strings.Cut(field, ":")
	for i, before := range d.fields {
		if strings.HasPrefix(before, name+":") {
			d.fields[i] = field
			return
		}
	}
	d.fields = append(d.fields, field)
}

// remove removes the fields of a name.
func (d *draft) remove(name string) {
	var kept []string
	for _, field := range d.fields {
		if !strings.HasPrefix(field, name+":") {
			kept = append(kept, field)
		}
	}
	d.fields = kept
}

// plain makes the text of the language the body, 8-bit in UTF-8.
func (d *draft) plain() { d.content(part("text/plain; charset=utf-8", "8bit", d.text())) }

// content makes a part the whole message.
func (d *draft) content(part string) {
	header, body, _ := strings.Cut(part, "\r\n\r\n")
	for field := range strings.SplitSeq(header, "\r\n") {
		d.set(field)
	}
	d.body = body
}

// multipart makes parts the whole message.
func (d *draft) multipart(subtype string, parts ...string) {
	d.content("Content-Type: multipart/" + subtype + "; boundary=\"=_" + subtype + "\"\r\n\r\n" + joined(subtype, parts))
}

// bytes returns the message.
func (d *draft) bytes() []byte {
	return []byte(strings.Join(d.fields, "\r\n") + "\r\n\r\n" + d.body)
}

// joined returns the body of a multipart.
func joined(subtype string, parts []string) string {
	var b strings.Builder
	for _, part := range parts {
		fmt.Fprintf(&b, "--=_%s\r\n%s\r\n", subtype, part)
	}
	fmt.Fprintf(&b, "--=_%s--\r\n", subtype)
	return b.String()
}

// part returns a part with its content in a transfer encoding.
func part(mediaType, encoding, content string, fields ...string) string {
	var body bytes.Buffer
	switch encoding {
	case "quoted-printable":
		w := quotedprintable.NewWriter(&body)
		_, _ = w.Write([]byte(content)) // a buffer takes all
		_ = w.Close()
	case "base64":
		for rest := base64.StdEncoding.EncodeToString([]byte(content)); rest != ""; {
			line := rest[:min(76, len(rest))]
			rest = rest[len(line):]
			body.WriteString(line + "\r\n")
		}
	default:
		body.WriteString(content)
	}
	header := append([]string{"Content-Type: " + mediaType, "Content-Transfer-Encoding: " + encoding}, fields...)
	return strings.Join(header, "\r\n") + "\r\n\r\n" + body.String()
}
