//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/linkmilter/linkmilter/internal/mta"
	"github.com/linkmilter/linkmilter/internal/test/e2e"
	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/test/hostile"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// A trial is a fault, and the signs by which an operator recognises it.
type trial struct {
	fault
	settings *strings.Replacer // for the configuration; nil: none
	line     string            // pattern for a line of the log
	metric   string            // beginning of the line of a metric, which grows
	short    bool              // also without LINKMILTER_LONG=1
}

// warned is the metric for a line of the log.
func warned(level, message string) string {
	return fmt.Sprintf(`linkmilter_log_warnings_total{level="%s",msg="%s"}`, level, message)
}

// trials returns all faults but panics.
func trials(slow slowTraffic) []trial {
	return []trial{
		{fault: fault{name: "killed", do: killed}, line: `msg=start `, metric: "process_start_time_seconds", short: true},
		{fault: fault{name: "stopped and started", do: restarted}, line: `msg=stopped`, metric: "process_start_time_seconds"},
		{fault: fault{name: "SIGSTOP", do: frozen}, line: `msg="process did not run"`, metric: warned("warn", "process did not run")},
		{fault: fault{name: "no descriptors", do: withoutDescriptors}, line: `msg=accept .*too many open files`, metric: warned("warn", "accept")},
		{fault: fault{name: "full disk", do: fullDisk, possible: onSmallDisk}, line: `msg="history not written, mail goes on".*disk is full`, metric: warned("warn", "history not written, mail goes on")},
		{fault: fault{name: "log blocked", do: blockedLog}, line: `msg="log was blocked"`, metric: warned("warn", "log was blocked")},
		{
			fault:    fault{name: "slow clients", do: slow.silent},
			settings: strings.NewReplacer("[content_filter]\n", "content_timeout = \"1s\"\n[content_filter]\ncontent_timeout = \"1s\"\n"),
			line:     `msg="connection closed".*reason=timeout`, metric: `linkmilter_connections_broken_total{reason="timeout",server="milter"}`,
		},
		{
			fault:    fault{name: "slow next hop", do: silentNextHop},
			settings: strings.NewReplacer("[content_filter]\n", "[content_filter]\nnext_hop_timeout = \"2s\"\n"),
			line:     `msg="next hop"`, metric: "linkmilter_next_hop_failures_total", short: true,
		},
		{fault: fault{name: "clock steps", do: clockSteps, possible: withOwnClock}, line: `msg="clock was stepped"`, metric: warned("warn", "clock was stepped")},
		{fault: fault{name: "100 reloads a second", do: reloads}, line: `msg="configuration not used"`, metric: warned("error", "configuration not used")},
		{fault: fault{name: "list of top-level domains", do: allBadNames, possible: withOwnClock}, line: `msg="top-level domains not updated"`, metric: warned("warn", "top-level domains not updated")},
		{fault: fault{name: "history corrupt", do: foundCorrupt}, line: `msg="history file is corrupt, begun anew"`, metric: warned("error", "history file is corrupt, begun anew"), short: true},
		{fault: fault{name: "history locked", do: lockedHistory}, line: `msg="history not written, mail goes on".*locked`, metric: warned("warn", "history not written, mail goes on")},
	}
}

// faultMessages returns how many messages the trials send altogether at least, by
// $LINKMILTER_FAULTS (`make faults`); 0: a few each.
func faultMessages(tb testing.TB) int {
	tb.Helper()
	setting := os.Getenv("LINKMILTER_FAULTS")
	if setting == "" {
		return 0
	}
	n, err := strconv.Atoi(setting)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// TestFaults: under each fault, each message arrives once and undamaged. By SMTP it may arrive once
// more for each lost reply. The log and a metric show the operator what is wrong.
func TestFaults(t *testing.T) {
	all := trials(slowTraffic{})
	for i := range all {
		t.Run(all[i].name, func(t *testing.T) {
			if !all[i].short {
				long.Only(t)
			}
			t.Parallel()
			c := newCourse(t, e2e.Binary(t))
			tr := trials(c.slow)[i]
			if tr.possible != nil && !tr.possible(c.program) {
				env.Missing(t, "root on amd64")
			}
			c.run(tr, faultMessages(t)/len(all))
		})
	}
}

// leastMessages is how many messages a trial sends at least.
const leastMessages = 20

// course is a program under a fault, with its traffic.
type course struct {
	t       *testing.T
	binary  string
	account *traffic.Account
	program *program
	corpus  *traffic.Corpus
	slow    slowTraffic
	sent    atomic.Uint64
	limit   time.Duration // of a fault
}

func newCourse(t *testing.T, binary string) *course {
	t.Helper()
	c := &course{t: t, binary: binary, account: traffic.NewAccount(), limit: 3 * time.Second}
	c.program = newProgram(t, binary, t.TempDir(), c.account)
	c.corpus = traffic.NewCorpus(c.program.filter(t), 1)
	c.slow = slowTraffic{c.account, c.small}
	return c
}

// small returns a small message.
func (c *course) small() (*traffic.Message, error) {
	for {
		m, err := c.corpus.Message(c.sent.Add(1))
		if err != nil || len(m.Raw) < 3000 {
			return m, err
		}
	}
}

// run sends messages under a fault until the fault is over, its signs are there, and enough
// messages were sent. Until then the fault is repeated.
func (c *course) run(tr trial, messages int) {
	if tr.settings != nil {
		c.configure(tr.settings)
	}
	if err := c.program.start(); err != nil {
		c.t.Fatal(err)
	}
	before, err := c.program.metric(tr.metric)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var sending sync.WaitGroup
	for i := range milterSenders + smtpSenders {
		sending.Go(func() { c.send(ctx, i) })
	}
	r := rand.New(rand.NewPCG(1, 1))
	// The fault shall meet messages.
	for deadline := time.Now().Add(patience); c.account.Totals().Sent < leastMessages && time.Now().Before(deadline); {
		rest(ctx, 50*time.Millisecond)
	}
	for times := 0; times == 0 || c.account.Totals().Sent < messages && times < 1000 && !c.t.Failed(); times++ {
		limited, cancel := context.WithTimeout(ctx, c.limit)
		if err := tr.do(limited, c.program, r); err != nil {
			c.t.Error(err)
		}
		cancel()
		rest(ctx, 500*time.Millisecond)
	}
	c.awaitSigns(tr, before)
	stop()
	sending.Wait()
	c.check()
}

// configure changes the configuration before the start.
func (c *course) configure(changes *strings.Replacer) {
	text, err := os.ReadFile(c.program.config())
	if err == nil {
		err = os.WriteFile(c.program.config(), []byte(changes.Replace(string(text))), 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// send sends one message after the other.
func (c *course) send(ctx context.Context, i int) {
	send, end := newSender(c.program, c.account, i)
	defer end()
	for ctx.Err() == nil {
		m, err := c.corpus.Message(c.sent.Add(1))
		if err == nil {
			limited, cancel := context.WithTimeout(context.Background(), 2*patience)
			err = send(limited, m)
			cancel()
		}
		if err != nil {
			c.t.Error(err)
			return
		}
		rest(ctx, 50*time.Millisecond)
	}
}

// awaitSigns waits for the line of the log and for the metric.
func (c *course) awaitSigns(tr trial, before float64) {
	c.t.Helper()
	pattern := regexp.MustCompile(tr.line)
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(c.program.dir, "log"))
		after, scraped := c.program.metric(tr.metric)
		if err := errors.Join(err, scraped); err != nil && time.Now().After(deadline) {
			c.t.Error(err)
			return
		}
		found := pattern.Match(text)
		if found && after > before {
			return
		}
		if time.Now().After(deadline) {
			c.t.Errorf("line %q in the log: %v; metric %s: %v, before %v", tr.line, found, tr.metric, after, before)
			return
		}
	}
}

// check checks the account.
func (c *course) check() {
	c.t.Helper()
	totals := c.account.Close()
	c.t.Log(inWords(totals))
	if !totals.OK() || totals.Unsettled > 0 || totals.Sent < leastMessages || totals.Filtered == 0 {
		c.t.Errorf("messages: %+v\n%s", totals, strings.Join(c.account.Problems(), "\n"))
	}
}

// silent sends over slow connections, and begins a message that it does not end.
func (s slowTraffic) silent(ctx context.Context, p *program, r *rand.Rand) error {
	conn, err := net.Dial("unix", p.milter)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.Write(hostile.InMessage(hostile.Frame('N'))); err != nil {
		return err
	}
	if err := s.clients(ctx, p, r); err != nil {
		return err
	}
	rest(ctx, 2*time.Second) // more than the timeout
	return nil
}

// silentNextHop makes the next hop silent until linkmilter gives up waiting. On a busy machine it
// may take a while until a message is affected.
func silentNextHop(_ context.Context, p *program, _ *rand.Rand) error {
	const message = "next hop"
	before := p.log.counts()[message]
	p.nextHop.silent.Store(true)
	defer p.nextHop.silent.Store(false)
	for deadline := time.Now().Add(patience); p.log.counts()[message] == before; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("no line %q within %v", message, patience)
		}
	}
	return nil
}

// allBadNames makes linkmilter fetch the list in all bad ways. It asks only every five minutes or
// more, so its own clock runs fast.
func allBadNames(ctx context.Context, p *program, _ *rand.Rand) error {
	const message = "top-level domains not updated"
	for way := 1; way < len(namesWays); way++ {
		p.names.way.Store(int32(way))
		before := p.log.counts()[message]
		for tries := 0; p.log.counts()[message] == before; tries++ {
			if tries > 60 {
				return fmt.Errorf("no line %q when the list is %s", message, namesWays[way])
			}
			p.ahead += time.Duration(1+tries) * 10 * time.Minute // its pauses grow
			if err := stepClock(p.pid(), unix.CLOCK_MONOTONIC, p.ahead); err != nil {
				return err
			}
			time.Sleep(300 * time.Millisecond)
		}
	}
	return nil
}

// foundCorrupt corrupts the history until linkmilter reads it.
func foundCorrupt(ctx context.Context, p *program, r *rand.Rand) error {
	const message = "history file is corrupt, begun anew"
	before := p.log.counts()[message]
	for tries := 0; p.log.counts()[message] == before; tries++ {
		if tries > 60 {
			return fmt.Errorf("no line %q", message)
		}
		limited, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		err := corruptHistory(limited, p, r)
		cancel()
		if err != nil {
			return err
		}
		// This page reads the file; the answer does not matter.
		_, _ = p.get("/findings?q=ben@example.com")
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// newSender returns a function that sends messages to a program, and one that ends its connection.
// Each number way is another way to send; two of the ways open a connection for each message.
func newSender(p *program, a *traffic.Account, i int) (send func(context.Context, *traffic.Message) error, end func()) {
	const timeout, pause = 20 * time.Second, 300 * time.Millisecond
	if i >= milterSenders {
		client := &traffic.SMTP{Address: p.smtp, Account: a, Timeout: timeout, Pause: pause}
		send, end = client.Send, client.Close
	} else {
		milter := mta.Milter{Network: "unix", Address: p.milter, Host: traffic.Host, Timeout: timeout}
		if i%2 == 1 {
			milter.Network, milter.Address = "tcp", p.tcp
		}
		if i < milterSenders/2 {
			milter.Protocol = noReplies
		}
		client := &traffic.Milter{Milter: milter, Account: a, Pause: pause}
		send, end = client.Send, client.Close
	}
	if i != milterSenders-1 && i != milterSenders {
		return send, end
	}
	once := send
	return func(ctx context.Context, m *traffic.Message) error {
		defer end()
		return once(ctx, m)
	}, end
}
