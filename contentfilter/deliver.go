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
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// Reasons that only this protocol has.
const (
	reasonBareLineEnd  mailserver.Reason = "bare-line-end"     // refused: the message has a CR or LF alone, see Options.PassBareLineEnds
	reasonHops         mailserver.Reason = "too-many-hops"     // refused: the message has more Received fields than Options.MaxHops
	reasonSize         mailserver.Reason = "size"              // refused: the message is larger than Options.MaxSize
	reasonNoQuarantine mailserver.Reason = "no-quarantine"     // no quarantine is configured: the message went on with its tags
	reasonQuarantine   mailserver.Reason = "quarantine-failed" // linkmilter could not store the message, and the client tries again later
)

// delivery handles one message, from its content to the replies.
type delivery struct {
	mailserver.Record
	server  *mailserver.Server
	options *Options
	folder  *maildir // folder of the quarantine, or nil
	log     *slog.Logger
	from    *origin
	relay   *relay
	message *message

	content *dotReader
	*mailserver.Collected
	cut bool // the filter got only the beginning
}

// run reads the content of the message, calls the filter, passes the message on, and
// returns the replies: one, or in LMTP one for each recipient. It returns none if the
// content is incomplete.
func (d *delivery) run() []reply {
	d.QueueID = d.message.env.QueueID
	d.Collected = mailserver.Collect(stream.Reader(d.content.read), d.message.size, d.server.Budget())
	defer d.Free()
	d.Start = time.Now()
	replies := d.decide()
	if d.content.state != atEnd && d.content.failed == nil {
		// The rest of a message that was refused.
		_, _ = io.Copy(io.Discard, stream.Reader(d.content.read))
	}
	if d.content.failed != nil {
		return nil
	}
	d.Size = d.content.size
	if len(replies) == 1 && d.options.LMTP {
		replies = slices.Repeat(replies, len(d.message.env.Recipients))
	}
	d.conclude(replies)
	return replies
}

// decide carries out the decision about the message and returns the replies.
func (d *delivery) decide() []reply {
	if refusal := d.refusal(); refusal != nil {
		return refusal
	}
	if countReceived(d.Raw) > d.options.MaxHops {
		d.Reason = reasonHops
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
	out := edit(d.Raw, d.cut, &d.Result, d.relay.maxSize())
	d.Edited, d.Tagged, d.Signed, d.Reason = out.edited, out.tagged, out.signed, cmp.Or(out.reason, d.Reason)
	if d.Result.Action == rule.ActionQuarantine {
		return d.hold(out.content)
	}
	return d.forward(out.content)
}

// judge calls the filter with the message, or with its beginning if the rest does not
// fit into memory.
func (d *delivery) judge() {
	size := int64(len(d.Raw))
	granted, end := d.server.Work(size)
	defer end()
	if header := bytes.Index(d.Raw[:min(len(d.Raw), maxHeader)], headerEnd); header >= 0 {
		granted = max(granted, int64(header+len(headerEnd)+1)) // so that it can be edited
	}
	granted = min(granted, size)
	d.cut = !d.Whole || granted < size
	env := d.message.env
	env.Truncated = d.cut
	d.Take(size) // Work counts the memory of the filter's copies.
	d.server.Decide(d.server.Context(), &d.Record, d.log, env, d.Raw[:granted:granted])
	if d.Reason == "" && (d.Short || granted < size) {
		d.Reason = mailserver.ReasonMemory
	}
	// The edited message is kept until it is handed on.
	d.Take(int64(cap(d.Result.Edited)))
}

// refusal returns the reply to a message that is refused for its line ends or its size,
// or none if its content is incomplete. It is nil if the message goes on. It judges the
// bytes received so far.
func (d *delivery) refusal() []reply {
	switch {
	case d.content.failed != nil:
		return []reply{}
	case d.content.bare && !d.options.PassBareLineEnds:
		d.Reason = reasonBareLineEnd
		return []reply{replyBareLineEnd}
	case d.options.MaxSize > 0 && d.content.size > d.options.MaxSize:
		d.Reason = reasonSize
		return []reply{replySize}
	}
	return nil
}

// taken returns the reply to a message that linkmilter accepts and does not pass on.
func (d *delivery) taken() []reply {
	return []reply{newReply(250, "2.0.0", "Ok: "+d.QueueID)}
}

// errUnfit ends a message that must be refused because of bytes after its collected beginning.
var errUnfit = errors.New("message refused in the middle")

// read reads the content after the collected beginning.
func (d *delivery) read(p []byte) (int, error) {
	if len(d.Rest) > 0 {
		n := copy(p, d.Rest)
		d.Rest = d.Rest[n:]
		return n, nil
	}
	n, err := d.content.read(p)
	if d.refusal() != nil && (err == nil || err == io.EOF) {
		return 0, errUnfit
	}
	return n, err
}

// following returns the reader of the content after the collected beginning, or nil.
func (d *delivery) following() io.Reader {
	if d.Whole {
		return nil
	}
	return stream.Reader(d.read)
}

// forward hands the message to the next hop.
func (d *delivery) forward(message []byte) []reply {
	want := 1
	if d.options.NextHop.LMTP {
		want = len(d.message.env.Recipients)
	}
	if d.relay.hop == nil {
		return []reply{replyLost}
	}
	return d.transfer(d.from.received(&d.message.env, time.Now()), message, want)
}

// transfer sends the content of the message and returns the next hop's replies, or one of
// its own that says why the next hop did not reply.
func (d *delivery) transfer(top string, message []byte, want int) []reply {
	replies, err := d.relay.hop.transfer([][]byte{[]byte(top), message}, d.following(), want)
	switch {
	case errors.Is(err, errSource):
		d.relay.lose()
		return d.refusal()
	case err != nil:
		failure := d.relay.failed(err)
		for len(replies) < want {
			replies = append(replies, failure)
		}
	}
	return replies
}

// hold puts the message into quarantine, if one is configured.
func (d *delivery) hold(message []byte) []reply {
	env := &d.message.env
	top := quarantineField(d.options.Name, d.QueueID, env.Sender, len(env.Recipients)) + d.from.received(env, time.Now())
	switch {
	case d.folder != nil:
		err := d.folder.keep(env, []byte(top), message, d.following())
		switch {
		case errors.Is(err, errSource):
			return d.refusal()
		case err != nil:
			return d.notHeld(err)
		}
		return d.taken()
	case d.options.Quarantine.Hold != "":
		return d.redirect(top, message)
	}
	d.ActionReason = reasonNoQuarantine
	return d.forward(message)
}

// redirect hands the message to the next hop for the hold address in place of its
// recipients.
func (d *delivery) redirect(top string, message []byte) []reply {
	if d.relay.hop == nil {
		return []reply{replyLost}
	}
	err := readdress(d.relay.hop, d.message.mail, d.options.Quarantine.Hold)
	switch {
	case errors.Is(err, errRefusedHold):
		return d.notHeld(err)
	case err != nil:
		return []reply{d.relay.failed(err)}
	}
	replies := d.transfer(top, message, 1)
	if slices.ContainsFunc(replies, reply.positive) {
		logHeld(d.log, &d.message.env)
	}
	return replies
}

// notHeld records that the message could not be put into quarantine.
func (d *delivery) notHeld(err error) []reply {
	d.ActionReason, d.Alarm = reasonQuarantine, true
	return []reply{notHeld(d.log, d.QueueID, err)}
}

// conclude tells the log and the observer what became of the message.
func (d *delivery) conclude(replies []reply) {
	accepted := slices.ContainsFunc(replies, reply.positive)
	if !accepted || d.Result.Action == rule.ActionDiscard {
		d.Edited, d.Tagged, d.Signed = false, false, false
	}
	var codes []slog.Attr
	for i, r := range replies {
		if i == 0 || r.code != replies[i-1].code {
			codes = append(codes, slog.Int("reply", r.code))
		}
	}
	d.server.Conclude(&d.Record, d.log, codes...)
}
