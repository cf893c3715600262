package service

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// nextHop is a mail server that takes every message, for the service to hand
// them to.
type nextHop struct {
	addr     string
	messages chan string // what came between DATA and the dot
	close    func()
}

func newNextHop(tb testing.TB) *nextHop {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	hop := &nextHop{addr: l.Addr().String(), messages: make(chan string, 10)}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { hop.serve(c) })
		}
	})
	hop.close = func() {
		l.Close()
		connections.Wait()
	}
	tb.Cleanup(hop.close)
	return hop
}

func (h *nextHop) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	fmt.Fprint(c, "220 hop.example ESMTP\r\n")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(line[:min(4, len(line))]); verb {
		case "EHLO":
			fmt.Fprint(c, "250-hop.example\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n")
		case "QUIT":
			fmt.Fprint(c, "221 2.0.0 bye\r\n")
			return
		case "DATA":
			fmt.Fprint(c, "354 go on\r\n")
			var message strings.Builder
			for line := ""; line != ".\r\n"; {
				message.WriteString(line)
				if line, err = in.ReadString('\n'); err != nil {
					return
				}
			}
			h.messages <- message.String()
			fmt.Fprint(c, "250 2.0.0 taken\r\n")
		default:
			fmt.Fprint(c, "250 2.0.0 ok\r\n")
		}
	}
}

// runSMTP starts a service with a configuration that has the content filter
// beside the milter, and returns the socket at which it takes mail.
func runSMTP(tb testing.TB, hop *nextHop, document string) (r *running, socket string) {
	tb.Helper()
	socket = filepath.Join(tb.TempDir(), "smtp")
	r = run(tb, smtpTable(socket, hop)+document)
	r.logs.wait(tb, "for=smtp", 1)
	return r, socket
}

func smtpTable(socket string, hop *nextHop, lines ...string) string {
	return fmt.Sprintf("[content_filter]\nlisten = [%q]\nnext_hop = %q\n%s\n", "unix:"+socket, hop.addr, strings.Join(lines, "\n"))
}

// sendSMTP sends a message with a body, and returns the reply to it.
func sendSMTP(tb testing.TB, network, address, body string) string {
	tb.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		tb.Fatal(err)
	}
	in := bufio.NewReader(c)
	reply := func() string {
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				tb.Fatal(err)
			}
			if len(line) < 4 || line[3] != '-' {
				return line
			}
		}
	}
	last := reply()
	for _, command := range []string{"EHLO client.example", "MAIL FROM:<a@example.org>", "RCPT TO:<b@example.com>", "DATA", "Subject: test\r\nFrom: a@example.org\r\n\r\n" + body + "."} {
		if strings.HasPrefix(last, "4") || strings.HasPrefix(last, "5") {
			return last
		}
		if _, err := io.WriteString(c, command+"\r\n"); err != nil {
			tb.Fatal(err)
		}
		last = reply()
	}
	return last
}

// received returns the message that came last.
func (h *nextHop) received(tb testing.TB) string {
	tb.Helper()
	select {
	case message := <-h.messages:
		return message
	case <-time.After(patience):
		tb.Fatal("no message came")
		return ""
	}
}

// TestContentFilter: messages over SMTP go through the same filter, log and metrics as those of the
// milter, and a reload applies to them, too.
func TestContentFilter(t *testing.T) {
	hop := newNextHop(t)
	const listen = "[admin]\nlisten = \"127.0.0.1:0\"\n"
	r, socket := runSMTP(t, hop, ruleWith(`html = "needed"`)+listen)
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	if got := sendSMTP(t, "unix", socket, hindi); got != "250 2.0.0 taken\r\n" {
		t.Errorf("reply %q", got)
	}
	if got := hop.received(t); !strings.Contains(got, "multipart/alternative") {
		t.Errorf("not edited:\n%s", got)
	}
	r.logs.wait(t, "msg=message", 1)
	if status, body := get(t, base+"/healthz"); status != 200 {
		t.Errorf("/healthz: %d %s", status, body)
	}
	_, body := get(t, base+"/metrics")
	for _, want := range []string{
		"linkmilter_messages_edited_total 1\n", `linkmilter_connections_total{server="smtp"} 1` + "\n",
		`linkmilter_connections_total{server="milter"} 0` + "\n", "linkmilter_next_hop_failures_total 0\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %q", want)
		}
	}

	r.reload(t, smtpTable(socket, hop)+listen+"[limits]\nmessage = 20\n"+ruleWith(`html = "needed"`))
	if got := sendSMTP(t, "unix", socket, hindi); got != "250 2.0.0 taken\r\n" {
		t.Errorf("reply %q", got)
	}
	if got := hop.received(t); strings.Contains(got, "multipart/alternative") {
		t.Errorf("edited beyond the limit:\n%s", got)
	}
	r.reload(t, smtpTable(socket, hop)+listen+ruleWith(`on = { low = "reject" }`))
	if got := sendSMTP(t, "unix", socket, numeric); !strings.HasPrefix(got, "550 5.7.1 ") {
		t.Errorf("reply %q", got)
	}
	r.reload(t, smtpTable(socket, hop, "max_hops = 7", `hold = "q@example.com"`)+listen+ruleWith())
	r.logs.wait(t, `keys="[content_filter.max_hops content_filter.hold]"`, 1)
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	hop.close()
	checkNoGoroutines(t)
}

// With --smtp alone no milter listens; the command line decides where, also
// against the file.
func TestSMTPAlone(t *testing.T) {
	hop := newNextHop(t)
	folder := t.TempDir()
	socket, config := filepath.Join(folder, "smtp"), filepath.Join(folder, "linkmilter.toml")
	document := "[milter]\nlisten = [\"unix:" + folder + "/milter\"]\n[content_filter]\nlisten = [\"unix:" + folder + "/other\"]\nnext_hop = \"127.0.0.1:1\"\n"
	for name, file := range map[string]string{"without a file": "", "with one": document} {
		t.Run(name, func(t *testing.T) {
			logs, signals, ended := newLogs(), make(chan os.Signal, 1), make(chan error, 1)
			o := Options{ContentFilter: []string{"unix:" + socket}, NextHop: hop.addr, Log: logs, Signals: signals}
			if file != "" {
				o.Config = config
				if err := os.WriteFile(config, []byte(file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			go func() { ended <- Run(t.Context(), o) }()
			logs.wait(t, "for=smtp", 1)
			if got := sendSMTP(t, "unix", socket, hindi); got != "250 2.0.0 taken\r\n" {
				t.Errorf("reply %q", got)
			}
			hop.received(t)
			signals <- syscall.SIGTERM
			if err := <-ended; err != nil {
				t.Error(err)
			}
			all := logs.String()
			if strings.Contains(all, "for=milter") || strings.Count(all, "for=smtp") != 1 {
				t.Errorf("it listens elsewhere:\n%s", all)
			}
		})
	}
}

// TestListensAsTheFileSays: the tables of a file open the listeners, unless flags name addresses.
func TestListensAsTheFileSays(t *testing.T) {
	hop := newNextHop(t)
	folder := t.TempDir()
	filter := fmt.Sprintf("[content_filter]\nlisten = [%q]\nnext_hop = %q\n", "unix:"+folder+"/smtp", hop.addr)
	milter := fmt.Sprintf("[milter]\nlisten = [%q]\n", "unix:"+folder+"/milter")
	flagMilter, flagSMTP := []string{"unix:" + folder + "/milter-flag"}, []string{"unix:" + folder + "/smtp-flag"}
	for i, test := range []struct {
		file   string
		flags  Options
		listen []string // sockets
	}{
		{filter, Options{}, []string{"smtp"}},
		{milter, Options{}, []string{"milter"}},
		{milter + filter, Options{}, []string{"milter", "smtp"}},
		{filter, Options{Milter: flagMilter}, []string{"milter-flag", "smtp"}},
		{milter, Options{Milter: flagMilter}, []string{"milter-flag"}},
		{filter, Options{ContentFilter: flagSMTP, NextHop: hop.addr}, []string{"smtp-flag"}},
		{milter, Options{ContentFilter: flagSMTP, NextHop: hop.addr}, []string{"smtp-flag"}},
		{milter + filter, Options{Milter: flagMilter, ContentFilter: flagSMTP}, []string{"milter-flag", "smtp-flag"}},
	} {
		config := filepath.Join(folder, fmt.Sprintf("%d.toml", i))
		if err := os.WriteFile(config, []byte(test.file), 0o600); err != nil {
			t.Fatal(err)
		}
		logs, signals, ended := newLogs(), make(chan os.Signal, 1), make(chan error, 1)
		o := test.flags
		o.Config, o.Log, o.Signals = config, logs, signals
		go func() { ended <- Run(t.Context(), o) }()
		logs.wait(t, "msg=listening", len(test.listen))
		signals <- syscall.SIGTERM
		if err := <-ended; err != nil {
			t.Error(err)
		}
		all := logs.String()
		if strings.Count(all, "msg=listening") != len(test.listen) {
			t.Errorf("%d: listens elsewhere:\n%s", i, all)
		}
		for _, socket := range test.listen {
			if !strings.Contains(all, "address=unix:"+folder+"/"+socket+"\n") {
				t.Errorf("%d: does not listen on %s:\n%s", i, socket, all)
			}
		}
	}
	config := filepath.Join(folder, "nowhere.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "[content_filter]\nnext_hop = %q\n", hop.addr), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), Options{Config: config, Log: newLogs()}); !errors.As(err, new(*ConfigError)) {
		t.Errorf("listening nowhere: %v", err)
	}
}

// TestSMTPDoesNotStart: with an invalid configuration of the content filter, the service does not
// start.
func TestSMTPDoesNotStart(t *testing.T) {
	folder := t.TempDir()
	tests := []struct {
		name    string
		options Options
		want    string
	}{
		{"no next hop", Options{ContentFilter: []string{"unix:" + folder + "/s"}}, "no next hop"},
		{"next hop that is not an address", Options{ContentFilter: []string{"unix:" + folder + "/s"}, NextHop: "mx.example.com"}, "no port"},
		{"all networks", Options{ContentFilter: []string{"0.0.0.0:0"}, NextHop: "127.0.0.1:1"}, "not a loopback address"},
		{"no address", Options{ContentFilter: []string{"127.0.0.1"}, NextHop: "127.0.0.1:1"}, "no port"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.options.Log = newLogs()
			err := Run(t.Context(), test.options)
			var wrong *ConfigError
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want a ConfigError with %q", err, test.want)
			}
		})
	}
}

// TestSMTPSocketActivation: passed sockets with the name smtp are for the content filter. Without
// others, the milter does not listen.
func TestSMTPSocketActivation(t *testing.T) {
	hop := newNextHop(t)
	folder := t.TempDir()
	config, path := filepath.Join(folder, "linkmilter.toml"), filepath.Join(folder, "s")
	document := fmt.Sprintf("[content_filter]\nlisten = [\"unix:%s/other\"]\nnext_hop = %q\n", folder, hop.addr) + ruleWith(`html = "needed"`)
	if err := os.WriteFile(config, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	manager, logs := newSystemd(t), newLogs()
	child := startChild(t, config, logs, "smtp", l)
	manager.waitFor(t, "READY=1")
	if got := sendSMTP(t, "unix", path, hindi); got != "250 2.0.0 taken\r\n" {
		t.Errorf("reply %q", got)
	}
	if got := hop.received(t); !strings.Contains(got, "multipart/alternative") {
		t.Errorf("not edited:\n%s", got)
	}
	if err := child.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Errorf("%v\n%s", err, logs)
	}
	if all := logs.String(); strings.Contains(all, "for=milter") || strings.Count(all, "for=smtp") != 1 {
		t.Errorf("it listens elsewhere:\n%s", all)
	}
}
