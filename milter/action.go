package milter

import (
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// quarantineReason is what the MTA keeps beside a quarantined message.
const quarantineReason = "linkmilter: held because of its links"

// Replies to the SMTP client (RFC 5321 §4.2, RFC 3463): code, enhanced code and
// text. A percent sign would have to be doubled.
const (
	rejectReply   = "550 5.7.1 Message refused because of its links"
	tempFailReply = "451 4.7.1 Message not accepted now, try again later"
)

// refuses reports whether a message with that action does not go on, so that
// edits are pointless.
func refuses(action rule.Action) bool {
	switch action {
	case rule.ActionReject, rule.ActionTempFail, rule.ActionDiscard:
		return true
	}
	return false
}

// act returns the final reply for what the filter decided. Actions that it does
// not know, or that were not granted, are accept.
func (s *session) act(d *decision) gomilter.Response {
	switch d.Result.Action {
	case rule.ActionReject:
		return gomilter.NewResponseStr(byte(gomilter.ActReplyCode), rejectReply)
	case rule.ActionTempFail:
		return gomilter.NewResponseStr(byte(gomilter.ActReplyCode), tempFailReply)
	case rule.ActionDiscard:
		return gomilter.RespDiscard
	case rule.ActionQuarantine:
		if !s.grant.may(gomilter.OptQuarantine) {
			d.ActionReason = ReasonNotGranted
			break
		}
		s.conn.modify(gomilter.ActQuarantine, cString(quarantineReason))
	}
	return gomilter.RespAccept
}
