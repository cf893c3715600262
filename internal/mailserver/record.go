package mailserver

import (
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
)

// Reason says why the protocol or the server did not read a message, or did not carry out an edit
// or action of the filter. The codes are stable. They appear in the log in the same place as those
// of the filter.
type Reason string

// Reasons that every protocol knows.
const (
	ReasonTooLarge Reason = "too-large" // the header, or the message that was to be edited, is larger than the limit
	ReasonMemory   Reason = "memory"    // the memory for messages was exhausted
	ReasonPanic    Reason = "panic"     // linkmilter or the filter panicked
	// ReasonOutOfOrder: the MTA sent commands in an invalid order.
	ReasonOutOfOrder Reason = "out-of-order"
)

// A Record has the result of one message.
type Record struct {
	Start        time.Time
	Duration     time.Duration // time until the reply was decided
	QueueID      string
	Size         int64 // size of the raw message in bytes
	Result       filter.Result
	Reason       Reason // why it was not read, or not edited though it should have been
	ActionReason Reason // why the action was not taken
	Edited       bool   // the edits of the content were made
	Tagged       bool   // edits of the header were made, other than those that an edit of the content needs
	Signed       bool   // it was signed for the domain that the report names

	Alarm bool // the line in the log is a warning in any case

	envelope *envelope.Envelope // nil if the filter was not called
	event    Event              // see asEvent
}

// An Event is the result of one message for an observer.
type Event struct {
	// Report is the report of the filter. It is the zero Report if the filter did not get the
	// message, or panicked. It must not be changed.
	Report *report.Report
	// Reason is why the protocol or the server did not read the message, or did not edit it as the
	// filter asked; otherwise "".
	Reason Reason
	// Action is what was done, or what the MTA was asked to do. ActionReason is why that was not
	// the filter's action; "" otherwise.
	Action       rule.Action
	ActionReason Reason
	QueueID      string
	Envelope     *envelope.Envelope // nil if the filter was not called; it must not be changed
	Details      Details            // which parts of addresses the operator allows in logs
	Edited       bool               // the content was edited
	Tagged       bool               // header fields were added or removed, other than by an edit of the content
	Signed       bool               // it was signed for the domain that the report names
	Size         int64              // size in bytes of the message as it came, header and body
	Duration     time.Duration      // from the end of the message to the reply
}

// asEvent returns the record for an observer, with the details that the operator allows.
func (r *Record) asEvent(details Details) *Event {
	e := &r.event
	*e = Event{
		Report:       &r.Result.Report,
		Reason:       r.Reason,
		Action:       r.Result.Action,
		ActionReason: r.ActionReason,
		QueueID:      r.QueueID,
		Envelope:     r.envelope,
		Details:      details,
		Edited:       r.Edited,
		Tagged:       r.Tagged,
		Signed:       r.Signed,
		Size:         r.Size,
		Duration:     r.Duration,
	}
	if e.ActionReason != "" {
		e.Action = rule.ActionNone
	}
	return e
}

// alarming reports whether linkmilter or its environment, not the message, was the reason
// to pass the message unchanged, or whether the message lacks its signature.
func (r *Record) alarming() bool {
	switch r.Reason {
	case ReasonPanic, ReasonMemory, ReasonOutOfOrder:
		return true
	}
	if r.Alarm {
		return true
	}
	return r.Result.Report.Failure != "" || r.Result.Report.SignFailed
}
