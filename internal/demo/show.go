package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	stdmime "mime"
	"strings"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"golang.org/x/net/html"
)

// printer writes what happened to each message, for people. It keeps the
// first error of its writer.
type printer struct {
	out    io.Writer
	number int
	err    error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format, args...)
	}
}

func (p *printer) introduce(messages int) {
	p.printf(`%d messages go by SMTP to a small mail server in this process, through a real
milter session to linkmilter, and arrive. Nothing leaves this machine.
`, messages)
}

func (p *printer) message(sent, arrived []byte, r report.Report) {
	p.number++
	before, after := mime.Parse(context.Background(), sent, mime.Limits{}), mime.Parse(context.Background(), arrived, mime.Limits{})
	p.printf("\n%d. %s\n", p.number, subject(before))
	p.printf("   before: %s\n", before.Root.MediaType)
	for leaf := range before.Leaves() {
		p.quote(textOf(before, leaf))
	}
	if bytes.Equal(sent, arrived) {
		p.printf("   after: unchanged, byte for byte\n")
		return
	}
	p.printf("   after: %s\n", after.Root.MediaType)
	for leaf := range after.Leaves() {
		text := textOf(after, leaf)
		if leaf.MediaType == "text/html" {
			p.printf("   %s, which reads\n", leaf.MediaType)
			text, targets := readHTML(text)
			p.quote(text)
			for i, target := range targets {
				p.printf("   link %d opens %s\n", i+1, printable.Text(target))
			}
		} else if bytes.Contains(sent, after.Body(leaf)) {
			p.printf("   %s, byte for byte as sent\n", leaf.MediaType)
		}
	}
	p.findings(r)
}

func (p *printer) conclude() {
	p.printf(`
To run it beside Postfix:   linkmilter serve --milter inet:8895@127.0.0.1
and in main.cf:             smtpd_milters = inet:127.0.0.1:8895
                            milter_default_action = tempfail
`)
}

// quote prints a text indented behind a bar, without its trailing empty lines.
func (p *printer) quote(text string) {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for line := range strings.SplitSeq(text, "\n") {
		p.printf("   │ %s\n", printable.Text(line))
	}
}

func subject(m *mime.Message) string {
	for _, f := range m.Root.Fields {
		if strings.EqualFold(f.Name, "Subject") {
			decoded, err := new(stdmime.WordDecoder).DecodeHeader(m.FieldValue(f))
			if err != nil {
				return printable.Text(m.FieldValue(f))
			}
			return printable.Text(decoded)
		}
	}
	return "(no subject)"
}

func textOf(m *mime.Message, leaf *mime.Part) string {
	text, err := m.Text(leaf)
	if err != nil {
		return err.Error()
	}
	return text
}

// readHTML returns the text of an HTML part as a reader sees it, and the targets of its links in
// order.
func readHTML(document string) (text string, targets []string) {
	var b strings.Builder
	quote, hidden := 0, 0
	newline := func() {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat("▏", quote))
	}
	for z := html.NewTokenizer(strings.NewReader(document)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String(), targets
		case html.TextToken:
			if hidden == 0 {
				// Readers do not see line ends of the source; a no-break space looks like a space.
				text := strings.Trim(string(z.Text()), "\r\n")
				b.WriteString(strings.ReplaceAll(text, "\u00a0", " "))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			switch token := z.Token(); token.Data {
			case "head":
				hidden++
			case "blockquote":
				quote++
			case "br", "div":
				newline()
			case "a":
				targets = append(targets, href(token))
			}
		case html.EndTagToken:
			switch token := z.Token(); token.Data {
			case "head":
				hidden--
			case "blockquote":
				quote--
			}
		}
	}
}

func href(token html.Token) string {
	for _, a := range token.Attr {
		if a.Key == "href" {
			return a.Val
		}
	}
	return ""
}

// findings prints the findings about the links.
func (p *printer) findings(r report.Report) {
	for _, found := range r.Links {
		for _, f := range found.Verdict.Findings {
			p.printf("   flagged %s: %s, %s", f.Severity, f.Code, printable.Text(f.Label))
			if f.Detail != "" {
				p.printf(" (%s)", printable.Text(f.Detail))
			}
			p.printf("\n")
		}
	}
}
