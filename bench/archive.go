package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"mvdan.cc/xurls/v2"
)

// An archive is a Maildir of generated messages.
type archive struct {
	name  string
	files []string
	bytes int
}

// makeArchives writes a Maildir of plain texts and one of HTML, a tenth as many, below a
// folder. One text in four has links. The HTML has the styles of mail programs that are in
// the folder styles.
func makeArchives(folder, styles string, messages int) ([]archive, error) {
	paths, err := filepath.Glob(filepath.Join(styles, "*.html"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no styles of HTML in %s", styles)
	}
	var templates []string
	for _, path := range paths {
		style, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		templates = append(templates, string(style))
	}
	r := rand.New(rand.NewPCG(4, 58))
	text := func() string {
		size := []int{800, 2000, 4000, messageSize}[r.IntN(4)]
		return strings.ReplaceAll(mail(r, r.IntN(4) == 0)[:size], "\n", "\r\n")
	}
	plain := archive{name: "plain"}
	err = plain.write(folder, messages, func(int) string { return "text/plain; charset=utf-8\r\n\r\n" + text() + "\r\n" })
	if err != nil {
		return nil, err
	}
	html := archive{name: "html"}
	return []archive{plain, html}, html.write(folder, messages/10, func(i int) string {
		paragraphs := func() string {
			return strings.ReplaceAll(strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text()), "\r\n\r\n", "</p>\r\n<p style=\"margin:0\">")
		}
		url := link(r)
		return "text/html; charset=utf-8\r\n\r\n" + strings.NewReplacer("{{text}}", paragraphs(), "{{quoted}}", paragraphs(),
			"{{charset}}", "utf-8", "{{link}}", `<a href="https://www.example.com/">`+url+`</a>`).Replace(templates[i%len(templates)])
	})
}

// write writes n messages; content returns the media type and the body of one.
func (a *archive) write(folder string, n int, content func(i int) string) error {
	for _, name := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, a.name, name), 0o700); err != nil {
			return err
		}
	}
	for i := range n {
		message := fmt.Sprintf("Received: from mx.example.net (mx.example.net [192.0.2.1])\r\n\tby mail.example.com (Postfix) with ESMTPS id %x\r\n\tfor <b@example.com>; Mon, 16 Nov 2026 10:00:00 +0000 (UTC)\r\n"+
			"Message-ID: <%d@example.net>\r\nDate: Mon, 16 Nov 2026 10:00:00 +0000\r\nFrom: Anna %d <anna%d@example.net>\r\nTo: Bob <b@example.com>\r\nSubject: Report %d\r\nMIME-Version: 1.0\r\nContent-Type: %s",
			i, i, i%50, i%50, i, content(i))
		path := filepath.Join(folder, a.name, "cur", fmt.Sprintf("%06d.example:2,S", i))
		if err := os.WriteFile(path, []byte(message), 0o600); err != nil {
			return err
		}
		a.files = append(a.files, path)
		a.bytes += len(message)
	}
	return nil
}

// runXURLs finds links in files by xurls, relaxed. It is run as a process of its own.
func runXURLs(paths []string) error {
	expression, links := xurls.Relaxed(), 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		links += len(expression.FindAllIndex(text, -1))
	}
	_, err := fmt.Println(links)
	return err
}
