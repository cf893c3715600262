package engine

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// FuzzSuspectForms: the forms of a suspect are its text unchanged. If its Href opens anything, it
// is what a browser opens.
func FuzzSuspectForms(f *testing.F) {
	addTexts(f)
	for _, s := range []string{
		"http://me:pass@example.com/%C3%A9", "http://a..b/", "www.foo_bar.com/x", "http://0x7f.1/", "http://3232235777", "https://xn--a.com/",
		"http://example.com:99999/", "http://localhost:8080/a", "http://[::1", "https://-a.com.", "http://@/", "www.example.invalid",
		"a.com+b.com/x", "http://a.com（@b.com/", "https://a.com._b.com/", "joe@a.com+b.com", "joe@a.com.%41", "mailto:joe@a.com._b.com/x", "a.com.%41/é",
	} {
		f.Add(s)
	}
	scanner, err := New(Options{Suspects: true})
	if err != nil {
		f.Fatal(err)
	}
	suspects := 0
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range scanner.Append(nil, text) {
			if l.Kind != KindSuspect {
				continue
			}
			suspects++
			if got := l.Readable(HostUnicode); got != l.Text {
				t.Errorf("Readable(%q) = %q", l.Text, got)
			}
			l.Components()
			href := l.Href()
			if href == "" || l.isAddress() || isBareIPv6(l.host()) || isMisread(l) {
				continue
			}
			if want, err := open(lastURL(l.Text)); err != nil || href != want {
				t.Errorf("Href(%q) = %q, want %q, %v", l.Text, href, want, err)
			}
		}
	})
	f.Logf("%d suspects", suspects)
}

// lastURL returns text without the schemes and slashes before its last scheme.
func lastURL(text string) string {
	if m := lastScheme.FindStringSubmatchIndex(text); m != nil {
		return text[m[2]:]
	}
	return text
}

var lastScheme = regexp.MustCompile(`(?i)^(?:(?:https?|ftp)://[/\\]*)*((?:https?|ftp)://)`)

// addTexts seeds a fuzz target with links in texts.
func addTexts(f *testing.F) {
	for i, p := range readablePairs(f) {
		switch i % 4 {
		case 0:
			f.Add("See " + p[0] + " for more.")
		case 1:
			f.Add("(" + p[0] + ")")
		case 2:
			f.Add("「" + p[0] + "」を見て。")
		case 3:
			f.Add("<" + p[0] + ">, " + p[1] + "!")
		}
	}
	f.Add("x https://a.de/%E3%80%8C」を y")
	f.Add("https://a.de/(%EF%BC%88a%EF%BC%89) b")
	f.Add("https://a.de/#:~:text=%E3%80%8Ca,b%E3%80%8D,")
}

// FuzzReadableDetected: the scanner finds the readable form of a link whole, as one link that opens
// the same URL (I4).
func FuzzReadableDetected(f *testing.F) {
	addTexts(f)
	var scanners []*Scanner
	for _, strict := range []bool{false, true} {
		s, err := New(Options{Strict: strict})
		if err != nil {
			f.Fatal(err)
		}
		scanners = append(scanners, s)
	}
	links, changed := 0, 0
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range scanners {
			for _, l := range s.Append(nil, text) {
				if alone := s.Append(nil, " "+l.Text+" "); len(alone) != 1 || alone[0].Text != l.Text || alone[0].Kind != l.Kind {
					continue
				}
				links++
				readable := checkDetected(t, s, l)
				if readable == l.Text {
					continue
				}
				changed++
				if l.displayHost(HostUnicode) == l.host() {
					checkInContext(t, s, text, l, readable)
				}
			}
		}
	})
	f.Logf("%d of %d links changed", changed, links)
	if links >= 100 && changed*10 < links*3 {
		f.Error("fewer than 30 % of the links were changed")
	}
}

// checkDetected checks the readable forms of a link that was found in a text,
// and returns the one with U-labels.
func checkDetected(t *testing.T, s *Scanner, l Link) string {
	t.Helper()
	for _, form := range []HostForm{HostASCII, HostAsTyped, HostUnicode} {
		readable := l.Readable(form)
		if l.Kind == KindURL && !isBareIPv6(l.host()) {
			checkOpensSame(t, l, readable)
		}
		found := s.Append(nil, " "+readable+" ")
		if len(found) != 1 || found[0].Text != readable {
			t.Errorf("strict %t: %q has the readable form %q, in which is found %+v", s.opts.Strict, l.Text, readable, found)
			continue
		}
		if got := found[0]; got.Kind != l.Kind || !sameURL(got.Href(), l.Href()) {
			t.Errorf("strict %t: %q is found as %s %q, not as %s %q", s.opts.Strict, readable, got.Kind, got.Href(), l.Kind, l.Href())
		}
	}
	readable := l.Readable(HostUnicode)
	if r := firstHidden(readable); r >= 0 && l.Kind == KindURL {
		t.Errorf("Readable(%q) = %q shows %U", l.Text, readable, r)
	}
	return readable
}

// checkInContext checks that the scanner finds the readable form of a link in the place of the
// link. Readable forms show brackets only in pairs, so what ended the link still ends it. Where the
// host changed, or the link is between marks, callers have to scan again.
func checkInContext(t *testing.T, s *Scanner, text string, l Link, readable string) {
	t.Helper()
	before, _ := utf8.DecodeLastRuneInString(text[:l.Start])
	if closers[before] != "" {
		return
	}
	edited := text[:l.Start] + readable + text[l.End:]
	for _, found := range s.Append(nil, edited) {
		if found.Start == l.Start && found.Text == readable {
			return
		}
	}
	t.Errorf("strict %t: %q is not found in %q", s.opts.Strict, readable, edited)
}

// TestReadableInContext: the scanner finds readable forms in running texts.
func TestReadableInContext(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, p := range readablePairs(t) {
		for _, around := range [][2]string{
			{"See ", " for more."}, {"(", ")"}, {"「", "」を"}, {"<", ">, "}, {"\"", "\"."}, {"", ""}, {"x: ", "…”"}, {"（", "）。"}, {"[", "](b)"}, {"「(", "))」"}, {"", "』x"},
		} {
			text := around[0] + p[0] + around[1]
			for _, l := range s.Append(nil, text) {
				readable := l.Readable(HostUnicode)
				if readable == l.Text {
					continue
				}
				changed++
				checkInContext(t, s, text, l, readable)
			}
		}
	}
	if changed < 1000 {
		t.Errorf("only %d links changed", changed)
	}
}

// TestStopBehindIdeographs: the scanner finds an ideographic full stop behind any number of
// ideographs and of syllables behind kana.
func TestStopBehindIdeographs(t *testing.T) {
	s := newTestScanner(t, Options{Strict: true})
	for n := range 40 {
		for _, row := range []string{"の", "の京の", "の。の京", ""} {
			text := row + strings.Repeat("京", n) + "。com"
			if links := s.Append(nil, text); len(row)+n > 0 && (len(links) != 1 || !strings.HasSuffix(links[0].Text, "。com")) {
				t.Errorf("%s: %+v", text, links)
			}
		}
	}
}

// readableTokens are texts that readable forms show, escape or keep, and texts that end a link
// behind ASCII.
var readableTokens = append(strings.Fields("a ab A %41 / // ? # :~: = & . - _ ~ %7E %2e https:// http:// :// com "+
	"é ｅ %C3%A9 %EF%BD%85 に を から 的 를 漢 %E3%81%AB %E3%82%92 %E6%BC%A2 。 、 ， ） （ 「 」 “ … — %E3%80%82 %EF%BC%89 %E3%80%8D %E2%80%A6 🎉 %F0%9F%8E%89 "+
	"%E3 %CC%81 %E2%80%8D %28 )"), "\u00ad", "\u200b", "\u200c", "\u0301", "\u0378", "\u2028")

// TestReadableTokens is FuzzReadableDetected on links made of a few tokens each, so that these meet
// in many ways.
func TestReadableTokens(t *testing.T) {
	s := newTestScanner(t, Options{})
	random := rand.New(rand.NewPCG(58, 20))
	changed := 0
	texts := long.Rows(20000, 2000)
	for range texts {
		few := []string{"https://"}
		for range 2 + random.IntN(8) {
			few = append(few, readableTokens[random.IntN(len(readableTokens))])
		}
		var b strings.Builder
		b.WriteString("https://a.com/")
		for range 1 + random.IntN(12) {
			b.WriteString(few[random.IntN(len(few))])
		}
		for _, l := range s.Append(nil, b.String()) {
			if alone := s.Append(nil, " "+l.Text+" "); len(alone) == 1 && alone[0].Text == l.Text && checkDetected(t, s, l) != l.Text {
				changed++
			}
		}
	}
	if t.Logf("%d links changed", changed); changed < texts/4 {
		t.Errorf("only %d links changed", changed)
	}
}
