package contentfilter

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"syscall"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// keep stores a message in the quarantine folder: the fields on top, its beginning, and
// the rest, which may be nil. The error is errSource if reading the rest fails.
func (m *maildir) keep(env *envelope.Envelope, top, beginning []byte, rest io.Reader) error {
	kept, err := m.begin(envelopeText(env.Sender, env.Recipients))
	if err != nil {
		return err
	}
	_, _ = kept.write(top)
	_, _ = kept.write(beginning)
	if rest != nil {
		if _, err := io.Copy(stream.Writer(kept.write), rest); err != nil {
			kept.drop()
			return sourceError(err)
		}
	}
	return kept.deliver()
}

// errRefusedHold: the next hop refused the hold address.
var errRefusedHold = errors.New("hold address refused")

// readdress begins the transaction with the next hop again, with the hold address as the
// only recipient. mail is the MAIL command. The error is errRefusedHold or a hopError.
func readdress(h *hop, mail, hold string) error {
	if err := h.reset(); err != nil {
		return err
	}
	for _, step := range []struct{ stage, line string }{
		{"MAIL", mail},
		{"RCPT", "RCPT TO:<" + hold + ">"},
	} {
		h.open = true
		answer, err := h.transact(step.stage, step.line)
		if err != nil {
			return err
		}
		if !answer.positive() {
			return fmt.Errorf("%w: %s: %s", errRefusedHold, step.line, answer.text)
		}
	}
	return nil
}

// notHeld logs why quarantine of a message failed, and returns a temporary failure as the
// reply: the client keeps the message.
func notHeld(log *slog.Logger, queueID string, err error) reply {
	log.Error("quarantine", "queue_id", mailserver.Safe(queueID), "error", mailserver.Safe(err.Error()))
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return replyNoSpace
	}
	return replyNotHeld
}

// logHeld logs the envelope of a message for the hold address. Operators need the
// recipients to release the message, and only the log has them.
func logHeld(log *slog.Logger, env *envelope.Envelope) {
	log.Warn("held", "queue_id", mailserver.Safe(env.QueueID), "from", printable.Text("<"+env.Sender+">"),
		"to", printable.Text("<"+strings.Join(env.Recipients, ">, <")+">"))
}
