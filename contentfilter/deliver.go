package contentfilter

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// Reason is why a message was refused here, went on without having been looked at, or
// without an edit or action that the filter asked for. The codes are stable;
// they appear in the log beside those of the filter.
type Reason = outcome.Reason

// Reasons beside those that every protocol knows.
const (
	ReasonBareLineEnd  Reason = "bare-line-end"     // refused: a CR or LF alone, see Options.BareLineEnds
	ReasonHops         Reason = "too-many-hops"     // refused: more Received fields than Options.MaxHops
	ReasonSize         Reason = "size"              // refused: larger than Options.MaxSize
	ReasonNoQuarantine Reason = "no-quarantine"     // none is configured: the message went on, tagged
	ReasonQuarantine   Reason = "quarantine-failed" // the client was told to come again
)

// Replies about a message that the next hop does not get (RFC 5321 §4.2, RFC 3463).
var (
	replyReject      = newReply(550, "5.7.1", "Message refused because of its links")
	replyTempFail    = newReply(451, "4.7.1", "Message not accepted now, try again later")
	replyBareLineEnd = newReply(550, "5.6.0", "Message with a CR or LF that stands alone")
	replyHops        = newReply(554, "5.4.6", "Too many hops, this message goes in circles")
	replySize        = newReply(552, "5.3.4", "Message too large")
	replyNotHeld     = newReply(451, "4.3.0", "Message could not be kept, try again later")
	replyLost        = newReply(451, "4.4.2", "Next hop lost, try again later")
	replyNoSpace     = newReply(452, "4.3.1", "No space to keep the message, try again later")
)

// delivery is what happens to the content of one message.
type delivery struct {
	*session
	outcome.Record
	content *dotReader
	raw     []byte // the message, or its beginning
	rest    []byte // what was read beyond raw
	whole   bool   // raw is all of it
	cut     bool   // the filter got the beginning alone
	memory  int64  // reserved
	held    bool   // by a filter that has not returned yet
}

// errUnfit is why the rest of a message is not handed on: it shows only now that
// the message is to be refused.
var errUnfit = errors.New("message refused in the middle")

// deliver reads the content of the message in hand, has it judged, hands it on, and
// returns the replies: one, or in LMTP one for each recipient.
func (s *session) deliver(content *dotReader) []reply {
	d := &delivery{session: s, content: content, Record: outcome.Record{QueueID: s.message.env.QueueID}}
	defer d.free()
	d.collect()
	d.Start = time.Now()
	replies := d.decide()
	if content.state != atEnd && content.failed == nil {
		// The rest of a message that was refused.
		_, _ = io.Copy(io.Discard, content)
	}
	if content.failed != nil {
		return nil
	}
	d.Size = content.size
	if len(replies) == 1 && s.server.options.LMTP {
		replies = slices.Repeat(replies, len(s.message.env.Recipients))
	}
	d.conclude(replies)
	return replies
}

// decide does what is to be done with the message, as far as it was
// collected.
func (d *delivery) decide() []reply {
	if refusal := d.refusal(); refusal != nil {
		return refusal
	}
	if hops(d.raw) > d.server.options.MaxHops {
		d.Reason = ReasonHops
		return []reply{replyHops}
	}
	d.judge()
	switch d.Result.Action {
	case rule.ActionReject:
		return []reply{replyReject}
	case rule.ActionTempFail:
		return []reply{replyTempFail}
	case rule.ActionDiscard:
		return d.taken()
	}
	message := d.edited()
	if d.Result.Action != rule.ActionQuarantine {
		return d.forward(message)
	}
	switch {
	case d.server.quarantine != nil:
		return d.keep(message)
	case d.server.options.Quarantine.Hold != "":
		return d.redirect(message)
	}
	d.ActionReason = ReasonNoQuarantine
	return d.forward(message)
}

// judge has the filter look at the message, or at its beginning where the rest does
// not fit.
func (d *delivery) judge() {
	granted, end := d.server.budget.Work(d.server.ctx, int64(len(d.raw)))
	if header := bytes.Index(d.raw[:min(len(d.raw), maxHeader)], []byte("\r\n\r\n")); header >= 0 {
		granted = max(granted, int64(header)+int64(len("\r\n\r\n"))+1) // so that it can be edited
	}
	granted = min(granted, int64(len(d.raw)))
	raw := d.raw[:granted:granted]
	short := d.Reason
	if granted < int64(len(d.raw)) {
		short = outcome.Memory
	}
	env := d.message.env
	d.cut = !d.whole || len(raw) < len(d.raw)
	env.Truncated = d.cut
	d.take(int64(len(d.raw))) // what is made of it is counted by work
	release := d.releaser()
	var reason Reason
	d.Result, reason, d.held = d.consult(env, raw, func() { end(); release() })
	if d.Reason = cmp.Or(reason, short); d.held {
		return
	}
	// The edited message is kept until it is handed on.
	d.take(int64(cap(d.Result.Edited)))
	end()
}

// refusal returns the reply to a message that is not handed on, whatever the filter
// says, as far as that shows in what has come of it; nil: nothing speaks against it.
func (d *delivery) refusal() []reply {
	o := &d.server.options
	switch {
	case d.content.failed != nil:
		return []reply{}
	case d.content.bare && o.BareLineEnds == BareRefuse:
		d.Reason = ReasonBareLineEnd
		return []reply{replyBareLineEnd}
	case o.MaxSize > 0 && d.content.size > o.MaxSize:
		d.Reason = ReasonSize
		return []reply{replySize}
	}
	return nil
}

// taken is the reply to a message that goes no further from here.
func (d *delivery) taken() []reply {
	return []reply{newReply(250, "2.0.0", "Ok: "+d.QueueID)}
}

// Read reads what follows the collected beginning, for who hands it on.
func (d *delivery) Read(p []byte) (int, error) {
	if len(d.rest) > 0 {
		n := copy(p, d.rest)
		d.rest = d.rest[n:]
		return n, nil
	}
	n, err := d.content.Read(p)
	if d.refusal() != nil && (err == nil || err == io.EOF) {
		return 0, errUnfit
	}
	return n, err
}

// following returns the reader of what follows, or nil.
func (d *delivery) following() io.Reader {
	if d.whole {
		return nil
	}
	return d
}

// forward hands the message to the next hop.
func (d *delivery) forward(message []byte) []reply {
	recipients := len(d.message.env.Recipients)
	want := 1
	if d.server.options.NextHop.LMTP {
		want = recipients
	}
	if d.hop == nil {
		return []reply{replyLost}
	}
	return d.transfer([]byte(d.received(time.Now())), message, want)
}

// transfer hands over the content of the message and returns the next hop's
// replies, or one that says why there is none.
func (d *delivery) transfer(top, message []byte, want int) []reply {
	replies, err := d.hop.transfer([][]byte{top, message}, d.following(), want)
	var source sourceError
	switch {
	case errors.As(err, &source):
		d.lose()
		return d.refusal()
	case err != nil:
		failure := d.hopFailed(err)
		for len(replies) < want {
			replies = append(replies, failure)
		}
	}
	return replies
}

// conclude tells the log and the observer what became of the message.
func (d *delivery) conclude(replies []reply) {
	accepted := slices.ContainsFunc(replies, reply.positive)
	if !accepted || d.Result.Action == rule.ActionDiscard {
		d.Edited, d.Tagged, d.Signed = false, false, false
	}
	d.Duration = time.Since(d.Start)
	level := d.Level()
	if d.ActionReason == ReasonQuarantine {
		level = slog.LevelWarn
	}
	var codes []slog.Attr
	for i, r := range replies {
		if i == 0 || r.code != replies[i-1].code {
			codes = append(codes, slog.Int("reply", r.code))
		}
	}
	d.Log(d.ctx, d.log, level, codes...)
	defer func() {
		if v := recover(); v != nil {
			d.logPanic(v, d.QueueID)
		}
	}()
	d.server.options.Observe(d.Event())
}

// keepHop shows the next hop that we are there while a client is slow.
func (s *session) keepHop() {
	if s.hop == nil {
		return
	}
	if err := s.hop.assure(); err != nil {
		s.hopFailed(err)
	}
}
