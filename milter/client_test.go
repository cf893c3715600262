package milter

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-message/textproto"
	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// newClient returns go-milter's client for the server on a Unix socket.
func newClient(path string, protocol gomilter.OptProtocol) *gomilter.Client {
	return gomilter.NewClientWithOptions("unix", path, gomilter.ClientOptions{ActionMask: allActions, ProtocolMask: protocol})
}

// startUnix runs a server on a Unix socket until the test ends, and returns the
// socket's path.
func startUnix(tb testing.TB, options Options) string {
	tb.Helper()
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	s, err := NewServer(options)
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "s")
	l, err := mailserver.Listen(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	tb.Cleanup(func() {
		if err := s.Shutdown(context.Background()); err != nil {
			tb.Error(err)
		}
		if err := <-served; !errors.Is(err, mailserver.ErrServerClosed) {
			tb.Error(err)
		}
	})
	return path
}

// deliver sends a message through go-milter's client and returns what comes
// back.
func deliver(c *gomilter.ClientSession, header textproto.Header, body []byte, macros ...string) ([]gomilter.ModifyAction, *gomilter.Action, error) {
	if len(macros) > 0 {
		if err := c.Macros(gomilter.CodeMail, macros...); err != nil {
			return nil, nil, err
		}
	}
	if _, err := c.Mail("a@example.org", []string{"BODY=8BITMIME"}); err != nil {
		return nil, nil, err
	}
	if _, err := c.Rcpt("b@example.com", nil); err != nil {
		return nil, nil, err
	}
	if _, err := c.Header(header); err != nil {
		return nil, nil, err
	}
	return c.BodyReadFrom(bytes.NewReader(body))
}

// open opens a session and an SMTP connection.
func open(c *gomilter.Client) (*gomilter.ClientSession, error) {
	s, err := c.Session()
	if err != nil {
		return nil, err
	}
	if _, err := s.Conn("client.example.net", gomilter.FamilyInet, 2525, "192.0.2.7"); err != nil {
		return nil, err
	}
	_, err = s.Helo("client.example.net")
	return s, err
}

// fieldsOf parses a header as go-milter's client wants it.
func fieldsOf(tb testing.TB, fields ...string) textproto.Header {
	tb.Helper()
	var h textproto.Header
	// Add puts fields on top.
	for i := len(fields) - 2; i >= 0; i -= 2 {
		h.Add(fields[i], fields[i+1])
	}
	return h
}

func TestGoMilterClient(t *testing.T) {
	edited := newBody("edited\r\n")
	f := filterFunc(func(_ context.Context, env envelope.Envelope, raw []byte) filter.Result {
		want := "Subject: x\r\nTo: b@example.com\r\n\r\nbody\r\n"
		// If the MTA did not grant the leading space, the server adds one, and the client sends
		// none.
		if got := string(raw); got != want || !env.Authenticated || env.BodyType != "8BITMIME" {
			panic(fmt.Sprintf("%q %+v", got, env))
		}
		return edited
	})
	for _, protocol := range []gomilter.OptProtocol{0, 0x7f, allProtocol &^ gomilter.OptHeaderLeadingSpace &^ gomilter.OptSkip} {
		path := startUnix(t, Options{Options: mailserver.Options{Filter: f}})
		session, err := open(newClient(path, protocol))
		if err != nil {
			t.Fatal(err)
		}
		header := fieldsOf(t, "Subject", "x", "To", "b@example.com")
		for range 3 {
			mods, action, err := deliver(session, header, []byte("body\r\n"), "{auth_authen}", "alice")
			if err != nil {
				t.Fatal(err)
			}
			if action.Code != gomilter.ActAccept || len(mods) != 1 || string(mods[0].Body) != "edited\r\n" {
				t.Errorf("%c, %+v", action.Code, mods)
			}
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPeersAgree: go-milter's client and the peer of these tests send the same bytes.
func TestPeersAgree(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	got := make(chan []byte, 1)
	go func() {
		defer theirs.Close()
		head := make([]byte, 4)
		if _, err := io.ReadFull(theirs, head); err != nil {
			got <- nil
			return
		}
		data := make([]byte, binary.BigEndian.Uint32(head))
		_, _ = io.ReadFull(theirs, data)
		got <- append(head, data...)
	}()
	client := gomilter.NewClientWithOptions("", "", gomilter.ClientOptions{Dialer: fixedDialer{ours}, ActionMask: 0x3f, ProtocolMask: 0x7f})
	if _, err := client.Session(); err == nil {
		t.Error("negotiated without a server")
	}
	if want := frame('O', numbers(6, 0x3f, 0x7f)); !bytes.Equal(<-got, want) {
		t.Errorf("go-milter's client does not write %q", strings.ToValidUTF8(string(want), "?"))
	}
}

type fixedDialer struct{ conn net.Conn }

func (d fixedDialer) Dial(string, string) (net.Conn, error) { return d.conn, nil }
