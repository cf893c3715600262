package main

import (
	"context"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/mime"
)

// TestGuessedEnvelope: the envelope of an archived message is guessed from the fields that mail
// servers add.
func TestGuessedEnvelope(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		want envelope.Envelope
	}{
		"nothing": {"Subject: x\n\n", envelope.Envelope{Sender: envelope.AnySender}},
		"Postfix": {
			"Return-Path: <a@example.net>\nX-Original-To: b@example.com\nDelivered-To: c@example.com\n" +
				"Received: from mail.example.net (mail.example.net [192.0.2.1])\n\tby mx.example.com (Postfix) with ESMTPS id 4X\n" +
				"Received: from [198.51.100.1] by mail.example.net with ESMTPSA\n\n",
			envelope.Envelope{Sender: "a@example.net", Recipients: []string{"b@example.com"}, Client: netip.MustParseAddr("192.0.2.1")},
		},
		"login": {
			"From: Anna <a@example.com>\nTo: b@example.org, Carl <c@example.org>\nReceived: from [IPv6:2001:db8::1] by mx.example.com with ESMTPSA id 1\n\n",
			envelope.Envelope{Sender: "a@example.com", Recipients: []string{"b@example.org", "c@example.org"}, Client: netip.MustParseAddr("2001:db8::1"), Authenticated: true},
		},
		"bounce": {"Return-Path: <>\n\n", envelope.Envelope{}},
		"broken": {"From: ,,\nTo: <<\nReceived: from [999.1]\n\n", envelope.Envelope{Sender: envelope.AnySender}},
	} {
		got := guessedEnvelope(mime.Parse(context.Background(), []byte(c.raw), mime.DefaultLimits()))
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestTrialPageIsInert: no text of a message becomes an element of the report in HTML.
func TestTrialPageIsInert(t *testing.T) {
	f := newTestFilter(t)
	counts := newTrialCounts()
	env := localClient()
	edited := 0
	for _, text := range hostileTexts {
		raw := "Subject: " + text + "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nSee " + text + " https://example.com/%C3%A4\n"
		trial := newTrial(t.Context(), f, input{name: text, raw: []byte(raw)}, &env, true)
		if trial.diff != "" {
			edited++
		}
		counts.add(trial)
	}
	if edited == 0 {
		t.Error("no message was edited")
	}
	var b strings.Builder
	if err := trialTemplate.Execute(&b, counts.page(hostileErrors(), true)); err != nil {
		t.Fatal(err)
	}
	for tokens := html.NewTokenizer(strings.NewReader(b.String())); tokens.Next() != html.ErrorToken; {
		switch token := tokens.Token(); token.Data {
		case "script", "img", "svg", "a", "iframe":
			if token.Type == html.StartTagToken {
				t.Errorf("element %s", token)
			}
		}
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e\u2028") {
		t.Error("the report holds controls of a message")
	}
}
