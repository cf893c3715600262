package filter_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// TestLimitReasonsNameTheKeyThatActs: if the operator raises the key that the reason for a limit
// names, the reason goes away, and no other limit takes its place.
func TestLimitReasonsNameTheKeyThatActs(t *testing.T) {
	const head = "From: a@example.com\r\nMIME-Version: 1.0\r\n"
	parts := head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n", 12) + "--b--\r\n"
	deep := head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n--b--\r\n"
	var files strings.Builder
	for i := range 12 {
		files.WriteString(inUuencode("a.eml", "From: a@example.com\r\n\r\n"+strings.Repeat("x", i)+"\r\n"))
	}
	type limits = filter.Options
	at := map[string]func(o *limits, n int){
		"header":  func(o *limits, n int) { o.Limits.HeaderBytes = n },
		"depth":   func(o *limits, n int) { o.Limits.Depth = n },
		"parts":   func(o *limits, n int) { o.Limits.Parts = n },
		"message": func(o *limits, n int) { o.Limits.Message = n },
		"links":   func(o *limits, n int) { o.Engine.MaxLinks = n },
		"text":    func(o *limits, n int) { o.Limits.Text = n },
		"growth":  func(o *limits, n int) { o.Limits.Growth = n },
		"result":  func(o *limits, n int) { o.Limits.Result = n },
	}
	deepQuote := text(strings.Repeat(strings.Repeat(">", 40)+" a\r\nb\r\n", 50) + "See " + escapedLink + "\r\n")
	tried := map[report.Reason]bool{"deadline": true} // the time is not of this package
	for _, test := range []struct {
		reason report.Reason
		raw    string
		n      int
	}{
		{"header-too-large", head + "X: " + strings.Repeat("x", 200) + "\r\n\r\nx\r\n", 100},
		{"too-deep", deep, 1},
		{"too-many-parts", parts, 10},
		{"too-many-parts", head + "\r\n" + files.String(), 10},
		{"message-too-large", plain, 100},
		{"too-many-links", head + "\r\n" + strings.Repeat("http://example.com/\r\n", 12), 10},
		{"text-too-large", plain, 40},
		{"growth-too-large", plain, 100},
		{"growth-too-large", deepQuote, 100},
		{"result-too-large", plain, 600},
	} {
		tried[test.reason] = true
		key := filter.LimitReasons()[test.reason]
		met := func(n int) []report.Reason {
			options := filter.Options{Engine: engine.Options{}, Limits: filter.Limits{Limits: mime.Limits{}}, Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLAlways}}}
			at[key](&options, n)
			r := newFilter(t, options).Message(t.Context(), localUser(), []byte(test.raw)).Report
			return slices.DeleteFunc(append(slices.Clone(r.Reasons), r.NotDone), func(reason report.Reason) bool { return filter.LimitReasons()[reason] == "" })
		}
		if got := met(test.n); !slices.Contains(got, test.reason) {
			t.Errorf("limits.%s = %d: %v, want %s", key, test.n, got, test.reason)
		}
		if got := met(1_000_000); len(got) > 0 {
			t.Errorf("limits.%s = 1000000: still %v", key, got)
		}
	}
	for reason := range maps.Keys(filter.LimitReasons()) {
		if !tried[reason] {
			t.Errorf("no message for %s", reason)
		}
	}
}
