package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
)

func TestOptionErrors(t *testing.T) {
	for name, o := range map[string]engine.Options{
		"negative MaxLinks":   {MaxLinks: -1},
		"negative MaxLinkLen": {MaxLinkLen: -1},
	} {
		if s, err := engine.New(o); err == nil || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// TestOffsets: offsets count bytes of the text, whatever stands before the link.
func TestOffsets(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true})
	for _, before := range []string{"", "x ", "é ", "漢字 ", "😀 ", "\xff\xfe ", "\xe3\x81 ", "\x00 ", "e\u0301 ", "a.com "} {
		for _, link := range []string{"http://bücher.de/ä?ö#ü", "joe@example.com", "example.com/a", "http://localhost/"} {
			text := before + link + " and more"
			links := s.Append(nil, text)
			if len(links) == 0 {
				t.Errorf("%q: no link", text)
				continue
			}
			l := links[len(links)-1]
			if l.Start != len(before) || l.End != len(before)+len(link) || l.Text != link {
				t.Errorf("%q: %q at %d to %d", text, l.Text, l.Start, l.End)
			}
		}
	}
}

// TestAppendKeeps: Append keeps the links that dst has, and uses its capacity.
func TestAppendKeeps(t *testing.T) {
	s := newScanner(t, engine.Options{})
	first := s.Append(nil, "a.com")
	both := s.Append(first, "b.com c.com")
	if len(both) != 3 || both[0].Text != "a.com" || both[1].Text != "b.com" || both[2].Text != "c.com" {
		t.Errorf("%+v", both)
	}
	if got := s.Append(both[:0], "nothing here"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	// An element that Append reuses has nothing of the link that it held before.
	suspects := newScanner(t, engine.Options{Suspects: true})
	reused := suspects.Append(nil, "http://user:pw@example.zzzz:80/x")
	if got := s.Append(reused[:0], "a.com"); !slices.Equal(got, first) {
		t.Errorf("%+v, want %+v", got, first)
	}
}

func TestMaxLinks(t *testing.T) {
	text := "a.com b.com c.com d.com"
	for limit, want := range map[int]int{0: 4, 1: 1, 3: 3, 4: 4, 5: 4} {
		s := newScanner(t, engine.Options{MaxLinks: limit})
		links := s.Append(nil, text)
		if len(links) != want {
			t.Errorf("MaxLinks %d: %d links", limit, len(links))
		}
		if all := slices.Collect(s.All(text)); !slices.Equal(all, links) {
			t.Errorf("MaxLinks %d: All gives %d links, Append %d", limit, len(all), len(links))
		}
		// The limit does not count the links that dst had.
		if more := s.Append(links, text); len(more) != 2*want {
			t.Errorf("MaxLinks %d: %d links appended", limit, len(more)-len(links))
		}
	}
}

func TestMaxLinkLen(t *testing.T) {
	long := "http://example.com/" + strings.Repeat("a", 100)
	text := "short.com " + long + " joe@example.com"
	s := newScanner(t, engine.Options{MaxLinkLen: len(long)})
	if got, want := mark(s, text), "⸠short.com⸡ ⸠"+long+"⸡ ⸠joe@example.com⸡"; got != want {
		t.Errorf("at the limit:\n got %s\nwant %s", got, want)
	}
	s = newScanner(t, engine.Options{MaxLinkLen: len(long) - 1})
	if got, want := mark(s, text), "⸠short.com⸡ ⸢"+long+"|too-long⸣ ⸠joe@example.com⸡"; got != want {
		t.Errorf("over the limit:\n got %s\nwant %s", got, want)
	}
}

// TestHeadKeepsTheHost: the head of a link includes its host, however long the userinfo before it
// is.
func TestHeadKeepsTheHost(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true, MaxLinkLen: 100})
	for _, before := range []string{"a", "é", "%41", "例", "a.b:c"} {
		for n := range 300 {
			url := "http://" + strings.Repeat(before, n+1) + "@example.com:80/" + strings.Repeat("x", 100)
			links := s.Append(nil, url)
			if len(links) == 0 {
				t.Fatalf("nothing found in %q", url)
			}
			head := links[0].Head(100)
			if head.ASCIIHost() != "example.com" || len(head.Text) > 100 || !utf8.ValidString(head.Text) || head.Components().Port != "80" {
				t.Fatalf("%q: %q, host %q", url, head.Text, head.ASCIIHost())
			}
		}
	}
	link, err := engine.ParseLink("http://user@example.com/")
	if err != nil {
		t.Fatal(err)
	}
	if head := link.Head(10); len(head.Text) > 10 || head.ASCIIHost() == "example.com" {
		t.Errorf("%q has the host %q", head.Text, head.ASCIIHost())
	}
}

func TestTLDs(t *testing.T) {
	set, err := tld.Parse(strings.NewReader("TEST\nXN--P1AI\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := newScanner(t, engine.Options{TLDs: set})
	const want = "⸠example.test⸡ ⸠пример.рф⸡ example.com"
	if got := mark(s, unmarker.Replace(want)); got != want {
		t.Errorf("got %s", got)
	}
}

// TestNoAllocations: if dst has room, the scanner allocates nothing, once it has seen each host
// beyond ASCII.
func TestNoAllocations(t *testing.T) {
	text := strings.Repeat("See http://example.com/a(b)?c=d#e, www.example.org:80/, joe.smith@example.net; "+
		"v1.2.3, 12,345.67 e.g. this... https://[::1]/ http://127.0.0.1/ http://user:pw@example.com/ www.example.zzzz "+
		"https://a.com._b.com/ https://a.com+b.com a.com（b.com https://a.com，b.com/ joe@a.com+b.com http://a.com（@b.com (https://a.com)b "+
		"普遍适用测试。我爱你 他们赋有理性和良心。并应以兄弟关系 bücher.de xn--bcher-kva.de “example.com” 請看example.com的 ", 10)
	for _, strict := range []bool{true, false} {
		s := newScanner(t, engine.Options{Strict: strict})
		links := s.Append(nil, text)
		if len(links) < 50 {
			t.Fatalf("only %d links", len(links))
		}
		if n := testing.AllocsPerRun(20, func() { links = s.Append(links[:0], text) }); n != 0 {
			t.Errorf("strict %t: %v allocations", strict, n)
		}
	}
}

// TestConcurrentUse: several goroutines may use a Scanner at a time; run with -race.
func TestConcurrentUse(t *testing.T) {
	s := newScanner(t, engine.Options{Suspects: true})
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 200 {
				text := fmt.Sprintf("bücher%d.de x%d@münchen%d.de http://ü_%d.de/", i, g, i+g, i)
				if links := s.Append(nil, text); len(links) != 3 {
					t.Errorf("%q: %+v", text, links)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		engine.KindNone.String():    "none",
		engine.KindURL.String():     "url",
		engine.KindEmail.String():   "email",
		engine.KindSuspect.String(): "suspect",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestZeroScanner finds what New(Options{}) does.
func TestZeroScanner(t *testing.T) {
	var zero engine.Scanner
	const text = "see https://example.com/a, //example.org and joe@example.net"
	if got, want := zero.Append(nil, text), newScanner(t, engine.Options{}).Append(nil, text); !slices.Equal(got, want) || len(got) != 2 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEmptySet: without top-level domains, the scanner finds no bare host.
func TestEmptySet(t *testing.T) {
	if _, err := engine.New(engine.Options{TLDs: new(tld.Set)}); err == nil {
		t.Error("no error")
	}
}

// TestSmallRules: where a link begins and ends beside letters, digits, hyphens and signs.
func TestSmallRules(t *testing.T) {
	s := newScanner(t, engine.Options{})
	for _, marked := range []string{
		"xk79http://a.com", "xkhttp://a.com", "79⸠http://a.com⸡", "-⸠http://a.com⸡", "see-⸠http://a.com⸡", "+⸠http://a.com⸡", "svn+http://a.com",
		"a.com:443x", "a.com:443-x", "⸠a.com:443⸡- x", "⸠a.com:443⸡,x", "http://::", "⸠http://::1⸡",
		"¹⸠a.com⸡", "⸠a.com⸡¹", "⸠a.com⸡™", "x·⸠a.com⸡", "Web→⸠www.a.com⸡", "a●b→⸠WWW.a.com⸡", "⸠x→www.com⸡", "⸠x→wwwa.com⸡", "⸠col·legi.cat⸡", "日本・⸠a.com⸡",
	} {
		if got := mark(s, unmarker.Replace(marked)); got != marked {
			t.Errorf("got %s, want %s", got, marked)
		}
	}
}

// TestLinkEnd: LinkEnd finds the end of a link that another program began, whatever its scheme and
// host are.
func TestLinkEnd(t *testing.T) {
	for _, c := range []struct{ before, host, want, behind string }{
		{"see ", "gopher://example.invalid", "/wiki/Άλφα_(γράμμα)", "), and"},
		{"", "http://localhost:8080", "?q=a", ", b"},
		{"", "http://localhost:8080", "#a:~:text=b", ". c"},
		{"", "https://example.com", "", ", /a"},
		{"", "https://example.com", "", ""},
		{"", "x", "/a", "\xffb"},
		{"", "https://user@example.com", `/"a`, "\" b"},
	} {
		for _, strict := range []bool{true, false} {
			s := newScanner(t, engine.Options{Strict: strict})
			text, start := c.before+c.host+c.want+c.behind, len(c.before)
			if got, want := s.LinkEnd(text, start, start+len(c.host)), start+len(c.host+c.want); got != want {
				t.Errorf("strict %t, %q: %d, want %d", strict, text, got, want)
			}
		}
	}
	for text, want := range map[string][2]string{ // strict, default
		"*x://a/b*":  {"x://a/b*", "x://a/b"},
		"x://a?":     {"x://a?", "x://a"},
		"x://a/bを見て": {"x://a/bを見て", "x://a/b"},
	} {
		for i, strict := range []bool{true, false} {
			start := strings.Index(text, "x")
			end := newScanner(t, engine.Options{Strict: strict}).LinkEnd(text, start, start+len("x://a"))
			if got := text[start:end]; got != want[i] {
				t.Errorf("strict %t, %q: %q, want %q", strict, text, got, want[i])
			}
		}
	}
}
