package record

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/policy"
)

// newTestFilter returns a filter with the configured severities.
func newTestFilter(t *testing.T, severities map[policy.Code]policy.Severity) *filter.Filter {
	t.Helper()
	f, err := filter.New(filter.Options{Policy: policy.Options{Severities: severities}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// readingSeverities returns the severity of each record about an unread part, by part and reason.
func readingSeverities(f *filter.Filter, raw []byte) map[string]policy.Severity {
	got := f.Scan(raw)
	severities := make(map[string]policy.Severity)
	for _, r := range OfMessage("file", f, &got) {
		if found := r.Findings[0]; found.Code == report.CodePartial || found.Code == report.CodeUnreadable {
			severities[r.Part+" "+found.Detail] = found.Severity
		}
	}
	return severities
}

// unreadParts are parts that are not read, by reason, with their default severity.
var unreadParts = []struct {
	reason   report.Reason
	part     string
	severity policy.Severity
}{
	{"unknown-charset", "Content-Type: text/plain; charset=x-unknown\n\nx", policy.SeverityLow},
	{"external-body", "Content-Type: message/external-body; access-type=x\n\nx", policy.SeverityLow},
	{"tnef", "Content-Type: application/ms-tnef\n\nx", policy.SeverityLow},
	{"nul", "Content-Type: text/plain\n\na\x00b", policy.SeverityMedium},
	{"unknown-encoding", "Content-Type: text/plain\nContent-Transfer-Encoding: x-own\n\nx", policy.SeverityMedium},
}

// TestUnreadPartSeverity: an unread part has the severity of its own reason, whatever the other
// parts have. A configured severity replaces those of all.
func TestUnreadPartSeverity(t *testing.T) {
	byDefault := newTestFilter(t, nil)
	configured := newTestFilter(t, map[policy.Code]policy.Severity{
		report.CodePartial: policy.SeverityHigh, report.CodeUnreadable: policy.SeverityHigh,
	})
	off := newTestFilter(t, map[policy.Code]policy.Severity{
		report.CodePartial: policy.SeverityNone, report.CodeUnreadable: policy.SeverityNone,
	})
	for _, first := range unreadParts {
		for _, second := range unreadParts {
			raw := []byte(fmt.Sprintf("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n%s\n--b\n%s\n--b--\n", first.part, second.part))
			keys := [...]string{"1 " + string(first.reason), "2 " + string(second.reason)}
			got := readingSeverities(byDefault, raw)
			if len(got) != 2 || got[keys[0]] != first.severity || got[keys[1]] != second.severity {
				t.Errorf("%s: %v", keys, got)
			}
			got = readingSeverities(configured, raw)
			if len(got) != 2 || got[keys[0]] != policy.SeverityHigh || got[keys[1]] != policy.SeverityHigh {
				t.Errorf("%s, configured: %v", keys, got)
			}
			if got := readingSeverities(off, raw); len(got) > 0 {
				t.Errorf("%s, turned off: %v", keys, got)
			}
		}
	}
}

// TestUnreadSeveritiesOfSamples: the worst record of a message has the severity of the finding
// about the message. So --fail-on counts what a rule counts.
func TestUnreadSeveritiesOfSamples(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	f := newTestFilter(t, nil)
	unread := 0
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		worst := policy.SeverityNone
		for key, severity := range readingSeverities(f, raw) {
			worst = max(worst, severity)
			if severity != policy.SeverityLow && severity != policy.SeverityMedium {
				t.Errorf("%s: %s is %s", filepath.Base(path), key, severity)
			}
		}
		want := policy.SeverityNone
		for _, found := range f.Scan(raw).Findings {
			if found.Code == report.CodePartial || found.Code == report.CodeUnreadable {
				want = found.Severity
				unread++
			}
		}
		if worst != want {
			t.Errorf("%s: the worst record is %s, the message %s", filepath.Base(path), worst, want)
		}
	}
	if unread < 20 {
		t.Errorf("only %d messages are not read to their end", unread)
	}
}
