//go:build linux

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spoofedText holds a link whose host is written in Cyrillic letters that
// look Latin.
const spoofedText = "see https://аррӏе.com/ please\r\n"

// TestTags sends a spoofed link as a foreign client: linkmilter writes what it found into the
// header, and removes forged fields with its id, wherever they are.
func TestTags(t *testing.T) {
	t.Parallel()
	p := startPair(t, kind{"postfix", StartPostfix})
	receive := func(fields ...string) (without, with Delivered) {
		message := compose(textPlain, spoofedText, fields...)
		client := Dial(t, p.Addr("filtered"))
		client.Command(220, "XCLIENT ADDR=203.0.113.9")
		client.Command(250, "EHLO client.example")
		with, _ = send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
		return deliver(t, p.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message), with
	}

	without, with := receive()
	summary, _ := with.Field("X-Linkmilter")
	id, _, ok := strings.Cut(summary, ";")
	if !ok || id != hostName { // as the macro j says
		t.Fatalf("no X-Linkmilter field, or without the id of the mail server:\n%s", strings.Join(with.Header, ""))
	}
	if edited(without, with) {
		t.Errorf("body changed: %s", firstDifference(without.Body, with.Body))
	}
	if finding, _ := with.Field("X-Linkmilter-Finding"); !containsAll(finding, []string{"severity=high", `host="xn--80ak6aa92e.com"`}) {
		t.Errorf("X-Linkmilter-Finding: %q, want a high severity and the host", finding)
	}
	if diff := cmp.Diff(without.Header, with.Header[:min(len(without.Header), len(with.Header))]); diff != "" {
		t.Errorf("the fields above changed (-without +with linkmilter):\n%s", diff)
	}
	tags := with.Header[len(without.Header):]

	forged := "X-Linkmilter: " + id + "; worst=none"
	without, with = receive(forged, "X-Other: 1", "x-linkmilter: mx.elsewhere.example; worst=low", forged, "X-Other: 2",
		"X-Linkmilter-Finding: "+id+"; code=unknown-tld", forged, "X-Other: 3")
	want := slices.DeleteFunc(slices.Clone(without.Header), func(field string) bool { return strings.Contains(field, " "+id+";") })
	if diff := cmp.Diff(append(want, tags...), with.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

// TestOptOut sends messages with the opt-out: they are not edited, the field is removed, and the
// next message on the connection is not affected.
func TestOptOut(t *testing.T) {
	tests := []struct {
		name   string
		fields []string
	}{
		{"one", []string{"X-Linkmilter-Opt-Out: yes"}},
		{"several between others", []string{"X-A: 1", "X-Linkmilter-Opt-Out: yes", "X-A: 2", "x-linkmilter-opt-out: yes", "X-A: 3", "X-Linkmilter-Opt-Out: yes"}},
		{"beside a signature", []string{"DKIM-Signature: v=1; d=example.test; b=AAAA", "X-Linkmilter-Opt-Out: yes"}},
	}
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		client := Dial(t, p.Addr("filtered"))
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				message := compose(textPlain, linkText, test.fields...)
				without := deliver(t, p.Server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
				with, _ := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
				if edited(without, with) {
					t.Errorf("body changed: %s", firstDifference(without.Body, with.Body))
				}
				want := slices.DeleteFunc(slices.Clone(without.Header), func(field string) bool {
					return fieldName(field) == "x-linkmilter-opt-out"
				})
				if diff := cmp.Diff(want, with.Header); diff != "" {
					t.Errorf("header (-want +got):\n%s", diff)
				}
				with, _ = send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
				readAlternative(t, with)
			})
		}
	})
}
