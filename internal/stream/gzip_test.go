package stream

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// inGzip returns content in gzip.
func inGzip(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUnzipped(t *testing.T) {
	long := strings.Repeat("From: a@example.com\n", 10_000)
	two := inGzip(t, "one ") + inGzip(t, "file")
	for name, test := range map[string]struct{ file, content string }{
		"text":                      {long, long},
		"text in gzip":              {inGzip(t, long), long},
		"nothing":                   {"", ""},
		"nothing in gzip":           {inGzip(t, ""), ""},
		"less than the first bytes": {GzipMagic[:1], GzipMagic[:1]},
		"two files in one":          {two, "one file"},
	} {
		r, err := Unzipped(iotest.OneByteReader(strings.NewReader(test.file)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if content, err := io.ReadAll(r); err != nil || string(content) != test.content {
			t.Errorf("%s: %d bytes and %v, want %d bytes", name, len(content), err, len(test.content))
		}
	}
}

func TestUnzippedFails(t *testing.T) {
	for name, test := range map[string]struct {
		file string
		want error
	}{
		"cut off":        {GzipMagic, io.ErrUnexpectedEOF},
		"unknown method": {GzipMagic + "\x07\x00\x00\x00\x00\x00\x00\x00", gzip.ErrHeader},
	} {
		if _, err := Unzipped(strings.NewReader(test.file)); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	broken := errors.New("broken")
	if _, err := Unzipped(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("unreadable: %v, want %v", err, broken)
	}
}
