//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manyForged is a number of forged fields. To remove them, Postfix's cleanup would take minutes, or
// crash.
const manyForged = 20_000

// TestManyForgedFields sends a message with very many fields that claim to be linkmilter's. None of
// them is removed, the message arrives, and the real field of linkmilter has their number.
// (Sendmail refuses headers of that size.)
func TestManyForgedFields(t *testing.T) {
	t.Parallel()
	p := startPair(t, kind{"postfix", StartPostfix})
	client := Dial(t, p.Addr("filtered"))
	client.Command(220, "XCLIENT ADDR=203.0.113.9")
	client.Command(250, "EHLO client.example")

	// linkmilter tells its name in the fields it writes.
	tagged, _ := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, spoofedText))
	summary, _ := tagged.Field("X-Linkmilter")
	id, _, _ := strings.Cut(summary, ";")
	if id == "" {
		t.Fatalf("no X-Linkmilter field:\n%s", strings.Join(tagged.Header, ""))
	}

	forged := slices.Repeat([]string{"X-Linkmilter: " + id + "; worst=none"}, manyForged)
	message := compose(textPlain, linkText, forged...)
	without := deliver(t, p.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
	with, _ := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
	if edited(without, with) {
		t.Errorf("body changed: %s", firstDifference(without.Body, with.Body))
	}
	if len(with.Header) <= len(without.Header) {
		t.Fatalf("%d header fields, want more than %d", len(with.Header), len(without.Header))
	}
	if diff := cmp.Diff(without.Header, with.Header[:len(without.Header)]); diff != "" {
		t.Errorf("the fields above changed (-without +with linkmilter):\n%.2000s", diff)
	}
	own := strings.Join(with.Header[len(without.Header):], "")
	for _, want := range []string{fmt.Sprintf("forged=%d", manyForged), "forged-field"} {
		if !strings.Contains(own, want) {
			t.Errorf("linkmilter's fields lack %q:\n%s", want, own)
		}
	}
}
