package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// spoofed is a message with a link of high severity.
const spoofed = "From: a@example.net\r\nTo: b@example.com\r\nSubject: x\r\nMessage-ID: <1@example.net>\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nhttps://p\u0430ypal.com/login\r\n"

// escaped is a message with a link that becomes readable.
const escaped = "From: a@example.com\r\nTo: b@example.net\r\nSubject: x\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\n\r\nhttps://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE\r\n"

// checked is the answer about a message, as a client decodes it.
type checked struct {
	Worst, Outcome, Rule, Action, Because, Subject string
	Reasons, Codes                                 []string
	Edited                                         bool
	NotDone                                        string `json:"not_done"`
	Records                                        []json.RawMessage
	Message                                        *[]byte
}

// check sends a message and returns the answer.
func (s *testServer) check(query, message string) checked {
	s.tb.Helper()
	response, text := s.do(s.request("POST", "/v1/check?"+query, "message/rfc822", message))
	if response.StatusCode != http.StatusOK {
		s.tb.Fatalf("%s: %s", response.Status, text)
	}
	var answer checked
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		s.tb.Fatal(err)
	}
	return answer
}

// TestCheckMessage: the answer has what a spam filter needs: the severity, the codes, the links and
// the action.
func TestCheckMessage(t *testing.T) {
	s := start(t, Options{})
	got := s.check("client=192.0.2.1&from=a@example.net&to=b@example.com&to=c@example.com&queue_id=4Xq1", spoofed)
	if got.Worst != "high" || got.Outcome != "complete" || got.Rule != "others" || got.Action != "tag" || got.Because == "" || got.Subject != "x" || got.Edited || got.Message != nil {
		t.Errorf("%+v", got)
	}
	if len(got.Codes) == 0 || len(got.Records) != 1 || len(got.Reasons) != 0 {
		t.Errorf("codes %q, %d records", got.Codes, len(got.Records))
	}
	for _, want := range []string{" queue_id=4Xq1 rule=others ", "worst=high", "client=192.0.2.1", "hosts=[xn--pypal-4ve.com]"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("%q is not in the log\n%s", want, s.log)
		}
	}
}

// TestEditedMessage: the edited message is the one that the filter makes for the same
// envelope, and the original where the rule edits nothing.
func TestEditedMessage(t *testing.T) {
	s := start(t, Options{})
	for name, c := range map[string]struct {
		query, message string
		env            envelope.Envelope
		edited         bool
	}{
		"own user": {"auth=true&edit=true", escaped, envelope.Envelope{Sender: envelope.AnySender, Authenticated: true}, true},
		"tags":     {"from=%3Ca%40example.net%3E&edit=true", spoofed, envelope.Envelope{Sender: "a@example.net"}, false},
		"stranger": {"edit=true", escaped, envelope.Envelope{Sender: envelope.AnySender}, false},
	} {
		got := s.check(c.query, c.message)
		result := s.filter.Message(t.Context(), c.env, []byte(c.message))
		if got.Message == nil || !bytes.Equal(*got.Message, result.Message([]byte(c.message))) || got.Edited != c.edited {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := s.check("auth=true", escaped); got.Message != nil || !got.Edited {
		t.Errorf("not asked for: %+v", got)
	}
	for _, want := range []string{"edited=true", "tagged=true", "not_done=edit-not-requested"} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("%s is not in the log\n%s", want, s.log)
		}
	}
}

// TestTagsNameThisHost: without an id of the filter, the tags have the name of this machine, as in the
// other ways of mail.
func TestTagsNameThisHost(t *testing.T) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Host: "mx.example.org", Options: mailserver.Options{Filter: f}})
	if got := s.check("edit=true", spoofed); got.Message == nil || !bytes.Contains(*got.Message, []byte("\r\nX-Linkmilter: mx.example.org; action=tag;")) {
		t.Errorf("%s", *got.Message)
	}
}

// TestRecordsAreThoseOfScan: each sample has the records that `scan --format json` has,
// and the original bytes come back.
func TestRecordsAreThoseOfScan(t *testing.T) {
	s := start(t, Options{})
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	scan, err := filter.New(filter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared, links := 0, 0
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) == 0 {
			continue
		}
		found := scan.Scan(raw)
		var want []json.RawMessage
		for _, r := range record.Append(nil, "", scan, &found) {
			line, err := marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, bytes.TrimSpace(line))
		}
		got := s.check("from="+url.QueryEscape(envelope.AnySender), string(raw))
		if diff := cmp.Diff(texts(want), texts(got.Records)); diff != "" {
			t.Errorf("%s:\n%s", filepath.Base(path), diff)
		}
		compared++
		links += len(want)
	}
	if compared < 200 || links < 300 {
		t.Errorf("%d messages with %d records compared", compared, links)
	}
}

func texts(list []json.RawMessage) []string {
	all := []string{}
	for _, r := range list {
		all = append(all, string(r))
	}
	return all
}

// TestCheckLinks: each link, host and address has a record, and so has any other text.
func TestCheckLinks(t *testing.T) {
	s := start(t, Options{})
	response, text := s.do(s.request("POST", "/v1/check", "application/json; charset=utf-8",
		`{"links": ["https://p\u0430ypal.com/", "info@example.com", "localhost", "hello world", "https://example.com/<b>"]}`))
	if response.StatusCode != http.StatusOK {
		t.Fatal(text)
	}
	var got struct {
		Worst   string
		Unread  int
		Records []record.Record
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, r := range got.Records {
		kinds = append(kinds, r.Kind)
	}
	if diff := cmp.Diff([]string{"url", "email", "host", "none", "url"}, kinds); diff != "" || got.Worst != "high" || got.Unread != 1 {
		t.Errorf("worst %s, %d unread, %s", got.Worst, got.Unread, diff)
	}
	if strings.Contains(text, `\u003c`) {
		t.Error("escapes for HTML, other than in scan --format json")
	}
}

// TestExplain: the records are those of `explain --json`. An input that cannot be explained has an
// error.
func TestExplain(t *testing.T) {
	s := start(t, Options{})
	response, text := s.do(s.request("POST", "/v1/explain", "application/json", `{"inputs": ["p\u0430ypal.com", "tel:+123"]}`))
	if response.StatusCode != http.StatusOK {
		t.Fatal(text)
	}
	for _, want := range []string{`"explanations":[{"input":"pаypal.com","kind":"url","ascii_host":"xn--pypal-4ve.com"`, `findings.md#`, `"kind":"none"`, `"error":"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}
