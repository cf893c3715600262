package milter

import (
	"errors"
	"strings"
	"testing"
)

// recorder keeps what each write was given.
type recorder struct {
	writes []string
	err    error
}

func (r *recorder) send(p []byte) error {
	r.writes = append(r.writes, string(p))
	return r.err
}

// An answer of many packets leaves in one write.
func TestRepliesAreOneWrite(t *testing.T) {
	var sink recorder
	r := replies{send: sink.send}
	body := strings.Repeat("x", 1<<20)
	for range 2 {
		for _, packet := range []string{"header", body, "accept"} {
			r.add([]byte(packet))
		}
		if err := r.flush(); err != nil {
			t.Fatal(err)
		}
		if err := r.flush(); err != nil {
			t.Fatal(err)
		}
	}
	want := "header" + body + "accept"
	if len(sink.writes) != 2 || sink.writes[0] != want || sink.writes[1] != want {
		t.Errorf("%d writes, want 2, each of the whole answer", len(sink.writes))
	}
	if r.buf != nil {
		t.Errorf("keeps %d bytes", cap(r.buf))
	}
}

func TestRepliesKeepTheirError(t *testing.T) {
	sink := recorder{err: errors.New("gone")}
	r := replies{send: sink.send}
	for range 2 {
		r.add([]byte("x"))
		if err := r.flush(); !errors.Is(err, sink.err) {
			t.Errorf("error %v, want %v", err, sink.err)
		}
	}
	if len(sink.writes) != 1 {
		t.Errorf("%d writes, want 1", len(sink.writes))
	}
}
