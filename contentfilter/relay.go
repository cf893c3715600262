package contentfilter

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// relay is the side of a client's connection that faces the next hop. It has a connection to the
// next hop, or makes one.
type relay struct {
	options  *NextHop
	name     string // name of this host
	log      *slog.Logger
	failures *atomic.Uint64
	ctx      context.Context // its end ends all waiting
	cancel   context.CancelFunc

	hop *hop // or nil
}

// connect returns a connection to the next hop without an open transaction: the current
// one, or a new one.
func (r *relay) connect() (h *hop, made bool, err error) {
	if r.hop != nil {
		if err := r.hop.reset(); err == nil {
			return r.hop, false, nil
		}
		// Most likely the next hop has ended an idle connection.
		r.lose()
	}
	r.hop, err = dialHop(r.ctx, r.options, r.name)
	return r.hop, true, err
}

// lose closes the connection to the next hop.
func (r *relay) lose() {
	if r.hop != nil {
		r.hop.close()
		r.hop = nil
	}
}

// failed ends a connection to the next hop that cannot be used any more, and
// returns the reply to the client.
func (r *relay) failed(err error) reply {
	established := r.hop != nil
	r.lose()
	r.failures.Add(1)
	r.log.Warn("next hop", "next_hop", r.options.Address, "error", mailserver.Safe(err.Error()))
	if established {
		return replyLost
	}
	return newReply(451, "4.4.1", "Next hop not available, try again later")
}

// mail begins a transaction with the next hop, and returns the MAIL command that it got. If the
// next hop has ended an idle connection, mail makes another one.
func (r *relay) mail(p path, offered offer, forward xforward) (line string, answer reply, err error) {
	for {
		h, made, err := r.connect()
		if err != nil {
			return "", reply{}, err
		}
		params, refusal := offered.passable(h, p.params)
		if refusal.code != 0 {
			return "", refusal, nil
		}
		line := joinCommand("MAIL FROM:"+p.path, params)
		var answer reply
		if err = forward.forwardTo(h); err == nil {
			answer, err = h.transact("MAIL", line)
		}
		if !made && (err != nil && !errors.Is(err, os.ErrDeadlineExceeded) || answer.code == 421) {
			r.lose()
			continue
		}
		h.open = err == nil && answer.positive()
		return line, answer, err
	}
}

// keep keeps the connection to the next hop alive while a client is slow.
func (r *relay) keep() {
	if r.hop == nil {
		return
	}
	if err := r.hop.assure(); err != nil {
		r.failed(err)
	}
}

// maxSize returns the size of the largest message that the next hop accepts from linkmilter, or 0
// if it does not say.
func (r *relay) maxSize() int64 {
	if r.hop == nil || r.hop.maxSize() <= maxTrace {
		return 0
	}
	return r.hop.maxSize() - maxTrace
}

// maxTrace bounds the fields on top of a message that was filtered, in bytes.
const maxTrace = 1 << 10

// end ends the connection to the next hop.
func (r *relay) end() {
	if r.hop != nil {
		r.hop.quit()
	}
	r.cancel()
}
