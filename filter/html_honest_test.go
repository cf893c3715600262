package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

// unlinking returns a filter that removes flagged links from HTML, of mail from outside.
func unlinking(tb testing.TB) *filter.Filter {
	tb.Helper()
	return newFilter(tb, filter.Options{Rules: []rule.Rule{{Name: "all", Edit: rule.EditFlagged, IfNotEditable: rule.ActionTag}}})
}

// TestHonestLinksStay: if a link is flagged for its path, query, user name or local-part, other
// links to its host stay. If the host itself is flagged, or a text names another site, they are
// removed, too.
func TestHonestLinksStay(t *testing.T) {
	needTables(t)
	f := unlinking(t)
	const (
		nested  = `https://www.google.com/url?q=http://paypa1.com/`
		inPath  = `https://github.com/p` + "\u0430" + `ypal/x%C0%AF`
		mailbox = `mailto:p` + "\u0430" + `ypal@gmail.com`
	)
	for _, test := range []struct{ name, flagged, honest string }{
		{"a URL in the query", nested, "https://www.google.com/maps"},
		{"a URL in the path", "https://example.org/http://paypa1.com/", "https://example.org/"},
		{"a URL in the fragment", "https://example.org/#http://paypa1.com/", "https://example.org/#x"},
		{"the path", inPath, "https://github.com/honest/repo"},
		{"an override in the path", "https://example.org/%E2%80%AEgpj.exe", "https://example.org/x"},
		{"a NUL in the query", "https://example.org/?q=%00", "https://example.org/?q=x"},
		{"the local-part", mailbox, "mailto:anna@gmail.com"},
		{"the local-part and a page", mailbox, "https://gmail.com/"},
		{"the local-part and the host below", mailbox, "https://www.gmail.com/"},
		{"a user name", "http://user@example.org/", "https://example.org/help"},
		{"a host as user name", "http://paypal.com@example.org/", "https://example.org/help"},
		{"an escaped host", "http://ex%61mple.org/", "https://example.org/help"},
	} {
		flagged, honest := `<a href="`+test.flagged+`">x</a>`, `<a href="`+test.honest+`">y</a>`
		for _, source := range []string{flagged + honest, honest + flagged, flagged + honest + flagged} {
			got, result := htmlOf(t, f, source)
			if !result.Report.Edited || !strings.Contains(got, honest) || strings.Count(got, "href") != 1 {
				t.Errorf("%s: %s became %s: %s", test.name, source, got, result.Report)
			}
		}
	}
	for _, test := range []struct{ name, flagged, other, reason string }{
		{"the host", "http://paypa1.com/", "https://paypa1.com/x", "looks like paypal.com"},
		{"the host of an address", "mailto:a@paypa1.com", "https://paypa1.com/x", "looks like paypal.com"},
		{"the host and the path", "http://paypa1.com/http://g\u043eogle.com/", "https://paypa1.com/x", "looks like paypal.com"},
		{"the text", nested + `">` + shownAs + `</a><a href="` + nested, "https://www.google.com/maps", "leads to another address"},
	} {
		source := `<a href="` + test.flagged + `">x</a><a href="` + test.other + `">y</a>`
		if got, result := htmlOf(t, f, source); strings.Contains(got, "href") || !strings.Contains(got, "y [link removed: "+test.reason+"]") {
			t.Errorf("%s: %s became %s: %s", test.name, source, got, result.Report)
		}
	}
}

// TestScriptsOfHonestHosts: a script may name the host of a link that is flagged for its path.
func TestScriptsOfHonestHosts(t *testing.T) {
	needTables(t)
	for flagged, edited := range map[string]bool{"https://example.org/http://paypa1.com/": true, "http://paypa1.com/": false} {
		host, _, _ := strings.Cut(strings.SplitN(flagged, "//", 2)[1], "/")
		source := `<a href="` + flagged + `">x</a><script>open("//" + /` + host + `/.source)</script>`
		if _, result := htmlOf(t, unlinking(t), source); result.Report.Edited != edited {
			t.Errorf("%s: %s", source, result.Report)
		}
	}
}

// TestCommandsAsText: the text of a link may be a comment or command that begins like a URL without
// its scheme. A host, a share or a number behind such slashes counts.
func TestCommandsAsText(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for text, want := range map[string]policy.Severity{
		`\\section`: policy.SeverityNone, `5.3.3 The <code>\\override</code>-command`: policy.SeverityNone, `//todo:`: policy.SeverityNone, `\\`: policy.SeverityNone,
		`//www.example.org`: policy.SeverityMedium, `\\example.org`: policy.SeverityMedium, `//paypal.com`: policy.SeverityHigh, `//2130706433`: policy.SeverityHigh, `\\fileserver/share`: policy.SeverityMedium,
	} {
		if result := f.Scan(htmlMessage(`<a href="https://www.example.com/">` + text + `</a>`)); worstLink(result) != want {
			t.Errorf("%s: %s, want %s", text, worstLink(result), want)
		}
	}
}
