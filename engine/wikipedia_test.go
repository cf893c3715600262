package engine

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// wikipediaLinks returns the links to Wikipedias in LinkDetectionTest.txt whose path is not
// escaped.
func wikipediaLinks(tb testing.TB) []string {
	tb.Helper()
	f, err := os.Open(env.UCD(tb, "linkification/LinkDetectionTest.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var links []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		link, found := strings.CutPrefix(sc.Text(), "⸠https://")
		link, _, closed := strings.Cut(link, "⸡")
		if found && closed && strings.Contains(link, ".wikipedia.org/wiki/") && !strings.Contains(link, "%") {
			links = append(links, "https://"+link)
		}
	}
	if len(links) < 210 {
		tb.Fatalf("only %d links to Wikipedias in LinkDetectionTest.txt", len(links))
	}
	return links
}

// TestWikipediaRoundTrip escapes these links as a browser does. Their minimal and readable forms
// must be what people typed.
func TestWikipediaRoundTrip(t *testing.T) {
	// The browser escaped the quotation mark. Format decodes it; Readable decodes only unreserved
	// ASCII.
	const quoted = `https://nap.wikipedia.org/wiki/Wikipedia:Lista_d"e_vvoce_ca_tutt'_'e_Wikipedie_aveno_a_avé`
	stillEscaped := map[string]string{quoted: strings.Replace(quoted, `"`, "%22", 1)}

	changed := 0
	for _, link := range wikipediaLinks(t) {
		href, err := FormatASCII(link)
		if err != nil {
			t.Errorf("FormatASCII(%q): %v", link, err)
			continue
		}
		if href != link {
			changed++
		}
		if got, err := Format(href); err != nil || got != link {
			t.Errorf("Format(%q) = %q, %v\nwant %q", href, got, err, link)
		}
		l, err := ParseLink(href)
		if err != nil {
			t.Error(err)
			continue
		}
		want := link
		if w, ok := stillEscaped[link]; ok {
			want = w
			delete(stillEscaped, link)
		}
		if got := l.Readable(HostUnicode); got != want {
			t.Errorf("Readable(%q) = %q\nwant %q", href, got, want)
		}
		if l, err = ParseLink(link); err != nil {
			t.Error(err)
		} else if got := l.Readable(HostUnicode); got != link {
			t.Errorf("Readable(%q) = %q", link, got)
		}
	}
	if len(stillEscaped) > 0 {
		t.Errorf("not in the file: %q", stillEscaped)
	}
	if changed < 140 {
		t.Errorf("only %d links had anything to escape", changed)
	}
}
