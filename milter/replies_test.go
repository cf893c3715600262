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

func (r *recorder) Write(p []byte) (int, error) {
	r.writes = append(r.writes, string(p))
	return len(p), r.err
}

// An answer of many packets leaves in one write.
func TestRepliesAreOneWrite(t *testing.T) {
	var sink recorder
	r := replies{sink: &sink}
	body := strings.Repeat("x", 1<<20)
	for range 2 {
		for _, packet := range []string{"header", body, "accept"} {
			if _, err := r.Write([]byte(packet)); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := r.Flush(); err != nil {
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
	r := replies{sink: &sink}
	for range 2 {
		_, _ = r.Write([]byte("x"))
		if err := r.Flush(); !errors.Is(err, sink.err) {
			t.Errorf("error %v, want %v", err, sink.err)
		}
	}
	if len(sink.writes) != 1 {
		t.Errorf("%d writes, want 1", len(sink.writes))
	}
}
