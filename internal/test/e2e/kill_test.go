//go:build linux

package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	kills         = 50 // of linkmilter
	senders       = 8  // clients that send at the same time
	betweenKills  = 6  // messages that are accepted before the next kill, at most
	killVariants  = 4  // different messages
	largeFillSize = 150_000
)

// TestKills kills linkmilter again and again while clients send mail through it, and starts it
// again. The server refuses messages temporarily while linkmilter does not answer, and the clients
// try again. Every message must arrive exactly once, as linkmilter edits it.
func TestKills(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr, OnFailure: FailTempfail})
		variants := killedVariants(t, server)

		d := &daemon{addr: addr, up: make(chan struct{}), accepted: make(chan struct{}), stop: make(chan struct{}), gaveUp: make(chan struct{})}
		loads := make([]*load, senders)
		var sending sync.WaitGroup
		for i := range loads {
			loads[i] = &load{daemon: d, server: server.Addr("filtered"), from: server.NewAddress(t), to: server.NewAddress(t), variants: variants}
			sending.Go(func() { loads[i].run(t) })
		}
		defer sending.Wait()
		defer d.endLoad() // also when the test ends early
		for range kills {
			d.start(t)
			d.awaitMessages(t, 1+rand.IntN(betweenKills))
			d.kill(t)
		}
		d.start(t) // for the messages that are still to be accepted
		close(d.stop)
		sending.Wait()

		sent, refused := 0, 0
		for _, l := range loads {
			sent, refused = sent+l.accepted, refused+l.refused
		}
		waitDelivered(t, server)
		for _, l := range loads {
			l.check(t, server)
		}
		t.Logf("%d kills; %d messages accepted, %d times one was refused", kills, sent, refused)
		if refused < kills/2 {
			t.Error("hardly any message was open when linkmilter was killed: the test says little")
		}
	})
}

// daemon is linkmilter, killed and started again by a test.
type daemon struct {
	addr     string
	process  *Process
	accepted chan struct{} // one for each message that a server accepted
	stop     chan struct{} // closed when no more messages are wanted
	gaveUp   chan struct{} // closed when a client cannot go on
	giveUp   sync.Once

	mu sync.Mutex
	up chan struct{} // closed while it listens
}

func (d *daemon) start(t *testing.T) {
	t.Helper()
	d.process = Serve(t, d.addr, nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.up)
}

// endLoad ends all clients at once, whether their messages were accepted or not.
func (d *daemon) endLoad() { d.giveUp.Do(func() { close(d.gaveUp) }) }

// awaitMessages waits until a server has accepted n messages.
func (d *daemon) awaitMessages(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case <-d.accepted:
		case <-d.gaveUp:
			t.FailNow()
		}
	}
}

func (d *daemon) kill(t *testing.T) {
	t.Helper()
	d.mu.Lock()
	d.up = make(chan struct{})
	d.mu.Unlock()
	d.process.Kill(t)
}

// listening returns a channel that is closed when linkmilter listens.
func (d *daemon) listening() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.up
}

// variant is a message, and the body with which it arrives.
type variant struct {
	message []byte
	body    string
}

// killedVariants returns messages of different sizes, and what linkmilter
// makes of them. Their Message-ID is "<number>".
func killedVariants(t *testing.T, server *Server) []variant {
	t.Helper()
	variants := make([]variant, killVariants)
	for i := range variants {
		text := linkText + filler(i*i*largeFillSize/(killVariants*killVariants))
		message := compose(textPlain, text)
		without := deliver(t, server, "plain", Envelope{Params: "BODY=8BITMIME"}, message)
		_, body := splitMessage(Rewrite(t, without.Message()))
		if body == without.Body {
			t.Fatal("linkmilter would not edit the message")
		}
		variants[i] = variant{message, body}
	}
	return variants
}

// load is a client that sends one message after the other, each until it is
// accepted.
type load struct {
	daemon            *daemon
	server, from, to  string
	variants          []variant
	accepted, refused int
}

func (l *load) run(t *testing.T) {
	for {
		select {
		case <-l.daemon.stop:
			return
		case <-l.daemon.gaveUp:
			return
		default:
		}
		v := l.variants[l.accepted%len(l.variants)]
		message := strings.Replace(string(v.message), "Subject: A message", fmt.Sprintf("Subject: %d", l.accepted), 1)
		reply, err := Offer(l.server, Envelope{From: l.from, To: []string{l.to}, Params: "BODY=8BITMIME"}, []byte(message))
		switch {
		case err != nil:
			l.fail(t, err.Error())
			return
		case reply.Code == 250:
			l.accepted++
			select {
			case l.daemon.accepted <- struct{}{}:
			case <-l.daemon.stop:
			case <-l.daemon.gaveUp:
			}
		case reply.Code/100 == 4:
			l.refused++
			select {
			case <-l.daemon.listening():
			case <-l.daemon.gaveUp:
			}
		default:
			l.fail(t, fmt.Sprintf("reply %q, want 250 or 4xx", reply.Text))
			return
		}
	}
}

// fail ends the test: a client cannot go on.
func (l *load) fail(t *testing.T, why string) {
	t.Errorf("client to %s: %s", l.to, why)
	l.daemon.endLoad()
}

// waitDelivered waits until the server has delivered all it has accepted.
func waitDelivered(t *testing.T, server *Server) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		waiting := server.Waiting(t)
		if len(waiting) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not delivered after %v: %q", patience, waiting)
		}
	}
}

// check looks for each message once, with the body it must have.
func (l *load) check(t *testing.T, server *Server) {
	t.Helper()
	for n, times := range l.arrivals(t, server) {
		if times != 1 {
			t.Errorf("message %d to %s arrived %d times", n, l.to, times)
		}
	}
}

// arrivals returns how often each accepted message arrived. A bounce fails the test.
func (l *load) arrivals(t *testing.T, server *Server) []int {
	t.Helper()
	if bounces := server.Mailbox(t, l.from); len(bounces) > 0 {
		t.Errorf("%d bounces, the first:\n%.2000s", len(bounces), bounces[0])
	}
	count := make([]int, l.accepted)
	for _, raw := range server.Mailbox(t, l.to) {
		if n := l.identify(t, raw, len(count)); n >= 0 {
			count[n]++
		}
	}
	return count
}

// identify returns the number of a message that arrived, -1 for one that was
// never sent, and checks its body.
func (l *load) identify(t *testing.T, raw []byte, sent int) int {
	t.Helper()
	d := SplitDelivered(raw)
	subject, _ := d.Field("Subject")
	var n int
	if _, err := fmt.Sscan(subject, &n); err != nil || n < 0 || n >= sent {
		t.Errorf("a message with the subject %q was never accepted", subject)
		return -1
	}
	if want := l.variants[n%len(l.variants)].body; d.Body != want {
		t.Errorf("message %d to %s: %s", n, l.to, firstDifference(want, d.Body))
	}
	return n
}
