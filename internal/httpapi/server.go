package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// Server serves programs over HTTP. Its methods may be called from several goroutines.
type Server struct{ *core }

// NewServer returns a server, or an error if the options make no sense.
func NewServer(options Options) (*Server, error) {
	if options.Judges == nil {
		return nil, errors.New("httpapi: no judges")
	}
	s := &Server{&core{options: options.withDefaults()}}
	s.SetCredentials(options.Credentials)
	var err error
	s.Server, err = mailserver.New("httpapi", options.Options, DefaultOptions().MaxConnections, s.open)
	if err != nil {
		return nil, err
	}
	log := s.Log()
	s.strangers = &mailserver.RareLog[refusal]{Write: func(count int, last refusal) {
		log.Warn("requests refused", "count", count, "peer", last.peer, "route", last.route, "status", last.status, "error", mailserver.Safe(last.text))
	}}
	s.problems = &mailserver.RareLog[string]{Write: func(count int, last string) {
		log.Warn("connection problem", "count", count, "error", mailserver.Safe(last))
	}}
	return s, nil
}

// Shutdown is [mailserver.Server.Shutdown].
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.problems.Stop()
	defer s.strangers.Stop()
	return s.Server.Shutdown(ctx)
}

// SetCredentials replaces the certificate of new connections, and the tokens of new
// requests.
func (s *Server) SetCredentials(c Credentials) { s.credentials.Store(&c) }

func (s *Server) open(socket mailserver.Socket) *mailserver.Conn {
	c := newConnection(s.core, socket)
	return &mailserver.Conn{Serve: c.serve, Drain: c.drain, Cut: c.cut}
}

// Probe sends a request to the server. The error describes a wrong answer. After Shutdown
// it is [mailserver.ErrServerClosed].
func (s *Server) Probe(ctx context.Context) error {
	return s.Server.Probe(ctx, func(c net.Conn) error {
		if _, err := io.WriteString(c, "GET /v1/openapi.json HTTP/1.0\r\nHost: localhost\r\n\r\n"); err != nil {
			return err
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusUnauthorized {
			return fmt.Errorf("status %s (want 200 OK)", answer.Status)
		}
		return nil
	})
}

// core has the data that the connections of a Server share.
type core struct {
	*mailserver.Server
	options     Options
	credentials atomic.Pointer[Credentials]

	// Events that clients without a token can cause at will must not fill the log.
	strangers *mailserver.RareLog[refusal]
	problems  *mailserver.RareLog[string]
}

// A refusal is a request that was refused before its client was known.
type refusal struct {
	peer, route string
	status      int
	text        string
}
