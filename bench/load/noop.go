//go:build linux

package main

import (
	"bufio"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"strings"
	"testing"

	gomilter "github.com/emersion/go-milter"
)

// noopVariable is the variable of the environment that makes this program the milter that
// does nothing, at an address.
const noopVariable = "LINKMILTER_LOAD_NOOP"

// noopSteps are the steps that it leaves out, as linkmilter does: replies before the end of the
// header.
const noopSteps = gomilter.OptNoConnReply | gomilter.OptNoHeloReply | gomilter.OptNoMailReply | gomilter.OptNoRcptReply |
	gomilter.OptNoHeaderReply | gomilter.OptNoBodyReply | gomilter.OptNoUnknown | gomilter.OptNoData

// noop reads every message and lets it pass.
type noop struct{}

// runNoop serves at unix:PATH until the program ends. Each account may connect.
func runNoop(address string) error {
	path := strings.TrimPrefix(address, "unix:")
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o666)
	}
	if err != nil {
		return err
	}
	server := &gomilter.Server{NewMilter: func() gomilter.Milter { return noop{} }, Protocol: noopSteps}
	return server.Serve(buffered{l})
}

// buffered is a listener whose connections read ahead: the library asks for four bytes, and
// then for the rest of a packet.
type buffered struct{ net.Listener }

func (l buffered) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return ahead{c, bufio.NewReader(c)}, err
}

// ahead is a connection that reads ahead.
type ahead struct {
	net.Conn
	in *bufio.Reader
}

func (a ahead) Read(b []byte) (int, error) { return a.in.Read(b) }

// noopCommand returns the command that runs it.
func noopCommand(tb testing.TB, address string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), noopVariable+"="+address, "GOGC=400") // as linkmilter
	return cmd
}

func (noop) Connect(string, string, uint16, net.IP, *gomilter.Modifier) (gomilter.Response, error) {
	return nil, nil
}

func (noop) Helo(string, *gomilter.Modifier) (gomilter.Response, error) { return nil, nil }

func (noop) MailFrom(string, *gomilter.Modifier) (gomilter.Response, error) { return nil, nil }

func (noop) RcptTo(string, *gomilter.Modifier) (gomilter.Response, error) { return nil, nil }

func (noop) Header(string, string, *gomilter.Modifier) (gomilter.Response, error) { return nil, nil }

func (noop) Headers(collected textproto.MIMEHeader, _ *gomilter.Modifier) (gomilter.Response, error) {
	clear(collected) // the library does not before an ABORT
	return gomilter.RespContinue, nil
}

func (noop) BodyChunk([]byte, *gomilter.Modifier) (gomilter.Response, error) { return nil, nil }

func (noop) Body(*gomilter.Modifier) (gomilter.Response, error) { return gomilter.RespAccept, nil }

func (noop) Abort(*gomilter.Modifier) error { return nil }
