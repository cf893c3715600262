package record

import (
	"net/mail"
	"time"

	"github.com/linkmilter/linkmilter/internal/report"
)

// An Origin names the message of a record. Date is in RFC 3339, or as in the message
// where it cannot be read.
type Origin struct {
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	Date      string `json:"date"`
}

// OriginOf returns the origin of a message with that header.
func OriginOf(h *report.Header) Origin {
	o := Origin{MessageID: h.MessageID, From: h.From, Subject: h.Subject, Date: h.Date}
	if date := DateOf(h); !date.IsZero() {
		o.Date = date.Format(time.RFC3339)
	}
	return o
}

// commonDate is the form of most dates. It is tried first, as net/mail takes twenty
// times as long.
const commonDate = "Mon, 2 Jan 2006 15:04:05 -0700"

// DateOf reads the date of a message (RFC 5322 §3.3). Without a date that it can read, it returns
// the zero time.
func DateOf(h *report.Header) time.Time {
	if h.Date == "" {
		return time.Time{}
	}
	if date, err := time.Parse(commonDate, h.Date); err == nil {
		return date
	}
	if date, err := mail.ParseDate(h.Date); err == nil {
		return date
	}
	return time.Time{}
}

// InMessage is a record with the origin of its message; nil for a plain text.
type InMessage struct {
	Record
	*Origin
}
