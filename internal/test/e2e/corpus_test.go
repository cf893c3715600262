//go:build linux

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// TestCorpus sends every sample message through each server. Postfix accepts all; Sendmail refuses
// those with line ends that SMTP does not allow. The first word of a sample's name says what
// linkmilter does to it.
func TestCorpus(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		startPair(t, kind).corpus(t, func(message []byte) bool { return kind.name == "postfix" || hasWireLineEnds(message) })
	})
}

// corpus sends those of the sample messages that fit, without and with linkmilter.
func (p *pair) corpus(t *testing.T, fits func(message []byte) bool) {
	t.Helper()
	samples, err := filepath.Glob(filepath.Join(env.Root(t), "testdata", "messages", "*.eml"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("no sample messages (%v)", err)
	}
	sent, changed := 0, 0
	for _, path := range samples {
		name := strings.TrimSuffix(filepath.Base(path), ".eml")
		message, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !fits(message) {
			continue
		}
		sent++
		t.Run(name, func(t *testing.T) {
			without, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, message)
			got := edited(without, with)
			if got {
				changed++
			}
			// If the server itself changed the message, for instance ended a broken header, the
			// name does not apply.
			fields, body := splitMessage(message)
			same := without.Body == body && describing(without.Header) == describing(fields)
			if want := strings.HasPrefix(name, "edit-"); got != want && same {
				t.Errorf("edited %t, want %t", got, want)
			}
		})
	}
	t.Logf("%d of %d samples sent, %d edited", sent, len(samples), changed)
	if sent < len(samples)*9/10 || changed < sent*3/10 {
		t.Error("fewer than 90 % of the samples sent, or fewer than 30 % of these edited: the comparison says little")
	}
}

// describing returns the fields that describe the body.
func describing(fields []string) string {
	var all strings.Builder
	for _, field := range fields {
		if name := fieldName(field); strings.HasPrefix(name, "content-") || name == "mime-version" {
			all.WriteString(field)
		}
	}
	return all.String()
}

// hasWireLineEnds reports whether each CR and LF is a part of CRLF, without
// NUL (RFC 5321 §2.3.8).
func hasWireLineEnds(message []byte) bool {
	for line := range bytes.SplitSeq(message, []byte("\r\n")) {
		if bytes.ContainsAny(line, "\r\n\x00") {
			return false
		}
	}
	return true
}
