package mailserver

import (
	"errors"
	"io"
)

// A Failure says why a connection did not end in order.
type Failure struct {
	Code   string // stable, for the log and the metrics
	Detail string // text for people; "": Err says it
	Err    error  // the cause, or nil
	Client string // address of the peer, if the log shall have it
}

func (f *Failure) Error() string {
	text := f.Code
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Err }

// Failed reports whether a connection that ended with err did not end in order; nil
// and io.EOF mean that it did.
func Failed(err error) bool { return err != nil && !errors.Is(err, io.EOF) }

// failureOf returns err as a Failure; an error of another type is a failed read.
func failureOf(err error) *Failure {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f
	}
	return &Failure{Code: "read", Err: err}
}

// attrs returns the attributes of the failure for the log.
func (f *Failure) attrs() []any {
	attrs := []any{"reason", f.Code}
	if f.Detail != "" {
		attrs = append(attrs, "detail", Safe(f.Detail))
	}
	if f.Err != nil {
		attrs = append(attrs, "error", Safe(f.Err.Error()))
	}
	if f.Client != "" {
		attrs = append(attrs, "client", f.Client)
	}
	return attrs
}
