package milter

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/mime"
)

// decision is what became of a message, for the log and the observer.
type decision struct {
	start        time.Time
	duration     time.Duration // until the reply was decided
	queueID      string
	size         int64 // of the raw message in bytes
	result       filter.Result
	reason       Reason // why it was not read, or not edited though it should have been
	actionReason Reason // why the action was not taken
	edited       bool   // the edits of the content were sent
	tagged       bool   // edits of the header were sent that are not for those of the content
	applying     bool   // modifications are being sent
	late         bool   // the message was accepted before the filter returned
}

// decide runs the filter and applies what it says. The reply is accept
// unless the filter asks for something else, and none where it came too late.
func (s *session) decide(d *decision, m *gomilter.Modifier) gomilter.Response {
	d.size = s.message.size() + s.message.beyond
	if d.reason = s.message.unread; d.reason != "" {
		return gomilter.RespAccept
	}
	raw, ok := s.message.raw()
	if !ok {
		d.reason = s.message.unread
		return gomilter.RespAccept
	}
	s.judge(d, raw)
	switch {
	case d.late:
		return nil
	case d.reason != "":
		return gomilter.RespAccept
	case refuses(d.result.Action):
		return s.act(d, m)
	}
	var cut Reason
	if s.message.env.Truncated && !d.result.Plan.Empty() {
		// A body must not be replaced by what was made of its beginning.
		cut, d.result.Plan = ReasonTooLarge, mime.Plan{}
	}
	mods, reason := prepare(s.grant, &s.message, d.result)
	d.reason = cmp.Or(reason, cut)
	if !mods.empty() {
		d.applying = true
		mods.send(m)
		d.applying = false
		d.edited = reason == "" && !d.result.Plan.Empty()
		d.tagged = len(d.result.HeaderEdits) > 0
	}
	return s.act(d, m)
}

// overtime is how much longer than its deadline the filter may take to return,
// as a fraction of the time it had.
const overtime = 10

// judge calls the filter. If that does not return in time, a watchdog accepts
// the message and has another goroutine go on with the connection; this one is
// left behind, and until it ends, its message counts against the memory
// budget. Handing every message to a second goroutine would be simpler, and
// takes a tenth of the processor time of a small message.
func (s *session) judge(d *decision, raw []byte) {
	limit := s.server.limits.Load().Time
	ctx, cancel := context.WithTimeout(s.server.ctx, limit)
	defer cancel()

	// Whoever claims the message replies to it.
	var claimed atomic.Bool
	start, queueID, size := d.start, d.queueID, d.size
	watchdog := time.AfterFunc(limit+limit/overtime, func() {
		if claimed.CompareAndSwap(false, true) {
			s.conn.supersede()
			s.conclude(&decision{start: start, queueID: queueID, size: size, reason: ReasonDeadline})
		}
	})
	defer watchdog.Stop()

	d.result, d.reason = s.call(ctx, raw)
	d.late = !claimed.CompareAndSwap(false, true)
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
