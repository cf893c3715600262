package honestmail

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"regexp"
	"strings"
)

// inline finds [text](URL) and URLs in a paragraph.
var inline = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+|mailto:[^)\s]+)\)|(https?://[^\s<>()"]*[^\s<>()".,;:!?])`)

// writeBody writes the fields of the body and the body.
func (d *draft) writeBody() error {
	form := orElse(d.letter.options["form"], d.service.form)
	encoding := orElse(d.letter.options["enc"], d.service.encoding)
	attached := d.letter.marked('A')
	calendar := d.letter.marked('V')
	report := d.letter.marked('R')
	file := d.letter.options["file"]
	if len(attached)+len(calendar)+len(report) == 0 && file == "" {
		return d.writeText(form, encoding)
	}
	boundary := d.fill.fill("=_{hex16}_mixed")
	kind := `multipart/mixed`
	if len(report) > 0 {
		kind = "multipart/report; report-type=" + orElse(d.letter.options["report"], "delivery-status")
	}
	d.field("Content-Type", kind+"; boundary=\""+boundary+"\"")
	d.out.WriteString("\r\n")
	d.out.WriteString("--" + boundary + "\r\n")
	if err := d.writeText(form, encoding); err != nil {
		return err
	}
	if len(report) > 0 {
		d.out.WriteString("\r\n--" + boundary + "\r\nContent-Type: message/" + orElse(d.letter.options["report"], "delivery-status") + "\r\n\r\n")
		d.out.WriteString(strings.ReplaceAll(strings.Join(report, "\r\n"), "~", "") + "\r\n")
	}
	if len(attached) > 0 {
		d.out.WriteString("\r\n--" + boundary + "\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n")
		for _, text := range attached {
			d.out.WriteString(strings.TrimPrefix(text, "~") + "\r\n")
		}
	}
	if len(calendar) > 0 {
		d.out.WriteString("\r\n--" + boundary + "\r\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\r\nContent-Transfer-Encoding: base64\r\n\r\n")
		wrapped(&d.out, []byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//calendar//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n"+strings.Join(calendar, "\r\n")+"\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
	}
	if file != "" {
		d.writeFile(boundary, strings.ReplaceAll(file, " ", "_"))
	}
	d.out.WriteString("\r\n--" + boundary + "--\r\n")
	return nil
}

// writeFile attaches a file.
func (d *draft) writeFile(boundary, file string) {
	var kind string
	var content bytes.Buffer
	switch {
	case strings.HasSuffix(file, ".gz"):
		kind = "application/gzip"
		w := gzip.NewWriter(&content)
		fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n<feedback><report_metadata><org_name>%s</org_name></report_metadata></feedback>\n", d.domain)
		w.Close()
	case strings.HasSuffix(file, ".wav"):
		kind = "audio/x-wav"
		content.WriteString("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")
	default:
		kind = "application/pdf"
		content.WriteString("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n")
	}
	fmt.Fprintf(&d.out, "\r\n--%s\r\nContent-Type: %s; name=\"%s\"\r\nContent-Disposition: attachment; filename=\"%s\"\r\nContent-Transfer-Encoding: base64\r\n\r\n", boundary, kind, file, file)
	wrapped(&d.out, content.Bytes())
}

// writeText writes the text, the HTML or both.
func (d *draft) writeText(form, encoding string) error {
	switch form {
	case "plain":
		return d.writePart("plain", d.plain(), encoding)
	case "html":
		return d.writePart("html", d.html(), encoding)
	}
	boundary := d.fill.fill("--=_Part_{dec5}_{dec8}.{dec13}")
	d.field("Content-Type", "multipart/alternative; boundary=\""+boundary+"\"")
	d.out.WriteString("\r\n")
	d.out.WriteString("--" + boundary + "\r\n")
	if err := d.writePart("plain", d.plain(), encoding); err != nil {
		return err
	}
	d.out.WriteString("\r\n--" + boundary + "\r\n")
	if err := d.writePart("html", d.html(), encoding); err != nil {
		return err
	}
	d.out.WriteString("\r\n--" + boundary + "--\r\n")
	return nil
}

// writePart writes the fields and the text of a part.
func (d *draft) writePart(kind, text, encoding string) error {
	name := map[string]string{"qp": "quoted-printable", "7bit": "8bit"}[encoding]
	name = orElse(name, encoding)
	if d.charset == "iso-2022-jp" {
		name, encoding = "7bit", "7bit"
	}
	d.field("Content-Type", "text/"+kind+"; charset="+d.charset)
	d.field("Content-Transfer-Encoding", name)
	d.out.WriteString("\r\n")
	return d.encode(text, encoding)
}

// isBulk reports whether the service sends to many, with a way to leave.
func (d *draft) isBulk() bool { return d.service.unsubscribe != "" && d.letter.options["repo"] == "" }

// target returns where a link leads: through the service that counts clicks, if it does.
func (d *draft) target(url string) string {
	if d.service.link == "" || strings.HasPrefix(url, "mailto:") || d.letter.options["direct"] != "" {
		return url
	}
	return d.fill.fill(d.service.link)
}

// button returns the text and the target of a button.
func (d *draft) button(text string) (label, url string) {
	label, url, ok := strings.Cut(text, " | ")
	if !ok {
		url = "https://www." + d.fill.known["{s}"] + "/"
	}
	return label, d.target(url)
}

// plain returns the text of the plain part.
func (d *draft) plain() string {
	var b strings.Builder
	signed := false
	for _, line := range d.letter.lines {
		switch line.mark {
		case 'H':
			b.WriteString(line.text + "\r\n" + strings.Repeat("=", min(len([]rune(line.text)), 60)) + "\r\n\r\n")
		case 'T':
			b.WriteString(d.plainLinks(line.text) + "\r\n\r\n")
		case 'B':
			label, url := d.button(line.text)
			b.WriteString(label + ":\r\n" + url + "\r\n\r\n")
		case 'Q':
			b.WriteString("> " + line.text + "\r\n")
		case 'I':
			if !signed && !d.isBulk() {
				b.WriteString("-- \r\n")
			}
			signed = true
			b.WriteString(line.text + "\r\n")
		}
	}
	if d.isBulk() {
		b.WriteString("\r\n" + d.words.why + "\r\n" + d.words.unsubscribe + ": " + d.target("https://www."+d.fill.known["{s}"]+"/unsubscribe") + "\r\n")
	}
	return b.String()
}

// plainLinks writes the links of a paragraph as a text part has them.
func (d *draft) plainLinks(text string) string {
	return inline.ReplaceAllStringFunc(text, func(match string) string {
		parts := inline.FindStringSubmatch(match)
		if parts[3] != "" {
			return parts[3]
		}
		return parts[1] + " (" + strings.TrimPrefix(d.target(parts[2]), "mailto:") + ")"
	})
}
