package main

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// A style is the HTML that a mail program writes.
type style struct {
	name, head, tail string
	open, end        string // of a paragraph
	quote, unquote   string // around quoted paragraphs
	link             string // around the text of a link; | is the URL
}

var styles = []style{
	{
		"outlook",
		`<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content="text/html; charset={{charset}}">
<meta name="Generator" content="Microsoft Word 15 (filtered medium)"><style><!--
p.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}
--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head>
<body lang="EN-US" link="#0563C1" vlink="#954F72"><div class="WordSection1">
`, "</div></body></html>\n",
		`<p class="MsoNormal">`, "<o:p></o:p></p>\n",
		"<div style='border:none;border-top:solid #E1E1E1 1.0pt'>\n", "</div>\n",
		`<a href="|">^</a>`,
	},
	{
		"gmail", `<div dir="ltr">`, "</div>\n", "<div>", "</div>",
		`<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">`, "</blockquote>",
		`<a href="|" target="_blank">^</a>`,
	},
	{
		"apple",
		`<html><head><meta http-equiv="content-type" content="text/html; charset={{charset}}"></head><body style="overflow-wrap: break-word; line-break: after-white-space;">`,
		"</body></html>\n", "<div>", "</div><div><br></div>", `<blockquote type="cite">`, "</blockquote>", `<a href="|">^</a>`,
	},
	{
		"thunderbird", "<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv=\"content-type\" content=\"text/html; charset={{charset}}\">\n  </head>\n  <body>\n", "  </body>\n</html>\n",
		"    <p>", "</p>\n", "    <blockquote type=\"cite\"\n      cite=\"mid:77@example.com\">\n", "    </blockquote>\n",
		"<a class=\"moz-txt-link-freetext\"\n      href=\"|\">^</a>",
	},
	{
		"yahoo", `<html><head></head><body><div class="yahoo-style-wrap" style="font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;">`, "</div></body></html>\n",
		`<div dir="ltr" data-setdir="false">`, "</div>\n", `<div class="yahoo_quoted">`, "</div>", `<a href="|" rel="nofollow" target="_blank">^</a>`,
	},
}

// htmlForms are the forms of HTML messages in every language. A line is a paragraph; one
// behind "> " is quoted. [URL text] becomes a link, a URL without brackets stays text.
var htmlForms = []struct {
	name string
	body func(l language, u string, other []string) string
	text func(body string, l language, u string) string // of the plain text; nil where it says the same
}{
	{name: "named", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + l.thanks
	}},
	{name: "bare", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + u + "\n" + l.thanks
	}},
	{name: "inline", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + " (" + named(u) + ") " + l.another
	}},
	{name: "bare-inline", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + " " + u + " " + l.another
	}},
	{name: "titled", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n[" + u + " " + l.short + "]\n" + l.thanks
	}},
	{name: "titled-and-named", body: func(l language, u string, other []string) string {
		return l.greeting + "\n" + l.sentence + " [" + u + " " + l.short + "]\n" + named(other[0]) + "\n" + l.thanks
	}},
	{name: "several", body: func(l language, u string, other []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + named(other[0]) + "\n" + named(other[1]) + "\n" + l.thanks
	}},
	{name: "several-bare", body: func(l language, u string, other []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + u + "\n" + strings.Join(other, "\n") + "\n" + l.another
	}},
	{name: "long", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + strings.Repeat(l.sentence+"\n"+l.another+"\n", 8) + named(u) + "\n" + strings.Repeat(l.sentence+"\n", 4) + l.thanks
	}},
	{name: "link-alone", body: func(_ language, u string, _ []string) string { return named(u) }},
	{name: "bare-alone", body: func(_ language, u string, _ []string) string { return u }},
	{name: "links-alone", body: func(_ language, u string, other []string) string { return named(u) + "\n" + named(other[0]) }},
	{name: "greeting-and-link", body: func(l language, u string, _ []string) string { return l.greeting + "\n" + named(u) }},
	{name: "short", body: func(l language, u string, _ []string) string { return l.short + "\n" + named(u) }},
	{name: "reply", body: func(l language, u string, other []string) string {
		return l.greeting + "\n" + named(u) + "\n" + l.thanks + "\n> " + l.sentence + "\n> " + named(other[0])
	}},
	{name: "quoting-reply", body: func(l language, u string, _ []string) string {
		return l.thanks + "\n> " + l.sentence + "\n> " + named(u)
	}},
	{name: "text-readable", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + l.thanks
	}, text: func(body string, l language, u string) string {
		return strings.ReplaceAll(body, u, "https://"+l.page)
	}},
	{name: "text-without-link", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(u) + "\n" + l.thanks
	}, text: func(body string, _ language, u string) string {
		return strings.ReplaceAll(body, named(u)+"\n", "")
	}},
	{name: "idn", body: func(l language, _ string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named("https://"+l.host+"/") + "\n" + l.thanks
	}},
	{name: "idn-a-label", body: func(l language, _ string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(escaped(aLabels(l.host)+"/"+l.page)) + "\n" + l.thanks
	}},
	{name: "bare-idn", body: func(l language, _ string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + escaped(l.host+"/"+l.page) + "\n" + l.thanks
	}},
	{name: "http", body: func(l language, u string, other []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(strings.Replace(u, "https", "http", 1)) + "\n" + named(other[0]) + "\n" + l.thanks
	}},
	{name: "bare-http", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + strings.Replace(u, "https", "http", 1) + "\n" + l.thanks
	}},
	{name: "number", body: func(l language, _ string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + escaped("192.0.2.7/"+l.page) + "\n" + l.thanks
	}},
	{name: "bare-www", body: func(l language, _ string, _ []string) string {
		_, path, _ := strings.Cut(l.page, "/")
		return l.greeting + "\n" + strings.TrimPrefix(escaped("www.example.de/"+path), "https://") + "\n" + l.short
	}},
	{name: "www", body: func(l language, _ string, _ []string) string {
		_, path, _ := strings.Cut(l.page, "/")
		shown := strings.TrimPrefix(escaped("www.example.de/"+path), "https://")
		return l.greeting + "\n" + l.sentence + "\n[http://" + shown + " " + shown + "]\n" + l.thanks
	}},
	{name: "other-language", body: func(l language, _ string, other []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named(other[0]) + "\n" + l.thanks
	}},
	{name: "beside-ascii", body: func(l language, u string, _ []string) string {
		return l.greeting + "\n" + l.sentence + "\n" + named("https://www.example.com/schedule.html") + "\n" + named(u) + "\n[mailto:bob@example.org bob@example.org]"
	}},
}

// notWanted are the forms without an over-escaped link that may become readable, or without
// a sentence.
var notWanted = []string{
	"titled", "link-alone", "bare-alone", "links-alone", "greeting-and-link", "quoting-reply", "idn", "bare-idn", "number",
}

// named returns a link whose text is its URL.
func named(u string) string { return "[" + u + " " + u + "]" }

// htmlMessages returns every form of HTML in every language, in the styles in turns: in
// multipart/alternative, alone, and beside an image.
func htmlMessages() []message {
	var all []message
	for i, l := range languages {
		other := otherLinks(i)
		for j, form := range htmlForms {
			n, s := len(all), &styles[(i+j)%len(styles)]
			u := escaped(l.page)
			body := form.body(l, u, other)
			text := body
			if form.text != nil {
				text = form.text(body, l, u)
			}
			charset := "utf-8"
			if (i+j/2)%3 == 0 {
				charset = l.charset
			}
			structure := []func(text, html string) string{alternative, alone, alternative, related}[(i+j)%4]
			all = append(all, message{
				l.code + "-" + form.name + "-" + s.name + "-" + charset,
				[]byte(head(n, form.name) + structure(encoded("plain", charset, inText(text), n), encoded("html", charset, s.document(body, charset), n))),
				!slices.Contains(notWanted, form.name),
			})
		}
	}
	return all
}

// linkForm matches a link as htmlForms write it.
var linkForm = regexp.MustCompile(`\[(\S+) ([^\]]+)\]`)

// inText returns the plain text of a body.
func inText(body string) string {
	return linkForm.ReplaceAllStringFunc(strings.ReplaceAll(body, "\n", "\n\n"), func(link string) string {
		m := linkForm.FindStringSubmatch(link)
		if m[1] == m[2] || strings.HasSuffix(m[1], m[2]) {
			return m[2]
		}
		return m[2] + " <" + m[1] + ">"
	}) + "\n"
}

// document returns the HTML of a body.
func (s *style) document(body, charset string) string {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(s.head, "{{charset}}", charset))
	quoted := false
	for line := range strings.SplitSeq(body, "\n") {
		text, isQuoted := strings.CutPrefix(line, "> ")
		if isQuoted && !quoted {
			b.WriteString(s.quote)
		}
		quoted = isQuoted
		text = linkForm.ReplaceAllStringFunc(html.EscapeString(text), func(link string) string {
			m := linkForm.FindStringSubmatch(link)
			return strings.NewReplacer("|", m[1], "^", m[2]).Replace(s.link)
		})
		b.WriteString(s.open + text + s.end)
	}
	if quoted {
		b.WriteString(s.unquote)
	}
	return b.String() + s.tail
}

// inCharset returns a text in a charset. In HTML, references stand for what it lacks; in a
// plain text, question marks.
func inCharset(subtype, charset, text string) string {
	e, err := htmlindex.Get(charset)
	if err != nil {
		panic(err) // the charsets here are known
	}
	encoder := encoding.ReplaceUnsupported(e.NewEncoder())
	if subtype == "html" {
		encoder = encoding.HTMLEscapeUnsupported(e.NewEncoder())
	}
	text, err = encoder.String(text)
	if err != nil {
		panic(err) // what the charset lacks is replaced
	}
	return text
}

func alone(_, html string) string { return html }

func alternative(text, html string) string {
	return multipart("alternative", "=_f7d2b1", text, html)
}

// related puts HTML beside an image, and both beside the text.
func related(text, html string) string {
	const image = "Content-Type: image/gif\r\nContent-ID: <1@example.org>\r\nContent-Disposition: inline; filename=\"logo.gif\"\r\nContent-Transfer-Encoding: base64\r\n\r\nR0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7\r\n"
	return alternative(text, multipart("related", "=_9c01aa", html, image))
}

func multipart(subtype, boundary string, parts ...string) string {
	return fmt.Sprintf("Content-Type: multipart/%s; boundary=%q\r\n\r\n--%s\r\n%s\r\n--%s--\r\n",
		subtype, boundary, boundary, strings.Join(parts, "\r\n--"+boundary+"\r\n"), boundary)
}
