package adminpage

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"
	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
)

// newTestPage returns pages with the built-in rules, and the filter.
func newTestPage(tb testing.TB, keep int) (*Page, *filter.Filter) {
	tb.Helper()
	f, err := filter.New(filter.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return New(Options{
		Version: "v1", Keep: keep, Filter: func() Filter { return f }, Ready: func() error { return nil },
		Rules: func() []Rule { return []Rule{{"others", "for all messages: <b>tag</b>"}} },
		Names: func() string { return "Knows 1,400 top-level domains." },
	}), f
}

// observe has the page see a message as a server sees it.
func observe(p *Page, f *filter.Filter, env envelope.Envelope, raw string) {
	result := f.Message(context.Background(), env, []byte(raw))
	p.Observe(&mailserver.Event{
		Report: &result.Report, Action: result.Action, QueueID: env.QueueID, Envelope: &env,
		Details: mailserver.Details{Addresses: mailserver.AddressesFull}, Duration: 3 * time.Millisecond,
	})
}

func get(p http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

const spoof = "From: a@example.net\r\nMessage-ID: <1@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhttps://www.p\u0430ypal.com/ http://example.com/\r\n"

func strangers(queueID string) envelope.Envelope {
	return envelope.Envelope{Sender: "x@example.net", Recipients: []string{"bob@example.com"}, Client: netip.MustParseAddr("192.0.2.1"), QueueID: queueID}
}

// A flagged message appears on all pages and in both exports; a clean one is only counted.
func TestFlaggedMessageAppears(t *testing.T) {
	p, f := newTestPage(t, 10)
	observe(p, f, strangers("4Xq1"), spoof)
	observe(p, f, strangers("4Xq2"), "Subject: x\r\n\r\nhttp://example.com/\r\n")
	for path, want := range map[string]string{
		"/":                              "Messages: 2, at most 2 a minute|Flagged messages: 1|for all messages: &lt;b&gt;|<td>tag</td><td class=\"number\">1</td>",
		"/findings":                      "1 flagged messages|www.pаypal.com|x@example.net|bob@example.com|mixed-script",
		"/findings?q=BOB%40example":      "1 flagged messages",
		"/findings?q=carol":              "0 flagged messages|nothing flagged",
		"/findings?code=lookalike":       "1 flagged messages",
		"/findings?code=shortener":       "0 flagged messages",
		"/findings?severity=high&page=9": "1 flagged messages|Newer",
		"/findings/0":                    "U&#43;0430 CYRILLIC SMALL LETTER A, Cyrillic|xn--pypal-4ve.com|paypal.com|allow = [&#34;www.xn--pypal-4ve.com&#34;]|4Xq1|&lt;1@x&gt;",
		"/style.css":                     "prefers-color-scheme",
	} {
		w := get(p, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
		for text := range strings.SplitSeq(want, "|") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s has no %q:\n%s", path, text, w.Body)
			}
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	var list []flagged
	if err := json.Unmarshal(get(p, "/findings.json").Body.Bytes(), &list); err != nil || len(list) != 1 || list[0].QueueID != "4Xq1" || len(list[0].Links) != 1 {
		t.Errorf("%v, %+v", err, list)
	}
	lines, err := csv.NewReader(get(p, "/findings.csv").Body).ReadAll()
	if err != nil || len(lines) != 3 || lines[1][1] != "4Xq1" {
		t.Errorf("%v, %q", err, lines)
	}
	for _, path := range []string{"/findings/1", "/findings/x", "/nothing"} {
		if w := get(p, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// The ring keeps the newest, and addresses of those that are gone say so.
func TestRing(t *testing.T) {
	p, f := newTestPage(t, 3)
	for i := range 5 {
		observe(p, f, strangers(fmt.Sprint("Q", i)), spoof)
	}
	list, all := p.flagged.find(query{}, 0, 10)
	if all != 3 || list[0].QueueID != "Q4" || list[2].QueueID != "Q2" {
		t.Errorf("%d, %+v", all, list)
	}
	if list, _ := p.flagged.find(query{}, 1, 1); len(list) != 1 || list[0].QueueID != "Q3" {
		t.Errorf("second page: %+v", list)
	}
	for id, there := range map[uint64]bool{0: false, 1: false, 2: true, 4: true, 5: false, 1 << 63: false} {
		if f, ok := p.flagged.get(id); ok != there || ok && f.ID != id {
			t.Errorf("%d: %t, %+v", id, ok, f)
		}
	}
	p, f = newTestPage(t, 0)
	observe(p, f, strangers("Q"), spoof)
	if w := get(p, "/findings/0"); w.Code != http.StatusNotFound {
		t.Errorf("nothing is kept: %d", w.Code)
	}
}

// tryOn posts the form of the page.
func tryOn(p *Page, values url.Values) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/try", strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	p.ServeHTTP(w, r)
	return w
}

// What is pasted is judged as the service would, and nothing of it is kept.
func TestTry(t *testing.T) {
	p, _ := newTestPage(t, 10)
	for name, c := range map[string]struct {
		values url.Values
		status int
		want   string
	}{
		"a link":     {url.Values{"message": {"https://www.p\u0430ypal.com/"}, "from": {"a@example.net"}}, 200, "mixed-script|<strong>tag</strong>|does not match by its condition authenticated|decides"},
		"a message":  {url.Values{"message": {"Subject: x\n\nhttp://paypa1.com/"}, "from": {"a@example.net"}}, 200, "lookalike"},
		"own mail":   {url.Values{"message": {"Subject: x\n\nDear Bob,\nplease read this: https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9 before we meet.\n"}, "from": {"a@example.com"}, "auth": {"on"}}, 200, "wiki/मह|class=\"added\""},
		"bad client": {url.Values{"message": {"x"}, "client": {"<b>"}}, 400, "not an IP address"},
		"too long":   {url.Values{"message": {strings.Repeat("x", 2<<20)}}, 400, "could not be read"},
		"nothing":    {url.Values{}, 200, "no links"},
	} {
		w := tryOn(p, c.values)
		if w.Code != c.status {
			t.Errorf("%s: %d", name, w.Code)
		}
		for text := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s: no %q in\n%.3000s", name, text, w.Body)
			}
		}
	}
	if list, all := p.flagged.find(query{}, 0, 10); all != 0 {
		t.Errorf("kept %+v", list)
	}
}

// hostileTexts break out of what quotes a text carelessly.
var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'--></style><svg onload=alert(1)>`, `{{.}}`, `javascript:alert(1)`,
	"\x1b]0;x\x07", "a\u202ecod.exe", "\u2066\u2069\u2069", "\xff\xfe", "=HYPERLINK(1)", `</textarea><iframe srcdoc="<script>1</script>">`,
}

// Whatever comes from mail or from a form is text on every page.
func TestHostileTextIsInert(t *testing.T) {
	p, f := newTestPage(t, 100)
	var pages []*httptest.ResponseRecorder
	for _, text := range hostileTexts {
		env := strangers(text)
		env.Sender, env.Recipients = text+"@example.net", []string{text}
		observe(p, f, env, "Message-ID: "+text+"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhttp://paypa1.com/"+text+" \r\n")
		escaped := url.QueryEscape(text)
		pages = append(pages, get(p, "/findings?q="+escaped+"&code="+escaped+"&severity="+escaped+"&page="+escaped),
			tryOn(p, url.Values{"message": {"Subject: " + text + "\n\n" + text + " http://paypa1.com/" + text}, "from": {text}, "to": {text}, "client": {text}}),
			tryOn(p, url.Values{"message": {"<a href=\"" + text + "\">x</a>" + text}, "from": {text}}))
	}
	pages = append(pages, get(p, "/"), get(p, "/findings"))
	for i := range hostileTexts {
		pages = append(pages, get(p, fmt.Sprint("/findings/", i)))
	}
	allowed := map[string]bool{}
	for _, name := range strings.Fields("html head meta title link body header strong nav ul li a span main h1 h2 form div label input select option button p table thead tbody tr th td caption bdi dl dt dd section pre ol textarea figure figcaption svg rect br") {
		allowed[name] = true
	}
	for _, w := range pages {
		if strings.ContainsAny(w.Body.String(), "\x1b\x07\u202e") && !strings.Contains(w.Body.String(), "<textarea") {
			t.Error("a page holds a control of a message")
		}
		for tokens := html.NewTokenizer(bytes.NewReader(w.Body.Bytes())); tokens.Next() != html.ErrorToken; {
			token := tokens.Token()
			if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
				continue
			}
			if !allowed[token.Data] {
				t.Errorf("element %s", token)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" || a.Key == "href" && !strings.HasPrefix(a.Val, "/") {
					t.Errorf("attribute %s of %s", a.Key, token)
				}
			}
		}
	}
}

// With a password no page answers without it.
func TestPassword(t *testing.T) {
	hash, err := bcrypt.GenerateFromPassword([]byte("open sesame"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := newTestPage(t, 10)
	p.options.Password = string(hash)
	for range 2 { // the second time by the kept hash
		for password, want := range map[string]int{"": 401, "wrong": 401, "open sesame": 200} {
			r := httptest.NewRequest("GET", "/findings", nil)
			if password != "" {
				r.SetBasicAuth("any", password)
			}
			w := httptest.NewRecorder()
			p.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%q: %d, want %d", password, w.Code, want)
			}
		}
	}
}

// The page says why the service takes no mail.
func TestNotReady(t *testing.T) {
	p, _ := newTestPage(t, 10)
	p.options.Ready = func() error { return errors.New("stopping") }
	if w := get(p, "/"); !strings.Contains(w.Body.String(), "Not ready: stopping") {
		t.Errorf("%s", w.Body)
	}
}

// The charts forget what is older than an hour.
func TestMinutes(t *testing.T) {
	var m minutes
	now := time.Unix(1_800_000_000, 0)
	for i := range 200 {
		m.add(&mailserver.Event{Report: new(report.Report)}, false, now.Add(time.Duration(i)*time.Minute))
	}
	sum := 0
	for _, c := range m.last(now.Add(229 * time.Minute)) {
		sum += c.messages
	}
	if sum != 30 {
		t.Errorf("%d messages in the last hour, want 30", sum)
	}
}

func BenchmarkFindings(b *testing.B) {
	p, f := newTestPage(b, 100_000)
	result := f.Message(context.Background(), strangers("Q"), []byte(spoof))
	for i := range 100_000 {
		env := strangers(fmt.Sprint("Q", i))
		p.Observe(&mailserver.Event{Report: &result.Report, QueueID: env.QueueID, Envelope: &env, Details: mailserver.Details{Addresses: mailserver.AddressesFull}})
	}
	for b.Loop() {
		if w := get(p, "/findings?q=q99999"); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
