package service

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/test/axe"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// spoofed has a link with a Cyrillic letter.
const spoofed = "https://www.p\u0430ypal.com/ http://example.com/\r\n"

// runPage starts a service with the page, and returns the URL of it.
func runPage(tb testing.TB) (r *running, base string) {
	tb.Helper()
	r = run(tb, "[admin]\nlisten = \"127.0.0.1:0\"\nrenderings = 10\n[log]\naddresses = \"full\"\n")
	r.logs.wait(tb, "for=admin", 1)
	tb.Cleanup(func() {
		if err := r.stop(tb); err != nil {
			tb.Error(err)
		}
	})
	return r, "http://" + r.logs.after(tb, "for=admin address=tcp:")
}

// pass sends a message with the text in each of its fields through the milter.
func (r *running) pass(tb testing.TB, client, text, body string) {
	tb.Helper()
	session, err := gomilter.NewDefaultClient("unix", r.socket).Session()
	if err != nil {
		tb.Fatal(err)
	}
	defer session.Close()
	said := strings.ReplaceAll(text, "\x00", "") // which ends a text in the protocol
	for _, step := range []func() error{
		func() error { _, err := session.Conn(said, gomilter.FamilyInet, 25, client); return err },
		func() error { _, err := session.Helo(said); return err },
		func() error { return session.Macros(gomilter.CodeMail, "i", said) },
		func() error { _, err := session.Mail(said, nil); return err },
		func() error { _, err := session.Rcpt(said, nil); return err },
		func() error { _, err := session.HeaderField("From", said); return err },
		func() error { _, err := session.HeaderField("Subject", said); return err },
		func() error { _, err := session.HeaderField("Message-ID", said); return err },
		func() error {
			_, err := session.HeaderField("Content-Type", "text/plain; charset=utf-8")
			return err
		},
		func() error { _, err := session.HeaderEnd(); return err },
		func() error { _, _, err := session.BodyReadFrom(strings.NewReader(body)); return err },
	} {
		if err := step(); err != nil {
			tb.Fatal(err)
		}
	}
}

// shows fails the test if the page lacks a text.
func shows(tb testing.TB, p *chromium.Page, text string) {
	tb.Helper()
	var all string
	if p.Evaluate("document.body.innerText", &all); !strings.Contains(all, text) {
		tb.Errorf("the page does not show %q:\n%s", text, all)
	}
}

// A flagged message appears in a browser; search, export and trial work.
func TestPageInChromium(t *testing.T) {
	r, base := runPage(t)
	r.pass(t, "192.0.2.1", "anna@example.net", spoofed)
	p := chromium.Open(t)
	p.Load(base + "/")
	shows(t, p, "Flagged messages: 1")
	p.Click(`a[href="/findings"]`)
	shows(t, p, "www.xn--pypal-4ve.com")
	p.Fill("#q", "bob")
	p.Click("form button")
	shows(t, p, "nothing flagged")
	p.Fill("#q", "ann*")
	p.Fill("#code", "lookalike")
	p.Click("form button")
	shows(t, p, "1 flagged messages")
	for _, form := range []string{"csv", "json"} {
		var at string
		p.Evaluate(`document.querySelector('a[href^="/findings.`+form+`"]').href`, &at)
		if status, body := get(t, at); status != 200 || !strings.Contains(body, "xn--pypal-4ve") || !strings.Contains(body, "anna@example.net") {
			t.Errorf("%s: %d %s", at, status, body)
		}
	}
	p.Click("td a")
	shows(t, p, `allow = ["www.xn--pypal-4ve.com"]`)
	var name string
	p.Evaluate(`document.querySelector(".cyrillic[tabindex]").ariaLabel`, &name)
	if !strings.Contains(name, "CYRILLIC SMALL LETTER A") {
		t.Errorf("the letter is named %q", name)
	}
	p.Click(`a[href="/try"]`)
	p.Fill("#message", spoofed)
	p.Click("form button")
	shows(t, p, "looks like paypal.com")
	if all := p.Complaints(); all != nil {
		t.Errorf("%q", all)
	}
}

// hostileTexts break out of careless quoting.
var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'--></style><svg onload=alert(1)>`, `javascript:alert(1)`,
	`</textarea></title><script>alert(1)</script>`, `<meta http-equiv=refresh content=0;url=/metrics>`, `<base href=//192.0.2.1/>`,
	`data:text/html,<script>alert(1)</script>`, "a\u202ecod.exe\u2066\u2069", "a\x00b\x1b]0;x\x07", "\xff\xfe", strings.Repeat("\u0430<b>", 5000),
	`<a href="javascript:alert(1)" onclick="alert(1)">x</a>`, `<form action=//192.0.2.1/><input autofocus onfocus=alert(1)>`, `{{.}}${alert(1)}`,
}

// foreign counts the elements and links of a page that are not its own.
const foreign = `document.querySelectorAll("script, img, svg:not(.chart), object, embed, base, style, meta[http-equiv], iframe:not([sandbox=''])").length +
	[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on"))).length +
	[...document.querySelectorAll("a, form")].filter(e => new URL(e.href || e.getAttribute("action"), location).origin != location.origin).length`

// TestHostileTextInChromium: texts from mail or a form have no effect in a browser.
func TestHostileTextInChromium(t *testing.T) {
	r, base := runPage(t)
	p := chromium.Open(t)
	inert := func(text, at string) {
		t.Helper()
		var n int
		var path string
		p.Evaluate(foreign, &n)
		p.Evaluate("location.pathname", &path)
		if n != 0 || path != at {
			t.Errorf("%.100q: %d foreign elements on %q, want %q", text, n, path, at)
		}
		for _, complaint := range p.Complaints() {
			t.Errorf("%.100q: %.500s", text, complaint)
		}
	}
	for i, text := range hostileTexts[:long.Rows(len(hostileTexts), 3)] {
		r.pass(t, "192.0.2.1", text, fmt.Sprint("http://paypa1.com/", text, " http://", text, ".paypa1.com/\r\n"))
		p.Load(base + "/findings")
		shows(t, p, fmt.Sprint(i+1, " flagged messages"))
		inert(text, "/findings")
		p.Click("td a")
		p.Evaluate(`history.replaceState(null, "", "/finding")`, nil)
		inert(text, "/finding")
		if escaped := url.QueryEscape(text); len(escaped) < 1000 { // the listener limits the length of a URL
			p.Load(base + "/findings?" + regexp.MustCompile(`\w+`).ReplaceAllString("q code severity host rule action from to before after", "$0="+strings.ReplaceAll(escaped, "$", "$$")+"&"))
			inert(text, "/findings")
		}
		p.Load(base + "/try")
		for _, field := range []string{"#from", "#to"} {
			p.Fill(field, text)
		}
		p.Fill("#message", "Subject: "+text+"\nContent-Type: text/html\n\n"+text+" http://paypa1.com/"+text)
		p.Click("form button")
		shows(t, p, "paypa1.com")
		inert(text, "/try")
		p.Fill("#client", text)
		p.Click("form button")
		shows(t, p, "The client is not an IP address")
		p.Complaints() // complaints about the status 400
		inert(text, "/try")
	}
}

// axe-core finds nothing serious on any page, wide or narrow, light or dark.
func TestPageIsAccessible(t *testing.T) {
	r, base := runPage(t)
	r.pass(t, "192.0.2.1", "anna@example.net", spoofed+"https://paypal.com.\u05d3\u05d5\u05d2\u05de\u05d4.example.net/\r\n")
	r.pass(t, "127.0.0.1", "hala@example.org", hindi)
	other := run(t, "[admin]\nlisten = \"127.0.0.1:0\"\nnodes = [\""+base+"/metrics\", \"http://127.0.0.1:1/metrics\"]\n")
	other.logs.wait(t, "for=admin", 1)
	second := "http://" + other.logs.after(t, "for=admin address=tcp:")
	if status, body := get(t, second+"/nodes"); status != 200 || strings.Count(body, "<tr><td data-label=\"Node\"") != 3 || !strings.Contains(body, "connection refused") {
		t.Errorf("%d %s", status, body)
	}
	p := chromium.Open(t)
	accessible(t, p, map[string]func(){
		"now":      func() { p.Load(base + "/") },
		"findings": func() { p.Load(base + "/findings") },
		"finding":  func() { p.Load(base + "/findings"); p.Click("td a") },
		"marked":   func() { p.Load(base + "/findings"); p.Click("td a"); p.Click("button[value=wrong]") },
		"week":     func() { p.Load(base + "/week") },
		"received": func() { p.Load(base + "/received") },
		"nodes":    func() { p.Load(second + "/nodes") },
		"lists":    func() { p.Load(base + "/lists") },
		"closed":   func() { p.Load(base + "/quarantine") },
		"list":     func() { p.Load(base + "/edited") },
		"edited":   func() { p.Load(base + "/edited"); p.Click("td a") },
		"try":      func() { p.Load(base + "/try") },
		"tried":    func() { p.Load(base + "/try"); p.Fill("#message", spoofed+hindi); p.Click("form button") },
	})
	if err := other.stop(t); err != nil {
		t.Error(err)
	}
}

// accessible looks at pages with axe-core.
func accessible(t *testing.T, p *chromium.Page, pages map[string]func()) {
	t.Helper()
	for name, load := range pages {
		load()
		for _, width := range []int{360, 1200} {
			for _, dark := range []bool{false, true} {
				p.Show(width, dark)
				for _, problem := range axe.Problems(t, p) {
					t.Errorf("%s, width %d, dark %t: %s", name, width, dark, problem)
				}
				var wide int
				if p.Evaluate("document.documentElement.scrollWidth", &wide); wide > width {
					t.Errorf("%s, width %d: %d wide", name, width, wide)
				}
			}
		}
	}
}
