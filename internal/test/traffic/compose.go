//go:build unix

package traffic

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/linkmilter/linkmilter/internal/test/load"
)

// A Kind is a kind of messages.
type Kind int

// The kinds.
const (
	Plain   Kind = iota // without links
	Linked              // a plain text that gets an HTML alternative
	HTML                // HTML with links
	Hostile             // written to deceive, or to break what reads it
)

// Compose returns a message of about size bytes. Half of them come
// from this machine, whose clients the rules trust.
func Compose(kind Kind, size int, r *rand.Rand) Mail {
	switch kind {
	case Linked:
		return Mail{Raw: compose("text/plain; charset=utf-8", load.NewLinks(r.IntN(1e6))+prose(max(size-500, 100))), Trusted: true}
	case HTML:
		return Mail{Raw: html(size, r), Trusted: true}
	case Hostile:
		return hostile[r.IntN(len(hostile))](size, r)
	}
	if r.IntN(4) == 0 {
		text := "<html><body><p>" + strings.ReplaceAll(prose(max(size-300, 100)), "papers", "<b>papers</b>") + "</p></body></html>\r\n"
		return Mail{Raw: compose("text/html; charset=utf-8", text)}
	}
	return Mail{Raw: compose("text/plain; charset=utf-8", prose(max(size-200, 100))), Trusted: r.IntN(2) == 0}
}

// prose returns lines of text without links, of about size bytes.
func prose(size int) string { return strings.ReplaceAll(load.Prose(size), "\r\r\n", "\r\n") }

// compose returns a message of one part.
func compose(contentType, body string, fields ...string) []byte {
	header := append([]string{
		"From: Anna <anna@example.org>", "To: Ben <ben@example.com>", "Subject: The meeting on Tuesday",
		"Date: Mon, 02 Nov 2026 10:00:00 +0000", "Message-ID: <traffic@example.org>", "MIME-Version: 1.0",
		"Content-Type: " + contentType,
	}, fields...)
	return []byte(strings.Join(header, "\r\n") + "\r\n\r\n" + body)
}

// html returns HTML with links whose texts are over-escaped, alone or beside a plain
// text.
func html(size int, r *rand.Rand) []byte {
	var b strings.Builder
	b.WriteString("<html><body>\r\n")
	for n := 0; n == 0 || b.Len() < size-1000; n++ {
		url := fmt.Sprintf("https://hi.wikipedia.org/wiki/%%E0%%A4%%AE%%E0%%A4%%B9%%E0%%A4%%BE?n=%d", r.IntN(1e6))
		fmt.Fprintf(&b, "<p>%s</p>\r\n<p>See <a href=\"%s\">%s</a>, or <a href=\"https://www.example.org/%d\">our page</a>.</p>\r\n", prose(500), url, url, n)
	}
	b.WriteString("</body></html>\r\n")
	if r.IntN(2) == 0 {
		return compose("text/html; charset=utf-8", b.String())
	}
	const boundary = "traffic-boundary"
	return compose("multipart/alternative; boundary="+boundary, strings.Join([]string{
		"--" + boundary, "Content-Type: text/plain; charset=utf-8", "", load.NewLinks(r.IntN(1e6)) + prose(200),
		"--" + boundary, "Content-Type: text/html; charset=utf-8", "", b.String(), "--" + boundary + "--", "",
	}, "\r\n"))
}

// deceptive are lines with links that deceive.
const deceptive = "Confirm at http://p\u0430ypal.com/login or http://paypal.com@evil.example/ today.\r\n" +
	"Or at https://paypa1.com/%61%62, http://www.paypal.com.evil.example/ and \u202Emoc.elpmaxe\u202C.\r\n"

// hostile are ways to write a hostile message.
var hostile = []func(size int, r *rand.Rand) Mail{
	// Deceptive links in a text of a trusted sender: the edit unlinks them.
	func(size int, r *rand.Rand) Mail {
		return Mail{Raw: compose("text/plain; charset=utf-8", deceptive+load.NewLinks(r.IntN(1e6))+prose(max(size-800, 100)), "Content-Transfer-Encoding: 8bit"), Trusted: true}
	},
	func(size int, r *rand.Rand) Mail {
		return Mail{Raw: compose("text/plain; charset=utf-8", deceptive+prose(max(size-500, 100)))}
	},
	// A text that says another host than the link opens, in HTML that does not end.
	func(size int, r *rand.Rand) Mail {
		text := fmt.Sprintf("<div><a href='http://evil.example/%d'>https://www.paypal.com/</a><table><tr><!-- ", r.IntN(1e6))
		return Mail{Raw: compose("text/html; charset=utf-8", text+strings.Repeat("<div><b><i>", max(size-500, 10)/11)+"\r\n")}
	},
	// Parts within parts, deeper than the limit.
	func(size int, r *rand.Rand) Mail {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i+1)
		}
		return Mail{Raw: compose("multipart/mixed; boundary=b0", b.String()+deceptive+prose(max(size-2500, 100)))}
	},
	// Base64 that breaks off and goes on.
	func(size int, r *rand.Rand) Mail {
		code := base64.StdEncoding.EncodeToString([]byte(deceptive + prose(max(size*3/4-700, 100))))
		var b strings.Builder
		for len(code) > 76 {
			b.WriteString(code[:76] + "\r\n")
			code = code[76:]
		}
		return Mail{Raw: compose("text/plain; charset=utf-8", strings.Replace(b.String(), "\r\n", "=!\r\n", 2), "Content-Transfer-Encoding: base64")}
	},
	// Many links.
	func(size int, r *rand.Rand) Mail {
		var b strings.Builder
		for n := 0; b.Len() < size-300; n++ {
			fmt.Fprintf(&b, "http://h%d.example.org/%d www.xn--pypal-4ve.com/%d\r\n", n, r.IntN(1e6), n)
		}
		return Mail{Raw: compose("text/plain; charset=utf-8", b.String())}
	},
	// Two types, an unknown charset, bytes that are not UTF-8, forged fields of ours.
	func(size int, r *rand.Rand) Mail {
		fields := []string{"Content-Type: text/html; charset=x-none", "X-Linkmilter: " + Host + "; action=none", "X-Linkmilter-Finding: " + Host + "; code=none"}
		return Mail{Raw: compose("text/plain; charset=utf-16", "<a href=http://p\xe0ypal.com>"+deceptive+prose(max(size-900, 100)), fields...)}
	},
}
