package stream_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// TestCopy: Copy copies from a function to a function, and returns the error of the second one.
func TestCopy(t *testing.T) {
	var got []byte
	full := errors.New("full")
	write := func(p []byte) (int, error) {
		if len(got)+len(p) > 8 {
			return 0, full
		}
		got = append(got, p...)
		return len(p), nil
	}
	if n, err := io.Copy(stream.Writer(write), stream.Reader(strings.NewReader("linkmilt").Read)); n != 8 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := io.Copy(stream.Writer(write), stream.Reader(strings.NewReader("er").Read)); n != 0 || !errors.Is(err, full) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if string(got) != "linkmilt" {
		t.Errorf("copied %q", got)
	}
}
