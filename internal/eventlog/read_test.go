package eventlog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// event is the event that each form of the same line gives.
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

// listed returns a text as the journal exports one with bytes that are not printable.
func listed(s string) string {
	bytes := make([]int, len(s))
	for i := range len(s) {
		bytes[i] = int(s[i])
	}
	list, _ := json.Marshal(bytes)
	return string(list)
}

// fieldsOf returns the attributes of a line as fields of the journal.
func fieldsOf(line string) string {
	var fields []string
	for key, value := range pairsOf(line) {
		if key != "msg" && key != "level" {
			fields = append(fields, `"LINKMILTER_`+strings.ToUpper(key)+`":`+quoted(value))
		}
	}
	return strings.Join(fields, ",")
}

// TestCompressed: log rotation compresses files, and the events in them count.
func TestCompressed(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(jsonLine + "\n" + jsonLine + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	count := func(content string) (events int, err error) {
		for _, err := range new(Log).Read(strings.NewReader(content)) {
			if err != nil {
				return events, err
			}
			events++
		}
		return events, nil
	}
	whole := packed.String()
	if events, err := count(whole); events != 2 || err != nil {
		t.Errorf("%d events, %v", events, err)
	}
	if _, err := count(whole[:len(whole)-6]); err == nil {
		t.Error("half a file is read as a whole one")
	}
	for _, begin := range []string{"\x1F\x8B", "BZh9", "\xFD7zXZ\x00", "\x28\xB5\x2F\xFD", "LPKSHHRH"} {
		if _, err := count(begin + "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\n"); err == nil {
			t.Errorf("%q: read as text", begin)
		}
	}
}

// TestDamaged: a line about a message that gives no event with a time is counted.
func TestDamaged(t *testing.T) {
	cat := strings.TrimPrefix(textLine, "level=INFO ")
	for line, want := range map[string]int{
		jsonLine: 0, "level=INFO msg=start": 0, "Subject: the message": 0, `{"msg":"start"}`: 0, `{"MESSAGE":null,"SYSLOG_IDENTIFIER":"sshd"}`: 0,
		jsonLine[:len(jsonLine)/2]: 1, textLine: 1, cat: 1, "Nov 21 mx " + textLine: 1,
		strings.Replace(jsonLine, "2026-", "x-", 1):         1,
		"time=2026-11-21T10:00:00Z " + textLine[:40]:        1,
		`{"MESSAGE":null,"SYSLOG_IDENTIFIER":"linkmilter"}`: 1,
		`{"MESSAGE":` + quoted(textLine) + `}`:              1,
		"Nov 31 10:00:00 mx linkmilter[12]: " + textLine:    1,
		"MESSAGE=" + textLine:                               1,
	} {
		log := Log{Now: event.Time}
		for e, err := range log.Read(strings.NewReader(line + "\n")) {
			if err != nil || e.Time.IsZero() {
				t.Errorf("%s: got %+v, %v", line, e, err)
			}
		}
		if log.Damaged != want {
			t.Errorf("%s: %d damaged lines, want %d", line, log.Damaged, want)
		}
	}
}

// TestYear: a time without a year is in the last twelve months, or a few hours ahead.
func TestYear(t *testing.T) {
	for _, c := range []struct{ now, stamp, want string }{
		{"2026-11-23T06:00:00Z", "Nov 21 10:00:00 mx", "2026-11-21T10:00:00Z"},
		{"2027-01-02T06:00:00Z", "Dec 31 23:59:59 mx", "2026-12-31T23:59:59Z"},
		{"2026-12-31T23:59:00Z", "Jan  1 00:30:00 mx", "2027-01-01T00:30:00Z"},
		{"2026-11-23T06:00:00Z", "Nov 25 10:00:00 mx", "2025-11-25T10:00:00Z"},
		{"2025-03-01T06:00:00Z", "Feb 29 10:00:00 mx", "2024-02-29T10:00:00Z"},
		{"2026-11-23T06:00:00Z", "Nov  3 10:00:00.123456 mx", "2026-11-03T10:00:00.123456Z"},
		{"2026-11-23T06:00:00Z", "Nov 31 10:00:00 mx", ""},
		{"2026-11-23T06:00:00Z", "", ""},
		{"2026-11-23T06:00:00Z", "<", ""},
		{"2026-11-23T06:00:00Z", "a b", ""},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if at := timeBefore(c.stamp, now); !at.IsZero() {
			got = at.Format(time.RFC3339Nano)
		}
		if got != c.want {
			t.Errorf("%s at %s: got %s, want %s", c.stamp, c.now, got, c.want)
		}
	}
}

// TestForms: the line of a message is the same event in each form of the log.
func TestForms(t *testing.T) {
	for name, line := range map[string]string{
		"text":            "time=2026-11-21T10:00:00.000Z " + textLine,
		"syslog":          "Nov 21 10:00:00 mx linkmilter[12]: time=2026-11-21T10:00:00Z " + textLine,
		"JSON":            jsonLine,
		"journal":         `{"__REALTIME_TIMESTAMP":"1795255200000000","MESSAGE":` + quoted(textLine) + `}`,
		"journal's host":  `{"__REALTIME_TIMESTAMP":"1795255200000000","_HOSTNAME":"mx1","MESSAGE":` + quoted(strings.Replace(textLine, " node=mx1", "", 1)) + `}`,
		"JSON in journal": `{"__REALTIME_TIMESTAMP":"1","MESSAGE":` + quoted(jsonLine) + `}`,

		"journalctl":           "Nov 21 10:00:00 mx linkmilter[12]: " + textLine,
		"journalctl in zone":   "2026-11-21T11:00:00+0100 mx linkmilter[12]: " + textLine,
		"rsyslog":              "2026-11-21T10:00:00.000000+00:00 mx linkmilter[12]: " + textLine,
		"RFC 5424":             "<134>1 2026-11-21T10:00:00Z mx linkmilter 12 - - " + textLine,
		"JSON behind syslog":   "Nov 21 10:00:00 mx linkmilter[12]: " + jsonLine,
		"json-seq":             "\x1e" + jsonLine,
		"bytes in journal":     `{"__REALTIME_TIMESTAMP":"1795255200000000","MESSAGE":` + listed(textLine) + `}`,
		"long in journal":      `{"__REALTIME_TIMESTAMP":"1795255200000000","MESSAGE":null,` + fieldsOf(textLine) + `}`,
		"export":               "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1795255200000000\nPRIORITY=6\nMESSAGE=" + textLine + "\n",
		"export with the host": "__REALTIME_TIMESTAMP=1795255200000000\n_HOSTNAME=mx1\nMESSAGE=" + strings.Replace(textLine, " node=mx1", "", 1) + "\n",
	} {
		found := 0
		log := Log{Now: event.Time.AddDate(0, 1, 0)}
		for e, err := range log.Read(strings.NewReader("other\n\n{}\n" + line + "\nlevel=INFO msg=start\n" + strings.Repeat("x", maxLine+10))) {
			if err != nil {
				t.Fatal(err)
			}
			found++
			e.Time = e.Time.UTC()
			if !reflect.DeepEqual(*e, event) {
				t.Errorf("%s: got %+v\nwant %+v", name, *e, event)
			}
		}
		if found != 1 || log.Damaged != 0 {
			t.Errorf("%s: %d events, %d damaged lines", name, found, log.Damaged)
		}
	}
}

// TestWhatHappened: if the action was not carried out, the event does not say that it was.
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
		if bytes.HasPrefix(log, []byte("\x1F\x8B")) || bytes.HasPrefix(log, []byte("BZh")) {
			return // the lines are those of what is compressed
		}
		events := 0
		for e, err := range (&Log{Now: event.Time}).Read(strings.NewReader(string(log))) {
			switch {
			case err != nil:
				return // it is not a text
			case e.Time.IsZero():
				t.Fatal("an event without a time")
			}
			events++
		}
		if lines := strings.Count(string(log), "\n") + 1; events > lines {
			t.Fatal(fmt.Sprint(events, " events in ", lines, " lines"))
		}
	})
}
