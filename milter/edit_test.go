package milter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	gomilter "github.com/emersion/go-milter"
	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// fields are those of the message that the tests below edit.
var fields = []string{
	"Received", " from x", "Subject", " x", "X-Tag", " one", "Content-Type", " text/plain", "x-tag", " two", "X-TAG", " three",
}

// newBody returns a result with another body. It does not say how it was edited, since the protocol
// sends the whole body.
func newBody(body string) filter.Result {
	return filter.Result{
		Plan:      mime.Plan{Body: []mime.Edit{{New: []byte("x")}}},
		Edited:    []byte("Header: not sent\r\n\r\n" + body),
		BodyStart: len("Header: not sent\r\n\r\n"),
	}
}

func TestEdits(t *testing.T) {
	tests := []struct {
		name   string
		result filter.Result
		want   []string // header replies with all options: code, index in decimal, name, value
	}{
		{name: "none", result: filter.Result{}},
		{
			name: "change and add",
			result: filter.Result{Plan: mime.Plan{Header: []mime.HeaderEdit{
				{Op: mime.OpChange, Field: 3, Value: `multipart/alternative; boundary="b"`},
				{Op: mime.OpAdd, Name: "MIME-Version", Value: "1.0"},
			}}},
			want: []string{`m 1 Content-Type: multipart/alternative; boundary="b"`, "h MIME-Version: 1.0"},
		},
		{
			name: "from the last to the first, whatever the order of the plan",
			result: filter.Result{Plan: mime.Plan{Header: []mime.HeaderEdit{
				{Op: mime.OpDelete, Field: 2, Name: "X-Tag"},
				{Op: mime.OpChange, Field: 5, Name: "x-tag", Value: "3"},
				{Op: mime.OpDelete, Field: 4},
				{Op: mime.OpDelete, Field: 1},
			}}},
			want: []string{"m 3 X-TAG: 3", "m 2 x-tag:", "m 1 X-Tag:", "m 1 Subject:"},
		},
		{
			name: "several at the end and on top keep their order",
			result: filter.Result{
				Plan: mime.Plan{Header: []mime.HeaderEdit{
					{Op: mime.OpInsert, Name: "A", Value: "1"},
					{Op: mime.OpAdd, Name: "C", Value: "3"},
					{Op: mime.OpInsert, Name: "B", Value: "2"},
				}},
				HeaderEdits: []mime.HeaderEdit{{Op: mime.OpAdd, Name: "D", Value: "4"}},
			},
			want: []string{"h C: 3", "h D: 4", "i 0 B: 2", "i 0 A: 1"},
		},
		{
			name: "long values are folded",
			result: filter.Result{HeaderEdits: []mime.HeaderEdit{
				{Op: mime.OpAdd, Name: "X", Value: strings.Repeat("word ", 20) + "end"},
			}},
			want: []string{"h X: " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n word word word word word end"},
		},
	}
	for _, test := range tests {
		for _, offer := range offers {
			t.Run(test.name+", "+offer.name, func(t *testing.T) {
				bubble(t, Options{Options: mailserver.Options{Filter: &seen{result: test.result}}}, func(t *testing.T, s *testServer) {
					p := s.connect(t, offer.actions, offer.protocol)
					p.hello()
					answers := p.message(simple(fields, "body"))
					var got []string
					for _, a := range answers[:len(answers)-1] {
						got = append(got, describeChange(t, a, p.protocol))
					}
					if diff := cmp.Diff(test.want, got); diff != "" {
						t.Error(diff)
					}
					if last := answers[len(answers)-1]; last.code != 'a' {
						t.Errorf("final reply %q", last.code)
					}
				})
			})
		}
	}
}

// describeChange writes a header reply in the form of the tests above, with the space that the MTA
// adds if it did not grant it to us.
func describeChange(t *testing.T, a answer, protocol gomilter.OptProtocol) string {
	t.Helper()
	data, index := a.data, ""
	if a.code != 'h' {
		if len(data) < 4 {
			t.Fatalf("reply %q %q", a.code, data)
		}
		index = fmt.Sprintf(" %d", data[3])
		data = data[4:]
	}
	name, value, _ := strings.Cut(data, "\x00")
	value, rest, found := strings.Cut(value, "\x00")
	if !found || rest != "" {
		t.Errorf("reply %q %q is not terminated by one NUL", a.code, a.data)
	}
	if value != "" && protocol&gomilter.OptHeaderLeadingSpace == 0 {
		value = " " + value
	}
	return string(a.code) + index + " " + name + ":" + value
}

// TestNotGranted: if an edit needs an action that the MTA did not grant, nothing is edited.
func TestNotGranted(t *testing.T) {
	change := mime.HeaderEdit{Op: mime.OpChange, Field: 1, Value: "y"}
	add := mime.HeaderEdit{Op: mime.OpAdd, Name: "X", Value: "y"}
	all := newBody("new")
	all.Plan.Header = []mime.HeaderEdit{change, add}
	tests := []struct {
		name    string
		result  filter.Result
		actions gomilter.OptAction
		want    string // codes of the replies
	}{
		{"everything", all, allActions, "mhba"},
		{"what is needed", all, gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody, "mhba"},
		{"nothing", all, 0, "a"},
		{"no change of fields", all, allActions &^ gomilter.OptChangeHeader, "a"},
		{"no new fields", all, allActions &^ gomilter.OptAddHeader, "a"},
		{"no change of the body", all, allActions &^ gomilter.OptChangeBody, "a"},
		{"body alone", newBody("new"), gomilter.OptChangeBody, "ba"},
		{"tag alone", filter.Result{HeaderEdits: []mime.HeaderEdit{add}}, gomilter.OptAddHeader, "ha"},
		{"no tags", filter.Result{HeaderEdits: []mime.HeaderEdit{add}}, gomilter.OptChangeBody, "a"},
		{"quarantine", filter.Result{Action: rule.ActionQuarantine}, gomilter.OptQuarantine, "qa"},
		{"no quarantine", filter.Result{Action: rule.ActionQuarantine}, allActions &^ gomilter.OptQuarantine, "a"},
		{"unknown rights", newBody("new"), 0xffffffff, "ba"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Options{Options: mailserver.Options{Filter: &seen{result: test.result}}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, test.actions, allProtocol)
				if p.actions&^wantedActions != 0 {
					t.Errorf("asked for actions %x", p.actions)
				}
				p.hello()
				if got := codes(p.message(simple(fields, "body"))); got != test.want {
					t.Errorf("replies %q, want %q", got, test.want)
				}
				p.send('Q')
				p.expectClosed()
				if got := strings.Contains(s.logs.String(), "not_done=not-granted"); got != (test.want == "a") {
					t.Errorf("log %q", s.logs.String())
				}
			})
		})
	}
}

// TestOddHeader: edits that do not fit the header of the MTA are not sent, not even some of them.
func TestOddHeader(t *testing.T) {
	edit := func(e ...mime.HeaderEdit) []mime.HeaderEdit { return e }
	good := mime.HeaderEdit{Op: mime.OpAdd, Name: "X", Value: "y"}
	deletion := mime.HeaderEdit{Op: mime.OpDelete, Field: 0}
	tests := []struct {
		name   string
		fields []string
		edits  []mime.HeaderEdit
	}{
		{"field beyond the header", fields, edit(good, mime.HeaderEdit{Op: mime.OpDelete, Field: 6})},
		{"negative field", fields, edit(good, mime.HeaderEdit{Op: mime.OpDelete, Field: -1})},
		{"field of another name", fields, edit(good, mime.HeaderEdit{Op: mime.OpChange, Field: 1, Name: "To", Value: "x"})},
		{"no operation", fields, edit(good, mime.HeaderEdit{Field: 1, Value: "x"})},
		{"emptied field", fields, edit(good, mime.HeaderEdit{Op: mime.OpChange, Field: 1, Value: " "})},
		{"line break in a value", fields, edit(good, mime.HeaderEdit{Op: mime.OpAdd, Name: "X", Value: "a\r\nBcc: b@example.com"})},
		{"NUL in a value", fields, edit(good, mime.HeaderEdit{Op: mime.OpAdd, Name: "X", Value: "a\x00b"})},
		{"no name", fields, edit(good, mime.HeaderEdit{Op: mime.OpAdd, Value: "x"})},
		{"colon in a name", fields, edit(good, mime.HeaderEdit{Op: mime.OpInsert, Name: "X:", Value: "x"})},
		{"too long", fields, edit(good, mime.HeaderEdit{Op: mime.OpAdd, Name: "X", Value: strings.Repeat("word ", 10_000)})},
		{"too many", fields, slicesRepeat(good, maxHeaderEdits+1)},
		{"two fields in one packet", oddHeaders[0], edit(deletion)},
		{"name with a colon", oddHeaders[1], edit(deletion)},
		{"name with a space", oddHeaders[2], edit(deletion)},
		{"name beyond ASCII", oddHeaders[3], edit(deletion)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := &seen{result: filter.Result{HeaderEdits: test.edits}}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, allActions, allProtocol)
				p.hello()
				if got := codes(p.message(simple(test.fields, "body"))); got != "a" {
					t.Errorf("replies %q", got)
				}
				p.send('Q')
				p.expectClosed()
				if f.messages() != 1 || !strings.Contains(s.logs.String(), "not_done=odd-header") {
					t.Errorf("%d messages, log %q", f.messages(), s.logs.String())
				}
			})
		})
	}
}

// oddHeaders are headers in which the MTA and the filter may count fields
// differently.
var oddHeaders = [][]string{
	{"A", " a\nB: b", "C", " c"},
	{"A:b", " a"},
	{"A b", " a"},
	{"\u00c4", " a"},
}

// TestTagsOnOddHeader: a field that is added needs no position, so tags are added to any header.
func TestTagsOnOddHeader(t *testing.T) {
	for _, fields := range oddHeaders {
		f := &seen{result: filter.Result{
			Plan:   newBody("x").Plan,
			Edited: newBody("x").Edited,
			HeaderEdits: []mime.HeaderEdit{
				{Op: mime.OpDelete, Field: 0}, {Op: mime.OpAdd, Name: "X-Linkmilter", Value: "id; worst=high"},
			},
		}}
		bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
			p := s.connect(t, allActions, allProtocol)
			p.hello()
			if got := codes(p.message(simple(fields, "body"))); got != "ha" {
				t.Errorf("%q: replies %q", fields, got)
			}
			p.send('Q')
			p.expectClosed()
			if log := s.logs.String(); !strings.Contains(log, "edited=false not_done=odd-header") || !strings.Contains(log, "tagged=true") {
				t.Errorf("%q: log %q", fields, log)
			}
		})
	}
}

// hasAll reports whether a line has all words.
func hasAll(line string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) })
}

// TestSignature: a signature covers the whole edit. It is sent with its folds as they are, and not
// without the edit.
func TestSignature(t *testing.T) {
	const value = "v=1; a=b;\r\n\tb=xyz"
	signed := func(fields []string, want, log string) {
		t.Helper()
		f := &seen{result: filter.Result{
			Plan:   newBody("x").Plan,
			Edited: newBody("x").Edited,
			HeaderEdits: []mime.HeaderEdit{
				{Op: mime.OpAdd, Name: "X-Linkmilter", Value: "id"},
				{Op: mime.OpInsert, Name: "DKIM-Signature", Value: value, Folded: true},
			},
			Report: report.Report{Signed: "example.com"},
		}}
		bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
			p := s.connect(t, allActions, allProtocol)
			p.hello()
			answers := p.message(simple(fields, "body"))
			if got := codes(answers); got != want {
				t.Errorf("%q: replies %q, want %q", fields, got, want)
			}
			if strings.Contains(want, "i") && !strings.HasSuffix(string(answers[1].data), "DKIM-Signature\x00 "+strings.ReplaceAll(value, "\r\n", "\n")+"\x00") {
				t.Errorf("signature %q", answers[1].data)
			}
			p.send('Q')
			p.expectClosed()
			if got := s.logs.String(); !hasAll(got, strings.Fields(log)) || strings.Contains(got, "signed=") != strings.Contains(want, "i") {
				t.Errorf("%q: log %q", fields, got)
			}
		})
	}
	signed(fields, "hiba", "edited=true tagged=true signed=example.com")
	signed(oddHeaders[0], "ha", "edited=false not_done=odd-header tagged=true")
}

func slicesRepeat(e mime.HeaderEdit, n int) []mime.HeaderEdit {
	edits := make([]mime.HeaderEdit, n)
	for i := range edits {
		edits[i] = e
	}
	return edits
}

func TestActions(t *testing.T) {
	edited := newBody("new")
	tests := []struct {
		action rule.Action
		want   string
		text   string
	}{
		{rule.ActionNone, "ba", ""},
		{rule.ActionTag, "ba", ""},
		{rule.ActionQuarantine, "bqa", ""},
		{rule.ActionReject, "y", "550 5.7.1 "},
		{rule.ActionTempFail, "y", "451 4.7.1 "},
		{rule.ActionDiscard, "d", ""},
		{rule.ActionReject + 100, "ba", ""},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(uint8(test.action), test.action), func(t *testing.T) {
			result := edited
			result.Action = test.action
			f := &seen{result: result}
			bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, allActions, allProtocol)
				p.hello()
				for range 2 {
					answers := p.message(simple(fields, "body"))
					last := answers[len(answers)-1]
					if codes(answers) != test.want || !strings.HasPrefix(last.data, test.text) || strings.Contains(last.data, "%") {
						t.Errorf("replies %q, the last one %q", codes(answers), last.data)
					}
				}
				if f.messages() != 2 {
					t.Errorf("%d messages", f.messages())
				}
			})
		})
	}
}

// A replaced body arrives as a whole, in packets of the size that the protocol
// allows.
func TestReplacedBody(t *testing.T) {
	line := strings.Repeat("0123456789abcdef", 4) + "\r\n"
	tests := []struct {
		name, body string
		packets    int
	}{
		{"empty", "", 1},
		{"one line", "hello\r\n", 1},
		{"no final line end", "hello", 1},
		{"65535 bytes", strings.Repeat("x", 65535), 1},
		{"65536 bytes", strings.Repeat("x", 65536), 2},
		{"CRLF across the limit", strings.Repeat("x", 65534) + "\r\n" + "y", 2},
		{"3 MB", strings.Repeat(line, 3<<20/len(line)), 49},
		{"lines longer than a packet", strings.Repeat(strings.Repeat("x", 100_000)+"\r\n", 3), 6},
		{"LF only", strings.Repeat("hello\n", 20_000), 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, Options{Options: mailserver.Options{Filter: &seen{result: newBody(test.body)}}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, allActions, allProtocol)
				p.hello()
				answers := p.message(simple(fields, "body"))
				var got strings.Builder
				for _, a := range answers[:len(answers)-1] {
					if a.code != 'b' || len(a.data) > gomilter.MaxBodyChunk {
						t.Errorf("reply %q of %d bytes", a.code, len(a.data))
					}
					got.WriteString(a.data)
				}
				if got.String() != test.body {
					t.Errorf("body of %d bytes, want %d", got.Len(), len(test.body))
				}
				if n := len(answers) - 1; n != test.packets {
					t.Errorf("%d packets, want %d", n, test.packets)
				}
			})
		})
	}
}

// FuzzBodyChunks: the pieces together are the body. None is too long, and none ends between CR and
// LF.
func FuzzBodyChunks(f *testing.F) {
	f.Add([]byte("a\r\n"), uint32(70_000))
	f.Add([]byte("x"), uint32(65_536))
	f.Add([]byte("\r\n"), uint32(131_071))
	f.Add([]byte("\r"), uint32(65_537))
	f.Fuzz(func(t *testing.T, pattern []byte, size uint32) {
		if len(pattern) == 0 {
			pattern = []byte{'x'}
		}
		body := bytes.Repeat(pattern, int(size%300_000)/len(pattern)+1)
		var joined []byte
		for chunk := range bodyChunks(body) {
			joined = append(joined, chunk...)
			if len(chunk) > gomilter.MaxBodyChunk {
				t.Errorf("piece of %d bytes", len(chunk))
			}
			if bytes.HasSuffix(chunk, []byte{'\r'}) && len(joined) < len(body) && body[len(joined)] == '\n' {
				t.Errorf("CRLF cut at %d", len(joined))
			}
		}
		if !bytes.Equal(joined, body) {
			t.Errorf("%d bytes of %d", len(joined), len(body))
		}
	})
}
