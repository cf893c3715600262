package milter

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// TestFilterHonoursItsDeadline: the filter decides within 200 ms of its deadline, whatever the
// message: the server relies on that. Each shape has three tries, since other programs may use the
// processor.
func TestFilterHonoursItsDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	const size = 6 << 20
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	html := "Content-Type: text/html; charset=utf-8\r\n\r\n"
	shapes := map[string]string{
		"links":          "\r\n" + fill("see https://hi.wikipedia.org/wiki/%E0%A4%AE and www.example.com/a\r\n"),
		"one line":       "\r\n" + fill("https://example.com/?a=(b "),
		"one link":       "\r\nhttps://example.com/" + fill("%E0%A4%AE"),
		"dots":           "\r\n" + fill("a.b"),
		"at signs":       "\r\n" + fill("a@b."),
		"brackets":       "\r\nhttps://a.example/" + fill("(["),
		"look-alikes":    "\r\n" + fill("https://www.раypal.com/ "),
		"HTML links":     html + fill(`<a href="https://a.example/">https://b.example/</a>`),
		"HTML nested":    html + fill("<div>"),
		"HTML open":      html + fill("<a href='x"),
		"HTML comments":  html + fill("<!-- > --"),
		"HTML entities":  html + fill("&#104;ttps&colon;//a.example/"),
		"base64":         "Content-Transfer-Encoding: base64\r\n\r\n" + fill("aHR0cHM6Ly9leGFtcGxlLmNvbS8g\r\n"),
		"quoted":         "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + fill("https=3A//example.com/=\r\n"),
		"header fields":  fill("X-A: https://example.com/\r\n"),
		"parts":          "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + fill("--b\r\n\r\nhttps://example.com/\r\n"),
		"nested parts":   fill("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"),
		"attached mails": fill("Content-Type: message/rfc822\r\n\r\n"),
	}
	met := 0
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			overruns := uint64(0)
			for range 3 {
				s, err := NewServer(Options{Options: mailserver.Options{Filter: realFilter(t), Limits: mailserver.Limits{Time: 20 * time.Millisecond}}})
				if err != nil {
					t.Fatal(err)
				}
				r := &mailserver.Record{Start: time.Now()}
				s.Decide(t.Context(), r, s.Log(), envelope.Envelope{Sender: "a@example.org"}, []byte("Subject: x\r\n"+shape))
				if err := s.Shutdown(context.Background()); err != nil {
					t.Fatal(err)
				}
				if r.Reason != "" {
					t.Fatalf("not decided: %s", r.Reason)
				}
				if slices.Contains(r.Result.Report.Reasons, "deadline") {
					met++
				}
				if overruns = s.Stats().Overruns; overruns == 0 {
					return
				}
			}
			t.Error("the filter overran its deadline three times")
		})
	}
	if met < len(shapes)/2 {
		t.Errorf("only %d of %d messages met the deadline", met, len(shapes))
	}
}
