package service

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func levelOf() *slog.LevelVar { return new(slog.LevelVar) }

// asChild is set in the environment of a process that runs a service for a test.
const asChild = "LINKMILTER_TEST_SERVICE"

func TestMain(m *testing.M) {
	config := os.Getenv(asChild)
	if config == "" {
		os.Exit(m.Run())
	}
	// systemd sets this after fork, when it knows the number.
	os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM)
	if err := Run(context.Background(), Options{Config: config, Log: os.Stderr, Signals: signals}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// systemd is a fake systemd: it listens on the notify socket of services.
type systemd struct{ conn *net.UnixConn }

func newSystemd(tb testing.TB) *systemd {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	tb.Setenv("NOTIFY_SOCKET", path)
	return &systemd{conn}
}

// hurry limits how long the next calls of told may take together. Without it, signs of life could
// go on for ever while the test waits for something else.
func (s *systemd) hurry(tb testing.TB) {
	tb.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		tb.Fatal(err)
	}
}

// told returns the next message of a service.
func (s *systemd) told(tb testing.TB) string {
	tb.Helper()
	buffer := make([]byte, 4096)
	n, err := s.conn.Read(buffer)
	if err != nil {
		tb.Fatal(err)
	}
	return string(buffer[:n])
}

// waitFor skips signs of life and waits for another message.
func (s *systemd) waitFor(tb testing.TB, want string) {
	tb.Helper()
	s.hurry(tb)
	for {
		if got := s.told(tb); got != "WATCHDOG=1" {
			if !strings.HasPrefix(got, want) {
				tb.Errorf("told %q, want %q", got, want)
			}
			return
		}
	}
}

func TestNotify(t *testing.T) {
	manager := newSystemd(t)
	r := run(t, ruleWith())
	manager.waitFor(t, "READY=1")
	r.signals <- syscall.SIGHUP
	manager.waitFor(t, "RELOADING=1\nMONOTONIC_USEC=")
	manager.waitFor(t, "READY=1")
	r.reload(t, "bad")
	manager.waitFor(t, "RELOADING=1\nMONOTONIC_USEC=")
	manager.waitFor(t, "READY=1") // with the configuration before
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	manager.waitFor(t, "STOPPING=1")
}

func TestNotifyFails(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "missing"))
	r := run(t, ruleWith())
	r.logs.wait(t, "systemd not notified", 1)
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestWatchdog: the service sends signs of life as long as the milter answers.
func TestWatchdog(t *testing.T) {
	manager := newSystemd(t)
	t.Setenv("WATCHDOG_USEC", strconv.Itoa(int((2 * time.Second).Microseconds())))
	r := run(t, ruleWith())
	manager.hurry(t)
	signs := 0
	for ready := false; signs < 2 || !ready; {
		switch got := manager.told(t); got {
		case "WATCHDOG=1":
			signs++
		case "READY=1":
			ready = true
		default:
			t.Fatalf("told %q", got)
		}
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// TestNoSignOfLife: if the milter does not answer, the service sends no sign of life and is not
// healthy.
func TestNoSignOfLife(t *testing.T) {
	manager := newSystemd(t)
	t.Setenv("WATCHDOG_USEC", "2000000")
	logs := newLogs()
	s := &service{options: Options{Log: logs}, level: levelOf()}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	if err := s.healthy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.milter.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.healthy(t.Context()); err == nil {
		t.Error("healthy without a milter")
	}
	ctx, cancel := context.WithCancel(t.Context())
	s.serving.Go(func() { s.notify.watch(ctx, s.healthy) })
	logs.wait(t, "msg=watchdog", 1)
	cancel()
	s.serving.Wait()
	if err := manager.conn.SetReadDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if n, err := manager.conn.Read(make([]byte, 100)); err == nil {
		t.Errorf("%d bytes were sent", n)
	}
	s.stopping.Store(true)
	if err := s.healthy(t.Context()); err != nil {
		t.Errorf("a stopping service is unhealthy: %v", err)
	}
}

func TestWatchdogThatMakesNoSense(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "soon")
	r := run(t, ruleWith())
	r.logs.wait(t, `msg="no watchdog"`, 1)
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestSocketActivation: the service uses sockets that systemd passes in place of the addresses of
// the file. One with the name admin is for monitoring.
func TestSocketActivation(t *testing.T) {
	folder := t.TempDir()
	path, config := filepath.Join(folder, "s"), filepath.Join(folder, "linkmilter.toml")
	document := ruleWith(`html = "needed"`) + "[milter]\nlisten = [\"inet:1@127.0.0.1\"]\n"
	if err := os.WriteFile(config, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	mail, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	manager := newSystemd(t)
	logs := newLogs()
	child := startChild(t, config, logs, "linkmilter.socket:admin", mail, admin)
	manager.waitFor(t, "READY=1")

	m := connect(t, path)
	if got := m.send(t, hindi); got != "edited" {
		t.Errorf("outcome %q", got)
	}
	m.close()
	if status, body := get(t, "http://"+admin.Addr().String()+"/readyz"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if err := child.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Errorf("%v\n%s", err, logs)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("systemd's socket was removed: %v", err)
	}
	if strings.Contains(logs.String(), "127.0.0.1:1 ") {
		t.Errorf("it listened on the address of the file:\n%s", logs)
	}
}

// TestPassedSocketsAreChecked: the service refuses passed sockets that every network can reach, and
// those that do not listen.
func TestPassedSocketsAreChecked(t *testing.T) {
	config := filepath.Join(t.TempDir(), "linkmilter.toml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	allNetworks, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	datagrams, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	logs := newLogs()
	child := startChild(t, config, logs, "", allNetworks, datagrams)
	if err := child.Wait(); err == nil {
		t.Error("it ran")
	}
	for _, text := range []string{"not a loopback address", "not a listening socket"} {
		if !strings.Contains(logs.String(), text) {
			t.Errorf("%q is not in %q", text, logs)
		}
	}
}

// startChild runs a service in a process of its own with sockets as systemd
// passes them. The sockets are closed here.
func startChild(tb testing.TB, config string, logs *logs, names string, sockets ...interface{ Close() error }) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), asChild+"="+config, "LISTEN_FDS="+strconv.Itoa(len(sockets)), "LISTEN_FDNAMES="+names)
	child.Stderr = logs
	for _, socket := range sockets {
		if l, ok := socket.(*net.UnixListener); ok {
			l.SetUnlinkOnClose(false)
		}
		file, err := socket.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			tb.Fatal(err)
		}
		child.ExtraFiles = append(child.ExtraFiles, file)
	}
	if err := child.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = child.Process.Kill() })
	for i, socket := range sockets {
		child.ExtraFiles[i].Close()
		socket.Close()
	}
	return child
}
