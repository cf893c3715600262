package contentfilter

import (
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// session is the go-smtp session of one connection, for all its messages. The
// goroutine that reads the connection calls its methods.
type session struct {
	core  *core
	conn  *conn
	log   *slog.Logger
	from  origin
	relay *relay

	greeted bool     // the client has introduced itself, again after STARTTLS
	offered offer    // extensions of the next hop that the client was told of
	forward xforward // attributes for the next message
	message *message // the open message, or nil
}

// own answers the commands that are not for go-smtp.
func (s *session) own(c command) bool {
	switch c.verb {
	case "STARTTLS":
		s.startTLS(c)
	case "XFORWARD":
		if !s.from.trusted {
			return false // go-smtp does not know the command
		}
		s.conn.reply(s.xforward(c.args))
	case "BDAT":
		// CHUNKING is not offered. The bytes that follow are not a command.
		s.conn.reply(newReply(502, "5.5.1", "BDAT is not implemented"))
		s.conn.goodbye = true
	case "AUTH":
		s.conn.reply(newReply(502, "5.5.1", "AUTH is not implemented"))
	case "MAIL", "RCPT", "DATA":
		if s.greeted {
			return false
		}
		s.conn.reply(newReply(503, "5.5.1", "Say "+s.hello()+" first"))
	default:
		return false
	}
	return true
}

// hello returns the verb by which clients introduce themselves.
func (s *session) hello() string {
	if s.from.lmtp {
		return "LHLO"
	}
	return "EHLO"
}

// startTLS answers STARTTLS.
func (s *session) startTLS(c command) {
	switch {
	case s.core.options.TLS == nil:
		s.conn.reply(newReply(502, "5.5.1", "STARTTLS is not implemented"))
	case s.from.encrypted:
		s.conn.reply(newReply(503, "5.5.1", "TLS is in use"))
	case c.args != "":
		s.conn.reply(newReply(501, "5.5.4", "STARTTLS takes no parameters"))
	default:
		s.greeted = false
		s.Reset()
		s.from.encrypted = true
		s.conn.startTLS(s.relay.ctx, s.core.options.TLS)
	}
}

// xforward answers XFORWARD, which is only for the next message.
func (s *session) xforward(args string) reply {
	if s.message != nil {
		return newReply(503, "5.5.1", "XFORWARD within a transaction")
	}
	forward, answer := s.forward.with(args)
	s.forward = forward
	return answer
}

// panicked logs a panic.
func (s *session) panicked(v any) { mailserver.LogPanic(s.log, "", v) }

// introduced replaces go-smtp's reply to EHLO, LHLO or HELO with the extensions of the
// next hop. With fewer extensions a client would convert or return messages, so it gets
// an error if the next hop is down.
func (s *session) introduced(c command) {
	s.from.helo, _, _ = strings.Cut(c.args, " ")
	s.from.extended = c.verb != "HELO"
	s.greeted = true
	if !s.from.extended {
		s.conn.reply(newReply(250, "", s.core.options.Name))
		return
	}
	h, _, err := s.relay.connect()
	if err != nil {
		s.conn.reply(s.relay.failed(err))
		return
	}
	offered, answer := newOffer(&s.core.options, h, s.core.options.TLS != nil && !s.from.encrypted, s.from.trusted)
	s.offered = offered
	s.conn.reply(answer)
}

// errRefused tells go-smtp that the command failed. The client gets the reply of the conn.
var errRefused = errors.New("refused")

// refuse answers a command with a refusal.
func (s *session) refuse(r reply) error {
	s.conn.reply(r)
	return errRefused
}

// Mail begins a message, here and at the next hop.
func (s *session) Mail(from string, options *smtp.MailOptions) error {
	if s.message != nil {
		return s.refuse(newReply(503, "5.5.1", "Nested MAIL command"))
	}
	p, err := parsePath(s.conn.command.args, "FROM:")
	if err != nil {
		return s.refuse(newReply(501, "5.5.2", "Syntax error in the address"))
	}
	if limit := s.core.options.MaxSize; limit > 0 && options.Size > limit {
		return s.refuse(newReply(552, "5.3.4", "Message too large"))
	}
	if !s.conn.wire.busy.Begin() {
		return s.refuse(replyShutdown(s.from.name))
	}
	m := &message{env: s.from.envelope(), size: options.Size, budget: s.core.Budget()}
	m.env.QueueID = s.core.newID()
	m.env.Sender = from
	m.env.BodyType = string(options.Body)
	m.env.SMTPUTF8 = options.UTF8
	s.forward.apply(&m.env)
	line, answer, err := s.relay.mail(p, s.offered, s.forward)
	s.forward = nil
	if err != nil {
		answer = s.relay.failed(err)
	}
	s.conn.reply(answer)
	if !answer.positive() {
		s.conn.wire.busy.End()
		return errRefused
	}
	m.mail, s.message = line, m
	return nil
}

// Rcpt adds a recipient, if the next hop accepts it.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	p, err := parsePath(s.conn.command.args, "TO:")
	if err != nil {
		return s.refuse(newReply(501, "5.5.2", "Syntax error in the address"))
	}
	if s.relay.hop == nil {
		return s.refuse(replyLost)
	}
	params, refusal := s.offered.passable(s.relay.hop, p.params)
	if refusal.code != 0 {
		return s.refuse(refusal)
	}
	if !s.message.reserve(to) {
		return s.refuse(newReply(452, "4.5.3", "No memory for more recipients now"))
	}
	answer, err := s.relay.hop.transact("RCPT", joinCommand("RCPT TO:"+p.path, params))
	if err != nil {
		answer = s.relay.failed(err)
	}
	s.conn.reply(answer)
	if answer.code == 421 {
		s.relay.lose()
	}
	if !answer.positive() {
		return errRefused
	}
	s.message.env.Recipients = append(s.message.env.Recipients, to)
	return nil
}

// Data reads the content and hands it on. It does not use go-smtp's reader: conn reads the content
// first, and the library then finds an empty message.
func (s *session) Data(io.Reader) error {
	content := s.conn.wire.content(s.core.options.NextHop.keepAlive, s.relay.keep)
	d := &delivery{
		server:  s.core.Server,
		options: &s.core.options,
		folder:  s.core.quarantine,
		log:     s.log,
		from:    &s.from,
		relay:   s.relay,
		message: s.message,
		content: content,
	}
	s.conn.content(content, d.run)
	return nil
}

// Reset forgets the open message. go-smtp calls it after each message, too.
func (s *session) Reset() {
	if s.message != nil {
		s.message.release()
	}
	s.message, s.forward = nil, nil
	s.conn.wire.busy.End()
}

// Logout does nothing, because the connection ends after it.
func (s *session) Logout() error { return nil }
