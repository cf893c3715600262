package honestmail

import (
	"fmt"
	"html"
	"strings"
)

// html returns the HTML as the service of the message writes it.
func (d *draft) html() string {
	switch d.service.page {
	case "table":
		return d.tables()
	case "card":
		return d.card()
	case "outlook":
		return d.outlook()
	case "gmail":
		return `<div dir="` + d.words.direction() + `">` + d.blocks(`<div>%s</div><div><br></div>`) + "</div>\r\n"
	default:
		return `<html><body style="font-family: sans-serif; font-size: 14px;">` + "\r\n" + d.blocks("<p>%s</p>\r\n") + d.leave() + "</body></html>\r\n"
	}
}

// tables returns the HTML of a newsletter: preheader, logo, tables in tables.
func (d *draft) tables() string {
	return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">` + "\r\n" +
		`<html xmlns="http://www.w3.org/1999/xhtml" lang="` + d.letter.language + `" dir="` + d.words.direction() + `"><head>` +
		`<meta http-equiv="Content-Type" content="text/html; charset=` + d.charset + `" /><meta name="viewport" content="width=device-width, initial-scale=1.0" />` + "\r\n" +
		`<title>` + html.EscapeString(d.letter.subject) + `</title><style type="text/css">body{margin:0;padding:0;background:#f4f4f4} .c{font-family:Helvetica,Arial,sans-serif;color:#333333} @media only screen and (max-width:480px){.w{width:100% !important}}</style></head><body>` + "\r\n" +
		d.preheader() +
		`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">` + "\r\n" +
		`<table role="presentation" class="w" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff">` + "\r\n" +
		d.browser() + d.logo(`<tr><td style="padding:24px">%s</td></tr>`+"\r\n") +
		`<tr><td class="c" style="padding:0 24px;font-size:16px;line-height:24px">` + "\r\n" + d.blocks("<p style=\"margin:0 0 16px\">%s</p>\r\n") + `</td></tr>` + "\r\n" +
		`<tr><td class="c" style="padding:24px;font-size:12px;color:#777777">` + d.footer() + d.leave() + `</td></tr></table></td></tr></table>` + "\r\n" +
		d.pixel() + "</body></html>\r\n"
}

// card returns the HTML of a short notice.
func (d *draft) card() string {
	return `<!doctype html><html lang="` + d.letter.language + `"><head><meta charset="` + d.charset + `"></head><body style="background-color:#f6f9fc;margin:0" dir="` + d.words.direction() + `">` + "\r\n" +
		d.preheader() + `<div style="max-width:560px;margin:24px auto;padding:32px;background-color:#ffffff;border-radius:4px;font-family:-apple-system,'Segoe UI',Roboto,sans-serif;color:#32325d">` + "\r\n" +
		d.logo("<div style=\"margin-bottom:24px\">%s</div>\r\n") + d.blocks("<p style=\"font-size:16px\">%s</p>\r\n") +
		`<hr style="border:none;border-top:1px solid #e6ebf1"><p style="font-size:12px;color:#8898aa">` + d.footer() + d.leave() + `</p></div>` + d.pixel() + "</body></html>\r\n"
}

// outlook returns the HTML that Outlook writes.
func (d *draft) outlook() string {
	return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta http-equiv="Content-Type" content="text/html; charset=` + d.charset + `"><meta name="Generator" content="Microsoft Word 15 (filtered medium)">` +
		"<style><!--\r\np.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:\"Aptos\",sans-serif;}\r\n--></style></head>\r\n" +
		`<body lang="` + d.letter.language + `" link="#467886" vlink="#96607D"><div class="WordSection1">` + "\r\n" +
		d.blocks("<p class=\"MsoNormal\">%s<o:p></o:p></p><p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p>\r\n") + "</div></body></html>\r\n"
}

// blocks returns headings, paragraphs, buttons and quotes, paragraphs in the given form.
func (d *draft) blocks(paragraph string) string {
	var b strings.Builder
	quoting := false
	for _, line := range d.letter.lines {
		if quoting && line.mark != 'Q' {
			b.WriteString("</blockquote>\r\n")
			quoting = false
		}
		switch line.mark {
		case 'H':
			b.WriteString(`<h1 style="font-size:24px;line-height:30px">` + html.EscapeString(line.text) + "</h1>\r\n")
		case 'T':
			fmt.Fprintf(&b, paragraph, d.anchors(line.text))
		case 'B':
			label, url := d.button(line.text)
			b.WriteString(`<p><a href="` + html.EscapeString(url) + `" target="_blank" style="background-color:#1a73e8;border-radius:4px;color:#ffffff;display:inline-block;padding:12px 24px;text-decoration:none">` + html.EscapeString(label) + "</a></p>\r\n")
		case 'Q':
			if !quoting {
				b.WriteString(`<blockquote type="cite" style="margin:0 0 0 8px;padding-left:8px;border-left:1px solid #cccccc">`)
			}
			quoting = true
			b.WriteString(d.anchors(line.text) + "<br>\r\n")
		case 'I':
			if d.service.page != "table" && d.service.page != "card" {
				fmt.Fprintf(&b, paragraph, d.anchors(line.text))
			}
		}
	}
	if quoting {
		b.WriteString("</blockquote>\r\n")
	}
	return b.String()
}

// anchors writes the links of a paragraph as HTML.
func (d *draft) anchors(text string) string {
	var b strings.Builder
	for {
		at := inline.FindStringSubmatchIndex(text)
		if at == nil {
			b.WriteString(html.EscapeString(text))
			return b.String()
		}
		b.WriteString(html.EscapeString(text[:at[0]]))
		if at[6] >= 0 {
			url := text[at[6]:at[7]]
			b.WriteString(`<a href="` + html.EscapeString(d.target(url)) + `">` + html.EscapeString(url) + "</a>")
		} else {
			b.WriteString(`<a href="` + html.EscapeString(d.target(text[at[4]:at[5]])) + `">` + html.EscapeString(text[at[2]:at[3]]) + "</a>")
		}
		text = text[at[1]:]
	}
}

// preheader returns the text that mail programs show beside the subject.
func (d *draft) preheader() string {
	if d.letter.preheader == "" {
		return ""
	}
	return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">` + html.EscapeString(d.letter.preheader) + strings.Repeat("&nbsp;&zwnj;", 12) + "</div>\r\n"
}

// logo returns the image of the logo in a frame.
func (d *draft) logo(frame string) string {
	if d.letter.logo == "" {
		return ""
	}
	site := "https://www." + d.fill.known["{s}"] + "/"
	image := d.fill.fill(orElse(d.service.image, "https://{s}/assets/mail/logo.png"))
	return fmt.Sprintf(frame, `<a href="`+html.EscapeString(d.target(site))+`"><img src="`+html.EscapeString(image)+`" width="140" alt="`+html.EscapeString(d.letter.logo)+`" border="0"></a>`)
}

// browser returns the link to the page of a newsletter.
func (d *draft) browser() string {
	if !d.isBulk() {
		return ""
	}
	return `<tr><td align="center" style="font-size:11px"><a href="` + html.EscapeString(d.target("https://www."+d.fill.known["{s}"]+"/newsletter")) + `">` + html.EscapeString(d.words.browser) + "</a></td></tr>\r\n"
}

// footer returns the lines of the footer.
func (d *draft) footer() string {
	var b strings.Builder
	for _, text := range d.letter.marked('I') {
		b.WriteString(d.anchors(text) + "<br>\r\n")
	}
	return b.String()
}

// leave returns the link to leave the list.
func (d *draft) leave() string {
	if !d.isBulk() {
		return ""
	}
	return html.EscapeString(d.words.why) + ` <a href="` + html.EscapeString(d.target("https://www."+d.fill.known["{s}"]+"/unsubscribe")) + `">` + html.EscapeString(d.words.unsubscribe) + "</a>\r\n"
}

// pixel returns the image that counts readers.
func (d *draft) pixel() string {
	if d.service.link == "" {
		return ""
	}
	return `<img src="` + html.EscapeString(d.fill.fill(d.service.link)) + `&amp;o=1" width="1" height="1" alt="">` + "\r\n"
}
