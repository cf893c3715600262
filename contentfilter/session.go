package contentfilter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/outcome"
)

// session is the go-smtp session of one connection, for all its messages. Its
// methods are called by the goroutine that reads the connection.
type session struct {
	server *Server
	conn   *conn
	log    *slog.Logger

	listener  string
	peer      netip.Addr // of the client; the zero Addr on a Unix socket
	trusted   bool       // may say on whose behalf it comes
	helo      string     // as the client introduced itself
	extended  bool       // by EHLO or LHLO
	encrypted bool
	offered   map[string]bool // extensions of the next hop that were offered to the client
	forward   xforward        // for the next message

	message *message // the one in hand, or nil
	judge   *judge

	hop    *hop            // or nil
	ctx    context.Context // ends what the connection waits for
	cancel context.CancelFunc
}

// message is what is known of the message in hand.
type message struct {
	env     filter.Envelope
	size    int64  // as declared, or 0
	mail    string // the command line as the next hop got it, for a hold address
	forward xforward
	memory  int64 // reserved for recipients
}

const (
	// freeRecipients is how many recipients a message may have without asking for
	// memory: every server takes as many (RFC 5321 §4.5.3.1.8).
	freeRecipients = 100
	// recipientCost is what each one takes of memory, in bytes, beside its text.
	recipientCost = 64
)

func newSession(c *conn, listener string) *session {
	s := &session{server: c.server, conn: c, listener: listener, log: c.server.options.Log.With("listener", listener)}
	s.ctx, s.cancel = context.WithCancel(c.server.ctx)
	if tcp, ok := c.RemoteAddr().(*net.TCPAddr); ok {
		s.peer = tcp.AddrPort().Addr().Unmap().WithZone("")
		s.trusted = s.peer.IsLoopback() ||
			slices.ContainsFunc(c.server.options.XForward, func(network netip.Prefix) bool { return network.Contains(s.peer) })
	} else {
		s.trusted = true // a Unix socket: its permissions decide
	}
	return s
}

// end frees what the connection held.
func (s *session) end() {
	s.Reset()
	s.judge.end()
	if s.hop != nil {
		s.hop.quit()
	}
	s.cancel()
}

// connect returns a connection to the next hop without an open transaction: the
// one there is, or one that was made now.
func (s *session) connect() (h *hop, made bool, err error) {
	if s.hop != nil {
		if err := s.hop.reset(); err == nil {
			return s.hop, false, nil
		}
		// It has ended the connection for want of something to do, most likely.
		s.lose()
	}
	s.hop, err = dialHop(s.ctx, &s.server.options.NextHop, s.server.options.Name)
	return s.hop, true, err
}

// lose closes the connection to the next hop.
func (s *session) lose() {
	if s.hop != nil {
		s.hop.close()
		s.hop = nil
	}
}

// hopFailed ends a connection to the next hop that cannot be used any more, and
// returns what the client is told.
func (s *session) hopFailed(err error) reply {
	established := s.hop != nil
	s.lose()
	s.server.failures.Add(1)
	s.log.Warn("next hop", "next_hop", s.server.options.NextHop.Address, "error", outcome.Safe(err.Error()))
	if established {
		return replyLost
	}
	return newReply(451, "4.4.1", "Next hop not available, try again later")
}

// introduced comes after go-smtp's reply to EHLO, LHLO or HELO, and replaces it by
// what the next hop offers. A client that was told less than there is
// would change messages, or return them; so while the next hop is down it
// is told so.
func (s *session) introduced(library string) {
	if !strings.HasPrefix(library, "250") {
		return
	}
	verb := s.conn.command.verb
	s.helo, _, _ = strings.Cut(s.conn.command.args, " ")
	s.extended = verb != "HELO"
	s.conn.greeted = true
	if !s.extended {
		s.conn.reply(newReply(250, "", s.server.options.Name))
		return
	}
	h, _, err := s.connect()
	if err != nil {
		s.conn.reply(s.hopFailed(err))
		return
	}
	s.conn.reply(s.extensions(h))
}

// extensions is the reply to EHLO: what the next hop offers and linkmilter passes
// on, and what it does itself.
func (s *session) extensions(h *hop) reply {
	o := &s.server.options
	lines := []string{o.Name, "PIPELINING"}
	s.offered = map[string]bool{}
	for _, keyword := range []string{"8BITMIME", "SMTPUTF8", "DSN", "ENHANCEDSTATUSCODES"} {
		if h.offers(keyword) {
			s.offered[keyword] = true
			lines = append(lines, keyword)
		}
	}
	switch size := smaller(o.MaxSize, h.maxSize()); {
	case size > 0:
		lines = append(lines, "SIZE "+strconv.FormatInt(size, 10))
	case h.offers("SIZE"):
		lines = append(lines, "SIZE")
	}
	if o.TLS != nil && !s.encrypted {
		lines = append(lines, "STARTTLS")
	}
	if s.trusted {
		lines = append(lines, "XFORWARD "+strings.Join(xforwardNames, " "))
	}
	lines = append(lines, "LIMITS RCPTMAX="+strconv.Itoa(o.recipients())) // RFC 9422
	var b strings.Builder
	for i, line := range lines {
		separator := "-"
		if i == len(lines)-1 {
			separator = " "
		}
		b.WriteString("250" + separator + line + "\r\n")
	}
	return reply{250, b.String()}
}

// smaller returns the smaller of two limits, of which 0 is none.
func smaller(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// errRefused has go-smtp go on as after a command that was refused; what the
// client is told comes from conn.reply.
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
	if limit := s.server.options.MaxSize; limit > 0 && options.Size > limit {
		return s.refuse(newReply(552, "5.3.4", "Message too large"))
	}
	s.conn.hold(true)
	m := &message{env: s.envelope(), size: options.Size, forward: s.forward}
	s.forward = nil
	m.env.Sender = from
	m.env.BodyType = string(options.Body)
	m.env.SMTPUTF8 = options.UTF8
	m.forward.apply(&m.env)
	answer, err := s.mail(m, p)
	if err != nil {
		answer = s.hopFailed(err)
	}
	s.conn.reply(answer)
	if !answer.positive() {
		s.conn.hold(false)
		return errRefused
	}
	s.message = m
	return nil
}

// envelope is what is known of every message of the connection. A mail server of
// this machine is not the client whose message it brings, and what it brings is
// not local mail for that.
func (s *session) envelope() filter.Envelope {
	env := filter.Envelope{Listener: s.listener, Daemon: daemon(s.listener), ClientName: s.helo, QueueID: s.server.newID()}
	if !s.peer.IsLoopback() {
		env.Client = s.peer
	}
	return env
}

// daemon is what rules with the condition `daemon` see: the address of the
// listener, 127.0.0.1:10025 or unix:/path.
func daemon(listener string) string { return strings.TrimPrefix(listener, "tcp:") }

// newID names a message, for the log and for Received.
func (s *Server) newID() string {
	return strconv.FormatInt(time.Now().UnixMicro(), 36) + strconv.FormatUint(s.messages.Add(1)%(36*36*36)+36*36*36, 36)
}

// mail gives MAIL to the next hop. Where that has ended a connection that waited for
// something to do, another one is made.
func (s *session) mail(m *message, p path) (reply, error) {
	for {
		h, made, err := s.connect()
		if err != nil {
			return reply{}, err
		}
		params, refusal := s.passable(h, p.params)
		if refusal.code != 0 {
			return refusal, nil
		}
		m.mail = joinCommand("MAIL FROM:"+p.path, params)
		err = m.forward.forwardTo(h)
		var answer reply
		if err == nil {
			answer, err = h.transact("MAIL", m.mail)
		}
		if !made && (err != nil && !errors.Is(err, os.ErrDeadlineExceeded) || answer.code == 421) {
			s.lose()
			continue
		}
		h.open = err == nil && answer.positive()
		return answer, err
	}
}

// needs says which extension a parameter of MAIL or RCPT belongs to.
var needs = map[string]string{
	"BODY": "8BITMIME", "SMTPUTF8": "SMTPUTF8", "SIZE": "SIZE",
	"RET": "DSN", "ENVID": "DSN", "NOTIFY": "DSN", "ORCPT": "DSN",
}

// passable returns the parameters that the next hop gets, or the refusal of one
// that it does not take. What was offered before and is no more may be
// offered again later.
func (s *session) passable(h *hop, params []string) ([]string, reply) {
	var passed []string
	for _, param := range params {
		keyword, value, _ := strings.Cut(strings.ToUpper(param), "=")
		extension := needs[keyword]
		switch {
		case h.offers(extension):
			passed = append(passed, param)
		case keyword == "SIZE", keyword == "BODY" && value == "7BIT", keyword == "AUTH":
			// Nothing is lost without it.
		case s.offered[extension]:
			return nil, newReply(451, "4.4.1", "Next hop does not offer "+extension+" now, try again later")
		default:
			return nil, newReply(555, "5.5.4", keyword+" is not offered")
		}
	}
	return passed, reply{}
}

func joinCommand(command string, params []string) string {
	if len(params) == 0 {
		return command
	}
	return command + " " + strings.Join(params, " ")
}

// Rcpt adds a recipient, if the next hop takes it.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	p, err := parsePath(s.conn.command.args, "TO:")
	if err != nil {
		return s.refuse(newReply(501, "5.5.2", "Syntax error in the address"))
	}
	if s.hop == nil {
		return s.refuse(replyLost)
	}
	params, refusal := s.passable(s.hop, p.params)
	if refusal.code != 0 {
		return s.refuse(refusal)
	}
	if len(s.message.env.Recipients) >= freeRecipients {
		n := int64(len(to)) + recipientCost
		if !s.server.budget.Reserve(n) {
			return s.refuse(newReply(452, "4.5.3", "No memory for more recipients now"))
		}
		s.message.memory += n
	}
	answer, err := s.hop.transact("RCPT", joinCommand("RCPT TO:"+p.path, params))
	if err != nil {
		answer = s.hopFailed(err)
	}
	s.conn.reply(answer)
	if answer.code == 421 {
		s.lose()
	}
	if !answer.positive() {
		return errRefused
	}
	s.message.env.Recipients = append(s.message.env.Recipients, to)
	return nil
}

// Data takes the content and hands it on. go-smtp's reader is not used: the
// content is read in front of it, and the library finds an empty one.
func (s *session) Data(io.Reader) error {
	s.conn.content(func(r *dotReader) []reply { return s.deliver(r) })
	return nil
}

// Reset forgets the message in hand. go-smtp calls it after each message, too.
func (s *session) Reset() {
	if s.message != nil {
		s.server.budget.Release(s.message.memory)
	}
	s.message, s.forward = nil, nil
	s.conn.hold(false)
}

// Logout needs nothing: the end of the connection follows.
func (s *session) Logout() error { return nil }

// received returns the trace field of the message in hand (RFC 5321 §4.4).
func (s *session) received(now time.Time) string {
	o := &s.server.options
	from := "unix"
	if s.peer.IsValid() {
		from = "[" + s.peer.String() + "]"
		if s.peer.Is6() {
			from = "[IPv6:" + s.peer.String() + "]"
		}
	}
	return fmt.Sprintf("Received: from %s (%s)\r\n\tby %s (linkmilter) with %s id %s;\r\n\t%s\r\n",
		traceName(s.helo), from, o.Name, s.protocol(), traceName(s.message.env.QueueID), now.Format(time.RFC1123Z))
}

// protocol is the keyword of how the message came (RFC 3848, RFC 6531 §4.3).
func (s *session) protocol() string {
	name := "SMTP"
	switch {
	case s.server.options.LMTP && s.message.env.SMTPUTF8:
		name = "UTF8LMTP"
	case s.server.options.LMTP:
		name = "LMTP"
	case s.message.env.SMTPUTF8:
		name = "UTF8SMTP"
	case s.extended:
		name = "ESMTP"
	}
	if s.encrypted && name != "SMTP" {
		name += "S"
	}
	return name
}

// traceName makes a peer's text fit for a trace field: what is neither visible
// ASCII nor free of meaning there becomes a question mark.
func traceName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("();<>\\\"", r) {
			return '?'
		}
		return r
	}, name[:min(len(name), 255)])
	if name == "" {
		return "unknown"
	}
	return name
}
