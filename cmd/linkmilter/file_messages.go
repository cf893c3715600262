package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/emersion/go-mbox"

	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/gzipped"
)

// mboxStart is what an mbox begins with.
const mboxStart = "From "

// isMbox tells an mbox by its first bytes, without a byte order mark.
func isMbox(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte(mboxStart)) && !bytes.HasPrefix(begin, []byte(mboxStart+":"))
}

// fileMessages yields the messages of one file, at most limit bytes of each. An mbox may be
// larger than memory, so it reads one message at a time. Either may be compressed by gzip, as
// Dovecot stores messages. An error comes last.
func fileMessages(name string, stdin io.Reader, limit int) iter.Seq2[input, error] {
	return func(yield func(input, error) bool) {
		err := withFile(name, stdin, func(r io.Reader) error {
			content, err := gzipped.NewReader(r)
			if err != nil {
				return err
			}
			begin, err := content.Peek(len(bom.UTF8))
			if _, marked := bom.Cut(begin); marked { // before it the header would not be one
				_, err = content.Discard(len(bom.UTF8))
			}
			if err == nil {
				begin, err = content.Peek(len(mboxStart) + len(":"))
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if isMbox(begin) {
				return mboxMessages(name, content, limit, yield)
			}
			raw, err := io.ReadAll(io.LimitReader(content, int64(limit)))
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
