package contentfilter

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// FuzzSession sends whatever comes to a server. It must not panic or hang, and the
// next hop must get no message that has not come to its end.
func FuzzSession(f *testing.F) {
	head := "EHLO a\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n"
	for _, seed := range []string{
		"", "QUIT\r\n", head, head + "x\r\n.\r\nQUIT\r\n", head + ".\r\nRSET\r\n" + head + "y\r\r\n.\r\n", "EHLO a\r\nXFORWARD NAME=a ADDR=b\r\nRSET\r\n",
		"HELO a\r\nMAIL FROM:<\"a\\\"b\"@c> SIZE=9 X\r\nRCPT TO:<postmaster> NOTIFY=NEVER\r\n", "LHLO a\r\nBDAT 3 LAST\r\nabc", "MAIL\r\nRCPT\r\nDATA\r\nSTARTTLS\r\nAUTH\r\nVRFY\r\n\r\n \r\n",
		head + strings.Repeat("0123456789\r\n", 50) + ".\r\n",
	} {
		f.Add(seed)
	}
	hop := newSink(f, "SIZE 100000")
	s := start(f, Options{Options: mailserver.Options{Limits: mailserver.Limits{MaxMessage: 200}}, NextHop: NextHop{Address: hop.address(), Timeout: time.Second}, MaxSize: 2000})
	f.Fuzz(func(t *testing.T, sent string) {
		hop.forget()
		s.log.forget()
		client, socket := net.Pipe()
		c := s.open(mailserver.Socket{Conn: socket, Listener: "fuzz", Log: s.Log()})
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = c.Serve()
		}()
		go func() {
			_ = client.SetDeadline(time.Now().Add(5 * time.Second))
			_, _ = io.WriteString(client, sent)
			_ = client.Close()
		}()
		_, _ = io.Copy(io.Discard, readOnly{client})
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("still there")
		}
		if strings.Contains(s.log.String(), "panic") {
			t.Fatal(s.log.String())
		}
		if n := len(hop.messages()); n > strings.Count(sent, "\r\n.\r\n") {
			t.Errorf("%d messages of %q", n, sent)
		}
	})
}

// readOnly hides what else a connection can do.
type readOnly struct{ io.Reader }
