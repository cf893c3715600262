package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTableNamesEveryPredicateOnce(t *testing.T) {
	if _, err := parseAllowed(allowedTable); err != nil {
		t.Fatal(err)
	}
	for name := range predicates {
		if n := strings.Count(allowedTable, " is="+name+" ") + strings.Count(allowedTable, " is="+name+"\n"); n != 1 {
			t.Errorf("predicate %s is in the table %d times", name, n)
		}
	}
}

func TestTableRefusesBadLines(t *testing.T) {
	for _, line := range []string{
		"a | b", "a | b | ", "a | b | also=exit", "a | b | is=nothing", "a | b | new~(", "a | b | what=x", "a | b | other~x", "a | b | word", "a | b | where=exit\na | b | where=exit",
	} {
		if _, err := parseAllowed(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

func TestTermsHoldTogether(t *testing.T) {
	d := difference{job: job{command: "scan"}, input: []byte("in"), changes: []change{
		{where: whereExit, old: "0", new: "1"},
		{where: whereObject, fields: []string{"href"}, old: "a", new: "b"},
		{where: whereOrder},
	}}
	for terms, want := range map[string]int{
		"command=scan where=exit": 1, "command=explain where=exit": 0, "where=object fields=href,display": 1, "where=object fields=display": 0, "input~^in$ where=object old~a new~b": 1,
		"where=object new!~b": 0, "where=object also=exit": 2, "where=object fields=display also=exit": 0, "input!~x": 3,
	} {
		table, err := parseAllowed("id | words | " + terms)
		if err != nil {
			t.Fatal(err)
		}
		copied := d
		copied.changes = append([]change(nil), d.changes...)
		table.explain(nil, &copied)
		n := 0
		for _, c := range copied.changes {
			if c.allowed != "" {
				n++
			}
		}
		if n != want || copied.explained() != (want == 3) {
			t.Errorf("%s: allows %d changes, want %d", terms, n, want)
		}
	}
}

// The outcomes of commands, as short as the predicates need them.
const (
	edited   = "Subject: a\n\n"
	partial  = `{"part":"1","offset":0,"kind":"message","findings":[{"code":"partial","severity":"info","label":"","detail":"nul"}]}`
	urlAt0   = `{"part":"1","offset":0,"length":18,"kind":"url","text":"https://paypal.com","findings":[]}`
	suspect  = `{"part":"1","offset":0,"length":35,"kind":"suspect","text":"https://paypal.com._login.evil.com/","findings":[{"code":"lookalike","severity":"high","label":"","detail":"x"}]}`
	inside   = `{"part":"1","offset":20,"length":14,"kind":"url","text":"login.evil.com","findings":[]}`
	goesOnIn = "https://paypal.com._login.evil.com/\n"
	tags     = "X-Linkmilter: mx; action=tag; worst=medium; findings=1; outcome=partial;\n rule=t\nX-Linkmilter-Finding: mx; code=partial; severity=medium; detail=\"nul\"\n"
)

var tooMany = strings.Replace(partial, "nul", "too-many-links", 1) + "\n"

const forgedObject = `{"part":"","offset":0,"kind":"message","findings":[{"code":"forged-field","severity":"high","label":"","detail":"x"}]}`

func target(label string) string {
	return `{"part":"1","offset":0,"kind":"url","text":"a","findings":[{"code":"text-target-mismatch","severity":"low","label":"` + label + `","detail":"x"}]}`
}

func aboutHost(host string) string {
	return "X-Linkmilter-Finding: mx; code=lookalike; severity=high;\n host=\"" + host + "\"; detail=\"x\"\n"
}

var long = strings.Repeat("a", longLink)

// allowedCases are outcomes with a change of each class, and changes that only
// look like it: id is the entry that allows all of them, or empty.
var allowedCases = []struct{ id, command, flags, input, old, new, oldErr, newErr string }{
	{"host-goes-on", "scan", "json", goesOnIn, urlAt0, suspect, "", ""},
	{"host-goes-on", "scan", "json", goesOnIn, urlAt0 + "\n" + inside, suspect, "", ""},
	{"host-goes-on", "explain", "--json", goesOnIn, `{"input":"https://paypal.com+x.evil.com/","kind":"none"}`, `{"input":"https://paypal.com+x.evil.com/","kind":"suspect"}`, "x", ""},
	{"host-goes-on", "explain", "--json", goesOnIn, `{"input":"http://example.com（x/","kind":"none"}`, `{"input":"http://example.com（x/","kind":"suspect"}`, "", ""},
	{"", "scan", "json", goesOnIn, inside + "\n" + `{"part":"2","offset":0,"length":1,"kind":"url","text":"a"}`, inside, "", ""},
	{"", "scan", "json", goesOnIn, urlAt0 + "\n" + strings.Replace(inside, "20", "99", 1), suspect, "", ""},
	{"", "scan", "json", "https://paypal.com/ x", urlAt0, strings.ReplaceAll(suspect, "._login.evil.com/", "/"), "", ""},
	{"", "scan", "json", goesOnIn, suspect, urlAt0, "", ""},
	{"", "explain", "--json", "", `{"input":"https://paypal.com/","kind":"url"}`, `{"input":"https://paypal.com/","kind":"suspect"}`, "", ""},
	{"host-goes-on-shown", "rewrite", "", goesOnIn, edited + `<bdi><a href="https://paypal.com/">https://paypal.com</a></bdi>._login.evil.com/`, edited + "https://paypal.com._login.evil.com/", "", "x"},
	{"", "rewrite", "", goesOnIn, edited + `<a href="https://paypal.com/">https://paypal.com</a>`, edited + "https://paypa1.com", "", ""},
	{"host-goes-on-shown", "rewrite", "", goesOnIn, "A: b\n\n", "A: b\n" + aboutHost("paypal.com._login.evil.com") + "\n", "a", "b"},
	{"", "rewrite", "", goesOnIn, "A: b\n\n", "A: b\n" + aboutHost("192.0.2.1") + "\n", "a", "b"},
	{"", "rewrite", "", goesOnIn, "A: b\n" + aboutHost("192.0.2.1") + "\n", "A: b\n" + strings.Replace(aboutHost("192.0.2.1"), "high", "low", 1) + "\n", "", ""},
	{"", "rewrite", "", "https://paypal.com/", edited + `<a href="https://paypal.com/">https://paypal.com</a>`, edited + "https://paypal.com", "", ""},
	{"reading-severity", "scan", "json", "", partial, strings.Replace(partial, "info", "medium", 1), "", ""},
	{"", "scan", "json", "", partial, strings.Replace(partial, "info", "high", 1), "", ""},
	{"", "scan", "json", "", partial, strings.Replace(partial, "info", "none", 1), "", ""},
	{"", "scan", "json", "", strings.Replace(partial, "nul", "unknown-charset", 1), strings.NewReplacer("nul", "unknown-charset", "info", "medium").Replace(partial), "", ""},
	{"", "scan", "json", "", urlAt0, strings.Replace(urlAt0, "[]", `[{"code":"lookalike","severity":"medium"}]`, 1), "", ""},
	{"reading-severity", "scan", "json", "", strings.Replace(partial, "nul", "undeclared-8bit", 1), strings.NewReplacer("nul", "undeclared-8bit", "info", "low").Replace(partial), "", ""},
	{"", "scan", "json", "", partial, strings.Replace(partial, "info", "low", 1), "", ""},
	{"full-width-host", "scan", "json", "", `{"part":"1","offset":4,"length":5,"kind":"url","text":"3.com"}`, `{"part":"1","offset":0,"length":9,"kind":"url","text":"1２3.com"}`, "", ""},
	{"", "scan", "json", "", `{"part":"1","offset":4,"length":5,"kind":"url","text":"3.com"}`, `{"part":"1","offset":0,"length":9,"kind":"url","text":"1223.com"}`, "", ""},
	{"reading-in-table", "scan", "table", "", "   info: partial (nul)\n", "   medium: partial (nul)\n", "", ""},
	{"", "scan", "table", "", "   info: partial (tnef)\n", "   medium: partial (tnef)\n", "", ""},
	{"", "scan", "table", "", "   info: partial (nul)\n", "   medium: partial (bare-cr)\n", "", ""},
	{"text-target", "scan", "json", goesOnIn, target("paypal.com"), target("paypal.com._login.evil.com"), "", ""},
	{"", "scan", "json", "https://paypal.com/", target("paypal.com"), target("paypa1.com"), "", ""},
	{"name-shown", "scan", "json", "", `{"kind":"url","text":"notes.md#%61","display":"notes.md#a"}`, `{"kind":"url","text":"notes.md#%61","display":"notes.md#%61"}`, "", ""},
	{"", "scan", "json", "", `{"kind":"url","text":"notes.org#%61","display":"notes.org#a"}`, `{"kind":"url","text":"notes.org#%61","display":"notes.org#%61"}`, "", ""},
	{"forged-nul", "scan", "json", "X-Linkmilter: a\x00\n", partial, "", "", ""},
	{"", "scan", "json", "X-Other: a\x00\n", partial, "", "", ""},
	{"more-forged", "scan", "json", "X-Linkmilter: (c) mx; a=b\nA: b\n\n", "", forgedObject, "", ""},
	{"", "scan", "json", "X-Linkmilter: mx; a=b\nA: b\n\n", "", forgedObject, "", ""},
	{"full-width-explained", "explain", "--json", "", `{"input":"1２3.com","kind":"host"}`, `{"input":"1２3.com","kind":"url"}`, "", ""},
	{"", "explain", "--json", "", `{"input":"123.com","kind":"host"}`, `{"input":"123.com","kind":"url"}`, "", ""},
	{"within-limit", "scan", "json", goesOnIn, tooMany + urlAt0, tooMany + suspect + "\n" + strings.Replace(inside, "20", "99", 1), "", ""},
	{"", "scan", "json", goesOnIn, tooMany + urlAt0, tooMany + urlAt0 + "\n" + inside, "", ""},
	{"listens", "check-config", "", "", "a\n", "a\nlistens for milter inet:8895@127.0.0.1\n", "", ""},
	{"", "check-config", "", "", "a\n", "a\nlistens\n", "", ""},
	{"wording", "check-config", "", "", "", "", "linkmilter: f.toml:1:2: rule[0]: trusted: anybody\nf.toml:3:1: log: x\n", "linkmilter: f.toml:1:2: rule[0]: needs a condition\nf.toml:3:1: log: y\n"},
	{"", "check-config", "", "", "", "", "linkmilter: f.toml:1:2: rule[0]: trusted: anybody\n", "linkmilter: f.toml:1:3: rule[0]: needs a condition\n"},
	{"", "check-config", "", "", "", "", "linkmilter: f.toml:1:2: rule[0]: a\n", "linkmilter: f.toml:1:2: rule[0]: a\nf.toml:3:1: log: y\n"},
	{"", "check-config", "", "", "", "", "linkmilter: f.toml:1:2: rule[0]: a\n", "linkmilter: f.toml:1:2: rule[1]: a\n"},
	{"", "check-config", "", "", "", "", "linkmilter: no such file\n", "linkmilter: not a file\n"},
	{"chosen-reason-tag", "rewrite", "", "", "A: b\n\nx", "A: b\n" + tags + "\nx", "a", "b"},
	{"chosen-reason-tag", "rewrite", "", "", "A: b\n" + strings.ReplaceAll(tags, "medium", "info") + "\nx", "A: b\n" + tags + "\nx", "", ""},
	{"", "rewrite", "", "", "A: b\n\nx", "A: b\n" + strings.ReplaceAll(tags, "nul", "unknown-charset") + "\nx", "", ""},
	{"", "rewrite", "", "", "A: b\n\nx", "A: c\n" + tags + "\nx", "", ""},
	{"", "rewrite", "", "", "A: b\n" + tags + "\nx", "A: b\n\nx", "", ""},
	{"link-too-long", "scan", "json", "", "", `{"part":"1","offset":0,"length":2000,"kind":"suspect","text":"` + long + `"}` + "\n" + strings.Replace(partial, "nul", "link-too-long", 1), "", "x"},
	{"link-too-long", "explain", "--json", "", `{"input":"` + long + `","kind":"url","href":"x"}`, `{"input":"` + long + `","kind":"suspect","href":""}`, "", ""},
	{"", "scan", "json", "", "", `{"part":"1","offset":0,"length":1999,"kind":"suspect","text":"a"}`, "", ""},
	{"", "scan", "json", "", "", partial, "", ""},
	{"forged-field", "rewrite", "", "", "X-Linkmilter: mx\x00; a=b;\n c=d\nA: b\n\n", "A: b\n\n", "1", "2"},
	{"forged-field", "rewrite", "", "", "X-Linkmilter-Finding: \"m\\x\"; a=b\nA: b\n\n", "A: b\n\n", "", ""},
	{"", "rewrite", "", "", "X-Linkmilter: mx; a=\\b\nA: b\n\n", "A: b\n\n", "", ""},
	{"", "rewrite", "", "", "X-Other: mx\x00\nA: b\n\n", "A: b\n\n", "", ""},
	{"", "rewrite", "", "", "X-Linkmilter: mx\x00\nB: c\nA: b\n\n", "A: b\n\n", "", ""},
	{"escaped-error", "format", "", "", "a", "a", "bad \x1b[31m\u202e line\n", "bad \\u{1B}[31m\\u{202E} line\n"},
	{"escaped-error", "format", "", "", "a", "a", "bad \x1b[31m line\n", "bad \\x1b[31m line\n"},
	{"", "format", "", "", "a", "a", "bad \x1b[31m line\n", "bad [31m line\n"},
	{"", "format", "", "", "a", "a", "bad \x1b line\n", "other \\x1b line\n"},
	{"", "format", "", "", "a", "a", "bad line\n", "other line\n"},
	{"defang", "rewrite", "", "", edited + "hxxps[:]//a[.]b/x", edited + "hxxps[:]//a[.]b[/]x", "", ""},
	{"defang", "rewrite", "", "", edited + "http:a.b", edited + "hxxp[:]a[.]b", "", ""},
	{"", "rewrite", "", "", edited + "hxxps[:]//a[.]b/x", edited + "https://a.b/x", "", ""},
	{"", "rewrite", "", "", edited + "hxxps[:]//a[.]b/x", edited + "hxxps[:]//a[.]c[/]x", "", ""},
	{"bare-host", "rewrite", "", "", edited + bareA + " <a href=\"https://b.example/\">b</a>", edited + "report.zip <a href=\"https://b.example/\">b</a>", "", ""},
	{"bare-host", "rewrite", "", "in", edited + "<bdi>" + bareA + "</bdi>", "in", "edited", "not edited"},
	{"", "rewrite", "", "in", edited + bareA + " <a href=\"https://b.example/\">https://b.example/</a>", "in", "", ""},
	{"", "rewrite", "", "", edited + "<a href=\"https://b.example/x\">https://b.example/x</a>", edited + "https://b.example/x", "", ""},
	{"", "rewrite", "", "", edited + strings.ReplaceAll(bareA, ">report", ">www.report"), edited + "www.report.zip", "", ""},
	{"", "rewrite", "", "", edited + bareA + " a", edited + "report.zip b", "", ""},
	{"late-tags", "rewrite", "", "", "A: b\n\n", "A: b\n" + strings.ReplaceAll(tags, "mx; code=partial", "mx; part=\"header:From\"; code=lookalike") + "\n", "not read: deadline", "x"},
	{"", "rewrite", "", "", "A: b\n\n", "A: b\n" + strings.ReplaceAll(tags, "mx; code=partial", "mx; part=\"header:From\"; code=lookalike") + "\n", "", ""},
	{"detail-in-table", "scan", "table", "", "          high     lookalike: lookalike (old)\n", "          high     lookalike: lookalike (new words)\n", "", ""},
	{"detail-in-table", "scan", "table", "", "          high   : lookalike (old)\n          high     lookalike (old)\n", "          high   : lookalike (old)\n          high     lookalike (new words)\n", "", ""},
	{"", "scan", "table", "", "          high     lookalike (old)\n", "          low      lookalike (new words)\n", "", ""},
	{"", "scan", "table", "", "a (old)\n", "a (new)\n", "", ""},
}

const bareA = `<a href="http://report.zip/">report.zip</a>`

// testedWithRuns are the entries that run the builds again.
var testedWithRuns = []string{"bom", "as-objects", "own-fields", "anchors", "fewer-links"}

func TestAllowsExactlyTheClassesOfTheTable(t *testing.T) {
	table, err := parseAllowed(allowedTable)
	if err != nil {
		t.Fatal(err)
	}
	tested := make(map[string]bool)
	for i, c := range allowedCases {
		j := job{command: c.command, flags: strings.Fields(c.flags), items: []item{{name: "x"}}}
		old, new := outcome{[]byte(c.old), []byte(c.oldErr), 0}, outcome{[]byte(c.new), []byte(c.newErr), 0}
		d := difference{job: j, input: []byte(c.input), old: old, new: new, changes: changesBetween(j, old, new)}
		if len(d.changes) == 0 {
			t.Errorf("case %d: no change", i)
			continue
		}
		table.explain(nil, &d)
		if d.explained() != (c.id != "") {
			t.Errorf("case %d, %s: explained is %t: %+v", i, c.id, d.explained(), d.changes)
		}
		for _, change := range d.changes {
			if c.id != "" && change.allowed != c.id && (c.id != "within-limit" || change.allowed != "host-goes-on") {
				t.Errorf("case %d: allowed by %q, want %q", i, change.allowed, c.id)
			}
		}
		tested[c.id] = true
	}
	for _, e := range table {
		if !tested[e.id] && !slices.Contains(testedWithRuns, e.id) {
			t.Errorf("entry %s has no case", e.id)
		}
	}
}

func TestAllowsAByteOrderMarkThatIsIgnored(t *testing.T) {
	for _, c := range []struct {
		name, edit string
		want       bool
	}{
		{"ignored", `sed '1s/^\xef\xbb\xbf//'`, true},
		{"ignored, and more", `sed '1s/^\xef\xbb\xbf//; s/url/suspect/'`, false},
	} {
		r := fakeRunner(t, c.edit)
		if err := os.WriteFile(filepath.Join(r.folder, "file"), []byte(bom+"url\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, j := range []job{
			{command: "format", lines: true, items: []item{{name: "line", line: bom + "url"}}},
			{command: "check-config", items: []item{{name: "file"}}},
		} {
			table, _ := parseAllowed(allowedTable)
			found, err := r.all([]job{j}, 1)
			if err != nil || len(found) != 1 {
				t.Fatalf("%s: %d differences, %v", c.name, len(found), err)
			}
			table.explain(r, &found[0])
			if found[0].explained() != c.want {
				t.Errorf("%s, %s: explained is not %t", c.name, j.command, c.want)
			}
		}
	}
}
