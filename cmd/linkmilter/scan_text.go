package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/record"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// maxListed is the number of links in a plain text that are listed at once, to bound memory.
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
	r, marked, err := withoutBOM(r)
	if err != nil {
		return err
	}
	mark := 0 // offset of the text in the file, after a byte order mark
	if marked {
		mark = len(stream.BOM)
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

// until yields the values of all until ctx ends. Then it does not wait for the next value.
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

// maxMarked is the length in bytes of the longest link that gets marks, to bound memory.
const maxMarked = 1 << 20

// A marker writes texts with marks around their links.
type marker struct {
	scanner *engine.Scanner
	out     *bufio.Writer
	echo    func(string) string // makes text safe for out
}

// mark writes every text, piece by piece, with each link between ⸠ and ⸡ as in the Unicode test
// data. A text that does not end with a line end gets one. It returns an error for each path that
// it could not read.
func (m *marker) mark(paths []string, stdin io.Reader) (failed []error) {
	for f, err := range files(paths) {
		if err == nil {
			err = withFile(f.name, stdin, m.markText)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return failed
}

// markText is mark for one text. The error is an error of reading or writing.
func (m *marker) markText(r io.Reader) error {
	r, marked, err := withoutBOM(r)
	if err != nil {
		return err
	}
	if marked {
		_, _ = m.out.WriteString(m.echo(stream.BOM)) // Flush below returns the error
	}
	var last byte
	p := piece.NewReader(r, maxMarked)
	for p.Next() {
		if last, err = m.markPiece(p); err != nil {
			return err
		}
	}
	if last != 0 && last != '\n' {
		_ = m.out.WriteByte('\n') // Flush returns the error
	}
	return p.Err()
}

// markPiece writes the part of the piece that no earlier piece had, with its links between marks.
// It returns the last byte of the piece.
func (m *marker) markPiece(p *piece.Reader) (last byte, err error) {
	done, _ := p.Bounds()
	for l := range m.scanner.All(p.Text()) {
		if p.Has(l.Start, l.End) && len(l.Text) <= maxMarked {
			_, _ = m.out.WriteString(m.echo(p.Text()[done:l.Start])) // the write below returns the error
			_, _ = m.out.WriteString(m.echo("⸠" + l.Text + "⸡"))
			done = l.End
		}
	}
	_, end := p.Bounds()
	_, err = m.out.WriteString(m.echo(p.Text()[done:end]))
	return p.Text()[end-1], err
}
