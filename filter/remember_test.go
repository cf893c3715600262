package filter_test

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// rememberingRules show flagged links in every way there is.
func rememberingRules() map[string][]filter.Rule {
	rules := readable()
	rules["built-in"] = nil
	rules["link"] = []filter.Rule{{Name: "link", HTML: filter.HTMLAlways, Flagged: filter.FlaggedLink, On: filter.On{Low: filter.ActionTag}}}
	return rules
}

// TestRememberedEqualsJudged takes every sample twice through a filter: what it makes
// of them is what a filter makes that remembers nothing, also where all links
// and fields fight for one slot.
func TestRememberedEqualsJudged(t *testing.T) {
	for name, rules := range rememberingRules() {
		t.Run(name, func(t *testing.T) {
			f := newFilter(t, filter.Options{Rules: rules, JoinLines: true})
			forgetful, cramped := filter.Remembering(f, 0), filter.Remembering(f, 1)
			remembered := 0
			for range 2 {
				for _, s := range samples(t) {
					want := forgetful.Message(context.Background(), localUser(), bytes.Clone(s.raw))
					for _, l := range want.Report.Links {
						if filter.Remembers(f, l.Link.Text) {
							remembered++
						}
					}
					for _, f := range []*filter.Filter{f, cramped} {
						raw := bytes.Clone(s.raw)
						if got := f.Message(context.Background(), localUser(), raw); !reflect.DeepEqual(got, want) {
							t.Errorf("%s:\ngot  %+v\nwant %+v", s.name, got.Report, want.Report)
						}
						// What is remembered is no piece of the message.
						for i := range raw {
							raw[i] = '#'
						}
					}
				}
			}
			t.Logf("%d links were remembered", remembered)
			if remembered < 200 {
				t.Errorf("only %d links were remembered", remembered)
			}
		})
	}
}

// TestRememberedByAll has goroutines take the samples through one filter with few
// slots at the same time.
func TestRememberedByAll(t *testing.T) {
	f := filter.Remembering(newFilter(t, filter.Options{}), 16)
	all := samples(t)
	want := make([]filter.Result, len(all))
	for i, s := range all {
		want[i] = filter.Remembering(f, 0).Message(context.Background(), localUser(), s.raw)
	}
	var users sync.WaitGroup
	for user := range 4 {
		users.Go(func() {
			for n := range all {
				i := (n + user*len(all)/4) % len(all)
				if got := f.Message(context.Background(), localUser(), all[i].raw); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%s:\ngot  %+v\nwant %+v", all[i].name, got.Report, want[i].Report)
				}
			}
		})
	}
	users.Wait()
}

// TestRememberedLinkOfTheSameText: one text can be two links, and each is judged as
// what it is.
func TestRememberedLinkOfTheSameText(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for range 2 {
		// A reference opens what is no link in a text.
		raw := htmlMessage(`<a href="http://intranet/">x</a> http://intranet/ <a href="http://intranet/">y</a>`)
		got, want := f.Scan(raw).Links, filter.Remembering(f, 0).Scan(raw).Links
		if !reflect.DeepEqual(got, want) || len(got) != 3 || got[0].Link.Kind == got[1].Link.Kind {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	// Rules differ in how they show what is flagged.
	const text = "see https://xn--pple-43d.example.com/\r\n"
	shown := func(flagged filter.Flagged) string {
		both, err := filter.New(filter.Options{Rules: []filter.Rule{
			{Name: "a", When: filter.When{Sender: []string{"a@example.com"}}, HTML: filter.HTMLAlways, Flagged: flagged},
			{Name: "b", HTML: filter.HTMLAlways},
		}})
		if err != nil {
			t.Fatal(err)
		}
		env, raw := localUser(), []byte("From: a@example.com\r\n\r\n"+text)
		for _, env.Sender = range []string{"b@example.com", "a@example.com", "b@example.com"} {
			both.Message(context.Background(), env, raw)
		}
		env.Sender = "a@example.com"
		l := both.Message(context.Background(), env, raw).Report.Links[0]
		return fmt.Sprint(l.Linked, " ", l.Display)
	}
	for flagged, want := range map[filter.Flagged]string{
		filter.FlaggedUnlink: "false https://xn--pple-43d.example.com/",
		filter.FlaggedLink:   "true https://xn--pple-43d.example.com/",
		filter.FlaggedDefang: "false hxxps[:]//xn--pple-43d[.]example[.]com/",
	} {
		if got := shown(flagged); got != want {
			t.Errorf("%s: %s, want %s", flagged, got, want)
		}
	}
}

// TestRememberedIsCopied: but for the text of the link itself, a result holds no
// piece of the text that it was found in, whose memory it would keep.
func TestRememberedIsCopied(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, link := range []string{
		"https://www.example.com/a/b?c=d", "https://de.wikipedia.org/wiki/%C3%9Cbersicht", "info@example.org",
		"https://xn--pple-43d.com/%41/%zz/%E2%80%AE", "http://127.1/", "http://a..b/", "https://user@example.com/", "https://www.раураӏ.com/раураӏ?u=http://gοοgle.com/",
	} {
		text := "see " + link + " please"
		start := uintptr(unsafe.Pointer(unsafe.StringData(text)))
		for _, l := range f.Text(text) {
			strs := []string{l.Display, l.Href}
			for _, finding := range l.Verdict.Findings {
				strs = append(strs, finding.Label, finding.Detail)
			}
			for _, s := range strs {
				if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); s != "" && start <= at && at < start+uintptr(len(text)) {
					t.Errorf("%s: %q is a piece of the text", link, s)
				}
			}
			if findings := l.Verdict.Findings; cap(findings) > len(findings) {
				t.Errorf("%s: findings that others see can be appended to", link)
			}
		}
		if !filter.Remembers(f, link) {
			t.Errorf("%s is not remembered", link)
		}
	}
}

// TestMemoryIsBounded: what takes much is judged again each time.
func TestMemoryIsBounded(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, link := range map[string]string{
		"a long link":          "https://example.com/" + strings.Repeat("a", 510),
		"many findings":        "https://" + strings.Repeat("а1.", 40) + "example.com/",
		"a long readable form": "https://example.com/" + strings.Repeat("\u2044", 150),
	} {
		want := filter.Remembering(f, 0).Text(link)
		for range 2 {
			if got := f.Text(link); !reflect.DeepEqual(got, want) || len(got) != 1 {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
		if filter.Remembers(f, want[0].Link.Text) {
			t.Errorf("%s is remembered", name)
		}
	}
	sender := strings.Repeat("a", 250) + "@example.com"
	field := " " + strings.Repeat("a@example.com, ", 40) + "a@example.com\r\n"
	env := localUser()
	env.Sender = sender
	f.Message(context.Background(), env, []byte("From:"+field+"\r\n"))
	if filter.RemembersSender(f, sender) || filter.RemembersField(f, field) {
		t.Error("a long address is remembered")
	}
}

// TestRememberedAddresses: addresses in which nothing was found are remembered, and
// no others.
func TestRememberedAddresses(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, test := range []struct {
		field    string
		findings int
	}{
		{" Anna <anna@example.com>\r\n", 0},
		{" \"service@paypal.com\"\r\n <x@example.net>\r\n", 1},
		{" x@xn--pple-43d.com\r\n", 1},
		{" Anna <anna@example.com>, Bert <bert@xn--pple-43d.com>\r\n", 1},
		{" anna@xn--pple-43d.com, Bert <bert@example.com>\r\n", 1},
		{" no address\r\n", 0},
	} {
		for _, name := range []string{"From", "reply-to", "Sender"} {
			report := f.Scan([]byte(name + ":" + test.field + "\r\ntext\r\n"))
			if len(report.Links) != test.findings {
				t.Errorf("%s:%q: %d addresses listed", name, test.field, len(report.Links))
			}
		}
		if remembered := filter.RemembersField(f, test.field); remembered != (test.findings == 0) {
			t.Errorf("%q: remembered %v", test.field, remembered)
		}
	}
	env := filter.Envelope{}
	for _, test := range []struct {
		sender string
		known  bool
	}{{"anna@example.com", true}, {"x@xn--pple-43d.com", false}, {"", false}} {
		env.Sender = test.sender
		for range 2 {
			report := f.Message(context.Background(), env, []byte("Subject: s\r\n\r\ntext\r\n")).Report
			if listed := len(report.Links) > 0; listed != (test.sender != "" && !test.known) {
				t.Errorf("sender %q: %v", test.sender, report.Links)
			}
		}
		if remembered := filter.RemembersSender(f, test.sender); remembered != test.known {
			t.Errorf("sender %q: remembered %v", test.sender, remembered)
		}
	}
}

// TestAddressesBeyondTheLimitOfLinks: where the limit leaves no room to list an
// address, it is not taken for one in which nothing was found.
func TestAddressesBeyondTheLimitOfLinks(t *testing.T) {
	options := filter.Options{}
	options.Engine.MaxLinks = 1
	f := newFilter(t, options)
	const field = " x@xn--pple-43d.com\r\n"
	f.Scan([]byte("Subject: http://example.com/\r\nFrom:" + field + "\r\n"))
	if report := f.Scan([]byte("From:" + field + "\r\n")); len(report.Links) != 1 || report.Worst() < policy.SeverityMedium {
		t.Errorf("%v", report)
	}
}

// FuzzRemembered compares what a filter remembers of any text with what it finds out
// anew.
func FuzzRemembered(f *testing.F) {
	for _, s := range samples(f) {
		_, body, _ := strings.Cut(string(s.raw), "\r\n\r\n")
		f.Add(body)
	}
	remembering := newFilter(f, filter.Options{JoinLines: true})
	cramped, forgetful := filter.Remembering(remembering, 1), filter.Remembering(remembering, 0)
	f.Fuzz(func(t *testing.T, text string) {
		want := forgetful.Text(text)
		for range 2 {
			for _, f := range []*filter.Filter{remembering, cramped} {
				if got := f.Text(text); !reflect.DeepEqual(got, want) {
					t.Fatalf("got  %+v\nwant %+v", got, want)
				}
			}
		}
	})
}
