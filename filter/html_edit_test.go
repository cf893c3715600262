package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
)

// editing returns a filter that edits HTML parts.
func editing(tb testing.TB, flagged rule.Flagged) *filter.Filter {
	tb.Helper()
	return newFilter(tb, filter.Options{Rules: []rule.Rule{{
		Name: "all", ReadableHTML: true, Plain: rule.PlainReadable, Flagged: flagged, IfNotEditable: rule.ActionTag,
	}}})
}

// htmlOf returns the HTML of a message of one part as the filter sends it on.
func htmlOf(tb testing.TB, f *filter.Filter, source string) (string, filter.Result) {
	tb.Helper()
	raw := htmlMessage(source)
	result := check(tb, "html", f, localUser(), raw)
	return textOf(tb, result.Message(raw)), result
}

const (
	escapedURL  = "https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE"
	readableURL = "hi.wikipedia.org/wiki/महात्मा"
)

// TestReadableHTML: URLs that readers see become readable; nothing else changes.
func TestReadableHTML(t *testing.T) {
	needTables(t)
	f := editing(t, rule.FlaggedUnlink)
	link := `<a href="` + escapedURL + `">`
	for _, test := range []struct{ name, before, after string }{
		{"a link that names itself", link + escapedURL + "</a>", link + readableURL + "</a>"},
		{"in other elements", "<p class=x>" + link + "<span\n style='color:red'> " + escapedURL + "&nbsp;</span></a></p>", "<p class=x>" + link + "<span\n style='color:red'> " + readableURL + "&nbsp;</span></a></p>"},
		{"without a scheme", link + strings.TrimPrefix(escapedURL, "https://") + "</a>", link + readableURL + "</a>"},
		{"a URL in a text", "<p>See " + escapedURL + ".</p>", "<p>See " + link + readableURL + "</a>.</p>"},
		{"with a query", "<p>" + escapedURL + "?a=1&amp;b=2", `<p><a href="` + escapedURL + `?a=1&amp;b=2">` + readableURL + "?a=1&amp;b=2</a>"},
		{"another text", link + "Gandhi</a>", ""},
		{"another target", `<a href="` + escapedURL + `?x">` + escapedURL + "</a>", ""},
		{"readable already", link + readableURL + "</a>", ""},
		{"in a blockquote", "<blockquote>" + link + escapedURL + "</a> " + escapedURL + "</blockquote>", ""},
		{"quoted by Gmail", `<div class="gmail_quote">` + escapedURL + "</div>", ""},
		{"quoted by Outlook", `<div id="divRplyFwdMsg"></div><div>` + escapedURL + "</div>", ""},
		{"before a quote", escapedURL + `<blockquote>` + escapedURL + "</blockquote>", link + readableURL + "</a><blockquote>" + escapedURL + "</blockquote>"},
		{"code", "<pre>" + escapedURL + "</pre><code>" + link + escapedURL + "</a></code><textarea>" + escapedURL + "</textarea>", ""},
		{"attributes", `<img alt="` + escapedURL + `" title='` + escapedURL + `'>`, ""},
		{"script and style", "<script>'" + escapedURL + "'</script><style>/* " + escapedURL + " */</style><template>" + escapedURL + "</template>", ""},
		{"a comment", "<!-- " + escapedURL + " --><title>" + escapedURL + "</title>", ""},
		{"in a button", "<button>" + escapedURL + "</button><select><option>" + escapedURL + "</select>", ""},
		{"markup within", "<p>https://hi.wikipedia.org/wiki/<b>%E0%A4%AE</b>", ""},
		{"readers disagree", "<svg><style><p>" + escapedURL + "</style></svg>", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.after
			if want == "" {
				want = test.before
			}
			got, result := htmlOf(t, f, test.before)
			if strings.TrimSpace(got) != want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, want, result.Report)
			}
			if edited := result.Report.Edited; edited != (test.after != "") {
				t.Errorf("edited: %t, %s", edited, result.Report)
			}
		})
	}
}

// TestUnlinkedHTML: nothing opens a flagged link, and readers learn why.
func TestUnlinkedHTML(t *testing.T) {
	needTables(t)
	const flagged = "https://www.paypа1.com/login"
	for _, test := range []struct {
		name, before, unlinked, defanged string
	}{
		{
			"a link", `<p>See <a class=x href="http://paypa1.com/login" target=_blank>your <b>account</b></a>.</p>`,
			`<p>See <a class=x target=_blank>your <b>account</b> [link removed: looks like paypal.com]</a>.</p>`, "",
		},
		{
			"a text that names it", `<p>See <a href=` + flagged + `>` + flagged + `</a>.</p>`,
			`<p>See <a>https://www.xn--payp1-7ve.com/login [link removed: looks like paypal.com]</a>.</p>`, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, result := htmlOf(t, editing(t, rule.FlaggedUnlink), test.before)
			if strings.TrimSpace(got) != test.unlinked {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, test.unlinked, result.Report)
			}
		})
	}
}

// TestAlternativeStays: an alternative keeps a link as typed if the text behind it would run into
// the link. A second pass does not make that link readable.
func TestAlternativeStays(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{Name: "all", HTML: rule.HTMLAlways, ReadableHTML: true}}})
	for _, text := range []string{"\u8bf7\u770b^\u3002\u597d", "*^*", "\u8bf7\u770b^\u3002\u8bf7\u770b^", "_^_ ^"} {
		content := strings.ReplaceAll(text, "^", escapedLink) + "\r\n"
		result := check(t, content, f, localUser(), []byte(utf8Text(content)))
		if !strings.Contains(alternativeOf(t, result.Edited), ">"+escapedLink+"<") {
			t.Errorf("%q: no link stays as typed in %s", content, result.Edited)
		}
	}
	const written = `<!DOCTYPE html><html><head><meta name="generator" content="linkmilter"></head><body>`
	for source, changes := range map[string]bool{written + escapedLink: false, escapedLink: true, written + `<a href="` + lookLike + `">x</a>`: true} {
		if _, result := htmlOf(t, editing(t, rule.FlaggedUnlink), source); result.Report.Edited != changes {
			t.Errorf("%s: edited %t", source, result.Report.Edited)
		}
	}
}
