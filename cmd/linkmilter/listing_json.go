package main

import "github.com/linkmilter/linkmilter/internal/record"

// jsonListing writes an object a line for each record.
type jsonListing struct{ jsonWriter }

func (l jsonListing) message(m *scanned) error {
	var from *record.Origin
	if m.isMail && len(m.records) > 0 {
		from = &m.origin
	}
	for _, r := range m.records {
		if err := l.encode(record.InMessage{Record: r, Origin: from}); err != nil {
			return err
		}
	}
	return nil
}

func (l jsonListing) end(*summary) error { return nil }
