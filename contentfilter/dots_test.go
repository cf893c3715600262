package contentfilter

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// readDots reads content from the wire, and returns what follows its end.
func readDots(wire io.Reader) (content []byte, r *dotReader, rest []byte, err error) {
	in := bufio.NewReaderSize(wire, 64)
	r = &dotReader{in: in, more: func() error {
		_, err := in.Peek(1)
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}}
	content, err = io.ReadAll(stream.Reader(r.read))
	rest, _ = io.ReadAll(in)
	return content, r, rest, err
}

// readSlowly does the same as readDots, one octet after the other, as RFC 5321 §4.5.2 says: CRLF,
// dot, CRLF ends the content; a dot at the beginning of another line is removed.
func readSlowly(wire string) (content string, bare, ended bool, rest string) {
	text := "\r\n" + wire
	end := strings.Index(text, "\r\n.\r\n")
	if end < 0 {
		return "", false, false, ""
	}
	rest = text[end+5:]
	text = text[:end+2]
	text = strings.ReplaceAll(text, "\r\n.", "\r\n")
	return text[2:], strings.ContainsAny(strings.ReplaceAll(text, "\r\n", ""), "\r\n"), true, rest
}

// FuzzDotReader: readDots returns what the standard says for any bytes, in whatever pieces they
// arrive.
func FuzzDotReader(f *testing.F) {
	for _, seed := range []string{
		"", ".\r\n", "x\r\n.\r\n", "..\r\n.\r\nNOOP\r\n", "x\r\r\n.\r\n", ".\rx\r\n.\r\n", ".\r\r\n.\r\n", "x\n.\n\r\n.\r\n", "\r\n.\r\n.\r\n", "..\r\n.\rx.\r\n\r\n.\r\n", "\r.\r\r\n.\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		want, bare, ended, rest := readSlowly(wire)
		for name, reader := range map[string]io.Reader{
			"at once": strings.NewReader(wire), "byte by byte": iotest.OneByteReader(strings.NewReader(wire)), "in halves": iotest.HalfReader(strings.NewReader(wire)),
		} {
			content, r, after, err := readDots(reader)
			if !ended {
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%s: %q has no end, and gives %q, %v", name, wire, content, err)
				}
				continue
			}
			if err != nil || string(content) != want || r.bare != bare || string(after) != rest || r.size != int64(len(want)) {
				t.Fatalf("%s: %q gives %q (bare %v), then %q, %v; want %q (bare %v), then %q", name, wire, content, r.bare, after, err, want, bare, rest)
			}
		}
	})
}

// FuzzDotWriter: readDots returns any content as it was written, and sees no end in it but the real
// one.
func FuzzDotWriter(f *testing.F) {
	for _, seed := range []string{"", ".", "\r\n.\r\n", "x\r\n.x\r\n..\r\n", "\n.\n", "\r.\r", "x\r", "x\n", "\r\n", ".\r\n.\r\n"} {
		f.Add(seed, 1)
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, content string, piece int) {
		if piece <= 0 {
			piece = 1
		}
		var wire bytes.Buffer
		w := &dotWriter{out: bufio.NewWriter(&wire)}
		for rest := content; rest != ""; {
			n := min(piece, len(rest))
			w.write([]byte(rest[:n]))
			rest = rest[n:]
		}
		if err := w.end(); err != nil {
			t.Fatal(err)
		}
		if content != "" && !strings.HasSuffix(content, "\r\n") {
			content += "\r\n"
		}
		got, _, rest, err := readDots(&wire)
		if err != nil || string(got) != content || len(rest) > 0 {
			t.Fatalf("%q comes back as %q, then %q, %v", content, got, rest, err)
		}
	})
}
