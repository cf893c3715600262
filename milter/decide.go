package milter

import (
	"cmp"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/mime"
)

// decision is what becomes of a message, for the log and the observer.
type decision struct {
	outcome.Record
	task     task      // of the filter
	work     time.Time // when it began, after waiting for memory
	applying bool      // modifications are being sent
	late     bool      // the message was accepted before the filter returned
}

// decide runs the filter and applies what it says. The reply is accept
// unless the filter asks for something else, and none where it came too late.
func (s *session) decide(d *decision) gomilter.Response {
	d.Size = s.message.size() + s.message.beyond
	if d.Reason = s.message.unread; d.Reason != "" {
		return gomilter.RespAccept
	}
	granted, end := s.server.budget.Work(s.server.ctx, s.message.size())
	defer end()
	d.work = time.Now()
	raw := s.message.raw(takeBuffer(), granted)
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
	cut := s.message.short
	if s.message.env.Truncated && !d.Result.Plan.Empty() {
		// A body must not be replaced by what was made of its beginning.
		cut, d.Result.Plan = cmp.Or(cut, ReasonTooLarge), mime.Plan{}
	}
	mods, reason := prepare(s.grant, &s.message, &d.Result)
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
	s.watchdog.begin(s.server.ctx, &d.task, d.work, s.server.budget.Limits().Time, func() {
		s.conn.supersede()
		s.conclude(&decision{Record: outcome.Record{Start: d.Start, QueueID: d.QueueID, Size: d.Size, Reason: ReasonDeadline}})
	})
	s.call(d, raw)
	d.late = !s.watchdog.finish(&d.task)
}

// call calls the filter, and ends its panics.
func (s *session) call(d *decision, raw []byte) {
	defer func() {
		if v := recover(); v != nil {
			s.logPanic(v)
			d.Reason = ReasonPanic
		}
	}()
	d.Result = s.server.options.Filter.Message(&d.task, s.message.env, raw)
}
