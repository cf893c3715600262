package contentfilter

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// onTop returns what stands on top of a message in quarantine.
func (d *delivery) onTop() []byte {
	env := &d.message.env
	return []byte(quarantineField(d.server.options.Name, d.QueueID, env.Sender, len(env.Recipients)) + d.received(time.Now()))
}

// keep puts the message into the quarantine folder.
func (d *delivery) keep(message []byte) []reply {
	kept, err := d.server.quarantine.begin(envelopeText(d.message.env.Sender, d.message.env.Recipients))
	if err != nil {
		return d.notHeld(err)
	}
	_, _ = kept.Write(d.onTop())
	_, _ = kept.Write(message)
	if rest := d.following(); rest != nil {
		if _, err := io.Copy(kept, rest); err != nil {
			kept.drop()
			return d.refusal()
		}
	}
	if err := kept.deliver(); err != nil {
		return d.notHeld(err)
	}
	return d.taken()
}

// notHeld is the reply to a message that could not be put into quarantine: the client
// keeps it.
func (d *delivery) notHeld(err error) []reply {
	d.ActionReason = ReasonQuarantine
	d.log.Error("quarantine", "queue_id", outcome.Safe(d.QueueID), "error", outcome.Safe(err.Error()))
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return []reply{replyNoSpace}
	}
	return []reply{replyNotHeld}
}

// redirect hands the message to the next hop for the hold address in place of its
// recipients.
func (d *delivery) redirect(message []byte) []reply {
	if d.hop == nil {
		return []reply{replyLost}
	}
	err := d.hop.reset()
	for _, step := range []struct{ stage, line string }{
		{"MAIL", d.message.mail},
		{"RCPT", "RCPT TO:<" + d.server.options.Quarantine.Hold + ">"},
	} {
		if err != nil {
			break
		}
		d.hop.open = true
		var answer reply
		if answer, err = d.hop.transact(step.stage, step.line); err == nil && !answer.positive() {
			return d.notHeld(fmt.Errorf("%s: %s", step.line, answer.text))
		}
	}
	if err != nil {
		return []reply{d.hopFailed(err)}
	}
	replies := d.transfer(d.onTop(), message, 1)
	if slices.ContainsFunc(replies, reply.positive) {
		d.logHeld()
	}
	return replies
}

// logHeld logs the envelope of a message that the hold address got: nothing else
// keeps its recipients, which the one who releases it needs.
func (d *delivery) logHeld() {
	env := &d.message.env
	d.log.Warn("held", "queue_id", outcome.Safe(d.QueueID), "from", printable.Text("<"+env.Sender+">"),
		"to", printable.Text("<"+strings.Join(env.Recipients, ">, <")+">"))
}
