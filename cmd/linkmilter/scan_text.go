package main

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/record"
)

// maxListed is the number of links in a plain text that are listed at once. It bounds the
// memory for a text.
const maxListed = 4096

// A textScan finds the links in plain texts of any length.
type textScan struct{ filter *filter.Filter }

// errStopped ends the reading of a text.
var errStopped = errors.New("stopped")

// texts yields the links in the content of every path, [maxListed] at a time; folders are
// searched. An error names a path that could not be read to its end.
func (s textScan) texts(paths []string, stdin io.Reader) iter.Seq2[*scanned, error] {
	return func(yield func(*scanned, error) bool) {
		for f, err := range files(paths) {
			if err == nil {
				err = withFile(f.name, stdin, func(r io.Reader) error { return s.text(f.name, r, yield) })
			}
			if errors.Is(err, errStopped) || err != nil && !yield(nil, err) {
				return
			}
		}
	}
}

// text yields the links of one text. It returns errStopped if yield wants no more.
func (s textScan) text(name string, r io.Reader, yield func(*scanned, error) bool) error {
	r, marked, err := withoutMark(r)
	if err != nil {
		return err
	}
	mark := 0 // offsets are those of the file
	if marked {
		mark = len(bom.UTF8)
	}
	count := &counter{Reader: r}
	m := &scanned{file: fileName(name)}
	for found, err := range s.filter.TextFrom(count) {
		if err != nil {
			return err
		}
		if len(m.records) == maxListed {
			m.size = count.take()
			if !yield(m, nil) {
				return errStopped
			}
			m = &scanned{file: fileName(name), continues: true}
		}
		found.Link.Start, found.Link.End = found.Link.Start+mark, found.Link.End+mark
		m.records = append(m.records, record.New(fileName(name), found))
		m.links++
	}
	if m.size = count.take(); !yield(m, nil) {
		return errStopped
	}
	return nil
}

// A counter counts the bytes that were read.
type counter struct {
	io.Reader
	bytes int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += n
	return n, err
}

// take returns the number of bytes since the last call.
func (c *counter) take() int {
	n := c.bytes
	c.bytes = 0
	return n
}

// until yields what all yields until ctx ends. It does not wait for a value that is then
// still being made.
func until[T any](ctx context.Context, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	type item struct {
		value T
		err   error
	}
	return func(yield func(T, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		items := make(chan item, 1)
		go func() {
			defer close(items)
			for value, err := range all {
				select {
				case items <- item{value, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
		for {
			select {
			case i, ok := <-items:
				if !ok || !yield(i.value, i.err) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}
