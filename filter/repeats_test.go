package filter_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// A message has the same report, whatever the filter remembers of messages before it.
func TestRepeats(t *testing.T) {
	f, err := filter.New(filter.Options{Policy: policy.Options{Protected: []string{"example.com"}, Allow: []string{"examp1e.com"}}})
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
