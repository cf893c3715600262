package adminpage

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/quarantine"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// spoofs are texts that read as others: letters of other scripts, what shows nothing, other orders.
var spoofs = []string{
	"www.p\u0430ypal.com", "P\u0430yPal", "\u0430\u0440\u0440\u04cf\u0435", "a\u202ecod.exe", "\u2066pay\u2069", "pay\u200bpal", "pay\u3164pal", "\uff30\uff41\uff59", "x@p\u0430ypal.com",
}

// misleading returns what a page shows in spite of textOf: letters of other scripts that are not
// marked, and characters that show nothing. Fields of forms have what the operator wrote.
func misleading(page string) (found []string) {
	inMark, inField := 0, 0
	tokens := html.NewTokenizer(strings.NewReader(page))
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		step := map[html.TokenType]int{html.StartTagToken: 1, html.EndTagToken: -1}[token.Type]
		switch {
		case token.Data == "textarea" && token.Type != html.TextToken:
			inField += step
		case token.Data == "mark" && token.Type != html.TextToken, token.Data == "span" && inMark > 0:
			inMark += step
		case token.Type == html.StartTagToken && token.Data == "span":
			for _, a := range token.Attr {
				if a.Key == "title" { // a letter of a host, with its name
					inMark++
				}
			}
		}
		texts := []string{}
		for _, a := range token.Attr {
			if a.Key != "value" && a.Key != "srcdoc" && a.Key != "href" && a.Key != "src" {
				texts = append(texts, a.Val)
			}
		}
		if token.Type == html.TextToken && inField == 0 {
			texts = append(texts, token.Data)
		}
		for _, text := range texts {
			for _, r := range text {
				isOther := inMark == 0 && unicode.Is(unicode.Cyrillic, r)
				if r != '\n' && (isOther || ucd.IsBidiControl(r) || ucd.IsDefaultIgnorable(r) || !unicode.IsPrint(r)) {
					found = append(found, text)
					break
				}
			}
		}
	}
	return found
}

// TestNoPageIsSpoofed draws every page with misleading values.
func TestNoPageIsSpoofed(t *testing.T) {
	p, f := newTestPage(t, 100)
	p.options.Renderings, p.edited.most = 10, 10
	p.options.History.KeepSubjects(true)
	p.options.Troubles = func() (all []Trouble) {
		for _, text := range spoofs {
			all = append(all, Trouble{"A trouble " + text, text, "mend it"})
		}
		return all
	}
	p.options.Lists = func() (all []lists.State) {
		for _, text := range spoofs {
			s := lists.State{Problem: &url.Error{Op: "Get", URL: text, Err: os.ErrClosed}}
			s.Name, s.Stale, s.Unread = "a list", true, map[string]int{"no host": 1}
			s.Examples = []lists.Example{{Line: 1, Text: text}}
			all = append(all, s)
		}
		return all
	}
	p.options.Listed = func(l engine.Link) []policy.Listed { return []policy.Listed{{List: "a list", Line: 1}} }
	d := useMaildir(t, p)
	for i, text := range spoofs {
		d.hold(t, fmt.Sprint(i, ".", strings.ReplaceAll(text, "/", "")), "Q", text, text, "bob@example.com", time.Now())
	}
	p.options.Metrics = http.NotFoundHandler()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := url.PathUnescape(r.URL.RawQuery)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "linkmilter_build_info{node=\"%s\",version=\"%s\"} 1\n", text, text)
	}))
	t.Cleanup(other.Close)
	for _, text := range spoofs {
		p.options.Nodes = append(p.options.Nodes, other.URL+"/?"+url.PathEscape(text), "http://127.0.0.1:1/"+text)
	}
	drawn := map[string][]*httptest.ResponseRecorder{
		"now.html": {get(p, "/")}, "lists.html": {get(p, "/lists")},
	}
	add := func(template string, w *httptest.ResponseRecorder) { drawn[template] = append(drawn[template], w) }
	for _, text := range spoofs {
		env := strangers(text)
		env.Sender, env.Recipients = text, []string{text, "bob@" + text}
		observe(p, f, env, "From: "+text+" <x@example.net>\r\nSubject: "+text+"\r\nMessage-ID: "+text+"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nhttp://paypa1.com/"+text+" http://"+text+".paypa1.com/ https://"+text+"/\r\n")
		edit(t, p, f, text, over)
		message := "Subject: " + text + "\nContent-Type: text/plain; charset=utf-8\n\n" + text + " http://paypa1.com/" + text + " https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9 before\n"
		add("try.html", tryOn(p, url.Values{"message": {message}, "from": {text}, "to": {text}, "auth": {"on"}}))
	}
	add("nodes.html", get(p, "/nodes"))
	add("week.html", get(p, "/week"))
	add("received.html", get(p, "/received"))
	add("edited_list.html", get(p, "/edited"))
	for _, m := range all(t, p) {
		for _, code := range m.Codes() {
			post(p, "/findings/"+m.ID.String(), url.Values{"token": {p.token}, "code": {string(code)}, "mark": {"wrong"}})
		}
		add("finding.html", get(p, "/findings/"+m.ID.String()))
	}
	add("findings.html", get(p, "/findings"))
	add("findings.html", get(p, "/findings?mark=wrong"))
	for _, e := range p.edited.newest() {
		add("edited.html", get(p, "/edited/"+e.ID))
	}
	add("quarantine.html", get(p, "/quarantine"))
	list, err := p.held(quarantine.Filter{})
	if err != nil || len(list) != len(spoofs) {
		t.Fatal(list, err)
	}
	sure := url.Values{"token": {p.token}, "do": {"delete"}}
	for _, m := range list {
		add("held.html", get(p, heldAt(m.Name)))
		sure.Add("name", m.Name)
	}
	add("sure.html", post(p, "/quarantine", sure))
	sure.Set("sure", "yes")
	add("quarantine.html", post(p, "/quarantine", sure))
	entries, err := files.ReadDir("templates")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".html") && e.Name() != "frame.html" && len(drawn[e.Name()]) == 0 {
			t.Errorf("%s was not drawn", e.Name())
		}
	}
	for name, pages := range drawn {
		for _, w := range pages {
			if w.Code != 200 {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
			for _, text := range misleading(w.Body.String()) {
				t.Errorf("%s shows %q", name, text)
			}
		}
	}
	if n := strings.Count(drawn["findings.html"][0].Body.String(), "<mark "); n < 10 {
		t.Errorf("%d marks in the list of findings", n)
	}
}
