package eventlog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/linkmilter/linkmilter/internal/stream"
)

// notText are the beginnings of files that are not read, and what to do instead.
var notText = []struct{ begin, advice string }{
	{"\xFD7zXZ\x00", "compressed by xz (want xzcat FILE | linkmilter report)"},
	{"\x28\xB5\x2F\xFD", "compressed by zstd (want zstdcat FILE | linkmilter report)"},
	{"LPKSHHRH", "a file of the journal (want journalctl --file FILE -o json | linkmilter report)"},
}

// unpacked returns a reader of the text in r: log rotation compresses old files.
func unpacked(r io.Reader) (*bufio.Reader, error) {
	const size = 64 << 10
	br := bufio.NewReaderSize(r, size)
	begin, err := br.Peek(8)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, other := range notText {
		if bytes.HasPrefix(begin, []byte(other.begin)) {
			return nil, errors.New(other.advice)
		}
	}
	if bytes.HasPrefix(begin, []byte("BZh")) {
		return bufio.NewReaderSize(bzip2.NewReader(br), size), nil
	}
	return stream.Unzipped(br)
}
