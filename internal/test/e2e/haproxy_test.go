//go:build linux

package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

const (
	fleetSize = 3
	// milterClients and smtpClients are the connections that send at the same time.
	milterClients, smtpClients = 4, 2
	// withoutNode is how many messages the other nodes take while one is missing.
	withoutNode = 100
	// comparedTurns is how often processor time is compared, after some turns that warm up.
	warmingTurns, comparedTurns, comparedMessages = 2, 6, 300
	// costBound is how much more processor time a message may take with all nodes.
	costBound = 1.3
)

// haproxyCommand returns the command that runs HAProxy by the recipe, with its variables.
func haproxyCommand(t *testing.T, variables map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	haproxy := unpackPackages(t, "haproxy")
	args = append([]string{"-f", filepath.Join(env.Root(t), "deploy/haproxy/haproxy.cfg")}, args...)
	cmd := exec.Command(haproxy.path("usr/sbin/haproxy"), args...)
	cmd.Env = []string{"LD_LIBRARY_PATH=" + haproxy.libraryPath(), "HAPROXY_USER=nobody", "HAPROXY_GROUP=nogroup"}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		cmd.Env = append(cmd.Env, name+"="+variables[name])
	}
	return cmd
}

// TestHAProxyConfiguration: HAProxy takes the recipe without a warning, with the variables
// that its first comment names.
func TestHAProxyConfiguration(t *testing.T) {
	t.Parallel()
	nodes := map[string]string{"NODE1": "10.0.0.11", "NODE2": "10.0.0.12", "NODE3": "10.0.0.13"}
	recipe := read(t, "deploy/haproxy/haproxy.cfg")
	for name, address := range nodes {
		if !strings.Contains(recipe, "#   "+name+"="+address+"\n") {
			t.Errorf("the recipe does not say %s=%s", name, address)
		}
	}
	if out, err := haproxyCommand(t, nodes, "-c", "-dW").CombinedOutput(); err != nil {
		t.Errorf("haproxy -c: %v\n%s", err, out)
	}
}

// proxy is HAProxy in front of nodes.
type proxy struct {
	*Process
	milter, smtp string // where it listens
}

func (f *fleet) startProxy(t *testing.T, nodes ...*node) proxy {
	t.Helper()
	p := proxy{milter: localPort(t), smtp: localPort(t)}
	variables := map[string]string{
		"MILTER_BIND": p.milter, "MILTER_PORT": f.milterPort, "SMTP_BIND": p.smtp, "SMTP_PORT": f.smtpPort, "ADMIN_PORT": f.adminPort,
	}
	for i, n := range nodes {
		variables[fmt.Sprintf("NODE%d", i+1)] = n.host
	}
	p.Process = startProcess(t, "haproxy", haproxyCommand(t, variables, "-db"))
	p.waitListening(t, "tcp", p.milter)
	return p
}

// waitState waits until HAProxy has said, as often as count, that a node is UP, DOWN or
// stopping.
func (p proxy) waitState(t *testing.T, n *node, state string, count int) {
	t.Helper()
	text := fmt.Sprintf(" : Server milter/%s is %s", n.name, state) // in a warning, not in the log
	for deadline := time.Now().Add(patience); strings.Count(p.Log(), text) < count; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("haproxy did not say %q, %d times", text, count)
		}
	}
}

// TestHAProxy lets clients send without pauses through HAProxy to three nodes. One is killed, one
// hangs, one is drained, one is replaced by another version. No message is lost, damaged or
// doubled. $LINKMILTER_HAPROXY says how long this goes on (10m); without it, each happens once.
func TestHAProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("nodes are drained for seconds")
	}
	var duration time.Duration
	if setting := os.Getenv("LINKMILTER_HAPROXY"); setting != "" {
		var err error
		if duration, err = time.ParseDuration(setting); err != nil {
			t.Fatal(err)
		}
	}
	f := newFleet(t)
	for _, n := range f.nodes {
		n.start(t, Binary(t))
	}
	upgraded := f.nodes[2]
	upgraded.stop(t)
	upgraded.start(t, earlierVersion(t))
	all := f.startProxy(t, f.nodes...)
	f.compareCost(t, all)

	load := f.startLoad(t, all)
	end := time.Now().Add(duration)
	for round := 1; round == 1 || time.Now().Before(end); round++ {
		load.await(t, withoutNode)

		killed := f.nodes[0]
		killed.kill(t)
		all.waitState(t, killed, "DOWN", 2*round-1)
		load.await(t, withoutNode)
		killed.start(t, Binary(t))
		all.waitState(t, killed, "UP", 2*round-1)
		load.await(t, withoutNode)

		// The clients that wait for it go on with another node.
		killed.process.Freeze(t)
		all.waitState(t, killed, "DOWN", 2*round)
		load.await(t, withoutNode)
		load.awaitClients(t)
		killed.process.Signal(t, syscall.SIGCONT)
		all.waitState(t, killed, "UP", 2*round)

		before := load.account.Totals()
		f.replace(t, all, load, f.nodes[1], Binary(t), round)
		binary := Binary(t)
		if round%2 == 0 {
			binary = earlierVersion(t)
		}
		was := upgraded.metrics(t).version
		f.replace(t, all, load, upgraded, binary, round)
		if now := upgraded.metrics(t).version; now == was {
			t.Errorf("version %q before and after the upgrade", now)
		}
		// A client with a connection that was idle until the end of the drain has to retry once.
		if retries := load.account.Totals().Retries - before.Retries; retries > 2*2*(milterClients+smtpClients) {
			t.Errorf("%d attempts failed while two nodes were drained", retries)
		}
	}
	load.await(t, withoutNode)
	for _, n := range f.nodes {
		n.note(t)
	}
	load.end(t)
	for _, n := range f.nodes {
		n.stop(t)
	}
}

// replace drains a node and starts a program in its place. HAProxy sees the drain before
// the node is gone.
func (f *fleet) replace(t *testing.T, p proxy, load *fleetLoad, n *node, binary string, round int) {
	t.Helper()
	n.note(t)
	n.process.Signal(t, syscall.SIGTERM)
	p.waitState(t, n, "stopping, reason: Layer7 check conditionally passed, code: 503", round)
	if n.process.ended() {
		t.Errorf("%s ended before HAProxy knew that it is drained", n.name)
	}
	load.await(t, withoutNode)
	if code := n.process.Wait(t); code != 0 {
		t.Errorf("%s: exit code %d", n.name, code)
	}
	n.start(t, binary)
	p.waitState(t, n, "UP", round)
	load.await(t, withoutNode)
}

// compareCost sends the same messages to one node, to all in turn, and to all at once, and compares
// the processor time of linkmilter. Here, nodes that work at once share the processors and their
// caches; on machines of their own they would not.
func (f *fleet) compareCost(t *testing.T, all proxy) {
	t.Helper()
	var single []proxy
	for _, n := range f.nodes {
		single = append(single, f.startProxy(t, n, n, n))
	}
	var one, each, together time.Duration
	for turn := range warmingTurns + comparedTurns {
		first := uint64(turn * comparedMessages)
		costs := []time.Duration{
			f.cost(t, func() { f.sendTurn(t, single[0], first, comparedMessages) }),
			f.cost(t, func() {
				for i, p := range single {
					const share = comparedMessages / fleetSize
					f.sendTurn(t, p, first+uint64(i*share), share)
				}
			}),
			f.cost(t, func() { f.sendTurn(t, all, first, comparedMessages) }),
		}
		if turn >= warmingTurns {
			one, each, together = one+costs[0], each+costs[1], together+costs[2]
		}
	}
	for _, p := range single {
		p.Kill(t)
	}
	const messages = comparedTurns * comparedMessages
	ratio := float64(each) / float64(one)
	t.Logf("processor time of a message: %v with one node, %v with %d: ratio %.2f; %v if they share the processors",
		one/messages, each/messages, fleetSize, ratio, together/messages)
	if ratio > costBound {
		t.Errorf("ratio %.2f, want at most %.1f", ratio, costBound)
	}
}

// cost returns the processor time of all nodes for work.
func (f *fleet) cost(t *testing.T, work func()) time.Duration {
	t.Helper()
	before := f.processorTime(t)
	work()
	return f.processorTime(t) - before
}

// sendTurn sends as many messages as count, from first on, through a proxy to milters.
func (f *fleet) sendTurn(t *testing.T, p proxy, first uint64, count int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	load := newFleetLoad(f, p)
	load.next.Store(first)
	load.last = first + uint64(count)
	load.run(ctx, t, milterClients, 0)
	load.sending.Wait()
	if totals := load.account.Close(); !totals.OK() || totals.Sent != count {
		t.Errorf("%+v\n%s", totals, strings.Join(load.account.Problems(), "\n"))
	}
}
