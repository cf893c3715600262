package httpapi

import (
	"crypto/tls"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

const (
	// headerTime is how long the header of a request, or a TLS handshake, may take.
	headerTime = 5 * time.Second
	// writeTime is how long an answer may take to write.
	writeTime = 30 * time.Second
	// headerSize is the largest size in bytes of a request's header. It is large because parameters
	// may name many recipients.
	headerSize = 64 << 10
)

// A connection is a client's connection. It has an http.Server of its own, so that the limits of
// mailserver can end it.
type connection struct {
	*core
	conn     net.Conn
	server   *http.Server
	accepted bool          // net/http has accepted it
	closed   chan struct{} // closed when net/http has closed the connection
	ended    chan struct{} // closed when net/http need not wait for another connection
}

func newConnection(core *core, socket mailserver.Socket) *connection {
	c := &connection{core: core, conn: socket.Conn, closed: make(chan struct{}), ended: make(chan struct{})}
	probe := socket.RemoteAddr().Network() == "pipe"
	if certificate := core.credentials.Load().Certificate; certificate != nil && !probe {
		c.conn = tls.Server(socket.Conn, &tls.Config{
			Certificates: []tls.Certificate{*certificate},
			MinVersion:   tls.VersionTLS12,
			NextProtos:   []string{"http/1.1"},
		})
	}
	request := core.options.Timeouts.Request
	end := sync.OnceFunc(func() { close(c.ended) })
	c.server = &http.Server{
		Handler:           &handler{core, socket.Log, probe},
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: min(headerTime, request),
		ReadTimeout:       request,
		WriteTimeout:      request + core.Budget().Limits().Time + writeTime,
		IdleTimeout:       core.options.Timeouts.Idle,
		MaxHeaderBytes:    headerSize,
		// net/http would answer OPTIONS * without checking token and host.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(problemLog{core}, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				c.accepted = true
			case http.StateClosed:
				close(c.closed)
				end()
			}
		},
	}
	c.server.RegisterOnShutdown(end)
	// With HTTP/2 a client could have more requests at a time than connections.
	c.server.Protocols.SetHTTP1(true)
	return c
}

// problemLog logs errors of net/http, such as failed handshakes.
type problemLog struct{ *core }

func (l problemLog) Write(p []byte) (int, error) {
	l.problems.Note(strings.TrimSpace(string(p)))
	return len(p), nil
}

// serve serves the connection to its end.
func (c *connection) serve() error {
	// Serve always ends with the error of the second Accept, which means nothing.
	_ = c.server.Serve(&mailserver.Single{Conn: c.conn, Closed: c.ended})
	if c.accepted {
		<-c.closed
	}
	_ = c.conn.Close()
	return nil
}

// drain ends the connection as soon as it has no open request.
func (c *connection) drain() {
	go func() { _ = c.server.Shutdown(c.Context()) }()
}

// cut ends the connection at once.
func (c *connection) cut() {
	_ = c.server.Close()
	_ = c.conn.Close()
}
