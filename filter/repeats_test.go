package filter_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/policy"
)

// A message has the same report and edits, whatever the filter remembers of messages before
// it under other rules.
func TestRepeats(t *testing.T) {
	to := func(recipient string) rule.When { return rule.When{Recipient: []string{recipient}} }
	f, err := filter.New(filter.Options{
		Policy: policy.Options{Protected: []string{"example.com"}, Allow: []string{"examp1e.com"}},
		Rules: []rule.Rule{
			{Name: "unlink", When: to("unlink@example.com"), HTML: rule.HTMLAlways, ReadableHTML: true},
			{Name: "defang", When: to("defang@example.com"), HTML: rule.HTMLAlways, Plain: rule.PlainReadable, Flagged: rule.FlaggedDefang},
			{Name: "lists", When: to("lists@example.com"), HTML: rule.HTMLAlways, Block: []string{"example.com"}, Allow: []string{"exаmple.com"}},
			{Name: "tag", On: rule.On{Low: rule.ActionTag}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, s := range samples(t) {
		messages = append(messages, string(s.raw))
	}
	// One text that is a link, a part of one, a suspect and an address, with and without
	// line breaks, in text, HTML and header, from senders with names and without.
	links := []string{
		"https://www.examp1e.com/", "https://exаmple.com/ä", "https://exаmple.com/ä?", "exаmple.com/ä", "x@exаmple.com", "http:/exаmple.com/ä",
		"<https://exаmple.com/ä>", "<https://exаmple.com/\r\nä>", "https://example.com/a.", "https://example.com/a…", "http://localhost/x", "setup.py",
	}
	for _, from := range []string{"x@examp1e.com", "Example <x@examp1e.com>", `"support@example.com" <x@example.net>`, "Example.com <x@example.net>", "x@exаmple.com"} {
		for _, link := range links {
			head := "From: " + from + "\r\nSubject: " + strings.ReplaceAll(link, "\r\n", "") + "\r\nMIME-Version: 1.0\r\nContent-Type: "
			messages = append(messages,
				head+"text/plain; charset=utf-8\r\n\r\n"+link+"\r\nand "+link+" again\r\n",
				head+"text/html; charset=utf-8\r\n\r\n<a href=\""+strings.Trim(link, "<>")+"\">https://example.com/</a> "+link+"\r\n",
			)
		}
	}
	flagged := 0
	for range 2 {
		for _, message := range messages {
			for _, recipient := range []string{"unlink", "defang", "lists", "tag"} {
				env := envelope.Envelope{Sender: "x@example.net", Recipients: []string{recipient + "@example.com"}, Client: netip.MustParseAddr("192.0.2.1")}
				got, want := f.Message(t.Context(), env, []byte(message)), filter.WithoutRepeats(f).Message(t.Context(), env, []byte(message))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %.300q:\n got %+v\nwant %+v", recipient, message, got, want)
				}
			}
			got, want := f.Scan([]byte(message)), filter.WithoutRepeats(f).Scan([]byte(message))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%.300q:\n got %+v\nwant %+v", message, got.Links, want.Links)
			}
			for _, link := range got.Links {
				if link.Flagged {
					flagged++
				}
			}
		}
	}
	if flagged < 2*len(links) {
		t.Errorf("%d flagged links, want more to compare", flagged)
	}
}

// TestRepeatsEnd: what was remembered is forgotten at the next quarter of an hour, since a
// line of a list may end at midnight.
func TestRepeatsEnd(t *testing.T) {
	midnight := time.Date(2026, 3, 1, 0, 0, 0, 0, time.FixedZone("", 5*3600+45*60))
	before, again, after := filter.RepeatsAt(midnight.Add(-time.Minute), midnight.Add(-time.Second), midnight)
	if !before || !again || after {
		t.Errorf("remembered a minute before midnight %t, a second before %t, at midnight %t", before, again, after)
	}
}
