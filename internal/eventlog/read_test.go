package eventlog

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// event is what each form of the same line holds.
var event = Event{
	Time: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), Node: "mx1", QueueID: "D9", MessageID: "<1 \"x\"@example.net>", Client: "192.0.2.1",
	Sender: "example.net", Recipients: []string{"a.example", "b.example"}, RecipientCount: 40, Rule: "others", Outcome: "complete", Worst: "high",
	NotDone: "not-asked", Findings: []string{"mixed-script", "lookalike"}, Hosts: []string{"xn--a.com"}, LooksLike: []string{"paypal.com"},
	URLs: []string{"hxxp://a[.]com/b"}, Action: "tag", DryRun: true,
}

const (
	textLine = `level=INFO msg=message node=mx1 listener=tcp:127.0.0.1:8895 queue_id=D9 message_id="<1 \"x\"@example.net>" client=192.0.2.1 sender=example.net ` +
		`recipients="[a.example b.example]" recipient_count=40 rule=others outcome=complete worst=high edited=false not_done=not-asked ` +
		`findings="[mixed-script lookalike]" hosts=[xn--a.com] looks_like=[paypal.com] urls=[hxxp://a[.]com/b] action=tag dry_run=true`
	jsonLine = `{"time":"2026-11-21T10:00:00Z","level":"INFO","msg":"message","node":"mx1","queue_id":"D9","message_id":"<1 \"x\"@example.net>","client":"192.0.2.1","sender":"example.net",` +
		`"recipients":["a.example","b.example"],"recipient_count":40,"rule":"others","outcome":"complete","worst":"high","edited":false,"not_done":"not-asked",` +
		`"findings":["mixed-script","lookalike"],"hosts":["xn--a.com"],"looks_like":["paypal.com"],"urls":["hxxp://a[.]com/b"],"action":"tag","dry_run":true,"size":3}`
)

// quoted returns a text as a string in JSON.
func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// TestForms: the line of a message is the same event in each form of the log.
func TestForms(t *testing.T) {
	for name, line := range map[string]string{
		"text":            "time=2026-11-21T10:00:00.000Z " + textLine,
		"syslog":          "Nov 21 10:00:00 mx linkmilter[12]: time=2026-11-21T10:00:00Z " + textLine,
		"JSON":            jsonLine,
		"journal":         `{"__REALTIME_TIMESTAMP":"1795255200000000","MESSAGE":` + quoted(textLine) + `}`,
		"journal's host":  `{"__REALTIME_TIMESTAMP":"1795255200000000","_HOSTNAME":"mx1","MESSAGE":` + quoted(strings.Replace(textLine, " node=mx1", "", 1)) + `}`,
		"JSON in journal": `{"__REALTIME_TIMESTAMP":"1","MESSAGE":` + quoted(jsonLine) + `}`,
	} {
		found := 0
		for e, err := range Read(strings.NewReader("other\n\n{}\n" + line + "\nlevel=INFO msg=start\n" + strings.Repeat("x", maxLine+10))) {
			if err != nil {
				t.Fatal(err)
			}
			found++
			e.Time = e.Time.UTC()
			if !reflect.DeepEqual(*e, event) {
				t.Errorf("%s: got %+v\nwant %+v", name, *e, event)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d events", name, found)
		}
	}
}

// TestWhatHappened: an action that was not taken is not said to have happened.
func TestWhatHappened(t *testing.T) {
	for want, e := range map[string]Event{
		"delivered": {}, "tag": {Action: "tag"}, "(tag)": {Action: "tag", DryRun: true}, "(reject)": {Action: "reject", ActionNotDone: "not-granted"},
	} {
		if got := e.WhatHappened(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// FuzzRead: any bytes give events or nothing, and a line gives one at most.
func FuzzRead(f *testing.F) {
	f.Add([]byte(textLine))
	f.Add([]byte(jsonLine))
	f.Add([]byte(`{"MESSAGE":"msg=message queue_id=\"`))
	f.Add([]byte("a=\"\\x\" msg=message queue_id="))
	f.Fuzz(func(t *testing.T, log []byte) {
		events := 0
		for _, err := range Read(strings.NewReader(string(log))) {
			if err != nil {
				t.Fatal(err)
			}
			events++
		}
		if lines := strings.Count(string(log), "\n") + 1; events > lines {
			t.Fatal(fmt.Sprint(events, " events in ", lines, " lines"))
		}
	})
}
