package adminpage

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// over is a message of an own user with a link that reads better decoded.
const over = "From: a@example.com\r\nMessage-ID: <1@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nDear Bob,\r\nplease read https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9 before <script>we</script> meet.\r\n"

// edit edits a message with the filter and passes the event to the page.
func edit(tb testing.TB, p *Page, f *filter.Filter, queueID, raw string) filter.Result {
	tb.Helper()
	env := envelope.Envelope{Sender: "a@example.com", Recipients: []string{"bob@example.net"}, Authenticated: true, QueueID: queueID}
	result := f.Message(context.Background(), env, []byte(raw))
	p.ObserveEdit(&env, []byte(raw), &result)
	return result
}

// An edited message is shown before and after, in frames in which nothing runs or loads.
func TestBeforeAndAfter(t *testing.T) {
	p, f := newTestPage(t, 10)
	p.options.Renderings, p.edited.most = 10, 10
	if result := edit(t, p, f, "4Xq1", over); result.Edited == nil {
		t.Fatal("not edited: ", result.Report.NotDone)
	}
	edit(t, p, f, "4Xq2", "From: a@example.com\r\n\r\nno link\r\n")
	list := get(p, "/edited")
	at := "/edited/" + p.edited.newest()[0].ID
	if !strings.Contains(list.Body.String(), at) || strings.Contains(list.Body.String(), "4Xq2") {
		t.Errorf("%s", list.Body)
	}
	page := get(p, at)
	for _, want := range []string{`<iframe sandbox="" `, `src="` + at + `/before"`, `src="` + at + `/after"`, "4Xq1"} {
		if !strings.Contains(page.Body.String(), want) {
			t.Errorf("no %q in %s", want, page.Body)
		}
	}
	if csp := page.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || !strings.HasSuffix(csp, "; frame-src 'self'") {
		t.Errorf("policy %q", csp)
	}
	for path, want := range map[string]string{at + "/before": "wiki/%E0%A4%AE", at + "/after": "wiki/\u092e\u0939"} {
		w := get(p, path)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) || strings.Contains(w.Body.String(), "<script") {
			t.Errorf("%s: %d, %s", path, w.Code, w.Body)
		}
		for name, value := range map[string]string{"Content-Security-Policy": framePolicy, "X-Frame-Options": "SAMEORIGIN", "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} {
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s %q", path, name, got)
			}
		}
	}
	for _, path := range []string{at + "/raw", "/edited/x", "/edited/x/before"} {
		if w := get(p, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	observe(p, f, envelope.Envelope{Sender: "x@example.net", QueueID: "4Xq1"}, spoof)
	if w := get(p, "/findings/"+all(t, p)[0].ID.String()); !strings.Contains(w.Body.String(), `href="`+at+`"`) {
		t.Errorf("the finding does not lead there: %s", w.Body)
	}
}

// TestNoRenderings: without admin.renderings, the page keeps nothing of a message.
func TestNoRenderings(t *testing.T) {
	p, f := newTestPage(t, 10)
	edit(t, p, f, "4Xq1", over)
	if w := get(p, "/edited"); len(p.edited.newest()) != 0 || !strings.Contains(w.Body.String(), "keeps no contents") {
		t.Errorf("%s", w.Body)
	}
}

// TestEditionsAreBounded: the edited messages that the page keeps are copies, and limited in number
// and bytes.
func TestEditionsAreBounded(t *testing.T) {
	k := editions{most: 30}
	buffer := make([]byte, 400<<10)
	for i := range 100 {
		buffer[0] = byte(i)
		k.add(edited{ID: fmt.Sprint(i), Before: buffer, After: buffer})
		k.add(edited{ID: "too large", Before: make([]byte, maxEdited), After: buffer[:1]})
		size := 0
		for _, e := range k.list {
			size += e.size()
		}
		if size != k.size || size > maxAllEdited || len(k.list) > k.most {
			t.Fatalf("%d messages of %d bytes, counted %d", len(k.list), size, k.size)
		}
	}
	if n := len(k.list); n != maxAllEdited/(800<<10) || k.list[n-1].Before[0] != 99 || k.list[0].Before[0] != byte(100-n) {
		t.Errorf("%d messages", n)
	}
	k.most = 3
	k.add(edited{ID: "small"})
	if n := len(k.list); n != 3 {
		t.Errorf("%d messages", n)
	}
}
