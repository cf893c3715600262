package contentfilter

import (
	"context"
	"errors"

	"github.com/emersion/go-smtp"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// connection is a client's connection from its acceptance to its end.
type connection struct {
	options *Options
	conn    *conn
	session *session
}

func newConnection(core *core, socket mailserver.Socket) *connection {
	o := &core.options
	c := &conn{
		socket:   socket.Conn,
		wire:     newWire(socket.Conn, &o.Timeouts),
		name:     o.Name,
		greeting: replyGreeting(o.Name, o.LMTP, o.NextHop.self),
		closed:   make(chan struct{}),
	}
	r := &relay{options: &o.NextHop, name: o.Name, log: socket.Log, failures: &core.failures}
	r.ctx, r.cancel = context.WithCancel(core.Context())
	session := &session{core: core, conn: c, log: socket.Log, from: newOrigin(o, socket.Listener, socket.RemoteAddr()), relay: r}
	c.handler = session
	return &connection{o, c, session}
}

// serve serves the connection to its end.
func (c *connection) serve() error {
	defer func() {
		_ = c.conn.close()
		c.session.Reset()
		c.session.relay.end()
	}()
	library := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return c.session, nil }))
	library.ErrorLog = mailserver.LogFunc(c.conn.logged)
	library.Domain = c.options.Name
	library.LMTP = c.options.LMTP
	library.MaxRecipients = c.options.recipients()
	library.MaxLineLength = 0 // checked here; the library's limit would hold for messages too
	library.EnableSMTPUTF8 = true
	library.EnableDSN = true
	// Serve always ends with the error of the second Accept, which means nothing.
	_ = library.Serve(&mailserver.Single{Conn: c.conn.forLibrary(), Closed: c.conn.closed})
	// Its goroutine may still wait for another command.
	_ = library.Shutdown(context.Background())
	if failure := (*mailserver.Failure)(nil); errors.As(c.conn.failure, &failure) {
		failure.Client = c.conn.socket.RemoteAddr().String()
	}
	return c.conn.failure
}

// drain ends the connection as soon as it has no open message.
func (c *connection) drain() { c.conn.wire.drain() }

// cut ends the connection and the one to the next hop at once.
func (c *connection) cut() {
	_ = c.conn.wire.close()
	c.session.relay.cancel()
}
