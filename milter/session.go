package milter

import (
	"log/slog"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"time"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// session is the go-milter backend of one connection, for all its messages.
//
// It never reads Modifier.Headers or the map given to Headers, which are the same: the library
// empties them only on ABORT, which Sendmail does not send between messages. It does not read
// Modifier.Macros either, since they hold the last macro packet even if that was for an earlier
// command.
type session struct {
	server *mailserver.Server
	conn   *conn
	grant  grant
	log    *slog.Logger

	client  envelope.Envelope // the facts that all messages of the connection share
	message message           // the open message
}

func newSession(server *mailserver.Server, c *conn, g grant, client envelope.Envelope, log *slog.Logger) *session {
	s := &session{server: server, conn: c, grant: g, log: log, client: client, message: newMessage(server.Budget(), nil)}
	return s
}

// begin starts a new message.
func (s *session) begin() {
	s.reset()
	s.message.env = s.client
	s.message.progress = inEnvelope
}

// reset forgets the open message.
func (s *session) reset() {
	s.message.drop()
	s.message = newMessage(s.server.Budget(), s.message.fields)
}

// guard recovers a panic in a callback. The message then goes on unread.
func (s *session) guard() {
	if v := recover(); v != nil {
		mailserver.LogPanic(s.log, s.message.env.QueueID, v)
		s.message.giveUp(mailserver.ReasonPanic)
	}
}

// Connect takes the client from the packet itself: Sendmail writes IPv6
// addresses as `IPv6:…`, which go-milter does not understand.
func (s *session) Connect(_, _ string, _ uint16, _ net.IP, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = s.grant.reply(gomilter.OptNoConnReply)
	defer s.guard()
	s.reset()
	s.client = envelope.Envelope{Client: s.conn.current.client(), Rewrites: true}
	for name, value := range s.conn.macros.all(gomilter.CodeConn) {
		switch name {
		case "v":
			// Sendmail, which rewrites addresses behind milters, does not say here who it is.
			s.client.Rewrites = !strings.HasPrefix(value, "Postfix")
		case "j":
			s.client.Host = value
		case "daemon_name":
			s.client.Daemon = value
		case "client_addr":
			if !s.client.Client.IsValid() {
				s.client.Client = parseClient(value)
			}
		}
	}
	return resp, nil
}

// Helo keeps the name of the client for the log.
func (s *session) Helo(name string, _ *gomilter.Modifier) (gomilter.Response, error) {
	s.client.Helo = name
	return s.grant.reply(gomilter.OptNoHeloReply), nil
}

// MailFrom begins a message.
func (s *session) MailFrom(from string, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = s.grant.reply(gomilter.OptNoMailReply)
	defer s.guard()
	s.begin()
	env := &s.message.env
	env.Sender = from
	for arg := range s.conn.current.args() {
		key, value, _ := strings.Cut(strings.ToUpper(arg), "=")
		switch key {
		case "BODY":
			env.BodyType = value
		case "SMTPUTF8":
			env.SMTPUTF8 = true
		}
	}
	for name, value := range s.conn.macros.all(gomilter.CodeMail) {
		switch name {
		case "i":
			env.QueueID = value // Postfix sends it later
		case "auth_authen", "auth_type":
			env.Authenticated = env.Authenticated || value != ""
		case "daemon_name":
			env.Daemon = value
		case "client_addr":
			if !env.Client.IsValid() {
				env.Client = parseClient(value)
			}
		}
	}
	return resp, nil
}

// RcptTo adds a recipient.
func (s *session) RcptTo(to string, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = s.grant.reply(gomilter.OptNoRcptReply)
	defer s.guard()
	s.message.addRecipient(to)
	s.queueID(gomilter.CodeRcpt)
	return resp, nil
}

// Header adds a header field.
func (s *session) Header(name, value string, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = s.grant.reply(gomilter.OptNoHeaderReply)
	defer s.guard()
	if !s.grant.has(gomilter.OptHeaderLeadingSpace) && value != "" {
		// The MTA removed what nearly always was one space.
		value = " " + value
	}
	s.message.addField(name, value)
	return resp, nil
}

// Headers is the end of the header. The library collects the fields of all
// messages of the connection, which are not used.
func (s *session) Headers(collected textproto.MIMEHeader, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = gomilter.RespContinue
	defer s.guard()
	clear(collected)
	s.message.endHeader()
	s.queueID(gomilter.CodeEOH)
	return s.conn.reply(resp), nil
}

// BodyChunk adds to the body: go-milter makes a new chunk for each packet. If the message was given
// up and the MTA waits for replies, it is asked to skip the rest.
func (s *session) BodyChunk(chunk []byte, _ *gomilter.Modifier) (resp gomilter.Response, err error) {
	resp = s.grant.reply(gomilter.OptNoBodyReply)
	defer s.guard()
	s.message.addBody(chunk)
	if s.message.enough() && s.grant.has(gomilter.OptSkip) {
		resp = gomilter.NewResponse(byte(gomilter.ActSkip), nil)
	}
	return resp, nil
}

// Body is the end of the message: the filter decides, and its result is
// applied.
func (s *session) Body(*gomilter.Modifier) (resp gomilter.Response, err error) {
	d := &decision{
		Record:  mailserver.Record{Start: time.Now()},
		server:  s.server,
		conn:    s.conn,
		grant:   s.grant,
		log:     s.log,
		message: &s.message,
	}
	defer s.reset()
	defer func() {
		if v := recover(); v != nil {
			mailserver.LogPanic(s.log, s.message.env.QueueID, v)
			resp, d.Reason = gomilter.RespAccept, mailserver.ReasonPanic
			if d.applying {
				// Half an edit must not be accepted: end the connection.
				resp, s.conn.failure = nil, &mailserver.Failure{Code: string(mailserver.ReasonPanic), Detail: "while writing an edit"}
			}
		}
		s.server.Conclude(&d.Record, s.log)
	}()
	s.queueID(gomilter.CodeEOB)
	d.QueueID = s.message.env.QueueID
	if last := s.conn.current.data; len(last) > 0 {
		// The protocol allows the last chunk to come with the end of the body. It
		// lies in the buffer of the connection.
		s.message.addBody(slices.Clone(last))
	}
	if s.message.progress != inBody {
		s.message.giveUp(mailserver.ReasonOutOfOrder)
	}
	return s.conn.reply(d.decide()), nil
}

// Abort forgets the message; the connection goes on.
func (s *session) Abort(*gomilter.Modifier) error {
	s.reset()
	return nil
}

// queueID sets the queue ID from the macros of stage if they have one. Sendmail has it at MAIL, and
// Postfix after the header.
func (s *session) queueID(stage gomilter.Code) {
	for name, value := range s.conn.macros.all(stage) {
		if name == "i" && value != "" {
			s.message.env.QueueID = value
		}
	}
}
