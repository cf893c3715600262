//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/test/e2e"
	"github.com/linkmilter/linkmilter/internal/test/traffic"
)

// program is `linkmilter serve` with a milter and a content filter. Its methods return
// errors, for goroutines beside that of the test.
type program struct {
	binary  string
	dir     string // for sockets and the configuration
	disk    string // folder for the history and the list of top-level domains
	small   bool   // disk is a small file system of its own
	milter  string // Unix socket
	tcp     string // TCP address of the milter
	smtp    string
	admin   string
	pprof   string
	log     *logFile
	names   *nameServer
	nextHop *slowListener
	ahead   time.Duration // of the clock of its timers

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{} // closed when cmd ended
	last string        // why it ended last
}

// settings is the configuration of a program. Messages are short, so an edit may cost
// something with spam filters.
const settings = `builtin_rules = true
[milter]
listen = ["unix:%[1]s", "inet:%[2]s"]
[content_filter]
listen = ["%[3]s"]
next_hop = "%[4]s"
name = "` + traffic.Host + `"
[limits]
memory = "128 MiB"
[admin]
listen = "%[5]s"
keep = 50
history = "%[6]s/history.db"
history_rows = 2000
pprof = "%[7]s"
[tlds]
refresh = true
url = "%[8]s"
file = "%[6]s/tlds.txt"
[log]
format = "text"
[[rule]]
name = "local"
when = { client = ["127.0.0.0/8", "::1/128"] }
trusted = true
html = "needed"
html_part = "readable"
edit_cost = "any"
`

// newProgram prepares a program in a folder. It does not start it.
func newProgram(tb testing.TB, binary, dir string, account *traffic.Account) *program {
	tb.Helper()
	p := &program{
		binary: binary, dir: dir, disk: filepath.Join(dir, "disk"), milter: filepath.Join(dir, "milter.sock"), pprof: filepath.Join(dir, "pprof.sock"),
		tcp: localhost(e2e.FreePort(tb)), smtp: localhost(e2e.FreePort(tb)), admin: localhost(e2e.FreePort(tb)),
	}
	if err := os.MkdirAll(p.disk, 0o700); err != nil {
		tb.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := unix.Mount("tmpfs", p.disk, "tmpfs", 0, "size=16m"); err != nil {
			tb.Logf("SKIPPED the full disk: %v", err)
		} else {
			p.small = true
			tb.Cleanup(func() { _ = unix.Unmount(p.disk, unix.MNT_DETACH) })
		}
	}
	var err error
	if p.log, err = openLog(filepath.Join(dir, "log")); err != nil {
		tb.Fatal(err)
	}
	p.names = startNameServer(tb, dir)
	p.nextHop = startSink(tb, account)
	host, port, _ := strings.Cut(p.tcp, ":")
	text := fmt.Sprintf(settings, p.milter, port+"@"+host, p.smtp, p.nextHop.Addr(), p.admin, p.disk, p.pprof, p.names.url)
	if err := os.WriteFile(p.config(), []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = p.signal(syscall.SIGKILL)
		_ = p.wait(time.Minute)
		_ = p.log.Close()
	})
	return p
}

func localhost(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

func (p *program) config() string { return filepath.Join(p.dir, "linkmilter.toml") }

// filter returns the filter that the program uses.
func (p *program) filter(tb testing.TB) *filter.Filter {
	tb.Helper()
	file, err := config.Load(p.config())
	if err != nil {
		tb.Fatal(err)
	}
	f, err := filter.New(file.Filter(nil))
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// patience bounds what normally takes milliseconds.
const patience = time.Minute

// start starts the program and waits until it is ready.
func (p *program) start() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	// As small as possible: a log that is not read stops the program soon.
	if _, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 4096); err != nil {
		return err
	}
	cmd := exec.Command(p.binary, "serve", "--config", p.config())
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+p.names.certificate, "NO_PROXY=*")
	cmd.Stderr = w
	// Cleanups do not run when the test is killed.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := startInThread(cmd); err != nil {
		return err
	}
	done := make(chan struct{})
	p.mu.Lock()
	p.cmd, p.done = cmd, done
	p.mu.Unlock()
	go p.log.read(r)
	go func() {
		err := cmd.Wait()
		p.mu.Lock()
		p.last = fmt.Sprint(err)
		p.mu.Unlock()
		close(done)
	}()
	return p.awaitReady()
}

// startInThread starts a program in a thread that lasts: its signal for the death of
// the parent comes when the thread ends.
func startInThread(cmd *exec.Cmd) error {
	starter.Do(func() { go serveStarts() })
	result := make(chan error)
	starts <- start{cmd, result}
	return <-result
}

type start struct {
	cmd    *exec.Cmd
	result chan<- error
}

var (
	starter sync.Once
	starts  = make(chan start)
)

func (p *program) awaitReady() error {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		if _, err := p.get("/readyz"); err == nil {
			return nil
		}
		if p.ended() {
			return fmt.Errorf("linkmilter ended while it started: %s", p.last)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("linkmilter is not ready after %v", patience)
}

func (p *program) ended() bool {
	select {
	case <-p.doneChannel():
		return true
	default:
		return false
	}
}

func (p *program) doneChannel() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

func (p *program) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// signal sends a signal to the program if it runs.
func (p *program) signal(sig syscall.Signal) error {
	if p.pid() == 0 || p.ended() {
		return nil
	}
	return syscall.Kill(p.pid(), sig)
}

// wait waits until the program ended.
func (p *program) wait(limit time.Duration) error {
	if p.pid() == 0 {
		return nil
	}
	select {
	case <-p.doneChannel():
		return nil
	case <-time.After(limit):
		return fmt.Errorf("linkmilter still runs after %v", limit)
	}
}

// local is for requests to the admin listener; no connection stays.
var local = http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// get asks the admin listener.
func (p *program) get(path string) (string, error) { return fetch(&local, "http://"+p.admin+path) }

func fetch(client *http.Client, url string) (string, error) {
	response, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, response.Status)
	}
	return string(body), err
}

// metric returns the sum of the values of a metric whose line begins with a prefix.
func (p *program) metric(prefix string) (sum float64, err error) {
	text, err := p.get("/metrics")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, prefix) {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' ')+1:]), 64)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// collect has the program collect its garbage.
func (p *program) collect() error {
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", p.pprof)
		},
	}}
	for range 2 { // what a sync.Pool holds goes with the second collection
		if _, err := fetch(&client, "http://x/debug/pprof/heap?gc=1"); err != nil {
			return err
		}
	}
	return nil
}

// footprint is what a program takes.
type footprint struct {
	heap, resident, highest float64 // MiB
	goroutines, files       int
}

// footprint measures the program after a collection of its garbage.
func (p *program) footprint() (f footprint, err error) {
	if err := p.collect(); err != nil {
		return f, err
	}
	heap, err := p.metric("go_memstats_heap_alloc_bytes ")
	if err != nil {
		return f, err
	}
	goroutines, err := p.metric("go_goroutines ")
	if err != nil {
		return f, err
	}
	f.heap, f.goroutines = heap/(1<<20), int(goroutines)
	f.resident, err = p.memory("VmRSS:")
	f.highest, _ = p.memory("VmHWM:")
	files, listing := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.pid()))
	f.files = len(files)
	return f, errors.Join(err, listing)
}

// memory returns a line of the process's status in MiB.
func (p *program) memory(name string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid()))
	if err != nil {
		return 0, err
	}
	words := strings.Fields(string(status))
	i := slices.Index(words, name)
	if i < 0 || i+1 == len(words) {
		return 0, fmt.Errorf("no %s in the status of the process", name)
	}
	kib, err := strconv.ParseFloat(words[i+1], 64)
	return kib / 1024, err
}
