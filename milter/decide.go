package milter

import (
	"cmp"
	"context"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/mime"
)

// decision is what became of a message, for the log and the observer.
type decision struct {
	outcome.Record
	applying bool // modifications are being sent
	late     bool // the message was accepted before the filter returned
}

// decide runs the filter and applies what it says. The reply is accept
// unless the filter asks for something else, and none where it came too late.
func (s *session) decide(d *decision) gomilter.Response {
	d.Size = s.message.size() + s.message.beyond
	if d.Reason = s.message.unread; d.Reason != "" {
		return gomilter.RespAccept
	}
	raw, ok := s.message.raw(takeBuffer())
	if !ok {
		d.Reason = s.message.unread
		return gomilter.RespAccept
	}
	s.judge(d, raw)
	if !d.late {
		defer returnBuffer(raw) // what is sent may be a piece of it
	}
	switch {
	case d.late:
		return nil
	case d.Reason != "":
		return gomilter.RespAccept
	case refuses(d.Result.Action):
		return s.act(d)
	}
	var cut Reason
	if s.message.env.Truncated && !d.Result.Plan.Empty() {
		// A body must not be replaced by what was made of its beginning.
		cut, d.Result.Plan = ReasonTooLarge, mime.Plan{}
	}
	mods, reason := prepare(s.grant, &s.message, d.Result)
	d.Reason = cmp.Or(reason, cut)
	if !mods.empty() {
		d.applying = true
		mods.send(s.conn)
		d.applying = false
		d.Edited = reason == "" && !d.Result.Plan.Empty()
		d.Tagged = d.Result.EditsHeader()
		d.Signed = reason == "" && d.Result.Report.Signed != ""
	}
	return s.act(d)
}

// judge calls the filter. If that does not return in time, a watchdog accepts
// the message and has another goroutine go on with the connection; this one is
// left behind, and until it ends, its message counts against the memory
// budget. Handing every message to a second goroutine would be simpler, and
// takes a tenth of the processor time of a small message.
func (s *session) judge(d *decision, raw []byte) {
	start, queueID, size := d.Start, d.QueueID, d.Size
	t := s.watchdog.begin(s.server.ctx, start, s.server.limits.Load().Time, func() {
		s.conn.supersede()
		s.conclude(&decision{Record: outcome.Record{Start: start, QueueID: queueID, Size: size, Reason: ReasonDeadline}})
	})
	d.Result, d.Reason = s.call(t, raw)
	d.late = !s.watchdog.finish(t)
}

// call calls the filter, and ends its panics.
func (s *session) call(ctx context.Context, raw []byte) (result filter.Result, reason Reason) {
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v)
			result, reason = filter.Result{}, ReasonPanic
		}
	}()
	return s.server.options.Filter.Message(ctx, s.message.env, raw), ""
}
