package main

import "time"

// jsonListing writes an object a line for each record.
type jsonListing struct{ jsonWriter }

func (l jsonListing) message(m *scanned) error {
	var from *origin
	if m.isMail && len(m.records) > 0 {
		from = originOf(m)
	}
	for _, r := range m.records {
		if err := l.encode(recordOf{r, from}); err != nil {
			return err
		}
	}
	return nil
}

func (l jsonListing) end(*summary) error { return nil }

// origin names the message of a record, for `--format json`. Date is in RFC 3339, or
// as in the message where it cannot be read.
type origin struct {
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	Date      string `json:"date"`
}

// recordOf is a record with its message; nil for a plain text.
type recordOf struct {
	record
	*origin
}

// originOf returns what names a message in JSON.
func originOf(m *scanned) *origin {
	return &origin{MessageID: m.header.MessageID, From: m.header.From, Subject: m.header.Subject, Date: dateText(m)}
}

// dateText returns the date of a message in RFC 3339, or as in its header where it
// cannot be read.
func dateText(m *scanned) string {
	if m.date.IsZero() {
		return m.header.Date
	}
	return m.date.Format(time.RFC3339)
}
