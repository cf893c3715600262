package main

import (
	"bufio"
	"io"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/piece"
)

// maxMarked is the length in bytes of the longest link that gets marks. It bounds the
// memory for a text.
const maxMarked = 1 << 20

// A marker writes texts with marks around their links.
type marker struct {
	scanner *engine.Scanner
	out     *bufio.Writer
	echo    func(string) string // prepares text for out
}

// mark writes every text again, a piece at a time, with each link between ⸠ and ⸡ as in
// the Unicode test data. A text that does not end with a line end gets one.
// The errors are those of the paths.
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

// markText is mark for one text. The error is one of reading or of writing.
func (m *marker) markText(r io.Reader) error {
	r, marked, err := withoutMark(r)
	if err != nil {
		return err
	}
	if marked {
		_, _ = m.out.WriteString(m.echo(bom.UTF8)) // an error stays and shows below
	}
	var last byte
	p := piece.NewReader(r, maxMarked)
	for p.Next() {
		if last, err = m.markPiece(p); err != nil {
			return err
		}
	}
	if last != 0 && last != '\n' {
		_ = m.out.WriteByte('\n') // an error shows when the writer is flushed
	}
	return p.Err()
}

// markPiece writes what is new in the piece, with its links between marks. It returns the
// last byte of the piece.
func (m *marker) markPiece(p *piece.Reader) (last byte, err error) {
	done, _ := p.Bounds()
	for l := range m.scanner.All(p.Text()) {
		if p.Has(l.Start, l.End) && len(l.Text) <= maxMarked {
			_, _ = m.out.WriteString(m.echo(p.Text()[done:l.Start])) // an error shows below
			_, _ = m.out.WriteString(m.echo("⸠" + l.Text + "⸡"))
			done = l.End
		}
	}
	_, end := p.Bounds()
	_, err = m.out.WriteString(m.echo(p.Text()[done:end]))
	return p.Text()[end-1], err
}
