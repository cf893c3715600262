package filter_test

import (
	"context"
	stdmime "mime"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// TestSubjectTag: the subject of a message with an action gets the tag once. Its own text stays, in
// its encoding.
func TestSubjectTag(t *testing.T) {
	needTables(t)
	const body = "\r\n\r\nhttp://paypa1.com/\r\n"
	for name, c := range map[string]struct{ tag, header, want string }{
		"ASCII":            {"[suspicious link]", "Subject: Invoice", "[suspicious link] Invoice"},
		"encoded word":     {"[x]", "Subject: =?iso-8859-1?Q?Rechnung_f=FCr?=\r\n =?iso-8859-1?Q?_dich?=", "[x] Rechnung für dich"},
		"tag beyond ASCII": {"[Verdächtig]", "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=", "[Verdächtig] Grüße"},
		"reply":            {"[x]", "Subject: Re: [x] Invoice", "Re: [x] Invoice"},
		"encoded reply":    {"[Verdächtig]", "Subject: Re: =?utf-8?q?[Verd=C3=A4chtig]?= a", "Re: [Verdächtig] a"},
		"none":             {"[x]", "X-Other: y", "[x]"},
		"empty":            {"[x]", "Subject:", "[x]"},
		"raw UTF-8":        {"[x]", "Subject: Grüße", "[x] Grüße"},
		"folded":           {"[x]", "Subject: a\r\n\tb", "[x] a\tb"},
		"broken word":      {"[x]", "Subject: =?utf-8?q?a", "[x] =?utf-8?q?a"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "r", On: rule.On{High: rule.ActionTag}, SubjectTag: c.tag}}})
			if err != nil {
				t.Fatal(err)
			}
			env := envelope.Envelope{Sender: "a@example.net"}
			once := f.Message(context.Background(), env, []byte(c.header+body))
			edited := once.Message([]byte(c.header + body))
			if got := decodedSubject(t, string(edited)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.HasSuffix(string(edited), body) {
				t.Error("the body changed")
			}
			twice := f.Message(context.Background(), env, edited)
			if string(twice.Message(edited)) != string(edited) {
				t.Errorf("filtered again: %s", twice.Message(edited))
			}
		})
	}
}

// decodedSubject returns the decoded value of the only Subject field.
func decodedSubject(t *testing.T, message string) string {
	t.Helper()
	head, _, _ := strings.Cut(message, "\r\n\r\n")
	head = strings.NewReplacer("\r\n ", " ", "\r\n\t", "\t").Replace(head)
	var subjects []string
	for line := range strings.SplitSeq(head, "\r\n") {
		if value, ok := strings.CutPrefix(line, "Subject:"); ok {
			decoded, err := new(stdmime.WordDecoder).DecodeHeader(strings.TrimSpace(value))
			if err != nil {
				t.Fatal(err)
			}
			subjects = append(subjects, decoded)
		}
	}
	if len(subjects) != 1 {
		t.Fatalf("%d subjects in %q", len(subjects), head)
	}
	return subjects[0]
}

// TestSubjectTagWhereItStays: without an action the subject stays. So does a signed subject of a
// trusted sender. One from outside is changed, with a note that the signature breaks.
func TestSubjectTagWhereItStays(t *testing.T) {
	needTables(t)
	const signature = "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=s; h=from:subject; bh=eA==; b=eA==\r\n"
	run := func(on rule.On, authenticated bool, raw string) filter.Result {
		f, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "r", On: on, SubjectTag: "[x]"}}})
		if err != nil {
			t.Fatal(err)
		}
		return f.Message(context.Background(), envelope.Envelope{Sender: "a@example.net", Authenticated: authenticated}, []byte(raw))
	}
	const message = "From: a@example.net\r\nSubject: a\r\n\r\nhttp://paypa1.com/\r\n"
	tag := rule.On{High: rule.ActionTag}
	for name, c := range map[string]struct {
		result filter.Result
		raw    string
		want   string
		note   string
	}{
		"no action":                  {run(rule.On{}, false, message), message, "a", ""},
		"signed by a trusted user":   {run(tag, true, signature+message), signature + message, "a", ""},
		"signed by another":          {run(tag, false, signature+message), signature + message, "[x] a", "field-signed"},
		"signed without its subject": {run(tag, true, strings.Replace(signature, ":subject", "", 1)+message), strings.Replace(signature, ":subject", "", 1) + message, "[x] a", ""},
	} {
		if got := decodedSubject(t, string(c.result.Message([]byte(c.raw)))); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if got := string(c.result.Report.HeaderNote); got != c.note {
			t.Errorf("%s: note %q, want %q", name, got, c.note)
		}
	}
}

// TestBadSubjectTag: New refuses a tag that a subject cannot have unchanged.
func TestBadSubjectTag(t *testing.T) {
	for _, tag := range []string{"a\r\nBcc: b@example.org", "\u202e", " x", "x ", "=?utf-8?q?x?=", "\xff", strings.Repeat("x", 101)} {
		if _, err := filter.New(filter.Options{Rules: []rule.Rule{{Name: "r", SubjectTag: tag}}}); err == nil {
			t.Errorf("%q is accepted", tag)
		}
	}
}
