package main

import "bufio"

// summaryListing writes the summary alone.
type summaryListing struct {
	out   *bufio.Writer
	paint paint
}

func (summaryListing) message(*scanned) error { return nil }

func (l summaryListing) end(s *summary) error {
	_, err := l.out.WriteString(s.text(l.paint))
	return err
}
