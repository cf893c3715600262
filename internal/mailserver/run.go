package mailserver

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// Filter decides about a message. *filter.Filter is one.
type Filter interface {
	// Message returns what to do with the message raw, which has CRLF line ends in its header and
	// the body as it came. The caller reuses the memory of raw, so only Edited and Plan of the
	// result may refer to it. Message must return soon after ctx ends, with a decision by what it
	// has found until then, because the mail server waits for it.
	Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result
}

// decisionTime is how long after its deadline the filter may take to decide.
const decisionTime = 200 * time.Millisecond

// runner calls the filter.
type runner struct {
	filter   Filter
	ctx      context.Context // ends when the server shuts down and waits no longer
	overruns atomic.Uint64
}

// run calls the filter for the message of r, within limit from its Start and until ctx
// ends. The reason is ReasonPanic if the filter panics.
func (w *runner) run(ctx context.Context, r *Record, log *slog.Logger, limit time.Duration, env envelope.Envelope, raw []byte) {
	r.envelope = &env
	deadline := r.Start.Add(limit)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	defer context.AfterFunc(w.ctx, cancel)()
	defer func() {
		if v := recover(); v != nil {
			LogPanic(log, r.QueueID, v)
			r.Result, r.Reason = filter.Result{}, ReasonPanic
		}
		if over := time.Since(deadline); over > decisionTime {
			w.overruns.Add(1)
			log.Warn("filter overran its deadline", "queue_id", Safe(r.QueueID), "limit", limit, "overrun", over)
		}
	}()
	r.Result = w.filter.Message(ctx, env, raw)
}
