package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestTextOutsideOfParts: text before and behind the parts of a multipart is judged.
func TestTextOutsideOfParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	message := func(before, behind string) []byte {
		inner := "Content-Type: multipart/alternative; boundary=i\r\n\r\n" + before + "\r\n--i\r\n\r\nx\r\n--i--\r\n" + behind + "\r\n"
		return []byte("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n" + inner + "--o--\r\n")
	}
	for _, text := range []string{"see " + lookLike, trap, "<p>" + lookLike, "\xff" + lookLike} {
		for _, raw := range [][]byte{message(text, ""), message("", text)} {
			if r := f.Scan(raw); worstLink(r) < policy.SeverityMedium || len(r.Parts) != 1 {
				t.Errorf("%q: %s: %v", text, r, placed(r))
			}
		}
	}
	honest := message("This is a multi-part message in MIME format. See https://example.org/.", "-- \r\nhttps://lists.example.org/")
	if r := f.Scan(honest); len(r.Links) > 0 || r.Outcome != report.OutcomeComplete {
		t.Errorf("%s: %v", r, placed(r))
	}
	if r := f.Scan(message(strings.Repeat("x.example.org\r\n", 20_000), "")); r.Outcome != report.OutcomeComplete {
		t.Errorf("%s", r)
	}
}
