package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
)

// TestReportHasHeader: the report identifies a message by the first field of each name, decoded.
func TestReportHasHeader(t *testing.T) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 3000)
	for name, c := range map[string]struct {
		raw  string
		want report.Header
	}{
		"all": {
			"Message-Id: <1@example.org>\r\nDate: Mon, 16 Nov 2026 10:00:00 +0100\r\nFrom: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\r\nSubject: =?utf-8?b?4KSv4KWH?=\r\n =?utf-8?q?_b?=\r\nSubject: second\r\n\r\n",
			report.Header{MessageID: "<1@example.org>", Date: "Mon, 16 Nov 2026 10:00:00 +0100", From: "Jürgen <j@example.org>", Subject: "ये b"},
		},
		"none": {"To: a@example.org\r\n\r\nx", report.Header{}},
		"long": {"Subject: " + long + "\r\n\r\nx", report.Header{Subject: long[:1024]}},
	} {
		if got := f.Scan([]byte(c.raw)).Header; got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
