package milter

import (
	"errors"
	"io"
	"runtime/debug"
	"time"

	"github.com/linkmilter/linkmilter/internal/outcome"
)

// logPanic logs a panic in a callback.
func (s *session) logPanic(v any) {
	s.log.Error("panic", "queue_id", outcome.Safe(s.message.env.QueueID), "panic", outcome.PanicText(v), "stack", string(debug.Stack()))
}

// failed reports whether a connection ended for another reason than that the
// MTA ended it in order.
func failed(err error) bool { return err != nil && !errors.Is(err, io.EOF) }

// errorCode returns the reason for which a connection ended.
func errorCode(err error) string {
	if p := (*protocolError)(nil); errors.As(err, &p) {
		return p.code
	}
	return "read"
}

// errorAttrs returns the attributes of the error that ended a connection.
func errorAttrs(err error) []any {
	attrs := []any{"reason", errorCode(err)}
	var p *protocolError
	if !errors.As(err, &p) {
		return append(attrs, "error", outcome.Safe(err.Error()))
	}
	attrs = append(attrs, "detail", outcome.Safe(p.detail))
	if p.err != nil {
		attrs = append(attrs, "error", outcome.Safe(p.err.Error()))
	}
	return attrs
}

// conclude tells the log and the observer what became of a message.
func (s *session) conclude(d *decision) {
	d.Duration = time.Since(d.Start)
	d.Log(s.server.ctx, s.log, d.Level())
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v)
		}
	}()
	s.server.options.Observe(d.Event())
}
