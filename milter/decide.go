package milter

import (
	"cmp"
	"log/slog"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mime"
)

// decision is the decision about one message and its result.
type decision struct {
	mailserver.Record
	server   *mailserver.Server
	conn     *conn
	grant    grant
	log      *slog.Logger
	message  *message
	applying bool // modifications are being sent
}

// decide calls the filter, sends its edits and returns the final reply, which is accept
// unless the filter asks for another action.
func (d *decision) decide() gomilter.Response {
	d.Size = d.message.size() + d.message.beyond
	if d.Reason = d.message.unread; d.Reason != "" {
		return gomilter.RespAccept
	}
	granted, end := d.server.Work(d.message.size())
	defer end()
	raw := d.message.raw(takeBuffer(), granted)
	defer returnBuffer(raw) // the edits may be slices of it
	d.server.Decide(d.server.Context(), &d.Record, d.log, d.message.env, raw)
	if d.Reason != "" {
		return gomilter.RespAccept
	}
	if !refuses(d.Result.Action) {
		d.edit()
	}
	reply, reason := act(d.conn, d.grant, d.Result.Action)
	d.ActionReason = reason
	return reply
}

// edit sends those edits of the filter that can be made.
func (d *decision) edit() {
	cut := d.message.short
	if d.message.env.Truncated && !d.Result.Plan.Empty() {
		// The edit of the beginning must not replace the whole body.
		cut, d.Result.Plan = cmp.Or(cut, mailserver.ReasonTooLarge), mime.Plan{}
	}
	mods, reason := prepare(d.grant, d.message, &d.Result)
	d.Reason = cmp.Or(reason, cut)
	if mods.empty() {
		return
	}
	d.applying = true
	mods.send(d.conn)
	d.applying = false
	d.Edited = reason == "" && !d.Result.Plan.Empty()
	d.Tagged = d.Result.EditsHeader()
	d.Signed = reason == "" && d.Result.Report.Signed != ""
}
