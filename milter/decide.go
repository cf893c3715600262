package milter

import (
	"cmp"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mime"
)

// Reasons why an edit or action was not made, beside those of every protocol.
const (
	ReasonNotGranted mailserver.Reason = "not-granted" // the MTA did not grant the right to it
	reasonHeader     mailserver.Reason = "odd-header"  // the header cannot be addressed or written safely
)

// decision is the decision about one message, and what became of it.
type decision struct {
	mailserver.Record
	applying bool // modifications are being sent
}

// decide has the filter decide about the message, sends its edits and returns the
// final reply, which is accept unless the filter asks for something else.
func (s *session) decide(d *decision) gomilter.Response {
	d.Size = s.message.size() + s.message.beyond
	if d.Reason = s.message.unread; d.Reason != "" {
		return gomilter.RespAccept
	}
	granted, end := s.server.Work(s.message.size())
	defer end()
	raw := s.message.raw(takeBuffer(), granted)
	defer returnBuffer(raw) // the edits may be pieces of it
	s.server.Decide(&d.Record, s.log, s.message.env, raw)
	if d.Reason != "" {
		return gomilter.RespAccept
	}
	if !refuses(d.Result.Action) {
		s.edit(d)
	}
	reply, reason := act(s.conn, s.grant, d.Result.Action)
	d.ActionReason = reason
	return reply
}

// edit sends the edits of the filter, as far as they can be made.
func (s *session) edit(d *decision) {
	cut := s.message.short
	if s.message.env.Truncated && !d.Result.Plan.Empty() {
		// The edit of the beginning must not replace the whole body.
		cut, d.Result.Plan = cmp.Or(cut, mailserver.ReasonTooLarge), mime.Plan{}
	}
	mods, reason := prepare(s.grant, &s.message, &d.Result)
	d.Reason = cmp.Or(reason, cut)
	if mods.empty() {
		return
	}
	d.applying = true
	mods.send(s.conn)
	d.applying = false
	d.Edited = reason == "" && !d.Result.Plan.Empty()
	d.Tagged = d.Result.EditsHeader()
	d.Signed = reason == "" && d.Result.Report.Signed != ""
}
