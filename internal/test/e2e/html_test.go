//go:build linux

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/linkmilter/linkmilter/mime"
)

// spoof is a link that the filter flags.
const spoof = "https://xn--pypal-4ve.com/login"

// htmlSample is a message with an HTML part, as a mail program sends it.
type htmlSample struct {
	name    string
	charset string
	encoding,
	structure string
	greeting string
}

var htmlSamples = []htmlSample{
	{"8bit alone", "utf-8", "8bit", "alone", "नमस्ते, कृपया यह लेख पढ़ें।"},
	{"8bit in an alternative", "utf-8", "8bit", "alternative", "नमस्ते, कृपया यह लेख पढ़ें।"},
	{"quoted-printable alone", "utf-8", "quoted-printable", "alone", "Привет, прочитай эту статью."},
	{"quoted-printable in a related", "utf-8", "quoted-printable", "related", "Привет, прочитай эту статью."},
	{"base64 alone", "utf-8", "base64", "alone", "مرحبا، أرجو قراءة هذا المقال."},
	{"base64 in an alternative", "utf-8", "base64", "alternative", "مرحبا، أرجو قراءة هذا المقال."},
	{"Latin-1 alone", "iso-8859-1", "8bit", "alone", "Schöne Grüße, bitte diesen Artikel lesen."},
	{"Latin-1 quoted-printable in a related", "iso-8859-1", "quoted-printable", "related", "Schöne Grüße, bitte diesen Artikel lesen."},
	{"Japanese alone", "iso-2022-jp", "7bit", "alone", "こんにちは。この記事を読んでください。"},
	{"Japanese in an alternative", "iso-2022-jp", "7bit", "alternative", "こんにちは。この記事を読んでください。"},
	{"Chinese alone", "gb2312", "base64", "alone", "你好，请阅读这篇文章。"},
	{"Chinese 8bit in a related", "gb2312", "8bit", "related", "你好，请阅读这篇文章。"},
}

// message returns the message with a link whose text is its URL.
func (s *htmlSample) message(t *testing.T, link string, fields ...string) []byte {
	t.Helper()
	html := s.part(t, "html", "<html><body>\r\n<p>"+s.greeting+"</p>\r\n<p><a\r\n  href=\""+link+"\">"+link+"</a></p>\r\n</body></html>\r\n")
	if s.structure == "related" {
		html = joined("related", "=_r", html, "Content-Type: image/gif\r\nContent-ID: <1@example.test>\r\nContent-Transfer-Encoding: base64\r\n\r\nR0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7\r\n")
	}
	if s.structure != "alone" {
		html = joined("alternative", "=_a", s.part(t, "plain", s.greeting+"\r\n"+link+"\r\n"), html)
	}
	header := append([]string{
		"From: A <a@example.test>", "To: b@example.test", "Subject: A message", "Date: Fri, 20 Nov 2026 10:00:00 +0000",
		"Message-ID: <1@client.example>", "MIME-Version: 1.0",
	}, fields...)
	return []byte(strings.Join(header, "\r\n") + "\r\n" + html)
}

// joined returns a multipart of parts with their fields.
func joined(subtype, boundary string, parts ...string) string {
	return "Content-Type: multipart/" + subtype + "; boundary=\"" + boundary + "\"\r\n\r\n--" + boundary + "\r\n" +
		strings.Join(parts, "\r\n--"+boundary+"\r\n") + "\r\n--" + boundary + "--\r\n"
}

// part returns a text with its fields, in the charset and encoding of the sample.
func (s *htmlSample) part(t *testing.T, subtype, text string) string {
	t.Helper()
	e, err := htmlindex.Get(s.charset)
	if err != nil {
		t.Fatal(err)
	}
	content, err := encoding.ReplaceUnsupported(e.NewEncoder()).Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	switch s.encoding {
	case "quoted-printable":
		w := quotedprintable.NewWriter(&b)
		if _, err := w.Write(content); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	case "base64":
		const width = 76
		for digits := base64.StdEncoding.EncodeToString(content); digits != ""; {
			n := min(len(digits), width)
			b.WriteString(digits[:n] + "\r\n")
			digits = digits[n:]
		}
	default:
		b.Write(content)
	}
	return "Content-Type: text/" + subtype + "; charset=" + s.charset + "\r\nContent-Transfer-Encoding: " + s.encoding + "\r\n\r\n" + b.String()
}

// rewritten returns the body that `linkmilter rewrite` makes of a message with a
// configuration and an envelope.
func rewritten(t *testing.T, config string, message []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command(Binary(t), append([]string{"rewrite", "--config", config}, append(args, "-")...)...)
	cmd.Stdin = bytes.NewReader(message)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("linkmilter rewrite: %v", err)
	}
	_, body := splitMessage(out)
	return body
}

// Rules that edit HTML in place: readable for own users, without flagged links for others.
const (
	readableHTML = `[[rule]]
name = "own"
when = { client = ["127.0.0.1"] }
trusted = true
html = "needed"
plain = "readable"
html_part = "readable"
edit_cost = "any"
`
	removedHTML = `[[rule]]
name = "own"
when = { client = ["127.0.0.1"] }
trusted = true
edit = "flagged"
flagged = %[1]q
signed = "edit"
[[rule]]
name = "others"
edit = "flagged"
flagged = %[1]q
signed = "edit"
`
)

// TestHTMLInPlace sends HTML messages through a server with linkmilter, which edits them in
// place and signs those of its own users. The body is that of `linkmilter rewrite`, and
// go-msgauth and OpenDKIM verify what was delivered.
func TestHTMLInPlace(t *testing.T) {
	tests := []struct {
		name, rules, link, gone string
	}{
		{"readable", readableHTML, typedLink, ">" + typedLink},
		{"unlink", fmt.Sprintf(removedHTML, "unlink"), spoof, `href="` + spoof},
		{"defang", fmt.Sprintf(removedHTML, "defang"), spoof, spoof},
	}
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				addr, unsigned := freeMilter(t), freeMilter(t)
				server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr},
					Listener{Name: "signing-behind", Milter: unsigned, More: []string{judge.signer(t, file)}})
				config := signingConfig(t, file, "", test.rules)
				Serve(t, addr, nil, "--config", config)
				Serve(t, unsigned, nil, "--config", writeConfig(t, test.rules))
				for _, sample := range htmlSamples {
					t.Run(sample.name, func(t *testing.T) {
						p := inPlace{t, server, config, sample.message(t, test.link), test.gone}
						for _, listener := range []string{"filtered", "signing-behind"} {
							message := p.arrives(listener, "127.0.0.1")
							judge.accepts(t, message)
							verifies(t, message)
						}
						if test.link == spoof {
							p.message = sample.message(t, test.link, "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=s; h=from; bh=AAAA; b=AAAA")
							p.arrives("filtered", "127.0.0.2")
						}
					})
				}
			})
		}
	})
}

// inPlace is a message that is edited in place on its way.
type inPlace struct {
	t       *testing.T
	server  *Server
	config  string
	message []byte
	gone    string // from the HTML
}

// arrives delivers the message from a client and returns what came, whose body must be
// edited as `linkmilter rewrite` does it.
func (p *inPlace) arrives(listener, client string) []byte {
	p.t.Helper()
	from, to := p.server.NewAddress(p.t), p.server.NewAddress(p.t)
	env := Envelope{From: from, To: []string{to}, Params: "BODY=8BITMIME"}
	ip := &net.TCPAddr{IP: net.ParseIP(client)}
	send(p.t, DialFrom(p.t, ip, p.server.Addr(listener)), p.server, env, p.message)
	message := p.server.Receive(p.t, from, to)
	got := SplitDelivered(message)
	args := []string{"--client", client, "--from", from, "--to", to}
	if want := rewritten(p.t, p.config, p.message, args...); got.Body != want {
		p.t.Errorf("%s: body is not that of linkmilter rewrite: %s", listener, firstDifference(want, got.Body))
	}
	if _, body := splitMessage(p.message); got.Body == body {
		p.t.Errorf("%s: not edited:\n%s", listener, body)
	}
	if html := htmlOf(p.t, got); !strings.Contains(html, "</html>") || strings.Contains(html, p.gone) {
		p.t.Errorf("%s: HTML with %q:\n%s", listener, p.gone, html)
	}
	return message
}

// htmlOf returns the text of the HTML part of a delivered message.
func htmlOf(t *testing.T, d Delivered) string {
	t.Helper()
	m := mime.Parse(t.Context(), d.Message(), mime.DefaultLimits())
	for leaf := range m.Leaves() {
		if leaf.MediaType == "text/html" {
			text, err := m.Text(leaf)
			if err != nil {
				t.Error(err)
			}
			return text
		}
	}
	t.Errorf("no HTML:\n%s", d.Body)
	return ""
}

// TestEditSwitch switches edits off and on again by reloads. After each, messages are edited or not
// as the switch says. A message that is sent during a reload arrives.
func TestEditSwitch(t *testing.T) {
	sample := htmlSamples[1]
	message := sample.message(t, typedLink)
	_, body := splitMessage(message)
	head := bytes.Index(message, []byte("\r\n\r\n")) + 4
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "filtered", Milter: addr})
		config := writeConfig(t, readableHTML)
		linkmilter := Serve(t, addr, nil, "--config", config)
		client := Dial(t, server.Addr("filtered"))
		rules := readableHTML
		for n, off := range []bool{false, true, false, true, false} {
			if n > 0 {
				rules += fmt.Sprintf("[[rule]]\nname = \"rule-%d\"\nwhen.client = [\"192.0.2.%d\"]\n", n, n)
				during := Dial(t, server.Addr("filtered"))
				env := Envelope{From: server.NewAddress(t), To: []string{server.NewAddress(t)}, Params: "BODY=8BITMIME"}
				during.Begin(env)
				during.Write(message[:head])
				edit := map[bool]string{true: "never", false: "any"}[off]
				if err := os.WriteFile(config, []byte(fmt.Sprintf("[service]\nedit = %q\n%s", edit, rules)), 0o644); err != nil {
					t.Fatal(err)
				}
				linkmilter.Signal(t, syscall.SIGHUP)
				linkmilter.WaitLog(t, "configuration in use", fmt.Sprintf("rules=%d", n+1))
				during.Write(message[head:])
				during.expect("end of message", 250, during.End())
				if got := SplitDelivered(server.Receive(t, env.From, env.To[0])); !strings.Contains(htmlOf(t, got), "</html>") {
					t.Errorf("damaged:\n%s", got.Body)
				}
			}
			for range 3 {
				got, id := send(t, client, server, Envelope{Params: "BODY=8BITMIME"}, message)
				if (got.Body == body) != off {
					t.Errorf("edits off %t:\n%s", off, got.Body)
				}
				linkmilter.WaitLog(t, "queue_id="+id, fmt.Sprintf("edited=%t", !off))
			}
		}
	})
}
