package main

import (
	"strings"
	"testing"
	"time"
)

// TestReceivedAt: the first field Received says when a server took a message, however it is
// folded.
func TestReceivedAt(t *testing.T) {
	want := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	const date = "Mon, 16 Nov 2026 10:00:00 +0100"
	for name, raw := range map[string]string{
		"folded":     "Return-Path: <>\r\nReceived: from a\r\n\tby b;\r\n " + date + "\r\nReceived: x; Mon, 16 Nov 2020 10:00:00 +0100\r\n\r\n",
		"other case": "rEceived : by b; " + date + "\n\n",
		"many lines": "Received: by b\n" + strings.Repeat(" a\n", maxAboveReceived/4) + "\t; " + date + "\n\n",
	} {
		if got := receivedAt([]byte(raw)); !got.Equal(want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, raw := range map[string]string{"none": "Date: " + date + "\n\n", "in the body": "Subject: x\n\nReceived: by b; " + date + "\n", "no date": "Received: by b\n\n", "empty": ""} {
		if got := receivedAt([]byte(raw)); !got.IsZero() {
			t.Errorf("%s: %s", name, got)
		}
	}
	// Many lines cost no more than as many bytes in one.
	allocated := testing.AllocsPerRun(1, func() { receivedAt([]byte("Received: b\n" + strings.Repeat(" a\n", maxAboveReceived/3))) })
	if allocated > 200 {
		t.Errorf("%v allocations", allocated)
	}
}
