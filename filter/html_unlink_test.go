package filter_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// openersInBrowser defines openers, which returns what opens one of the attackers' hosts in
// a document, parsed as one and put into another.
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
		TestDocumentsInReferences, TestScripts, TestReferencesOfTheElementAround, TestRawTextWithoutAnEnd,
	} {
		test(t)
	}
	slices.Sort(sources)
	return slices.Compact(sources)
}

// randomAttacks returns links to an attacker in random HTML.
func randomAttacks(n int) []string {
	r := rand.New(rand.NewPCG(7, 11))
	links := []string{trap, "<a href=" + lookLike + ">x</a>", "<svg><a xlink:href=" + lookLike + "><text>x", "<form action=" + lookLike + "><button>", "<area href=" + lookLike + ">"}
	sources := make([]string, n)
	for i := range sources {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(before[r.IntN(len(before))])
		}
		b.WriteString(links[r.IntN(len(links))])
		for range r.IntN(6) {
			b.WriteString(before[r.IntN(len(before))])
		}
		sources[i] = b.String()
	}
	return sources
}

// TestAttacksAreUnlinked: of the attacks, hardly any has to be left to if_not_editable, and
// after an edit neither linkmilter nor Chromium finds what opens the host.
func TestAttacksAreUnlinked(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{{
		Name: "inbound", Edit: rule.EditFlagged, IfNotEditable: rule.ActionQuarantine,
	}}})
	var before, after []string
	total := 0
	notDone := make(map[report.Reason]int)
	sources := slices.Concat(attackSources(t), randomAttacks(500))
	for _, source := range sources {
		result := f.Message(t.Context(), localUser(), htmlMessage(source))
		opens := func(l report.Found) bool { return l.Flagged && l.Place == report.PlaceHTMLLink }
		if !slices.ContainsFunc(result.Report.Links, opens) {
			continue // a text that opens nothing
		}
		total++
		if !result.Report.Edited {
			notDone[result.Report.NotDone]++
			t.Logf("%s: %.200q", result.Report.NotDone, source)
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
