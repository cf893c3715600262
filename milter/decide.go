package milter

import (
	"context"
	"runtime/debug"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
)

// decision is what became of a message, for the log.
type decision struct {
	start        time.Time
	size         int64 // of the raw message in bytes
	result       filter.Result
	reason       Reason // why it was not read, or not edited though it should have been
	actionReason Reason // why the action was not taken
	edited       bool   // the edits were sent
	applying     bool   // modifications are being sent
}

// decide runs the filter and applies what it says. The reply is accept
// unless the filter asks for something else.
func (s *session) decide(d *decision, m *gomilter.Modifier) gomilter.Response {
	d.size = s.message.size()
	if d.reason = s.message.unread; d.reason != "" {
		return gomilter.RespAccept
	}
	raw, ok := s.message.raw()
	if !ok {
		d.reason = s.message.unread
		return gomilter.RespAccept
	}
	if d.result, d.reason = s.judge(raw); d.reason != "" {
		return gomilter.RespAccept
	}
	if refuses(d.result.Action) {
		return s.act(d, m)
	}
	mods, reason := prepare(s.grant, &s.message, d.result)
	if reason != "" {
		d.reason = reason
	} else if !mods.empty() {
		d.applying = true
		mods.send(m)
		d.applying, d.edited = false, true
	}
	return s.act(d, m)
}

// overtime is how much longer than its deadline the filter may take to return,
// as a fraction of the time it had.
const overtime = 10

// judgement is what came of a call of the filter.
type judgement struct {
	result filter.Result
	reason Reason
}

// judge calls the filter, on a goroutine that is left behind if it does not
// return in time. Until such a goroutine ends, its message counts against the
// memory budget.
func (s *session) judge(raw []byte) (filter.Result, Reason) {
	limit := s.server.options.Timeouts.Filter
	ctx, cancel := context.WithTimeout(s.server.ctx, limit)
	done := make(chan judgement, 1)
	go func(env filter.Envelope) {
		// What is sent if the filter panics, or ends its goroutine.
		j := judgement{reason: ReasonPanic}
		defer func() { done <- j }()
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				s.log.Error("filter panicked", "queue_id", safe(env.QueueID), "panic", panicText(v), "stack", string(debug.Stack()))
			}
		}()
		result := s.server.options.Filter.Message(ctx, env, raw)
		j = judgement{result: result}
	}(s.message.env)

	late := time.NewTimer(limit + limit/overtime)
	defer late.Stop()
	select {
	case j := <-done:
		return j.result, j.reason
	case <-late.C:
	}
	budget, reserved := s.server.budget, s.message.reserved
	s.message.reserved = 0
	go func() {
		<-done
		budget.release(reserved)
	}()
	return filter.Result{}, ReasonDeadline
}
