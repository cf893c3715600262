package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
)

// newTestFilter returns a filter with the defaults.
func newTestFilter(t *testing.T) *filter.Filter {
	t.Helper()
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hostileMessages are messages whose header, text and file name have characters that could harm the
// reader of a listing.
func hostileMessages(t *testing.T) []*scanned {
	t.Helper()
	f := newTestFilter(t)
	var all []*scanned
	for _, text := range append(hostileTexts, "plain") {
		raw := "From: " + text + " <a@paypa1.com>\nSubject: " + text + "\nMessage-ID: " + text +
			"\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nhttp://paypa1.com/" + text + " \n"
		all = append(all, newScanned(f, input{name: text, raw: []byte(raw)}, false, false))
	}
	return all
}

// hostileTexts break out of careless quoting.
var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'--></style><svg onload=alert(1)>`, `{{.}}${7*7}`,
	"\x1b]0;title\x07\x1b[2J", "a\u202ecod.exe", "\u2066\u2069\u2069", "\xff\xfe", `=HYPERLINK("http://example.net")`, "+1", "-1", "@SUM(1)", "a,b\"c", "\u2028", "]]>", "\\\"",
}

// hostileErrors name files as hostile as the messages.
func hostileErrors() []error {
	var all []error
	for _, text := range hostileTexts {
		all = append(all, &os.PathError{Op: "open", Path: text, Err: os.ErrNotExist})
	}
	return all
}

// write returns the listing of messages in a format. failed could not be read.
func write(t *testing.T, format string, messages []*scanned, failed ...error) string {
	t.Helper()
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	l, err := openListing(format, out, &b)
	if err != nil {
		t.Fatal(err)
	}
	s := newSummary()
	s.failed = failed
	for _, m := range messages {
		s.add(m)
		if err := l.message(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.end(s); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSARIFBySchema: the schema of the standard accepts a log of any messages, and of
// none.
func TestSARIFBySchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, messages := range map[string][]*scanned{"none": nil, "hostile": hostileMessages(t)} {
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(write(t, "sarif", messages, hostileErrors()...)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(log); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := log.(map[string]any)["runs"].([]any)[0].(map[string]any)
		if results := run["results"].([]any); len(results) < 2*len(messages) {
			t.Errorf("%s: %d results of %d messages", name, len(results), len(messages))
		}
	}
	broken, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(write(t, "sarif", nil), `"driver"`, `"drivers"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(broken) == nil {
		t.Error("the schema accepts a log without a driver")
	}
}

// TestHTMLIsInert: whatever is in messages, the report has only its own elements, and none that
// opens or loads anything.
func TestHTMLIsInert(t *testing.T) {
	allowed := map[string]bool{}
	for _, name := range strings.Fields("html head meta title style body h1 p strong table thead tbody tr th td main section h2 bdi code br") {
		allowed[name] = true
	}
	text := write(t, "html", hostileMessages(t), hostileErrors()...)
	rows := 0
	for tokens := html.NewTokenizer(strings.NewReader(text)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		if !allowed[token.Data] {
			t.Errorf("element %s", token)
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" || a.Key == "style" {
				t.Errorf("attribute %s in %s", a.Key, token)
			}
		}
		if token.Data == "tr" {
			rows++
		}
	}
	if rows < 2*len(hostileTexts) {
		t.Errorf("%d rows", rows)
	}
	if strings.ContainsAny(text, "\x1b\x07\u202e\u2028") {
		t.Error("the report holds controls of a message")
	}
}

// TestCSVIsText: each line has all columns, and no value begins as a formula does.
func TestCSVIsText(t *testing.T) {
	lines, err := csv.NewReader(strings.NewReader(write(t, "csv", hostileMessages(t)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) < len(hostileTexts) {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		for i, value := range line {
			if value != "" && strings.ContainsRune("=+-@\t\r", rune(value[0])) {
				t.Errorf("%s begins a formula: %q", csvColumns[i], value)
			}
		}
	}
}

// TestHTMLIsBounded: beyond a number of messages, the report only counts them.
func TestHTMLIsBounded(t *testing.T) {
	f := newTestFilter(t)
	m := newScanned(f, input{name: "a", raw: []byte("Subject: x\n\nhttp://paypa1.com/\n")}, false, false)
	messages := make([]*scanned, maxHTMLMessages+3)
	for i := range messages {
		messages[i] = m
	}
	if text := write(t, "html", messages); !strings.Contains(text, "3 messages with findings are left out here") {
		t.Error("the report does not say what it leaves out")
	}
}

// TestSummaryRanks: the worst message comes first. Of equally bad ones, the one that was read first
// comes first.
func TestSummaryRanks(t *testing.T) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newSummary()
	for _, c := range [][2]string{{"a", "http://192.0.2.1/"}, {"b", "http://8৪.com/"}, {"c", "http://paypa1.com/"}, {"d", "http://8৪.com/"}, {"e", "http://paypa1.com/"}} {
		s.add(newScanned(f, input{name: c[0], raw: []byte("Content-Type: text/plain; charset=utf-8\n\n" + c[1] + "\n")}, false, false))
	}
	var got []string
	for _, w := range s.worst {
		got = append(got, w.file)
	}
	if names := strings.Join(got, ""); names != "cebd" {
		t.Errorf("got %s", names)
	}
	if s.unread != 0 || s.reasons[report.Reason("x")] != 0 || s.messages != 5 {
		t.Errorf("got %+v", s)
	}
}

// TestScannedIsUsedAgain: memory that is used again for the next message has nothing of the one
// before, even if that had more records than are kept.
func TestScannedIsUsedAgain(t *testing.T) {
	f := newTestFilter(t)
	var raws [][]byte
	for _, n := range []int{3, 0, 1, 2 * maxRecordsKept, 0, 2} {
		raws = append(raws, []byte("Subject: "+strings.Repeat("x", n)+"\n\n"+strings.Repeat("http://paypa1.com/ ", n)+"\n"))
	}
	var fresh []*scanned
	for _, raw := range raws {
		fresh = append(fresh, newScanned(f, input{name: "a", raw: raw}, false, false))
	}
	want, got := write(t, "json", fresh), ""
	for _, raw := range raws {
		m := newScanned(f, input{name: "a", raw: raw}, false, false)
		got += write(t, "json", []*scanned{m})
		m.free()
	}
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if n := strings.Count(got, "\n"); n != 6+2*maxRecordsKept {
		t.Errorf("%d records", n)
	}
}
