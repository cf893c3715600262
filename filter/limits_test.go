package filter_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// spoof is a link that is flagged.
const spoof = "https://\u0430pple.example.com/"

// TestPaddingHidesNothing: the beginning of a message over the limit is judged, whatever follows,
// and in whatever encoding.
func TestPaddingHidesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	const header = "From: a@example.com\r\nMIME-Version: 1.0\r\n"
	const padding = 30 << 20
	words := strings.Repeat("padding that means nothing \r\n", padding/29)
	line := strings.Repeat("padding ", padding/8)
	utf8Part := "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: "
	for _, test := range []struct{ name, message string }{
		{"lines", utf8Part + "8bit\r\n\r\n" + spoof + "\r\n" + words},
		{"one line", utf8Part + "8bit\r\n\r\n" + spoof + " " + line},
		{"base64 in one line", utf8Part + "base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(" "+spoof+"\r\n"+words))},
		{"quoted-printable", utf8Part + "quoted-printable\r\n\r\nhttps://=D0=B0pple.example.com/ " + strings.Repeat("=C3=BC", padding/6)},
		{"another part", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + utf8Part + "8bit\r\n\r\n" + spoof + "\r\n--b\r\nContent-Type: application/zip\r\n\r\n" + words},
		{"HTML", "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p><a href=\"" + spoof + "\">x</a></p>\r\n" + words},
		{"HTML comment", "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p><a href=\"" + spoof + "\">x</a></p><!-- " + words},
		{"attached message", "Content-Type: message/rfc822\r\n\r\n" + utf8Part + "8bit\r\n\r\n" + spoof + "\r\n" + words},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := []byte(header + test.message)
			f := newFilter(t, filter.Options{})
			start := time.Now()
			result := f.Message(t.Context(), localUser(), raw)
			r := result.Report
			t.Logf("%s in %v", r, time.Since(start))
			if result.Edited != nil || r.NotDone != "message-too-large" || r.Outcome != report.OutcomePartial ||
				!slices.Contains(r.Reasons, "message-too-large") {
				t.Errorf("edited %v, report %s", result.Edited != nil, r)
			}
			if !slices.ContainsFunc(r.Links, func(l report.Found) bool { return l.Flagged }) {
				t.Errorf("the spoof was not found: %s", r)
			}
			// The caller may pass only the bytes up to the limit.
			env := localUser()
			env.Truncated = true
			again := f.Message(t.Context(), env, raw[:1<<20]).Report
			if again.Outcome != report.OutcomePartial || !slices.ContainsFunc(again.Links, func(l report.Found) bool { return l.Flagged }) {
				t.Errorf("of the first MiB: %s", again)
			}
		})
	}
}

// TestTooLargeIsTagged: messages that are too large get header fields, whether or not the caller
// has the whole message.
func TestTooLargeIsTagged(t *testing.T) {
	raw := []byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + spoof + "\r\n" + strings.Repeat("padding\r\n", 1000) + "--b--\r\n")
	f := newFilter(t, filter.Options{Limits: filter.Limits{Message: 1000}, Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLNeeded, On: rule.On{High: rule.ActionTag}}}})
	result := f.Message(t.Context(), localUser(), raw)
	if r := result.Report; !tagged(r) || result.Action != rule.ActionTag || !result.Plan.Empty() || r.Edited || len(result.HeaderEdits) == 0 {
		t.Fatalf("tagged %v, action %s, %d header edits: %s", tagged(r), result.Action, len(result.HeaderEdits), r)
	}
	body := func(raw []byte) []byte {
		m := mime.Parse(context.Background(), raw, mime.Limits{})
		return m.Body(m.Root)
	}
	if !bytes.Equal(body(result.Edited), body(raw)) || !bytes.Contains(result.Edited, []byte("\r\nX-Linkmilter: ")) {
		t.Errorf("edited message %.500q", result.Edited)
	}
	env := localUser()
	env.Truncated = true
	cut := f.Message(t.Context(), env, raw[:900])
	if !slices.Equal(cut.HeaderEdits, result.HeaderEdits) || cut.Edited != nil || !tagged(cut.Report) {
		t.Errorf("truncated: header edits %v, not %v: %s", cut.HeaderEdits, result.HeaderEdits, cut.Report)
	}
	if cut := f.Message(t.Context(), env, raw[:40]); len(cut.HeaderEdits) > 0 || cut.Edited != nil {
		t.Errorf("within the header: %v", cut.HeaderEdits)
	}
}

// TestHugeMessages: for messages that are huge in any way, the work is limited, the message goes on
// as it came, and the report says why.
func TestHugeMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	const link = "See https://de.wikipedia.org/wiki/%C3%9Cbersicht please.\r\n"
	mixed := func(boundary string) string {
		return "Content-Type: multipart/mixed; boundary=" + boundary + "\r\n\r\n"
	}
	var parts, nested strings.Builder
	parts.WriteString("MIME-Version: 1.0\r\n" + mixed("b"))
	for range 1000 {
		parts.WriteString("--b\r\nContent-Type: text/plain\r\n\r\n" + link)
	}
	parts.WriteString("--b--\r\n")
	nested.WriteString("MIME-Version: 1.0\r\n")
	for i := range 200 {
		nested.WriteString(mixed(fmt.Sprintf("b%d.", i)) + fmt.Sprintf("--b%d.\r\n", i))
	}
	nested.WriteString("\r\n" + link)
	for _, test := range []struct {
		name   string
		raw    string
		reason report.Reason
	}{
		{"1,000 parts", parts.String(), "too-many-parts"},
		{"depth 200", nested.String(), "too-deep"},
		{"100,000 header lines", strings.Repeat("X-Filler: as many as one likes\r\n", 100_000) + "\r\n" + link, "header-too-large"},
		{"one header field of 100,000 lines", "X-Filler:" + strings.Repeat(" as many as one likes\r\n", 100_000) + "\r\n" + link, "header-too-large"},
		{"a line of 50 MB", "\r\n" + link + strings.Repeat("x", 50<<20) + "\r\n", "message-too-large"},
		{"a header line of 50 MB", "X: " + strings.Repeat("x", 50<<20) + "\r\n\r\n" + link, "message-too-large"},
		{"a line of 20 MB", "\r\n" + link + strings.Repeat("x", 20<<20) + "\r\n", "text-too-large"},
		{"20 MB of dashes", mixed("b") + "--b\r\n\r\n" + link + strings.Repeat("--\r\n", 5<<20) + "--b--\r\n", "text-too-large"},
		{"200 messages of 200 parts each", "Content-Type: multipart/mixed; boundary=a\r\n\r\n" + strings.Repeat("--a\r\nContent-Type: message/rfc822\r\n\r\n"+mixed("b")+strings.Repeat("--b\r\n\r\n"+link, 200)+"--b--\r\n", 200) + "--a--\r\n", "too-many-parts"},
		{"1,000 messages in each other", strings.Repeat("Content-Type: message/rfc822\r\n\r\n", 1000) + "\r\n" + link, "too-deep"},
		{"60,000 parameters", "Content-Type: text/plain" + strings.Repeat("; charset=utf-8", 60_000) + "\r\n\r\n" + link, "duplicate-parameter"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFilter(t, filter.Options{})
			raw := []byte(test.raw)
			before := bytes.Clone(raw)
			start := time.Now()
			result := f.Message(t.Context(), localUser(), raw)
			took := time.Since(start)
			r := result.Report
			t.Logf("%d bytes in %v: %s", len(raw), took, r)
			if took > time.Minute { // 200 ms on a machine that does nothing else
				t.Errorf("took %v", took)
			}
			if result.Edited != nil || !result.Plan.Empty() || !bytes.Equal(raw, before) {
				t.Error("edited")
			}
			if r.NotDone != test.reason && !slices.Contains(r.Reasons, test.reason) {
				t.Errorf("report %s, want %s", r, test.reason)
			}
			if test.reason != "text-too-large" && r.Outcome == report.OutcomeComplete {
				t.Errorf("outcome %s", r.Outcome)
			}
		})
	}
}
