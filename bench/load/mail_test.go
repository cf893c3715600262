//go:build linux

package main

import (
	"strings"
	"testing"
)

const message = "Subject: a\r\n folded\r\nX-Two: 1\r\nx-two: 2\r\n\r\nbody\r\n"

// TestNewMail: a line that cannot be in the header begins the body, and the rest is as it came.
func TestNewMail(t *testing.T) {
	for _, test := range []struct {
		sent, raw string
		fields    int
	}{
		{message, message, 3},
		{"Subject: a\r\nno field\r\n\r\nbody", "Subject: a\r\n\r\nno field\r\n\r\nbody", 1},
		{"Subject: a\r\n", "Subject: a\r\n\r\n", 1},
		{" folded: x\r\n\r\nbody", "\r\n folded: x\r\n\r\nbody", 0},
	} {
		m := newMail("", "", "", false, []byte(test.sent))
		if got := string(m.raw()); got != test.raw || len(m.fields) != test.fields {
			t.Errorf("%q: %q with %d fields, want %q with %d", test.sent, got, len(m.fields), test.raw, test.fields)
		}
	}
}

// TestChanged: changes are made as a mail server makes them.
func TestChanged(t *testing.T) {
	for _, test := range []struct {
		name string
		with []change
		want string
	}{
		{"none", nil, message},
		{"insert on top", []change{{code: insertHeader, name: "X", value: " y\n z"}}, "X: y\r\n z\r\n" + message},
		{"add at the end", []change{{code: addHeader, name: "X", value: " y"}}, strings.Replace(message, "2\r\n", "2\r\nX: y\r\n", 1)},
		{"the second of a name", []change{{code: changeHeader, index: 2, name: "X-Two", value: " new"}}, strings.Replace(message, "x-two: 2", "x-two: new", 1)},
		{"delete", []change{{code: changeHeader, index: 1, name: "X-TWO"}}, strings.Replace(message, "X-Two: 1\r\n", "", 1)},
		{"body in two pieces", []change{{code: replaceBody, body: []byte("one\n")}, {code: replaceBody, body: []byte("two\n")}}, strings.Replace(message, "body\r\n", "one\ntwo\n", 1)},
	} {
		m := newMail("", "", "", false, []byte(message))
		if got := string(m.changed(test.with)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got := string(m.raw()); got != message {
			t.Errorf("%s: the message itself became %q", test.name, got)
		}
	}
}
