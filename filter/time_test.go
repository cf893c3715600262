package filter_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// slowMessage has a flagged link, and behind it many parts that have several readings each.
func slowMessage() []byte {
	links := strings.Repeat(`<a href=3D"http://раураӏ.com/">http://раураӏ.com/</a>http://раураӏ.com`, 60)
	page := "--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ \xff\xfe " + links + "\r\n"
	return []byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\n\r\nhttp://paypa1.com/\r\n" + strings.Repeat(page, 400) + "--b--\r\n")
}

// TestTimeLimit: at the time limit, the report has what was found until then, and says that the
// rest was not read.
func TestTimeLimit(t *testing.T) {
	const limit = 200 * time.Millisecond
	f := newFilter(t, filter.Options{Limits: filter.Limits{Time: limit}})
	raw := slowMessage()
	for name, read := range map[string]func() report.Report{
		"scan":    func() report.Report { return f.Scan(raw) },
		"message": func() report.Report { return f.Message(t.Context(), stranger, raw).Report },
	} {
		start := time.Now()
		r := read()
		if took := time.Since(start); took > limit+time.Second { // the machine may be busy
			t.Errorf("%s: took %s", name, took)
		}
		partial := func(finding policy.Finding) bool {
			return finding.Code == report.CodePartial && finding.Severity == policy.SeverityMedium && strings.Contains(finding.Detail, "deadline")
		}
		if r.Outcome != report.OutcomePartial || !slices.Contains(r.Reasons, "deadline") || !slices.ContainsFunc(r.Findings, partial) {
			t.Errorf("%s: outcome %s, reasons %v, findings %v", name, r.Outcome, r.Reasons, r.Findings)
		}
		flagged := func(l report.Found) bool { return l.Link.ASCIIHost() == "paypa1.com" && l.Flagged }
		if !slices.ContainsFunc(r.Links, flagged) {
			t.Errorf("%s: %d links, without the first one", name, len(r.Links))
		}
	}
	if _, err := filter.New(filter.Options{Limits: filter.Limits{Time: -1}}); err == nil {
		t.Error("a negative limit is taken")
	}
}
