package filter_test

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// openersInBrowser defines the function openers, which returns what opens a host of the attackers,
// both in a document and inside another one.
const openersInBrowser = `
const hosts = /paypa1\.com|evil\.example\.net/i;
const opened = (name, attribute) => ["href", "action", "formaction", "srcdoc"].includes(attribute)
	|| attribute == "src" && ["iframe", "frame", "embed"].includes(name) || attribute == "data" && name == "object"
	|| attribute == "content" && name == "meta" || ["to", "from", "by", "values"].includes(attribute) && /^(set|animate.*)$/.test(name)
	|| attribute.startsWith("on");
const readings = (value, base) => {
	const all = [value];
	try { all.push(new URL(value, base).href) } catch {}
	try { all.push(decodeURIComponent(value)) } catch {}
	const data = value.match(/base64,\s*([A-Za-z0-9+\/=]+)/i);
	if (data) try { all.push(atob(data[1])) } catch {}
	return all;
};
const found = (root, base) => [...root.querySelectorAll("*")].flatMap(e => [
	...[...e.attributes].filter(a => opened(e.localName.toLowerCase().replace(/^.*:/, ""), a.name.toLowerCase().replace(/^.*:/, "")) && readings(a.value, base).some(v => hosts.test(v)))
		.map(a => e.localName + " " + a.name + "=" + a.value.slice(0, 80)),
	...(e.localName == "template" && e.content ? found(e.content, base) : []),
]);
const openers = source => {
	const parsed = new DOMParser().parseFromString(source, "text/html");
	const root = document.createElement("template");
	root.innerHTML = source;
	return [...found(parsed, parsed.baseURI), ...found(root.content, document.baseURI)];
};
`

// attackSources returns the HTML of all attacks of this package's tests.
func attackSources(t *testing.T) []string {
	var sources []string
	attacks = &sources
	defer func() { attacks = nil }()
	for _, test := range []func(*testing.T){
		TestHTMLReadAsBrowsersDo, TestOpeners, TestBases, TestSchemesOfPrograms, TestAttributesOfURLs, TestTextsThatMayBeHidden, TestTextsThatReadAsURLs,
		TestDocumentsInReferences, TestScripts, TestReferencesOfTheElementAround, TestRawTextWithoutAnEnd, TestKindsOfHTML, TestPlacesOfTexts,
	} {
		test(t)
	}
	slices.Sort(sources)
	return slices.Compact(sources)
}

// openerForms are pieces of HTML that open a host of the attacker, in all ways that programs know.
var openerForms = func() []string {
	encoded := base64.StdEncoding.EncodeToString([]byte(trap))
	forms := []string{trap, "<a href=" + evil + "><img alt='" + shownAs + "'>", "<a href=\"data:text/html;base64," + encoded + "\">x</a>"}
	for form := range strings.SplitSeq(strings.TrimSpace(formsWithURL), "\n") {
		for _, url := range []string{lookLike, "HTTP://PAYPA1.COM/", "//paypa1.com/x", "http:\\\\paypa1.com", " http://paypa1.com", "http&colon;//paypa1&period;com/", "h&#9;ttp://pay&#10;pa1.com/", "http://x@paypa1.com:80/"} {
			forms = append(forms, strings.ReplaceAll(form, "|", url))
		}
	}
	return forms
}()

// formsWithURL are forms of openers: | is the URL.
const formsWithURL = `
<a href="|">x</a>
<A CLASS=x HREF='|' target=_blank><b>x</b></A>
<a href=y href="|">x</a><a href="|" href=y>x</a>
<map><area shape=default href="|"></map><img usemap=#x>
<form action="|"><button>x</button></form>
<form action=y><button formaction="|">x</button><input type=image formaction="|"></form>
<form id=z></form><input form=z type=submit formaction="|">
<base href="|"><a href=x>x</a>
<meta http-equiv=refresh content="0;url=|">
<svg><a xlink:href="|"><text>x</text></a></svg>
<svg><a href="|"><text>x</text></a></svg>
<svg><a><set attributeName=href to="|"/><text>x</text></a></svg>
<svg><a><animate attributeName=xlink:href values="y;|"/><text>x</text></a></svg>
<math><mi href="|">x</mi></math>
<math><mtext><a href="|">x</a></mtext></math>
<iframe src="|"></iframe>
<iframe srcdoc="<a href='|'>x</a>"></iframe>
<object data="|"></object>
<embed src="|">
<link rel=stylesheet href="|">
<body onload="location='|'">
<a href="#" onclick="location.href='|'">x</a>
<!--[if mso]><v:roundrect href="|" fill=t><v:textpath string=x /></v:roundrect><![endif]-->
<noscript><a href="|">x</a></noscript>
<template><a href="|">x</a></template>
<table><a href="|">x</a><tr><td>y</table>
<select><a href="|">x</a></select>
<title></title><a href="|">x</a><p title="<a href=|>">
`

// randomAttacks returns links to an attacker in random HTML.
func randomAttacks(n int) []string {
	r := rand.New(rand.NewPCG(7, 11))
	sources := make([]string, n)
	for i := range sources {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(before[r.IntN(len(before))])
		}
		b.WriteString(openerForms[r.IntN(len(openerForms))])
		for range r.IntN(6) {
			b.WriteString(before[r.IntN(len(before))])
		}
		if r.IntN(4) == 0 {
			b.WriteString(openerForms[r.IntN(len(openerForms))])
		}
		sources[i] = b.String()
	}
	return slices.Concat(openerForms, sources)
}

// TestAttacksAreUnlinked: nearly all attacks can be edited. After an edit, neither linkmilter nor
// Chromium finds anything that opens the host.
func TestAttacksAreUnlinked(t *testing.T) {
	needTables(t)
	sources := slices.Concat(attackSources(t), randomAttacks(long.Rows(600, 60)))
	for flagged, name := range map[rule.Flagged]string{rule.FlaggedUnlink: "unlink", rule.FlaggedDefang: "defang"} {
		t.Run(name, func(t *testing.T) {
			areUnlinked(t, newFilter(t, filter.Options{Rules: []rule.Rule{{
				Name: "inbound", Edit: rule.EditFlagged, Flagged: flagged, IfNotEditable: rule.ActionQuarantine,
			}}}), sources)
		})
	}
}

// areUnlinked fails if a filter says that it edited an attack that still opens the host.
func areUnlinked(t *testing.T, f *filter.Filter, sources []string) {
	t.Helper()
	var before, after []string
	total := 0
	notDone := make(map[report.Reason]int)
	for _, source := range sources {
		result := f.Message(t.Context(), localUser(), htmlMessage(source))
		opens := func(l report.Found) bool { return l.Flagged && l.Place == report.PlaceHTMLLink }
		if !slices.ContainsFunc(result.Report.Links, opens) {
			continue // a text that opens nothing
		}
		total++
		if !result.Report.Edited {
			notDone[result.Report.NotDone]++
			t.Logf("%s: %.300q", result.Report.NotDone, source)
			if result.Action != rule.ActionQuarantine {
				t.Errorf("%.300q is neither edited nor quarantined: %s", source, result.Report)
			}
			continue
		}
		if again := f.Message(t.Context(), localUser(), result.Edited); again.Report.Edited {
			t.Errorf("%.300q is edited again", source)
		}
		before, after = append(before, source), append(after, textOf(t, result.Edited))
	}
	t.Logf("%d attacks, %d edited, the others: %v", total, len(after), notDone)
	if total < 300 || len(after)*100 < 95*total {
		t.Errorf("only %d of %d attacks were edited: %v", len(after), total, notDone)
	}
	clicks := 0
	for i, found := range chromium.Map[[]string](t, before, openersInBrowser, "openers") {
		if len(found) > 0 {
			clicks++
		} else if strings.Contains(before[i], "<a href=") {
			t.Logf("nothing opens in %.200q", before[i])
		}
	}
	if clicks*2 < len(before) {
		t.Errorf("only %d of %d attacks work in the browser", clicks, len(before))
	}
	for i, found := range chromium.Map[[]string](t, after, openersInBrowser, "openers") {
		if len(found) > 0 {
			t.Errorf("%.300q became %.500q, in which opens: %q", before[i], after[i], found)
		}
	}
}
