package honestmail

import (
	"bytes"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// all returns all messages.
func all(t *testing.T) []Message {
	t.Helper()
	messages, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// newFilter returns the filter of the organisation that gets the mail.
func newFilter(t testing.TB) *filter.Filter {
	t.Helper()
	f, err := filter.New(filter.Options{
		ID: Host, AuthservIDs: []string{Host},
		Policy: policy.Options{Protected: Protected()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// flaggedIn describes the findings of medium and above.
func flaggedIn(r report.Report) []string {
	var flagged []string
	add := func(place string, findings []policy.Finding) {
		for _, found := range findings {
			if found.Severity >= policy.SeverityMedium {
				flagged = append(flagged, strings.TrimSpace(fmt.Sprintf("%s %s %s", found.Code, found.Detail, place)))
			}
		}
	}
	add("", r.Findings)
	for _, link := range r.Links {
		add(fmt.Sprintf("in part %s: %s", link.Part, link.Href), link.Verdict.Findings)
	}
	return flagged
}

// TestHonestMailIsNotFlagged: no honest message has a finding of medium.
func TestHonestMailIsNotFlagged(t *testing.T) {
	f := newFilter(t)
	for _, m := range all(t) {
		if m.Exception != "" {
			continue
		}
		flagged := flaggedIn(f.Message(t.Context(), m.Envelope, m.Raw).Report)
		if flagged != nil {
			t.Errorf("%s: %s", m.Name, strings.Join(flagged, "; "))
		}
	}
}

// TestMailIsManifold: there are at least 400 messages of 70 kinds in 23 languages, and no two
// say the same.
func TestMailIsManifold(t *testing.T) {
	kinds, tongues, services := make(map[string]int), make(map[string]int), make(map[string]int)
	subjects := make(map[string]string)
	count := 0
	for _, m := range all(t) {
		if _, err := mail.ReadMessage(strings.NewReader(string(m.Raw))); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		body := m.Raw[strings.Index(string(m.Raw), "\r\n\r\n"):]
		if other := subjects[string(body)]; other != "" {
			t.Errorf("%s says the same as %s", m.Name, other)
		}
		subjects[string(body)] = m.Name
		if m.Exception != "" {
			continue
		}
		count++
		kinds[m.Kind]++
		tongues[m.Language]++
		services[m.Service]++
	}
	t.Logf("%d messages\n%d kinds: %v\n%d languages: %v\n%d services: %v", count, len(kinds), kinds, len(tongues), tongues, len(services), services)
	if count < 400 || len(kinds) < 70 || len(tongues) < 23 || len(services) < 40 {
		t.Errorf("%d messages of %d kinds in %d languages by %d services; want 400, 70, 23, 40", count, len(kinds), len(tongues), len(services))
	}
}

// TestMailStaysTheSame: the messages are the same in every run, so that counts compare.
func TestMailStaysTheSame(t *testing.T) {
	again := all(t)
	for i, m := range all(t) {
		if !bytes.Equal(m.Raw, again[i].Raw) {
			t.Errorf("%s: differs", m.Name)
		}
	}
}

// TestMailIsRead: all of each message is read, so that nothing is missed for its form.
func TestMailIsRead(t *testing.T) {
	f := newFilter(t)
	for _, m := range all(t) {
		if r := f.Message(t.Context(), m.Envelope, m.Raw).Report; r.Outcome != report.OutcomeComplete {
			t.Errorf("%s: %s", m.Name, r)
		}
	}
}

// TestWrite writes all messages as files into the folder that LINKMILTER_HONEST names, those
// that are exceptions into its folder "exceptions", for tools that count findings.
func TestWrite(t *testing.T) {
	dir := os.Getenv("LINKMILTER_HONEST")
	if dir == "" {
		t.Skip("LINKMILTER_HONEST names no folder")
	}
	for _, folder := range []string{"mail", "exceptions"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range all(t) {
		folder := "mail"
		if m.Exception != "" {
			folder = "exceptions"
		}
		if err := os.WriteFile(filepath.Join(dir, folder, m.Name+".eml"), m.Raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
