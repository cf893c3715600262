package engine_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/xurls/v2"

	"github.com/linkmilter/linkmilter/engine"
)

// findText has links and suspects of all kinds.
const findText = "See example.com, https://例え.jp/パス and http://paypal.com@evil.example/x,\nor write to 用户@example.org or tel:+1-201-555-0123."

// TestFindAll: the methods that find all links return what Append does, and treat their limit as
// those of package regexp do.
func TestFindAll(t *testing.T) {
	for _, o := range []engine.Options{{}, {Strict: true}, {Suspects: true}, {Suspects: true, Schemes: []string{"tel"}}, {MaxLinks: 2}} {
		s := newScanner(t, o)
		links := s.Append(nil, findText)
		for n := -2; n < len(links)+2; n++ {
			want := links
			if n >= 0 && n < len(links) {
				want = links[:n]
			}
			texts, bounds := s.FindAllString(findText, n), s.FindAllStringIndex(findText, n)
			all, index := s.FindAll([]byte(findText), n), s.FindAllIndex([]byte(findText), n)
			if len(texts) != len(want) || len(bounds) != len(want) || len(all) != len(want) || len(index) != len(want) {
				t.Fatalf("%+v, n %d: %d links, got %d, %d, %d, %d", o, n, len(want), len(texts), len(bounds), len(all), len(index))
			}
			for i, l := range want {
				if texts[i] != l.Text || string(all[i]) != l.Text || !slices.Equal(bounds[i], []int{l.Start, l.End}) || !slices.Equal(index[i], bounds[i]) {
					t.Errorf("%+v, n %d: %s, got %q %v %q %v", o, n, l.Text, texts[i], bounds[i], all[i], index[i])
				}
			}
		}
	}
	re := regexp.MustCompile("x")
	s := newScanner(t, engine.Options{})
	if got, want := s.FindAllString("no links", -1), re.FindAllString("no", -1); got != nil || want != nil {
		t.Errorf("no links: %q, regexp has %q", got, want)
	}
}

// TestAppendBytes: AppendBytes finds the same links in bytes as in the string, and the links do not
// change if the bytes do.
func TestAppendBytes(t *testing.T) {
	for _, o := range []engine.Options{{}, {Strict: true}, {Suspects: true, Schemes: []string{"tel"}}} {
		s := newScanner(t, o)
		text := []byte(findText)
		kept := engine.Link{Kind: engine.KindURL, Text: "kept"}
		got := s.AppendBytes([]engine.Link{kept}, text)
		for i := range text {
			text[i] = 'x'
		}
		want := s.Append([]engine.Link{kept}, findText)
		if len(want) < 3 || !slices.Equal(got, want) {
			t.Errorf("%+v: got %s, want %s", o, describe(got), describe(want))
		}
	}
	if got := new(engine.Scanner).AppendBytes(nil, nil); got != nil {
		t.Errorf("no bytes: %v", got)
	}
}

func TestReplace(t *testing.T) {
	host := func(l engine.Link) string { return "<" + l.ASCIIHost() + ">" }
	for _, tt := range []struct {
		options    engine.Options
		text, want string
	}{
		{engine.Options{}, "", ""},
		{engine.Options{}, "no links", "no links"},
		{engine.Options{}, "a.com", "<a.com>"},
		{engine.Options{}, "(a.com) 用户@例え.jp.", "(<a.com>) <xn--r8jz45g.jp>."},
		{engine.Options{}, "http://a.com@evil.com/", "http://a.com@evil.com/"},
		{engine.Options{Suspects: true}, "http://a.com@evil.com/", "<evil.com>"},
		{engine.Options{MaxLinks: 1}, "a.com b.com", "<a.com> b.com"},
		{engine.Options{Schemes: []string{"sftp"}}, "sftp://me@a.com:22/x", "<a.com>"},
	} {
		if got := newScanner(t, tt.options).Replace(tt.text, host); got != tt.want {
			t.Errorf("%+v, %q: %q, want %q", tt.options, tt.text, got, tt.want)
		}
	}
	for _, empty := range []string{"a.com", "a.com b.com"} {
		if got := new(engine.Scanner).Replace(empty, func(engine.Link) string { return "" }); strings.TrimSpace(got) != "" {
			t.Errorf("%q, links removed: %q", empty, got)
		}
	}
}

// FuzzFind: bytes give the same links as the string. To replace each link by itself, or by itself
// between marks, changes nothing else in the text.
func FuzzFind(f *testing.F) {
	for _, text := range []string{findText, "a.com", "tel:1 tel:2", "matrix:u/a:a.com", "xmpp:a@b.com?message;subject=x", "-tel:1", "http://a.com,tel:5", "sftp://a.com:/x sftp:///"} {
		f.Add(text)
	}
	scanners := []*engine.Scanner{
		newScanner(f, engine.Options{}), newScanner(f, engine.Options{Strict: true}),
		newScanner(f, engine.Options{Suspects: true, Schemes: []string{"tel", "xmpp", "matrix", "sftp"}}),
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range scanners {
			links := s.Append(nil, text)
			if got := s.AppendBytes(nil, []byte(text)); !slices.Equal(got, links) {
				t.Fatalf("bytes %s, string %s", describe(got), describe(links))
			}
			if got := s.Replace(text, func(l engine.Link) string { return l.Text }); got != text {
				t.Fatalf("replaced by itself: %q", got)
			}
			const open, closed = "\x01\x02", "\x02\x01"
			marked := s.Replace(text, func(l engine.Link) string { return open + strings.Clone(l.Text) + closed })
			if strings.Count(marked, open) == strings.Count(text, open)+len(links) && strings.NewReplacer(open, "", closed, "").Replace(marked) != strings.NewReplacer(open, "", closed, "").Replace(text) {
				t.Fatalf("marked: %q", marked)
			}
			end := 0
			for _, l := range links {
				if l.Start < end || l.End <= l.Start || text[l.Start:l.End] != l.Text {
					t.Fatalf("%d-%d %q after %d", l.Start, l.End, l.Text, end)
				}
				end = l.End
				l.Href()
				if c := l.Components(); !strings.Contains(l.Text, c.Host) || !strings.Contains(l.Text, c.Path) {
					t.Fatalf("components %+v of %q", c, l.Text)
				}
			}
		}
	})
}

// TestFindAllAgainstXurls: on ordinary text the methods return what those of an expression of xurls
// return. So a program that switches needs to change only the constructor.
func TestFindAllAgainstXurls(t *testing.T) {
	re, s := xurls.Relaxed(), newScanner(t, engine.Options{})
	for i := range 200 {
		text := fmt.Sprintf("See https://example.com/a/%d?b=c#d, (http://www.example.org/x_(%d)) and www.example.net/%d. Mail joe%d@example.com now", i, i, i, i)
		if got, want := s.FindAllString(text, -1), re.FindAllString(text, -1); !slices.Equal(got, want) || len(got) != 4 {
			t.Fatalf("%q, xurls finds %q", got, want)
		}
		if got, want := s.FindAllIndex([]byte(text), 3), re.FindAllIndex([]byte(text), 3); len(got) != 3 || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v, xurls finds %v", got, want)
		}
	}
}
