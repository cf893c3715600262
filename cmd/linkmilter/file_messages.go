package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/emersion/go-mbox"
)

// mboxStart is what an mbox begins with.
const mboxStart = "From "

// isMbox tells an mbox by its first bytes, without a byte order mark.
func isMbox(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte(mboxStart)) && !bytes.HasPrefix(begin, []byte(mboxStart+":"))
}

// fileMessages yields the messages of one file, of each at most limit bytes. An mbox may
// be larger than memory and is read a message at a time. Either may be compressed by gzip. An
// error comes last.
func fileMessages(name string, stdin io.Reader, limit int) iter.Seq2[input, error] {
	return func(yield func(input, error) bool) {
		err := withFile(name, stdin, func(r io.Reader) error {
			r, err := unzipped(r)
			if err != nil {
				return err
			}
			r, _, err = withoutMark(r) // before it the header would not be one
			if err != nil {
				return err
			}
			buffered := bufio.NewReaderSize(r, 64<<10)
			begin, err := buffered.Peek(len(mboxStart) + len(":"))
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if isMbox(begin) {
				return mboxMessages(name, buffered, limit, yield)
			}
			raw, err := io.ReadAll(io.LimitReader(buffered, int64(limit)))
			if err == nil {
				yield(input{name, raw}, nil)
			}
			return err
		})
		if err != nil {
			yield(input{name: name}, err)
		}
	}
}

// gzipMagic is what a file in gzip begins with (RFC 1952 §2.3.1), with the only method. No
// message does.
const gzipMagic = "\x1F\x8B\x08"

// isGzip tells a compressed file by its first bytes, such as a message that Dovecot stored.
func isGzip(begin []byte) bool { return bytes.HasPrefix(begin, []byte(gzipMagic)) }

// unzipped returns a reader of the content of r. It decompresses gzip.
func unzipped(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	begin, err := buffered.Peek(len(gzipMagic))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case isGzip(begin):
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}

// mboxMessages yields the messages of an mbox until yield returns false.
func mboxMessages(name string, r io.Reader, limit int, yield func(input, error) bool) error {
	box := mbox.NewReader(r)
	var read bytes.Buffer
	for number := 1; ; number++ {
		message, err := box.NextMessage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			read.Reset()
			_, err = read.ReadFrom(io.LimitReader(message, int64(limit)))
		}
		if err != nil {
			return fmt.Errorf("message %d: %w", number, err)
		}
		if !yield(input{fmt.Sprintf("%s:%d", name, number), bytes.Clone(read.Bytes())}, nil) {
			return nil
		}
	}
}
