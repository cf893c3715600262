package adminpage

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/history"
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
		Version: "v1", Node: "mx<1>", History: history.New(keep, slog.New(slog.DiscardHandler)), Allow: func() []string { return nil }, Filter: func() Filter { return f }, Ready: func() error { return nil },
		Rules: func() []Rule { return []Rule{{"others", "for all messages: <b>tag</b>"}} },
		Names: func() string { return "Knows 1,400 top-level domains." },
	}), f
}

// observe passes the event of a message to the page, as a server does.
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
	address := "/findings/" + all(t, p)[0].ID.String()
	for path, want := range map[string]string{
		"/":                              "Messages: 2, at most 2 a minute|Flagged messages: 1|for all messages: &lt;b&gt;|<td>tag</td><td class=\"number\">1</td>",
		"/findings":                      "1 flagged messages|www.xn--pypal-4ve.com|x@example.net|bob@example.com|mixed-script",
		"/findings?q=BOB%40exam":         "nothing flagged",
		"/findings?q=BOB%40exam*":        "1 flagged messages",
		"/findings?q=carol":              "0 flagged messages|nothing flagged",
		"/findings?code=lookalike":       "1 flagged messages",
		"/findings?code=shortener":       "0 flagged messages",
		"/findings?host=p\u0430ypal.com": "1 flagged messages|/findings.csv?host=p%D0%B0ypal.com",
		"/findings?host=other.example":   "nothing flagged",
		"/findings?rule=no":              "nothing flagged",
		"/findings?action=tag":           "1 flagged messages|<option selected>tag",
		"/findings?from=2999-01-01":      "nothing flagged",
		"/findings?to=2999-01-01T10:00":  "1 flagged messages",
		address:                          "U&#43;0430 CYRILLIC SMALL LETTER A, Cyrillic|xn--pypal-4ve.com|paypal.com|allow = [&#34;www.xn--pypal-4ve.com&#34;]|4Xq1|&lt;1@x&gt;",
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
		for name, value := range map[string]string{"Content-Security-Policy": pagePolicy, "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin"} {
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s %q", path, name, got)
			}
		}
	}
	var list []history.Message
	if err := json.Unmarshal(get(p, "/findings.json").Body.Bytes(), &list); err != nil || len(list) != 1 || list[0].QueueID != "4Xq1" || len(list[0].Links) != 1 {
		t.Errorf("%v, %+v", err, list)
	}
	lines, err := csv.NewReader(get(p, "/findings.csv").Body).ReadAll()
	if err != nil || len(lines) != 3 || lines[1][2] != "4Xq1" {
		t.Errorf("%v, %q", err, lines)
	}
	for _, path := range []string{"/findings/0000000000000001", "/findings/1", "/findings/x", "/nothing"} {
		if w := get(p, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// all returns the messages that are kept, the newest first.
func all(tb testing.TB, p *Page) []history.Message {
	tb.Helper()
	list, err := p.options.History.Find(context.Background(), &history.Query{}, 1000)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// TestNewestAreKept: memory keeps the newest messages. The addresses of older ones answer that
// these are gone.
func TestNewestAreKept(t *testing.T) {
	p, f := newTestPage(t, 3)
	var addresses []string
	for i := range 5 {
		observe(p, f, strangers(fmt.Sprint("Q", i)), spoof)
		addresses = append(addresses, "/findings/"+all(t, p)[0].ID.String())
	}
	if list := all(t, p); len(list) != 3 || list[0].QueueID != "Q4" || list[2].QueueID != "Q2" {
		t.Errorf("%+v", list)
	}
	for i, want := range []int{404, 404, 200, 200, 200} {
		if w := get(p, addresses[i]); w.Code != want {
			t.Errorf("%d: %d", i, w.Code)
		}
	}
	p, f = newTestPage(t, 0)
	observe(p, f, strangers("Q"), spoof)
	if list := all(t, p); len(list) > 0 {
		t.Errorf("kept %+v", list)
	}
}

// addressIn returns the address of a link with a text.
func addressIn(body, text string) string {
	before, _, _ := strings.Cut(body, ">"+text+"</a>")
	_, address, _ := strings.Cut(before[strings.LastIndex(before, "<a "):], `href="`)
	address, _, _ = strings.Cut(address, `"`)
	return html.UnescapeString(address)
}

// TestPaging: the links to older and newer pages lead through all messages and back, with the same
// query, in memory and in a file, while new messages arrive.
func TestPaging(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "history.db")} {
		p, f := newTestPage(t, 1000)
		p.options.History.Use(path, history.Retention{})
		t.Cleanup(p.options.History.Close)
		const n = 2*perPage + 7
		for i := range n {
			observe(p, f, strangers(fmt.Sprintf("Q%03d", i)), spoof)
		}
		body := ""
		for end := time.Now().Add(10 * time.Second); !strings.Contains(body, fmt.Sprint(n, " flagged")) && time.Now().Before(end); {
			body = get(p, "/findings?rule=others&q=bob").Body.String()
		}
		body = get(p, "/findings?rule=others&q=bob").Body.String() // the last writer may have listed a message before counting it
		ids := regexp.MustCompile(`/findings/([0-9a-f]{16})`)
		var seen, back []string
		for page := range 3 {
			for _, id := range ids.FindAllStringSubmatch(body, -1) {
				seen = append(seen, id[1])
			}
			observe(p, f, strangers("new"), spoof)
			if page < 2 {
				body = get(p, addressIn(body, "Older")).Body.String()
			}
		}
		if !slices.IsSortedFunc(seen, func(a, b string) int { return strings.Compare(b, a) }) || len(slices.Compact(seen)) != n {
			t.Errorf("%q: %d messages of %d", path, len(seen), n)
		}
		if strings.Contains(body, ">Older<") {
			t.Errorf("%q: the last page has an older one", path)
		}
		for range 2 {
			body = get(p, addressIn(body, "Newer")).Body.String()
			for _, id := range ids.FindAllStringSubmatch(body, -1) {
				back = append(back, id[1])
			}
		}
		if slices.Sort(back); len(back) != 2*perPage || back[perPage] != seen[perPage-1] && !slices.Contains(seen, back[0]) {
			t.Errorf("%q: %d messages on the way back", path, len(back))
		}
	}
}

// TestAllowance: the page offers lines for policy.allow that fit the list of the configuration.
func TestAllowance(t *testing.T) {
	links := []history.Link{{ASCIIHost: "a.example"}, {ASCIIHost: "b.example"}, {ASCIIHost: "a.example"}, {Text: "no host"}}
	for _, c := range []struct {
		allowed []string
		want    allowance
	}{
		{nil, allowance{Lines: "[policy]\nallow = [\"a.example\", \"b.example\"]\n"}},
		{[]string{"x.example 2027-01-31"}, allowance{Lines: "[policy]\nallow = [\"x.example 2027-01-31\", \"a.example\", \"b.example\"]\n", Replaces: true}},
		{[]string{"x.example", "file:/etc/linkmilter/allow"}, allowance{Lines: "a.example\nb.example\n", File: "/etc/linkmilter/allow"}},
	} {
		if got := newAllowance(c.allowed, &history.Message{Links: links}); got != c.want {
			t.Errorf("%q: %+v", c.allowed, got)
		}
	}
	if got := newAllowance(nil, &history.Message{Links: links[3:]}); got != (allowance{}) {
		t.Errorf("%+v", got)
	}
}

// A history that cannot be written shows on the pages, which go on.
func TestHistoryProblem(t *testing.T) {
	p, f := newTestPage(t, 10)
	p.options.History.Use(filepath.Join(t.TempDir(), "missing", "history.db"), history.Retention{})
	t.Cleanup(p.options.History.Close)
	observe(p, f, strangers("4Xq1"), spoof)
	for end := time.Now().Add(10 * time.Second); p.options.History.State().Problem == nil && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	for path, want := range map[string]string{"/": "history is not written", "/findings": "no such file or directory</bdi>. To mend it: give the account"} {
		if w := get(p, path); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d\n%s", path, w.Code, w.Body)
		}
	}
	if !strings.Contains(get(p, "/findings").Body.String(), "bob@example.com") {
		t.Error("the page does not have what is in memory")
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

// TestTry: the page judges a pasted text as the service would, and keeps nothing of it.
func TestTry(t *testing.T) {
	p, _ := newTestPage(t, 10)
	for name, c := range map[string]struct {
		values url.Values
		status int
		want   string
	}{
		"a link":     {url.Values{"message": {"https://www.p\u0430ypal.com/"}, "from": {"a@example.net"}}, 200, "mixed-script|<strong>tag</strong>|does not match by its condition authenticated|decides"},
		"a message":  {url.Values{"message": {"Subject: x\n\nhttp://paypa1.com/"}, "from": {"a@example.net"}}, 200, "lookalike"},
		"own mail":   {url.Values{"message": {"Subject: x\n\nDear Bob,\nplease read this: https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9 before we meet.\n"}, "from": {"a@example.com"}, "auth": {"on"}}, 200, "wiki/मह|class=\"added\"|<iframe sandbox=\"\" title=\"The message after the edit\" srcdoc=\"&lt;!DOCTYPE html&gt;&lt;html lang=|&lt;pre wrap dir="},
		"unseen":     {url.Values{"message": {"Dear Bob\U000e0050\U000e0061\U000e0079\U000e0021"}, "from": {"a@example.net"}}, 200, "people do not see|<bdi>Pay!</bdi>|data-label=\"Kind\">tags<"},
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
	if list := all(t, p); len(list) != 0 {
		t.Errorf("kept %+v", list)
	}
}

// hostileTexts break out of careless quoting.
var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'--></style><svg onload=alert(1)>`, `{{.}}`, `javascript:alert(1)`,
	"\x1b]0;x\x07", "a\u202ecod.exe", "\u2066\u2069\u2069", "\xff\xfe", "=HYPERLINK(1)", `</textarea><iframe srcdoc="<script>1</script>">`,
}

// TestHostileTextIsInert: texts from mail or from a form are plain text on every page.
func TestHostileTextIsInert(t *testing.T) {
	p, f := newTestPage(t, 100)
	var pages []*httptest.ResponseRecorder
	for _, text := range hostileTexts {
		env := strangers(text)
		env.Sender, env.Recipients = text+"@example.net", []string{text}
		observe(p, f, env, "Message-ID: "+text+"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhttp://paypa1.com/"+text+" \r\n")
		escaped := url.QueryEscape(text)
		pages = append(pages, get(p, "/findings?q="+escaped+"&code="+escaped+"&severity="+escaped+"&host="+escaped+"&rule="+escaped+"&action="+escaped+"&from="+escaped+"&to="+escaped+"&before="+escaped+"&after="+escaped),
			tryOn(p, url.Values{"message": {"Subject: " + text + "\n\n" + text + " http://paypa1.com/" + text}, "from": {text}, "to": {text}, "client": {text}}),
			tryOn(p, url.Values{"message": {"<a href=\"" + text + "\">x</a>" + text}, "from": {text}}))
	}
	pages = append(pages, get(p, "/"), get(p, "/findings"))
	for _, m := range all(t, p) {
		pages = append(pages, get(p, "/findings/"+m.ID.String()))
	}
	if len(pages) != 4*len(hostileTexts)+2 {
		t.Errorf("%d pages", len(pages))
	}
	allowed := map[string]bool{}
	for _, name := range strings.Fields("html head meta title link body header strong nav ul li a span main h1 h2 form div label input select option button p table thead tbody tr th td caption bdi dl dt dd section pre ol textarea figure figcaption svg rect datalist time code iframe mark") {
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
			if sandboxed := slices.Contains(token.Attr, html.Attribute{Key: "sandbox"}); token.Data == "iframe" && !sandboxed {
				t.Errorf("a frame without a sandbox: %s", token)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "style" || a.Key == "href" && !strings.HasPrefix(a.Val, "/") {
					t.Errorf("attribute %s of %s", a.Key, token)
				}
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

// TestMinutes: the charts drop what is older than an hour.
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

// BenchmarkPages asks for pages of a history with 100,000 messages.
func BenchmarkPages(b *testing.B) {
	p, f := newTestPage(b, 1000)
	p.options.History.Use(filepath.Join(b.TempDir(), "history.db"), history.Retention{})
	defer p.options.History.Close()
	result := f.Message(context.Background(), strangers("Q"), []byte(spoof))
	const n = 100_000
	for i := range n {
		env := strangers(fmt.Sprint("Q", i))
		p.Observe(&mailserver.Event{Report: &result.Report, QueueID: env.QueueID, Envelope: &env, Details: mailserver.Details{Addresses: mailserver.AddressesFull}})
		if i%500 == 499 {
			for !strings.Contains(get(p, "/findings?q="+env.QueueID).Body.String(), ">1 flagged") && !strings.Contains(get(p, "/findings?q="+env.QueueID).Body.String(), "<p>1 flagged") {
				time.Sleep(time.Millisecond)
			}
		}
	}
	if p.options.History.Lost() > 0 {
		b.Fatal(p.options.History.Lost(), " lost")
	}
	for name, path := range map[string]string{
		"all": "/findings", "one": "/findings?q=q99999", "none": "/findings?q=nothing+example.com", "oldest": "/findings?after=0000000000000001", "host": "/findings?host=xn--pypal-4ve.com",
		"filters": "/findings?q=example.com&code=mixed-script&severity=high&rule=others&host=xn--pypal-4ve.com&action=none", "one of them": "/findings/" + all(b, p)[0].ID.String(), "now": "/", "week": "/week", "month": "/week?days=31",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.summaries.last = nil
				if w := get(p, path); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// TestPagesNameTheNode: each page names its machine, for operators of several.
func TestPagesNameTheNode(t *testing.T) {
	p, _ := newTestPage(t, 1)
	for _, path := range []string{"/", "/findings", "/try"} {
		body := get(p, path).Body.String()
		for _, want := range []string{": linkmilter on mx&lt;1&gt;</title>", "v1 on <bdi>mx&lt;1&gt;</bdi>"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s", path, want)
			}
		}
	}
}
