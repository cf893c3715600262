package filter_test

import (
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
)

// linkedIn returns the texts that an alternative links, as displayed.
func linkedIn(tb testing.TB, f *filter.Filter, content string) []string {
	tb.Helper()
	result := check(tb, content, f, localUser(), []byte(utf8Text(content+"\r\n")))
	var linked []string
	for _, l := range result.Report.Links {
		if l.Place == report.PlaceText && l.Linked {
			linked = append(linked, l.Display)
		}
	}
	if n := strings.Count(alternativeOf(tb, result.Edited), "<a "); n != len(linked) {
		tb.Errorf("%q: %d references, %d links in the report", content, n, len(linked))
	}
	return linked
}

// TestFilesAreNoLinks: names of files, and sentences without a space between them, are found and
// judged. They are not linked, and no reason for an edit.
func TestFilesAreNoLinks(t *testing.T) {
	const content = "report.zip, notes.md, setup.py and run.sh are attached.Thanks.It"
	if linked := linkedIn(t, newFilter(t, filter.Options{Rules: always()}), content); linked != nil {
		t.Errorf("linked %q", linked)
	}
	chosen := rule.Rule{Name: "r", HTML: rule.HTMLNeeded, Plain: rule.PlainReadable}
	r := notEdited(t, newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}), localUser(), []byte(text(content+"\r\n")), "nothing-to-change")
	var found []string
	for _, l := range r.Links {
		if l.Place == report.PlaceText {
			found = append(found, l.Link.Text)
		}
	}
	if diff := cmp.Diff([]string{"report.zip", "notes.md", "setup.py", "run.sh", "attached.Thanks.It"}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

// fileSuffixes returns the list file_suffixes of package judge.
func fileSuffixes(tb testing.TB) []string {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("judge", "lists", "file_suffixes.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			all = append(all, fields[0])
		}
	}
	return all
}

// TestFileSuffixes: each suffix is a top-level domain, listed once and in order. A bare name with
// it is a file and no link; with "www.", a path or a query it is a link.
func TestFileSuffixes(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: always()})
	suffixes := fileSuffixes(t)
	if !slices.IsSorted(suffixes) || len(slices.Compact(slices.Clone(suffixes))) != len(suffixes) || len(suffixes) < 20 {
		t.Errorf("suffixes %q", suffixes)
	}
	var files, hosts []string
	for _, suffix := range suffixes {
		if found := f.Text("example." + suffix); len(found) != 1 || found[0].Link.Kind != engine.KindURL {
			t.Errorf("%s is not a top-level domain", suffix)
		}
		for _, name := range []string{"report", "my-report", "a.b", "2026-11", "x", "v1.2", "\u00fcbersicht", "\u5831\u544a", "Report", "REPORT"} {
			file := name + "." + suffix
			files = append(files, file, "("+file+")", file+":42", file+",", strings.ToUpper(file))
		}
		host := "example." + suffix
		hosts = append(hosts, "www."+host, host+"/", host+"/x", host+"?q=1", "https://"+host, "HTTP://"+strings.ToUpper(host), "WWW."+host, "a@"+host)
	}
	if linked := linkedIn(t, f, strings.Join(files, "\r\n")); linked != nil {
		t.Errorf("linked %q", linked)
	}
	if diff := cmp.Diff(hosts, linkedIn(t, f, strings.Join(hosts, "\r\n"))); diff != "" {
		t.Errorf("linked (-want +got):\n%s", diff)
	}
}

// TestSentencesRunTogether: two words of two sentences are no host, in any case and with any full
// stop.
func TestSentencesRunTogether(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: always()})
	var content []string
	for _, before := range []string{"attached", "Done", "ok", "me.and"} {
		for _, after := range []string{"Thanks", "In", "It", "So", "Is", "At", "No", "My", "To", "IN"} {
			content = append(content, before+"."+after, before+"."+after+".It", before+"."+after+",", before+". "+after)
		}
	}
	content = append(content, "EXAMPLE.COM", "Example.com", "example.Com", "\u00dcber.de", "\u6211\u7231\u4f60\u3002\u4e2d\u56fd", "\u3067\u3059\uff61\u307f\u3093\u306a")
	if linked := linkedIn(t, f, strings.Join(content, "\r\n")); linked != nil {
		t.Errorf("linked %q", linked)
	}
}

// TestAbbreviations: words behind an abbreviation, and lower-case sentences without a space between
// them, are no hosts. Sites of the same form are.
func TestAbbreviations(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: always()})
	for text := range strings.FieldsSeq("d.h.es e.g.in i.e.is m.in.to u.a.de p.ex.it t.ex.at etc.it usw.es např.to ym.se bzw.de there.is once.is ok.us too.my danke.es hier.is oui.il merci.de gracias.no jetzt.im foo.bar user.name event.target.name user.email.to table.id db.name he.is maybe.it log.in the.in what.is fig.in kg.in main.cc configure.ac") {
		if linked := linkedIn(t, f, "see "+text+" here"); linked != nil {
			t.Errorf("linked %q", linked)
		}
	}
	for text := range strings.FieldsSeq("bp.co.uk orf.at about.me draw.io m.vk.com x.org t.co time.is who.is box.at gov.it heise.de there.com etc.example.com plus.de one.de home.se work.at user.example.to db.example.is") {
		if linked := linkedIn(t, f, "see "+text+" here"); len(linked) != 1 {
			t.Errorf("%s: linked %q", text, linked)
		}
	}
}

// TestHonestBareHosts: bare hosts that people mean as links are linked.
func TestHonestBareHosts(t *testing.T) {
	needTables(t)
	hosts := []string{
		"example.com", "example.org:8080", "b\u00fccher.example.com", "perplexity.ai", "about.me", "github.io", "example.dev", "example.info",
		"\u4f8b\u5b50.\u4e2d\u56fd", "\u65e5\u672c\u8a9e\u3002jp", "\u0645\u062b\u0627\u0644.\u0645\u0635\u0631", "\u0909\u0926\u093e\u0939\u0930\u0923.\u092d\u093e\u0930\u0924",
		"Example.com/x", "www.Example.com", "WWW.EXAMPLE.COM", "EXAMPLE.COM/", "Anna@Example.COM", "HTTPS://EXAMPLE.ZIP", "mailto:a@report.zip",
	}
	f := newFilter(t, filter.Options{Rules: always()})
	if diff := cmp.Diff(hosts, linkedIn(t, f, strings.Join(hosts, "\r\n"))); diff != "" {
		t.Errorf("linked (-want +got):\n%s", diff)
	}
}

// TestFlaggedFiles: a host that its sender did not mean as a link is still flagged.
func TestFlaggedFiles(t *testing.T) {
	needTables(t)
	for flagged, shown := range map[rule.Flagged]string{
		rule.FlaggedUnlink: "xn--pypal-4ve.zip", rule.FlaggedLink: "xn--pypal-4ve.zip", rule.FlaggedDefang: "xn--pypal-4ve[.]zip",
	} {
		chosen := rule.Rule{Name: "r", HTML: rule.HTMLNeeded, Flagged: flagged}
		result := check(t, "flagged", newFilter(t, filter.Options{Rules: []rule.Rule{chosen}}), localUser(), []byte(utf8Text("p\u0430ypal.zip\r\n")))
		if l := result.Report.Links[len(result.Report.Links)-1]; !l.Flagged || l.Linked || l.Display != shown {
			t.Errorf("%d: %+v", flagged, l)
		}
	}
}

// unmeant are texts with hosts that are not meant as links: | is a word.
const unmeant = `Call |.name() and |.open(1) now.
Set $|.id or {{|.name}} or %|.email% there.
key=|.to and x=|.info;
|.is=3, |.name[0]
It costs 12.99.to be paid, or 3.14.in all.
Release v1.2.co and 2.4.1.de
from 4.to 5.is at 7.am
See |.zip, |.Md or |.py:12
He |.Then we |.It
Then this.id or self.name, and date.now: window.open
for os.name, (event.target), plt.show; "req.email", fs.read
#|.io \\|.me ^|.at ~|.cc &|.pm`

// meantAll are texts with hosts that are meant as links.
const meantAll = `Visit |-shop.com or www.|.is today.
(|x.org) "|x.net", <|x.de>; |x.at:
|x.com/ and http://|.is/ and |.to/x
163.com, 360.cn and 58.com
* |x.com, |y.com
self.com, window.de and os.org
this.id/ and www.self.name, https://window.open`

// unmeantText returns a text of lines with random words.
func unmeantText(r *rand.Rand, lines string) string {
	words := []string{"user", "item", "window", "this", "foo_bar", "x1", "self", "obj", "doc-1", "\u00fcber"}
	all := strings.Split(lines, "\n")
	var b strings.Builder
	for range 1 + r.IntN(3) {
		for piece := range strings.SplitSeq(all[r.IntN(len(all))], "|") {
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteString(words[r.IntN(len(words))])
			}
			b.WriteString(piece)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestGeneratedHosts: the filter links only the hosts of generated texts that are meant as links.
func TestGeneratedHosts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{Rules: always()})
	r := rand.New(rand.NewPCG(9, 9))
	found := 0
	for range 300 {
		content := unmeantText(r, unmeant)
		if linked := linkedIn(t, f, content); linked != nil {
			t.Errorf("%q: linked %q", content, linked)
		}
		found += len(f.Text(content))
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(meantAll, "|", "shop"), "\n") {
		if linked := linkedIn(t, f, line); len(linked) < 2 {
			t.Errorf("%q: linked only %q", line, linked)
		}
	}
	if found < 300 {
		t.Errorf("only %d links found", found)
	}
}

// FuzzMeant: a bare host that the filter links, in any text, is neither a number nor a piece of a
// program.
func FuzzMeant(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 40 {
		f.Add(unmeantText(r, unmeant+"\n"+meantAll))
	}
	judge := newFilter(f, filter.Options{Rules: always()})
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 4<<10 || !utf8.ValidString(content) {
			return
		}
		result := judge.Message(t.Context(), localUser(), []byte(utf8Text(content+"\r\n")))
		if result.Report.Failure == "panic" {
			t.Fatalf("panic: %q", content)
		}
		text := strings.ReplaceAll(content+"\r\n", "\r\n", "\n")
		for _, l := range result.Report.Links {
			c := l.Link.Components()
			bare := c.Scheme == "" && c.Path == "" && c.Query == "" && !strings.HasPrefix(strings.ToLower(c.Host), "www.")
			if !l.Linked || l.Broken || l.Guessed || l.Place != report.PlaceText || l.Link.Kind != engine.KindURL || !bare || l.Link.End > len(text) || text[l.Link.Start:l.Link.End] != l.Link.Text {
				continue
			}
			before, after := text[:l.Link.Start], text[l.Link.End:]
			if strings.HasSuffix(before, "$") || strings.HasSuffix(before, "{") || strings.HasSuffix(before, "=") || strings.HasPrefix(after, "(") {
				t.Errorf("%q: %q is linked", content, l.Link.Text)
			}
			if number := strings.TrimSuffix(c.Host, path.Ext(c.Host)); strings.Trim(number, "0123456789.") == "" && strings.Count(c.Host, ".") > 1 {
				t.Errorf("%q: the number %q is linked", content, c.Host)
			}
		}
	})
}
