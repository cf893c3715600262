package milter

import (
	"bytes"
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// realFilter returns the filter with the built-in rules.
func realFilter(tb testing.TB) *filter.Filter {
	tb.Helper()
	f, err := filter.New(filter.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// authenticated sends a message as that of a client that logged in.
func authenticated(m mail) mail {
	m.mailMacros = []string{"i", "4Xq1", "{auth_type}", "PLAIN", "{auth_authen}", "alice"}
	return m
}

// TestSamples: the sample messages, sent through the milter and edited as Postfix and Sendmail do,
// become byte for byte what the filter makes of them.
func TestSamples(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	f := realFilter(t)
	sent, edited := 0, 0
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, ok := parseMail(string(data))
			if !ok {
				continue // no MTA would send it like that
			}
			sent++
			want := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.org", Authenticated: true}, []byte(m.raw()))
			text := m.raw()
			if !want.Plan.Empty() {
				edited++
				text = string(want.Edited)
			}
			answers := p.message(authenticated(m))
			for _, d := range []dialect{postfix, sendmail} {
				if got := d.apply(t, m, answers); got != normalLineEnds(text) {
					t.Errorf("%s: the MTA delivers %d bytes, the filter wrote %d", filepath.Base(path), len(got), len(text))
				}
			}
			if want.Plan.Empty() && codes(answers) != "a" {
				t.Errorf("%s: replies %q", filepath.Base(path), codes(answers))
			}
		}
	})
	t.Logf("%d messages, %d of them edited", sent, edited)
	if edited < 20 || edited*10 < sent*3 {
		t.Errorf("only %d of %d messages were edited", edited, sent)
	}
}

// TestTaggedSamples: the same for messages with tags added and forged fields removed, with and
// without an edit of the content.
func TestTaggedSamples(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	chosen := rule.Rule{
		Name: "all", HTML: rule.HTMLNeeded, Flagged: rule.FlaggedDefang,
		On: rule.On{Info: rule.ActionTag, Unreadable: rule.ActionTag, Partial: rule.ActionTag},
	}
	f, err := filter.New(filter.Options{ID: "mx.example.org", Rules: []rule.Rule{chosen}})
	if err != nil {
		t.Fatal(err)
	}
	tagged, both := 0, 0
	bubble(t, Options{Options: mailserver.Options{Filter: f}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.hello()
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m, ok := parseMail(string(data))
			if !ok {
				continue
			}
			forged := []string{"X-Linkmilter", " mx.example.org; worst=none"}
			m.fields = slices.Concat(forged, m.fields, []string{"X-Other", " 1"}, forged)
			want := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.org"}, []byte(m.raw()))
			if want.EditsHeader() && want.Report.Action >= rule.ActionTag {
				tagged++
				if want.Report.Edited {
					both++
				}
			}
			answers := p.message(m)
			for _, d := range []dialect{postfix, sendmail} {
				if got := d.apply(t, m, answers); got != normalLineEnds(string(want.Message([]byte(m.raw())))) {
					t.Errorf("%s: the MTA delivers\n%s\nthe filter wrote\n%s", filepath.Base(path), got, want.Edited)
				}
			}
		}
	})
	t.Logf("%d messages tagged, %d of them edited", tagged, both)
	if tagged < 20 || both == 0 {
		t.Errorf("only %d messages were tagged, %d of them edited", tagged, both)
	}
}

func normalLineEnds(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// TestSecondMessageIsEdited: Sendmail sends no ABORT between the messages of a connection. The
// first one has a signature and an opt-out and is not edited, the second one is edited, and a third
// like the first is not.
func TestSecondMessageIsEdited(t *testing.T) {
	text := "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE\r\n"
	plain := authenticated(simple([]string{"From", " a@example.org", "Subject", " x"}, text))
	signed := plain
	signed.fields = append([]string{"DKIM-Signature", " v=1; a=rsa-sha256; d=example.org; s=x; h=from; bh=; b=", "List-Id", " <x.example.org>"}, plain.fields...)
	for _, offer := range offers {
		t.Run(offer.name, func(t *testing.T) {
			bubble(t, Options{Options: mailserver.Options{Filter: realFilter(t)}}, func(t *testing.T, s *testServer) {
				p := s.connect(t, offer.actions, offer.protocol)
				p.hello()
				for i, m := range []mail{signed, plain, signed, plain} {
					got := codes(p.message(m))
					if edited := strings.Contains(got, "b"); edited != (i%2 == 1) {
						t.Errorf("message %d: replies %q", i+1, got)
					}
				}
				// Without a login the same message is only read.
				m := plain
				m.mailMacros = []string{"i", "5"}
				if got := codes(p.message(m)); got != "a" {
					t.Errorf("replies to a stranger's message %q", got)
				}
				p.send('Q')
				p.expectClosed()
				logs := s.logs.String()
				for _, want := range []string{
					"queue_id=4Xq1 rule=authenticated outcome=complete links=1 worst=none edited=true",
					"edited=false not_done=dkim-signed", "rule=others", "edited=false not_done=not-asked",
				} {
					if !strings.Contains(logs, want) {
						t.Errorf("log %q does not say %q", logs, want)
					}
				}
				if strings.Contains(logs, "wikipedia") {
					t.Errorf("log %q", logs)
				}
			})
		})
	}
}

// A client on the same host is local without a login.
func TestLocalClient(t *testing.T) {
	bubble(t, Options{Options: mailserver.Options{Filter: realFilter(t)}}, func(t *testing.T, s *testServer) {
		p := s.connect(t, allActions, allProtocol)
		p.send('C', "localhost\x006\x30\x39IPv6:::1\x00")
		m := simple([]string{"From", " a@example.org"}, "See https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE\r\n")
		want := realFilter(t).Message(context.Background(),
			envelope.Envelope{Sender: "a@example.org", Client: netip.IPv6Loopback()}, []byte(m.raw()))
		got := sendmail.apply(t, m, p.message(m))
		if want.Plan.Empty() || !bytes.Equal([]byte(got), want.Edited) {
			t.Errorf("%q, want %q", got, want.Edited)
		}
	})
}
