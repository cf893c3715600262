package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// ruleWith is a configuration with one rule.
func ruleWith(lines ...string) string {
	return "[[rule]]\nname = \"r\"\n" + strings.Join(lines, "\n") + "\nedit_cost = \"any\"\n"
}

func TestServesWithDefaults(t *testing.T) {
	logs, signals, ended := newLogs(), make(chan os.Signal, 1), make(chan error, 1)
	socket := filepath.Join(t.TempDir(), "s")
	go func() {
		ended <- Run(context.Background(), Options{Milter: []string{socket}, Log: logs, Signals: signals})
	}()
	logs.wait(t, "for=milter", 1)
	m := connect(t, socket)
	if got := m.send(t, hindi); got != "kept" { // a stranger's
		t.Errorf("outcome %q", got)
	}
	m.close()
	signals <- syscall.SIGHUP // nothing to read, and nothing lost
	logs.wait(t, "configuration in use", 1)
	signals <- syscall.SIGTERM
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(socket); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	checkNoGoroutines(t)
}

// Run also ends with its context.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	logs, ended := newLogs(), make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Milter: []string{"unix:" + filepath.Join(t.TempDir(), "s")}, Log: logs})
	}()
	logs.wait(t, "for=milter", 1)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// TestReload: a good file applies from the next message on, also on open connections.
func TestReload(t *testing.T) {
	r := run(t, ruleWith(`html = "never"`))
	m := r.connect(t)
	steps := []struct {
		name, document, want string
	}{
		{"as started", "", "kept"},
		{"rules", ruleWith(`html = "needed"`), "edited"},
		{"limits of the filter", ruleWith(`html = "needed"`) + "[limits]\ntext = 10\n", "kept"},
		{"limits of the milter", ruleWith(`html = "needed"`) + "[limits]\nmessage = 20\n", "kept"},
		{"policy", ruleWith(`on = { high = "reject" }`) + "[policy]\nseverity = { ip-host = \"high\" }\n", "550"},
		{"back again", ruleWith(`html = "needed"`), "edited"},
	}
	for _, step := range steps {
		if step.document != "" {
			r.reload(t, step.document)
		}
		if got := m.send(t, hindi+numeric); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	m.close()
	all := r.logs.String()
	for _, text := range []string{"changed=[rule]", "changed=[limits.text]", "not_done=text-too-large", "not_done=too-large"} {
		if !strings.Contains(all, text) {
			t.Errorf("%q is not in the log", text)
		}
	}
	if strings.Contains(all, "need a restart") {
		t.Error("a restart is asked for")
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// TestReloadOfABadFile: a bad file changes nothing, and the log has each of its problems.
func TestReloadOfABadFile(t *testing.T) {
	r := run(t, ruleWith(`html = "needed"`))
	m := r.connect(t)
	r.reload(t, ruleWith(`html = "never"`, `on = { high = "explode" }`)+"[limits]\nmessage = 1\nmemory = 1\nnonsense = 1\n")
	if got := m.send(t, hindi); got != "edited" {
		t.Errorf("outcome %q", got)
	}
	all := r.logs.String()
	for _, text := range []string{`linkmilter.toml:4:`, `limits.memory: `, `limits.nonsense: unknown key`} {
		if !strings.Contains(all, text) {
			t.Errorf("%q is not in the log", text)
		}
	}
	if got := strings.Count(all, `msg="configuration not used"`); got != 3 {
		t.Errorf("%d problems logged", got)
	}
	if err := os.Remove(r.config); err != nil {
		t.Fatal(err)
	}
	r.signals <- syscall.SIGHUP
	r.logs.wait(t, "no such file", 1)
	if got := m.send(t, hindi); got != "edited" {
		t.Errorf("outcome %q without a file", got)
	}
	m.close()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// Each line of the log, the metrics and the tags name the machine. A reload changes none
// of them.
func TestNode(t *testing.T) {
	const admin, low = "[admin]\nlisten = \"127.0.0.1:0\"\n", `on = { low = "tag" }`
	document := func(node string) string {
		return "[service]\nnode = \"" + node + "\"\n" + admin + ruleWith(low)
	}
	r := run(t, document("mx1"))
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	r.reload(t, document("mx2"))
	r.logs.wait(t, "keys=[service.node]", 1)
	m := r.connect(t)
	m.send(t, numeric)
	r.logs.wait(t, "msg=message node=mx1 listener=", 1)
	m.close()
	if _, body := get(t, base+"/metrics"); !strings.Contains(body, `node="mx1"`) {
		t.Error("the metrics do not name the machine")
	}
	if !slices.ContainsFunc(m.added, func(value string) bool { return strings.HasSuffix(value, "; node=mx1") }) {
		t.Errorf("tags %q", m.added)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(r.logs.String()) {
		if !strings.Contains(line, " node=mx1 ") && !strings.HasSuffix(line, " node=mx1\n") {
			t.Errorf("line without node: %s", line)
		}
	}
}

// Without a name in the file the log has the name of the host, and tags have none.
func TestNodeByDefault(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, ruleWith(`on = { low = "tag" }`))
	m := r.connect(t)
	m.send(t, numeric)
	r.logs.wait(t, "msg=message node="+host+" ", 1)
	m.close()
	if len(m.added) == 0 || strings.Contains(strings.Join(m.added, ""), "node=") {
		t.Errorf("tags %q", m.added)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestReloadNamesWhatNeedsARestart: each reload names the keys that need a restart, as long as they
// differ from those at the start.
func TestReloadNamesWhatNeedsARestart(t *testing.T) {
	r := run(t, ruleWith())
	r.reload(t, ruleWith()+"[service]\nnode = \"mx9\"\n[milter]\nlisten = [\"inet:1@127.0.0.1\"]\nmax_connections = 7\n[log]\nformat = \"json\"\nlevel = \"debug\"\n[admin]\nhosts = [\"mx\"]\n")
	const keys = `keys="[service.node milter.max_connections admin.hosts log.format]"`
	all := r.logs.wait(t, keys, 1) // not milter.listen, which the command line decides
	if !strings.Contains(all, `changed="[milter.listen log.level]"`) {
		t.Errorf("what needs a restart is not in use yet:\n%s", all)
	}
	r.reload(t, ruleWith(`html = "always"`)+"[service]\nnode = \"mx9\"\n[milter]\nmax_connections = 7\n[log]\nformat = \"json\"\n[admin]\nhosts = [\"mx\"]\n")
	r.logs.wait(t, keys, 2)
	r.reload(t, ruleWith())
	if got := strings.Count(r.logs.String(), "need a restart"); got != 2 {
		t.Errorf("a restart was asked for %d times", got)
	}
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestReloadWhileMessagesFlow: while the file changes, each message is decided by the old or the
// new configuration, not by a mixture.
func TestReloadWhileMessagesFlow(t *testing.T) {
	r := run(t, ruleWith(`html = "needed"`))
	var group sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		m := r.connect(t)
		group.Go(func() {
			defer m.close()
			for {
				select {
				case <-done:
					return
				default:
				}
				m.begin(t)
				if got := m.end(t, hindi+numeric); got != "edited" && got != "550" {
					t.Errorf("outcome %q", got)
				}
			}
		})
	}
	for i := range 10 {
		document := ruleWith(`html = "needed"`)
		if i%2 == 0 {
			document = ruleWith(`on = { high = "reject" }`) + "[policy]\nseverity = { ip-host = \"high\" }\n"
		}
		r.reload(t, document)
	}
	close(done)
	group.Wait()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// nameList writes a list of top-level domains as IANA does, with further names.
func nameList(tb testing.TB, path string, serial int, more ...string) {
	tb.Helper()
	lines := []string{}
	for name := range tld.Builtin().All() {
		lines = append(lines, strings.ToUpper(name))
	}
	lines = append(lines, more...)
	slices.Sort(lines)
	now := time.Now().UTC()
	head := fmt.Sprintf("# Version %s%02d, Last Updated %s\n", now.Format("20060102"), serial, now.Format("Mon Jan _2 15:04:05 2006 MST"))
	if err := os.WriteFile(path, []byte(head+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// TestReloadReadsTopLevelDomains: a list that was put on disk is in use after the next reload.
func TestReloadReadsTopLevelDomains(t *testing.T) {
	list := filepath.Join(t.TempDir(), "tlds.txt")
	document := ruleWith(`html = "always"`) + fmt.Sprintf("[tlds]\nfile = %q\n", list)
	r := run(t, document)
	m := r.connect(t)
	const text = "see example.zzqq there\r\n"
	m.send(t, text)
	r.logs.wait(t, "links=0", 1)
	nameList(t, list, 1, "ZZQQ")
	r.reload(t, document)
	r.logs.wait(t, "origin=file", 1)
	m.send(t, text)
	r.logs.wait(t, "links=1", 1)
	m.close()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
}

// TestNewTopLevelDomains: a list that was fetched is in use at once.
func TestNewTopLevelDomains(t *testing.T) {
	s := &service{options: Options{Log: newLogs()}, level: levelOf()}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	set, err := tld.Builtin().With("zzqq")
	if err != nil {
		t.Fatal(err)
	}
	list := *s.names.list()
	list.Set = set
	count := func() int { return len(s.filter.judges.Load().filter.Text("see example.zzqq there")) }
	if n := count(); n != 0 {
		t.Fatalf("%d links", n)
	}
	s.useNames(&list)
	if n := count(); n != 1 {
		t.Errorf("%d links with the new list", n)
	}
}

// TestRefreshInTheBackground: the service fetches the list in the background as long as the file
// says so.
func TestRefreshInTheBackground(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tlds.txt")
	// Nothing is fetched here, since the first request comes only after minutes.
	refresh := func(on bool, url string) string {
		return ruleWith() + fmt.Sprintf("[tlds]\nrefresh = %v\nurl = %q\nfile = %q\n", on, url, file)
	}
	r := run(t, refresh(true, "https://127.0.0.1:1/a"))
	fetching := func() bool {
		return slices.ContainsFunc(ownGoroutines(), func(stack string) bool { return strings.Contains(stack, "tlds.(*Keeper).Run") })
	}
	if !soon(fetching) {
		t.Error("no update of the list runs")
	}
	r.reload(t, refresh(true, "https://127.0.0.1:1/b"))
	if !soon(fetching) {
		t.Error("no update of the list runs after a change")
	}
	r.reload(t, refresh(false, "https://127.0.0.1:1/b"))
	if fetching() {
		t.Error("the list is kept fresh although it shall not")
	}
	r.reload(t, refresh(true, "https://127.0.0.1:1/b"))
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	checkNoGoroutines(t)
}

// soon reports whether a condition becomes true soon: a new goroutine may have to wait for a
// processor.
func soon(condition func() bool) bool {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); runtime.Gosched() {
		if condition() {
			return true
		}
	}
	return false
}

// An open message is finished before the service ends, and no other begins.
func TestStopFinishesMessages(t *testing.T) {
	r := run(t, ruleWith(`html = "needed"`))
	m, idle := r.connect(t), r.connect(t)
	m.begin(t)
	r.signals <- syscall.SIGTERM
	r.logs.wait(t, "msg=stopping", 1)
	r.signals <- syscall.SIGHUP // a reload has no effect any more
	if got := m.end(t, hindi); got != "edited" {
		t.Errorf("outcome %q", got)
	}
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("unix", r.socket); err == nil {
		t.Error("it still listens")
	}
	idle.close()
	m.close()
	checkNoGoroutines(t)
}

// TestSecondSignalStopsAtOnce: a second signal ends the service without waiting for messages.
func TestSecondSignalStopsAtOnce(t *testing.T) {
	r := run(t, ruleWith())
	m := r.connect(t)
	m.begin(t)
	r.signals <- syscall.SIGTERM
	r.logs.wait(t, "msg=stopping", 1)
	r.signals <- syscall.SIGINT
	err := r.wait(t)
	if err == nil || !strings.Contains(err.Error(), "second signal: interrupt") {
		t.Errorf("error %v", err)
	}
	if _, err := m.finish(hindi); err == nil {
		t.Error("the open message was answered")
	}
	m.close()
	checkNoGoroutines(t)
}

// A listener that fails ends the service, so that it is started again.
func TestListenerFails(t *testing.T) {
	s := &service{options: Options{Log: newLogs()}, level: levelOf()}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	s.failed = make(chan error, 1)
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	s.serve("milter", l, s.milter.Serve)
	l.Close()
	err = s.loop(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "milter unix:") {
		t.Errorf("error %v", err)
	}
	if err := s.stop(func() {}, false); err != nil {
		t.Error(err)
	}
}

func TestDoesNotStart(t *testing.T) {
	folder := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := func(name, document string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	socket := filepath.Join(folder, "s")
	tests := []struct {
		name    string
		options Options
		config  bool // the configuration is the cause
		want    []string
	}{
		{"no file", Options{Config: filepath.Join(folder, "none")}, true, []string{"no such file"}},
		{
			"bad file",
			Options{Config: file("bad", "[limits]\ntime = 1\nparts = -1\n")},
			true,
			[]string{"limits.time", "limits.parts"},
		},
		{
			"addresses",
			Options{Milter: []string{"nonsense", "unix:" + socket, "inet:25@192.0.2.1"}},
			true,
			[]string{`"nonsense"`, "192.0.2.1:25\": not a loopback"},
		},
		{
			"address in use",
			Options{Milter: []string{"unix:" + socket, "inet:" + taken.Addr().String()}},
			false,
			[]string{"address already in use"},
		},
		{
			"admin address in use",
			Options{Milter: []string{"unix:" + socket}, Config: file("admin", fmt.Sprintf("[admin]\nlisten = %q\npprof = %q\n", taken.Addr(), file("no socket", "x")))},
			false,
			[]string{"admin.listen: ", "address already in use", "admin.pprof: ", "no socket"},
		},
		{"nothing to listen on", Options{Config: file("silent", "[milter]\nlisten = []\n")}, true, []string{"no address to listen on"}},
		{
			"an unknown group",
			Options{Config: file("group", fmt.Sprintf("[milter]\nlisten = [%q]\nsocket_group = \"no such group\"\n", "unix:"+socket))},
			true,
			[]string{"no such group"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Log = newLogs()
			err := Run(t.Context(), tt.options)
			if err == nil {
				t.Fatal("it ran")
			}
			if wrong := (*ConfigError)(nil); errors.As(err, &wrong) != tt.config {
				t.Errorf("%T: %v", err, err)
			}
			for _, text := range tt.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q is not in %q", text, err)
				}
			}
			if _, err := os.Stat(socket); !os.IsNotExist(err) {
				t.Errorf("a socket is left: %v", err)
			}
		})
	}
	checkNoGoroutines(t)
}
