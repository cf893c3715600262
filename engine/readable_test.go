package engine

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// readablePairs reads testdata/readable.txt.
func readablePairs(tb testing.TB) [][2]string {
	tb.Helper()
	f, err := os.Open("testdata/readable.txt")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var pairs [][2]string
	link := ""
	for sc := bufio.NewScanner(f); sc.Scan(); {
		switch line := sc.Text(); {
		case line == "" || strings.HasPrefix(line, "# "):
		case link == "":
			link = line
		default:
			pairs = append(pairs, [2]string{link, line})
			link = ""
		}
	}
	return pairs
}

// TestReadableTable: the links of testdata/readable.txt, as mail has them, become what people want
// to read.
func TestReadableTable(t *testing.T) {
	changed := 0
	for _, p := range readablePairs(t) {
		l, err := ParseLink(p[0])
		if err != nil {
			t.Error(err)
			continue
		}
		if !TablesAgree() && !isPlainHost(l.host()) {
			continue
		}
		got := l.Readable(HostUnicode)
		if got != p[1] {
			t.Errorf("Readable(%q)\n got %+q\nwant %+q\n(%s)", p[0], got, p[1], p[1])
		}
		if got != p[0] {
			changed++
		}
	}
	if changed < 200 {
		t.Errorf("only %d links were changed: the table no longer tests anything", changed)
	}
}
