package lists

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// setOf returns a set with one list of a text, with the options of a source.
func setOf(t testing.TB, text string, source Source) *Set {
	t.Helper()
	folder := t.TempDir()
	source.Name, source.File = "feed", filepath.Join(folder, "feed.txt")
	if source.Means == "" {
		source.Means = Block
	}
	if err := os.WriteFile(source.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set := New(Options{Folder: filepath.Join(folder, "cache")})
	set.Use([]Source{source})
	if err := set.Update(t.Context(), nil, false, false, func(State, error) {}); err != nil {
		t.Fatal(err)
	}
	return set
}

func parse(t testing.TB, text string) engine.Link {
	t.Helper()
	link, err := engine.ParseLink(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return link
}

// has reports whether a set has a link.
func has(t testing.TB, set *Set, link string) bool {
	t.Helper()
	return len(set.Find(parse(t, link))) > 0
}

// formats has a list of each format, with links that are on it and links that are not, and the
// lines that are not used.
var formats = []struct {
	name, text string
	format     Format
	has, not   []string
	unread     int
}{
	{
		"plain hosts", "# comment\nevil.example\n.tree.example\n*.below.example\nold.example 2020-01-31\nnew.example 2099-01-31\nEVIL2.example. # why\nxn--bcher-kva.example\n" +
			"bücher2.example\n0x7f.1\n203.0.113.7\nnot a host\ncom\n.co.uk\ns3.us-east-2.amazonaws.com\nport.example:8080\n", FormatPlain,
		[]string{
			"http://evil.example/x?y", "http://tree.example", "http://a.b.tree.example", "http://a.below.example", "http://new.example", "http://evil2.example", "http://bücher.example",
			"http://xn--bcher2-3ya.example", "http://127.0.0.1", "http://2130706433/", "http://203.0.113.7/", "http://EVIL.example.", "https://port.example:8080/",
		},
		[]string{"http://www.evil.example", "http://below.example", "http://old.example", "http://example.com", "http://amazon.co.uk", "https://port.example/", "https://s3.us-east-2.amazonaws.com/bucket/x"},
		4,
	},
	{
		"plain URLs", "http://a.example/login?id=1\nhttps://b.example/login\nhxxps://c[.]example/x\nd.example/a/../b\nhttp://e.example:8080/\nhttps://user@f.example/%41%2e%2f\nmailto:a@example.com\nhttp://g.example\nhttp://h.example/a b\n", FormatPlain,
		[]string{
			"https://a.example/login?id=1", "http://b.example/login", "http://b.example/login?any=1#x", "http://c.example/x", "http://d.example/b", "http://e.example:8080/",
			"http://f.example/A.%2F", "http://g.example/", "http://g.example", "http://g.example/?victim", "http://h.example/a%20b",
		},
		[]string{"http://a.example/login", "http://b.example/", "http://b.example/login/x", "http://e.example/", "http://g.example/x"},
		1,
	},
	{
		"comments with commas", "203.0.113.7 # an address, bad\nevil.example # why, since\nhttps://two.example/a # why, since\n", FormatPlain,
		[]string{"http://203.0.113.7", "http://evil.example"},
		nil, 0,
	},
	{
		"hosts file", "127.0.0.1 localhost\n::1 localhost ip6-localhost\n0.0.0.0 evil.example\n0.0.0.0 two.example three.example # comment\n0.0.0.0 bad_\nevil4.example\n", FormatHostsFile,
		[]string{"http://evil.example", "http://two.example", "http://three.example"},
		[]string{"http://localhost.example", "http://evil4.example"},
		2,
	},
	{
		"adblock", "[Adblock Plus 2.0]\n! Title\n||evil.example^\n||page.example/login^\n||opt.example^$all\n||third.example^$third-party\n@@||good.example^\nexample.com##.ad\n||spaced.example ^\n", FormatAdblock,
		[]string{"http://evil.example/x", "http://www.evil.example", "http://page.example/login", "http://page.example/login/x", "http://opt.example", "http://spaced.example"},
		[]string{"http://page.example", "http://page.example/loginx", "http://third.example", "http://good.example", "http://example.com"},
		3,
	},
	{
		"csv", "# comment, of the maker\n\"id\",\"dateadded\",\"url\",\"tags\"\n\"1\",\"2026-11-01 10:00:00\",\"http://evil.example/a,b\",\"x\"\n\"2\",\"\",\"not a url\",\"\"\n\"3\",\"broken\n\"4\",\"\",\"http://two.example/\",\"\"\n", FormatCSV,
		[]string{"http://evil.example/a,b", "http://two.example/"},
		[]string{"http://evil.example/"},
		2,
	},
	{
		"csv without names", "1;evil.example;x\n2;two.example;y\n", FormatCSV,
		[]string{"http://evil.example", "http://two.example"},
		nil, 0,
	},
	{
		"MISP warning list", "{\n\"name\": \"x\",\n\"list\": [\n\"evil.example\",\n\".tree.example\",\n\"192.0.2.0/24\",\n\"203.0.113.9/32\",\n\"/a.*/\",\n\"word\"\n],\n\"type\": \"hostname\"\n}\n", FormatJSON,
		[]string{"http://evil.example", "http://a.tree.example", "http://203.0.113.9"},
		[]string{"http://192.0.2.1"},
		3,
	},
	{
		"MISP event", `{"Event":{"info":"x","Attribute":[{"type":"url","value":"http://evil.example/x","to_ids":true,"timestamp":"1790000000"},
{"type":"domain","value":"two.example","to_ids":false},{"type":"md5","value":"d41d8cd98f00b204e9800998ecf8427e","to_ids":true}],
"Object":[{"name":"o","Attribute":[{"type":"hostname|port","value":"three.example|443"},{"type":"domain","value":"gone.example","deleted":true}]}]}}`, FormatJSON,
		[]string{"http://evil.example/x", "http://three.example"},
		[]string{"http://two.example", "http://gone.example"},
		3,
	},
	{
		"STIX", `{"type":"bundle","objects":[{"type":"indicator","pattern_type":"stix","pattern":"[url:value = 'http://evil.example/o\\'x']","valid_from":"2026-01-01T00:00:00Z"},
{"type":"indicator","pattern":"[domain-name:value = 'two.example' OR domain-name:value = 'three.example']"},
{"type":"indicator","pattern":"[domain-name:value = 'old.example']","valid_until":"2020-01-01T00:00:00Z"},
{"type":"indicator","pattern":"[domain-name:value = 'gone.example']","revoked":true},
{"type":"indicator","pattern":"[domain-name:value = 'a.example' AND url:value = 'http://b.example/']"},
{"type":"indicator","pattern":"[file:hashes.MD5 = 'd41d8cd98f00b204e9800998ecf8427e']"}]}`, FormatJSON,
		[]string{"http://evil.example/o'x", "http://two.example", "http://three.example"},
		[]string{"http://old.example", "http://gone.example", "http://a.example"},
		3,
	},
	{
		"rbldnsd", "$SOA 3600 a.example b.example 0 600 300 86400 300\n:127.0.0.2:Listed\nevil.example\n.tree.example :127.0.0.4:x\n*.below.example\n!good.tree.example\n; comment\n", FormatRBLDNSD,
		[]string{"http://evil.example", "http://tree.example", "http://x.tree.example", "http://x.below.example"},
		[]string{"http://below.example"},
		1,
	},
	{
		"RPZ", "$TTL 300\n@ IN SOA localhost. root.localhost. (\n 1 ; serial\n 3600 600 86400 300 )\n  IN NS localhost.\nevil.example CNAME .\n*.evil.example CNAME .\n300.example 60 IN CNAME *.\nwalled.example A 192.0.2.1\ngood.example CNAME rpz-passthru.\n32.9.113.0.203.rpz-ip CNAME .\n24.0.2.0.192.rpz-ip CNAME .\nns.example.rpz-nsdname CNAME .\nabsolute.example.rpz.local. CNAME .\n", FormatRPZ,
		[]string{"http://evil.example", "http://www.evil.example", "http://300.example", "http://walled.example", "http://203.0.113.9"},
		[]string{"http://good.example", "http://www.walled.example", "http://192.0.2.1"},
		3,
	},
	{
		"RPZ with its origin", "rpz.local. 3600 IN SOA a. b. 1 1 1 1 1\nevil.example.rpz.local. 3600 IN CNAME .\n", FormatRPZ,
		[]string{"http://evil.example"},
		nil, 0,
	},
}

// TestFormats: the format of each list is recognised, and each line is used or counted.
func TestFormats(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			for _, text := range []string{f.text, strings.ReplaceAll(f.text, "\n", "\r\n"), "\uFEFF" + f.text} {
				set := setOf(t, text, Source{})
				s := set.States()[0]
				if s.Summary.Format != f.format || s.UnreadLines() != f.unread {
					t.Errorf("%s, %d lines not used: %v %+v", s.Summary.Format, s.UnreadLines(), s.Unread, s.Examples)
				}
				if f.format != FormatJSON && s.Used+s.Comments+s.UnreadLines() != s.Lines {
					t.Errorf("%d lines: %d used, %d comments, %d not used", s.Lines, s.Used, s.Comments, s.UnreadLines())
				}
				for _, link := range f.has {
					if !has(t, set, link) {
						t.Errorf("%s is not in the list", link)
					}
				}
				for _, link := range f.not {
					if has(t, set, link) {
						t.Errorf("%s is in the list: %+v", link, set.Find(parse(t, link)))
					}
				}
			}
		})
	}
}

// TestSuffixes: the domain of a provider, below which anybody can have hosts, flags and allows
// nothing on a list. It may be watched.
func TestSuffixes(t *testing.T) {
	for means, want := range map[Meaning]bool{Block: false, Allow: false, Watch: true} {
		set := setOf(t, ".github.io\n||duckdns.org^\n", Source{Means: means})
		if got := has(t, set, "https://someone.github.io/"); got != want {
			t.Errorf("%s: %t", means, got)
		}
	}
	if !has(t, setOf(t, "evil.github.io\n", Source{}), "https://evil.github.io/") {
		t.Error("a host below a suffix is not listed")
	}
}

// TestMatches: the option match says which links a line is about.
func TestMatches(t *testing.T) {
	const text = "http://a.example/dir/\nb.example\n"
	for match, want := range map[Match]string{
		MatchWritten: "http://a.example/dir/?x http://b.example/x",
		MatchHost:    "http://a.example/dir/?x http://a.example/dir/file http://a.example/dir http://a.example/direct http://a.example/ http://b.example/x",
		MatchBelow:   "http://a.example/dir/?x http://a.example/dir/file http://a.example/dir http://a.example/direct http://a.example/ http://www.a.example/ http://b.example/x http://www.b.example/",
		MatchPrefix:  "http://a.example/dir/?x http://a.example/dir/file http://a.example/dir http://b.example/x",
	} {
		set := setOf(t, text, Source{Match: match})
		for _, link := range []string{
			"http://a.example/dir/?x", "http://a.example/dir/file", "http://a.example/dir", "http://a.example/direct", "http://a.example/", "http://www.a.example/",
			"http://b.example/x", "http://www.b.example/",
		} {
			if got, want := has(t, set, link), strings.Contains(want+" ", link+" "); got != want {
				t.Errorf("%s: %s: %t", match, link, got)
			}
		}
	}
}

// TestFound: a match has the list, the line, and what the line is about.
func TestFound(t *testing.T) {
	set := setOf(t, "# x\nhttp://evil.example/a\n.example.net\n", Source{Severity: policy.SeverityMedium})
	got := set.Find(parse(t, "https://EVIL.example/a?b"))
	want := policy.Listed{List: "feed", Line: 2, Label: "evil.example/a", IsURL: true, Severity: policy.SeverityMedium}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	if got := set.Find(parse(t, "https://www.example.net/")); len(got) != 1 || got[0].Line != 3 || got[0].Label != "example.net" || got[0].IsURL {
		t.Errorf("%+v", got)
	}
	set.Quiet().Find(parse(t, "https://www.example.net/"))
	if s := set.States()[0]; s.Hits != 2 {
		t.Errorf("%d hits", s.Hits)
	}
}

// TestRules: a list for some rules applies only to their messages. One that allows must be for all
// rules of the recipients.
func TestRules(t *testing.T) {
	block, allow := Source{Rules: []string{"a"}}, Source{Rules: []string{"a", "b"}, Means: Allow}
	for rule, want := range map[string][2]bool{"a": {true, true}, "b": {false, true}, "a+c": {true, false}, "a+b": {true, true}, "": {false, false}, "c": {false, false}} {
		if got := [2]bool{block.isFor(rule), allow.isFor(rule)}; got != want {
			t.Errorf("%q: %v, want %v", rule, got, want)
		}
	}
}

// TestMissIsFree: to look up a link that is on no list allocates nothing.
func TestMissIsFree(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates")
	}
	set := setOf(t, ".evil.example\nhttp://evil.example/x\n", Source{Match: MatchPrefix})
	link := parse(t, "https://www.example.com/some/path/to/a/page?with=a&query")
	if n := testing.AllocsPerRun(100, func() { set.Find(link) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestEveryLineCounts: any line of a list is used, a comment, or counted, and no line makes the
// list fail.
func TestEveryLineCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"evil.example", "||", "^", "$all", "0.0.0.0 ", "http://", "/x", "?", "#", " ", "\t", ",", ";", "\"", "xn--", "CNAME .", "\x00", "\xff", "é", "*.", ".", ":127.0.0.2:", "!", "@", strings.Repeat("a", 70), "2026-11-30", "SOA ("}
	for range 3000 {
		var text strings.Builder
		lines := 1 + random.IntN(8)
		for range lines {
			for range random.IntN(6) {
				text.WriteString(pieces[random.IntN(len(pieces))])
			}
			text.WriteByte('\n')
		}
		for _, format := range []Format{FormatPlain, FormatHostsFile, FormatAdblock, FormatCSV, FormatRBLDNSD, FormatRPZ} {
			s := &sink{ctx: t.Context(), builder: &builder{}}
			if err := s.read(strings.NewReader("x.example\n"+text.String()), format, ""); err != nil {
				t.Fatalf("%s: %q: %v", format, &text, err)
			}
			if u := &s.summary; u.Lines != lines+1 || u.Used+u.Comments+u.UnreadLines() != u.Lines {
				t.Fatalf("%s: %q: %+v", format, &text, u)
			}
		}
	}
}

// TestCanonicalOnBothSides: a URL of a list matches each link that browsers open as the same page.
func TestCanonicalOnBothSides(t *testing.T) {
	alike := [][]string{
		{"http://evil.example/a/b", "HTTP://EVIL.EXAMPLE/a/b", "https://evil.example:443/a/./b", "http://evil.example/x/../a/b", "http://evil.example/%61/b", "http://evil.example\\a\\b", "http://evil.example/%2e/a/b", "http://ｅvil.example/a/b", "http://evil.example./a/b"},
		{"http://xn--bcher-kva.example/%C3%A9", "http://bücher.example/é", "http://BÜCHER.example/%c3%a9"},
	}
	for _, group := range alike {
		for _, written := range group {
			set := setOf(t, written+"\n", Source{Format: FormatPlain})
			for _, link := range group {
				if !has(t, set, link) {
					t.Errorf("a list with %s has not %s", written, link)
				}
			}
		}
	}
}

// BenchmarkLoad reads 10 million hosts from a file into an index, and opens it.
func BenchmarkLoad(b *testing.B) {
	const n = 10_000_000
	folder := b.TempDir()
	path := filepath.Join(folder, "hosts")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		fmt.Fprintf(file, "host%d.example%d.com\n", i, i%1000)
	}
	file.Close()
	l := &list{source: Source{Name: "feed", File: path}, folder: folder, shared: new(shared)}
	l.open()
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			l.current.Store(&version{index: &index{}})
			if err := l.update(b.Context(), false); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			l.open()
		}
		if x := l.current.Load(); x.index.n != n {
			b.Fatal(x.err)
		}
	})
}
