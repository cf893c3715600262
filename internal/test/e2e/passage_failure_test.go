//go:build linux

package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestPassageAbsent sends mail while linkmilter does not run. The mail waits if the server has a
// queue; else the client is told to try again. None is delivered unfiltered.
func TestPassageAbsent(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		filter, back := FreePort(t), FreePort(t)
		server := s.start(t, filter, back)
		deliverLater(t, s, server, func() { s.serve(t, filter, back) })
	})
}

// TestPassageNextHopAbsent: nothing listens at the address of linkmilter's next hop.
func TestPassageNextHopAbsent(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		filter, between, back := FreePort(t), FreePort(t), FreePort(t)
		server := s.start(t, filter, back)
		s.serve(t, filter, between)
		deliverLater(t, s, server, func() { forward(t, between, back) })
	})
}

// TestPassageTakenOut removes linkmilter from Postfix's configuration while a message waits for it.
// When it is queued again, the message arrives as it was sent.
func TestPassageTakenOut(t *testing.T) {
	t.Parallel()
	filter, back := FreePort(t), FreePort(t)
	server := afterQueue.start(t, filter, back)
	env := Envelope{From: server.NewAddress(t), To: []string{server.NewAddress(t)}, Params: "BODY=8BITMIME"}
	Dial(t, server.Addr("filtered")).Send(env, compose(textPlain, linkText))
	server.WaitDeferred(t)

	path := filepath.Join(server.dir, "conf", "master.cf")
	master, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, regexp.MustCompile(`(?m)^ +-o content_filter=linkmilter.*\n`).ReplaceAllString(string(master), ""), 0o644)
	// postfix reload does that, and checks an installed system.
	pid, err := os.ReadFile(filepath.Join(server.QueueDir(), "pid", "master.pid"))
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(number, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	server.WaitLog(t, "reload")
	if out, err := server.admin("postsuper", "-r", "ALL").CombinedOutput(); err != nil {
		t.Fatalf("postsuper: %v\n%s", err, out)
	}
	// This saves a minute. It fails if pickup has just started and reads the queue by itself.
	_ = server.admin("postkick", "public", "pickup", "W").Run()
	with := SplitDelivered(server.Receive(t, env.From, env.To[0]))
	if want := lf(linkText); with.Body != want {
		t.Errorf("body: %s", firstDifference(want, with.Body))
	}
}

// deliverLater sends a message that cannot be delivered before repair.
func deliverLater(t *testing.T, s setup, server *Server, repair func()) {
	t.Helper()
	env := Envelope{From: server.NewAddress(t), To: []string{server.NewAddress(t)}, Params: "BODY=8BITMIME"}
	message := compose(textPlain, linkText)
	reply, err := Offer(server.Addr("filtered"), env, message)
	if err != nil {
		t.Fatal(err)
	}
	if s.name == beforeQueue.name {
		if reply.Code/100 != 4 {
			t.Errorf("reply %q, want 4xx", reply.Text)
		}
		repair()
		readAlternative(t, deliver(t, server, "filtered", env, message))
		return
	}
	if reply.Code != 250 {
		t.Fatalf("reply %q, want 250", reply.Text)
	}
	server.WaitDeferred(t)
	if got := server.Mailbox(t, env.To[0]); len(got) > 0 {
		t.Fatalf("delivered all the same:\n%s", got[0])
	}
	repair()
	readAlternative(t, SplitDelivered(server.Receive(t, env.From, env.To[0])))
	waitDelivered(t, server)
	if got := server.Mailbox(t, env.To[0]); len(got) != 1 {
		t.Errorf("%d messages, want 1", len(got))
	}
}

// forward passes connections to one port of 127.0.0.1 on to another.
func forward(t *testing.T, from, to int) {
	t.Helper()
	l, err := net.Listen("tcp", localhost(from))
	if err != nil {
		t.Fatal(err)
	}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			connections.Go(func() {
				defer in.Close()
				out, err := net.Dial("tcp", localhost(to))
				if err != nil {
					return
				}
				defer out.Close()
				connections.Go(func() {
					defer in.Close()
					_, _ = io.Copy(in, out)
				})
				_, _ = io.Copy(out, in)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		connections.Wait()
	})
}

// TestPassageLoop: Postfix sends what it gets from linkmilter to linkmilter again. The loop ends.
func TestPassageLoop(t *testing.T) {
	t.Parallel()
	front, filter, back := FreePort(t), FreePort(t), FreePort(t)
	services := strings.Replace(manual(t, "after the queue", front, filter, back),
		"-o content_filter=\n", fmt.Sprintf("-o content_filter=linkmilter:[127.0.0.1]:%d\n", filter), 1)
	server := StartPostfix(t, Listener{Name: "filtered", Port: front, Services: services})
	linkmilter := ServeSMTP(t, filter, back, "--config", writeConfig(t, "[content_filter]\nmax_hops = 12\n"))
	from := server.NewAddress(t)
	Dial(t, server.Addr("filtered")).Send(Envelope{From: from, To: []string{server.NewAddress(t)}}, compose(textPlain, noLink))
	linkmilter.WaitLog(t, "msg=message", "reply=554")
	server.WaitLog(t, "status=bounced", "554 5.4.6")
	if got := strings.Count(linkmilter.Log(), "reply=250"); got != 6 { // two Received fields a round
		t.Errorf("%d rounds, want 6", got)
	}
}

// TestPassageCircle: each of two linkmilters has the other as next hop. That also ends, and no
// message is accepted.
func TestPassageCircle(t *testing.T) {
	t.Parallel()
	one, other := FreePort(t), FreePort(t)
	config := writeConfig(t, "[content_filter]\nmax_connections = 5\nnext_hop_timeout = \"1s\"\n")
	ServeSMTP(t, one, other, "--config", config)
	ServeSMTP(t, other, one, "--config", config)
	reply, err := Offer(localhost(one), Envelope{From: "a@example.test", To: []string{"b@example.test"}}, compose(textPlain, noLink))
	if err != nil || reply.Code/100 != 4 {
		t.Errorf("reply %q (%v), want 4xx", reply.Text, err)
	}
}

const (
	passageKills   = 20 // of linkmilter
	passageLoad    = 40 // messages of each client, at least
	passageSenders = 4
)

// TestPassageKills kills linkmilter again and again behind Postfix's queue while clients send mail,
// and starts it again. Every message arrives as linkmilter edits it. It arrives once, or again if
// linkmilter was killed after the reply of the next hop and before its own, which SMTP cannot avoid
// (RFC 1047).
func TestPassageKills(t *testing.T) {
	t.Parallel()
	filter, back := FreePort(t), FreePort(t)
	server := afterQueue.start(t, filter, back)
	variants := killedVariants(t, server)
	loads := make([]*load, passageSenders)
	d := &daemon{up: make(chan struct{}), accepted: make(chan struct{}), stop: make(chan struct{}), gaveUp: make(chan struct{})}
	for i := range loads {
		loads[i] = &load{daemon: d, server: server.Addr("filtered"), from: server.NewAddress(t), to: server.NewAddress(t), variants: variants}
	}
	var sending sync.WaitGroup
	for _, l := range loads {
		sending.Go(func() { l.run(t) })
	}
	defer sending.Wait()
	defer d.endLoad() // also when the test ends early
	for range passageKills {
		linkmilter := ServeSMTP(t, filter, back)
		d.awaitMessages(t, passageLoad*passageSenders/passageKills)
		for range rand.IntN(3) {
			linkmilter.WaitLog(t, "msg=message")
		}
		linkmilter.Kill(t)
	}
	ServeSMTP(t, filter, back)
	close(d.stop)
	sending.Wait()
	waitDelivered(t, server)
	sent, again := 0, 0
	for _, l := range loads {
		sent += l.accepted
		again += l.checkAtLeastOnce(t, server)
	}
	t.Logf("%d kills; %d messages accepted, %d more arrived", passageKills, sent, again)
	if !strings.Contains(server.Log(), "status=deferred") {
		t.Error("no message was open when linkmilter was killed: the test says little")
	}
}

// checkAtLeastOnce is check for messages that may arrive more than once. It returns how many did.
func (l *load) checkAtLeastOnce(t *testing.T, server *Server) (again int) {
	t.Helper()
	for n, times := range l.arrivals(t, server) {
		if times == 0 {
			t.Errorf("message %d to %s is lost", n, l.to)
			continue
		}
		again += times - 1
	}
	return again
}
