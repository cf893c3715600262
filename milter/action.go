package milter

import (
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// quarantineReason is the text that the MTA keeps with a quarantined message.
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

// act returns the final reply for the filter's action, and why the action is not done, or "" if it
// is. For an unknown action, or one that was not granted, the reply is accept.
func act(to *conn, g grant, action rule.Action) (gomilter.Response, mailserver.Reason) {
	switch action {
	case rule.ActionReject:
		return gomilter.NewResponseStr(byte(gomilter.ActReplyCode), rejectReply), ""
	case rule.ActionTempFail:
		return gomilter.NewResponseStr(byte(gomilter.ActReplyCode), tempFailReply), ""
	case rule.ActionDiscard:
		return gomilter.RespDiscard, ""
	case rule.ActionQuarantine:
		if !g.may(gomilter.OptQuarantine) {
			return gomilter.RespAccept, reasonNotGranted
		}
		to.modify(gomilter.ActQuarantine, cString(quarantineReason))
	}
	return gomilter.RespAccept, ""
}

// Reasons why an edit or action was not made, that only this protocol has.
const (
	reasonNotGranted mailserver.Reason = "not-granted" // the MTA did not grant the right to the edit or action
	reasonHeader     mailserver.Reason = "odd-header"  // linkmilter cannot address or write the header safely
)
