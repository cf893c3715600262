package filter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// TestReportOfNestedMessages: texts of attached messages are judged, and their
// parts are numbered as IMAP does.
func TestReportOfNestedMessages(t *testing.T) {
	r := newFilter(t, filter.Options{}).Scan(readSample(t, "edit-mixed-with-message"))
	var got []string
	for _, l := range r.Links {
		got = append(got, l.Part+" "+l.Link.Text)
	}
	want := []string{"1 https://de.wikipedia.org/wiki/%C3%9Cbersicht", "2.1 https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if r.Outcome != report.OutcomeComplete {
		t.Errorf("outcome %s %v", r.Outcome, r.Reasons)
	}
}

// TestLinkThatFailedPolicy: a flagged link is shown in ASCII and not linked, in the report and in
// the alternative.
func TestLinkThatFailedPolicy(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	result := f.Message(context.Background(), localUser(), readSample(t, "edit-lookalike-host"))
	links := result.Report.Links
	if len(links) != 2 || result.Edited == nil {
		t.Fatalf("%d links, report %s", len(links), result.Report)
	}
	if links[0].Linked || links[0].Display != "https://xn--pple-43d.example.com/" || links[0].Verdict.Worst() < policy.SeverityMedium {
		t.Errorf("lookalike: linked %v, shown as %s, worst %s", links[0].Linked, links[0].Display, links[0].Verdict.Worst())
	}
	html := alternativeOf(t, result.Edited)
	for part, want := range map[string]bool{
		"<bdi>https://xn--pple-43d.example.com/</bdi>": true,
		"href=\"https://xn--pple":                      false,
		"https://аpple":                                false,
		"href=\"https://example.com/%D0%B0\"":          links[1].Linked,
	} {
		if strings.Contains(html, part) != want {
			t.Errorf("%s in the alternative: %v\n%s", part, !want, html)
		}
	}
}

// TestSuspectsAreShownAsTyped: suspects are in the report as typed, and never linked.
func TestSuspectsAreShownAsTyped(t *testing.T) {
	const suspect = "https://example.com@198.51.100.7/%C3%9C"
	f := newFilter(t, filter.Options{})
	alone := notEdited(t, f, localUser(), []byte(text("See "+suspect+"\r\n")), "nothing-to-change")
	if len(alone.Links) != 1 || alone.Links[0].Link.Kind != engine.KindSuspect || alone.Links[0].Linked || alone.Links[0].Href != "" || alone.Links[0].Display != suspect {
		t.Errorf("links %+v", alone.Links)
	}
	result := check(t, "beside a link", f, localUser(), []byte(text("See "+suspect+" and https://example.com/%C3%9C\r\n")))
	if html := alternativeOf(t, result.Edited); !strings.Contains(html, "See <bdi>"+suspect+"</bdi> and <bdi><a href=") {
		t.Errorf("alternative:\n%s", html)
	}
}

// TestNames: the names in logs and metrics do not change.
func TestNames(t *testing.T) {
	got := []fmt.Stringer{
		rule.ActionNone, rule.ActionTag, rule.ActionQuarantine, rule.ActionTempFail, rule.ActionDiscard, rule.ActionReject,
		report.OutcomeUnread, report.OutcomePartial, report.OutcomeComplete,
	}
	want := "[none tag quarantine tempfail discard reject unread partial complete]"
	if fmt.Sprint(got) != want {
		t.Errorf("names %v, want %s", got, want)
	}
}

// TestOlderTables: if Go's tables have an older Unicode version, a link with a host beyond ASCII
// stays as typed.
func TestOlderTables(t *testing.T) {
	f := filter.WithOlderTables(newFilter(t, filter.Options{}))
	for _, name := range []string{"edit-host-in-unicode", "edit-host-in-punycode"} {
		notEdited(t, f, localUser(), readSample(t, name), "nothing-to-change")
	}
	mixed := text("https://example.com/%C3%9C https://b\u00fccher.example.com/%C3%9C https://xn--bcher-kva.example.com/%C3%9C\r\n")
	mixed = strings.Replace(mixed, "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1)
	result := check(t, "mixed", f, localUser(), []byte(mixed))
	var shown []string
	for _, l := range result.Report.Links {
		shown = append(shown, l.Display)
	}
	want := []string{"https://example.com/\u00dc", "https://b\u00fccher.example.com/%C3%9C", "https://xn--bcher-kva.example.com/\u00dc"}
	if diff := cmp.Diff(want, shown); diff != "" || result.Report.Links[1].Linked {
		t.Errorf("links (-want +got):\n%s%s", diff, result.Report)
	}
}

func TestTextOfAFile(t *testing.T) {
	f := newFilter(t, filter.Options{Engine: engine.Options{MaxLinks: 2}})
	found := f.Text("See https://example.com/%E0%A4%85 and b.example.com and c.example.com.")
	if len(found) != 2 {
		t.Fatalf("%d links, want the limit of 2", len(found))
	}
	first := found[0]
	if first.Link.Start != 4 || first.Display != "https://example.com/अ" || first.Href != "https://example.com/%E0%A4%85" || !first.Linked || first.Part != "" {
		t.Errorf("%+v", first)
	}
	if found[1].Href != "http://b.example.com/" || found[1].Display != "b.example.com" {
		t.Errorf("%+v", found[1])
	}
}
