//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/mta"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// fleet are nodes with the same configuration, each with an address of its own and the
// same ports.
type fleet struct {
	nodes                           []*node
	milterPort, smtpPort, adminPort string
	corpus                          *traffic.Corpus
	nextHop                         string
}

// node is a machine with linkmilter.
type node struct {
	name, host string
	admin      string // address
	config     string // path
	process    *Process
	before     int // messages of the process before the load
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	port := func() string { return strconv.Itoa(FreePort(t)) }
	f := &fleet{milterPort: port(), smtpPort: port(), adminPort: port(), nextHop: localPort(t)}
	for i := range fleetSize {
		n := &node{name: fmt.Sprintf("node%d", i+1), host: fmt.Sprintf("127.0.0.%d", i+2)}
		n.admin = net.JoinHostPort(n.host, f.adminPort)
		n.config = filepath.Join(t.TempDir(), "linkmilter.toml")
		document := fmt.Sprintf("[service]\ndrain = \"4s\"\n[milter]\nlisten = [\"inet:%s@%s\"]\n[content_filter]\nlisten = [\"%s:%s\"]\nnext_hop = %q\n"+
			"[admin]\nlisten = %q\n[header]\nid = %q\n[log]\nlevel = \"warn\"\n", f.milterPort, n.host, n.host, f.smtpPort, f.nextHop, n.admin, traffic.Host)
		writeFile(t, n.config, document, 0o644)
		f.nodes = append(f.nodes, n)
	}
	file, err := config.Load(f.nodes[0].config)
	if err != nil {
		t.Fatal(err)
	}
	same, err := filter.New(file.Filter(nil))
	if err != nil {
		t.Fatal(err)
	}
	f.corpus = traffic.NewCorpus(same, 1)
	return f
}

// localPort returns a free address of this machine.
func localPort(t *testing.T) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(FreePort(t))) }

// earlierVersion builds linkmilter with another version.
func earlierVersion(t *testing.T) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(Binary(t)), "earlier")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	build := exec.Command("go", "build", "-ldflags", "-X main.version=v0.0.1-earlier", "-o", path, "./cmd/linkmilter")
	build.Dir = env.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build linkmilter: %v\n%s", err, out)
	}
	return path
}

func (n *node) start(t *testing.T, binary string) {
	t.Helper()
	n.process = startProcess(t, n.name, exec.Command(binary, "serve", "--config", n.config))
	n.process.waitListening(t, "tcp", n.admin)
	n.before = 0
}

// note waits until the process on a node has filtered a message of the load.
func (n *node) note(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		m := n.metrics(t)
		if m.messages > n.before {
			t.Logf("%s, version %s: %d messages", n.name, m.version, m.messages-n.before)
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has nothing to do", n.name)
		}
	}
}

func (n *node) kill(t *testing.T) {
	t.Helper()
	n.note(t)
	n.process.Kill(t)
}

// stop ends the process without a drain.
func (n *node) stop(t *testing.T) {
	t.Helper()
	n.process.Signal(t, unix.SIGTERM)
	time.Sleep(50 * time.Millisecond) // the same signal twice at once is one
	n.process.Signal(t, unix.SIGTERM)
	if code := n.process.Wait(t); code != 0 {
		t.Errorf("%s: exit code %d", n.name, code)
	}
}

// nodeMetrics are numbers of a node's process.
type nodeMetrics struct {
	version  string
	messages int
	cpu      time.Duration
}

func (n *node) metrics(t *testing.T) nodeMetrics {
	t.Helper()
	response, err := http.Get("http://" + n.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m nodeMetrics
	for line := range bytes.Lines(body) {
		name, text, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		value, _ := strconv.ParseFloat(text, 64) // zero in comments
		switch {
		case strings.HasPrefix(name, "linkmilter_messages_total{"):
			m.messages += int(value)
		case name == "process_cpu_seconds_total":
			m.cpu = time.Duration(value * float64(time.Second))
		case strings.HasPrefix(name, "linkmilter_build_info{"):
			_, version, _ := strings.Cut(name, `,version="`)
			m.version, _, _ = strings.Cut(version, `"`)
		}
	}
	if m.version == "" {
		t.Fatalf("%s: metrics %+v from\n%s", n.name, m, body)
	}
	return m
}

// processorTime returns that of all nodes.
func (f *fleet) processorTime(t *testing.T) (sum time.Duration) {
	t.Helper()
	for _, n := range f.nodes {
		sum += n.metrics(t).cpu
	}
	return sum
}

// fleetLoad are clients that send one message after the other.
type fleetLoad struct {
	fleet   *fleet
	proxy   proxy
	account *traffic.Account
	next    atomic.Uint64   // the number of a message
	last    uint64          // the first number that is not sent; 0: all are
	turns   []atomic.Uint64 // how many messages each client has sent
	over    atomic.Bool
	sending sync.WaitGroup
}

func newFleetLoad(f *fleet, p proxy) *fleetLoad {
	return &fleetLoad{fleet: f, proxy: p, account: traffic.NewAccount(), turns: make([]atomic.Uint64, milterClients+smtpClients)}
}

// startLoad starts clients by both ways, and the next hop.
func (f *fleet) startLoad(t *testing.T, p proxy) *fleetLoad {
	t.Helper()
	l := newFleetLoad(f, p)
	for _, n := range f.nodes {
		n.before = n.metrics(t).messages
	}
	hop, err := net.Listen("tcp", f.nextHop)
	if err != nil {
		t.Fatal(err)
	}
	sink := traffic.NewSink(l.account)
	go func() { _ = sink.Serve(hop) }()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		l.over.Store(true)
		cancel()
		l.sending.Wait()
		sink.Close()
	})
	l.run(ctx, t, milterClients, smtpClients)
	return l
}

// run starts clients. They end with ctx at the latest.
func (l *fleetLoad) run(ctx context.Context, t *testing.T, milters, smtps int) {
	for i := range milters {
		sender := &traffic.Milter{
			Milter:  mta.Milter{Network: "tcp", Address: l.proxy.milter, Host: traffic.Host, Timeout: patience},
			Account: l.account,
		}
		l.sending.Go(func() { l.client(ctx, t, &l.turns[i], sender.Send, sender.Close) })
	}
	for i := range smtps {
		sender := &traffic.SMTP{Address: l.proxy.smtp, Account: l.account}
		l.sending.Go(func() { l.client(ctx, t, &l.turns[milters+i], sender.Send, sender.Close) })
	}
}

func (l *fleetLoad) client(ctx context.Context, t *testing.T, sent *atomic.Uint64, send func(context.Context, *traffic.Message) error, stop func()) {
	defer stop()
	for !l.over.Load() {
		n := l.next.Add(1) - 1
		if l.last != 0 && n >= l.last {
			return
		}
		m, err := l.fleet.corpus.Message(n)
		if err == nil {
			err = send(ctx, m)
		}
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		if err != nil {
			return
		}
		sent.Add(1)
	}
}

// awaitClients waits until each client has sent a message more.
func (l *fleetLoad) awaitClients(t *testing.T) {
	t.Helper()
	const soon = patience / 4 // a client that still waits for its node does so for patience
	deadline := time.Now().Add(soon)
	for i := range l.turns {
		for before := l.turns[i].Load(); l.turns[i].Load() == before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("client %d still waits after %v", i, soon)
			}
		}
	}
}

// await waits until so many more messages have been accepted.
func (l *fleetLoad) await(t *testing.T, more int) {
	t.Helper()
	want := l.account.Totals().Sent + more
	for deadline := time.Now().Add(patience); l.account.Totals().Sent < want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("mail does not go on: %+v\n%s", l.account.Totals(), strings.Join(l.account.Problems(), "\n"))
		}
	}
}

// end ends the load when all open messages are accepted, and checks the account.
func (l *fleetLoad) end(t *testing.T) {
	t.Helper()
	l.over.Store(true)
	l.sending.Wait()
	totals := l.account.Close()
	t.Logf("%+v", totals)
	if !totals.OK() || totals.Unsettled > 0 {
		t.Errorf("messages lost, damaged or doubled\n%s", strings.Join(l.account.Problems(), "\n"))
	}
	if totals.Filtered < totals.Sent/10 {
		t.Error("linkmilter changed hardly any message: the test says little")
	}
	if totals.Original > totals.Sent/10 {
		t.Error("many messages went on without the filter")
	}
}
