//go:build linux

package e2e

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
	"github.com/linkmilter/linkmilter/internal/tlds"
)

const unit = "linkmilter.service"

// TestSystemd installs linkmilter as the manual says, and runs it under a real systemd with all
// restrictions of its unit. Mail flows. Start, watchdog, reload, restart, stop and sockets work as
// the manual says.
func TestSystemd(t *testing.T) {
	t.Parallel()
	m := StartSystemd(t)
	addr, monitoring := freeMilter(t), "127.0.0.1:"+strconv.Itoa(FreePort(t))
	socket := m.path("run/milter.sock")
	tapped := newTap(t)
	server := StartPostfix(t, Listener{Name: "plain"}, Listener{Name: "tcp", Milter: addr},
		Listener{Name: "unix", Milter: "unix:" + socket}, Listener{Name: "tapped", Milter: tapped.Addr()})
	list, certificate := serveNames(t)
	// At its start, the service makes the folder for quarantine inside the one that the unit gives
	// it.
	config := fmt.Sprintf("[milter]\nlisten = [%q]\n[content_filter]\nnext_hop = \"127.0.0.1:10026\"\nquarantine = \"/var/lib/linkmilter/quarantine\"\n"+
		"[admin]\nlisten = %q\npprof = \"/run/linkmilter/pprof.sock\"\nhistory = \"/var/lib/linkmilter/history.db\"\n", addr, monitoring)
	installation(t, m, config)
	writeFile(t, m.path("certificate.pem"), string(certificate), 0o644)
	m.Run(t, "install", "-m", "644", "certificate.pem", "/etc/certificate.pem")
	// serve needs this system call only by chance; here it needs it always.
	m.dropIn(t, "strict", "[Service]\nSystemCallErrorNumber=kill\n") // a system call that the unit forbids fails at once
	m.dropIn(t, "names", "[Service]\nEnvironment=SSL_CERT_FILE=/etc/certificate.pem\nExecStartPre=/usr/local/bin/linkmilter tlds update --url "+list+"\n")
	for _, command := range manualCommands(t, "## Install the service") {
		m.Run(t, "sh", "-c", command)
	}
	message := compose(textPlain, linkText)
	receive := func(t *testing.T, listener string) Delivered {
		t.Helper()
		return deliver(t, server, listener, Envelope{Params: "BODY=8BITMIME"}, message)
	}

	t.Run("folder for quarantine", func(t *testing.T) {
		if owner := m.Run(t, "stat", "-c", "%U %a", "/var/lib/linkmilter/quarantine/new"); owner != "linkmilter 700" {
			t.Errorf("owner and mode %q, want linkmilter 700", owner)
		}
	})
	t.Run("confined", func(t *testing.T) {
		status := m.Run(t, "cat", "/proc/"+m.Property(t, unit, "MainPID")+"/status")
		for _, want := range []string{"Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000"} {
			if !strings.Contains(status, want) {
				t.Errorf("the process has no %q", want)
			}
		}
		if user := m.Run(t, "stat", "-c", "%U", "/proc/"+m.Property(t, unit, "MainPID")); user != "linkmilter" {
			t.Errorf("it runs as %q", user)
		}
	})
	t.Run("mail", func(t *testing.T) {
		readAlternative(t, receive(t, "tcp"))
		m.WaitJournal(t, ": msg=message node=") // with the level taken out
		for line := range strings.Lines(m.Run(t, "journalctl", "-u", unit, "-o", "cat", "-p", "warning", "-q")) {
			// This configuration has a quarantine, for its folder, and no content filter.
			if !strings.Contains(line, "warning: content_filter.") {
				t.Errorf("warning: %s", line)
			}
		}
	})
	t.Run("top-level domains", func(t *testing.T) {
		m.WaitJournal(t, fmt.Sprintf("names=%d file=/var/cache/linkmilter/tlds-alpha-by-domain.txt", tld.Builtin().Len()+1))
	})
	t.Run("monitoring", func(t *testing.T) {
		get(t, "http://"+monitoring+"/healthz", "ok\n")
		get(t, "http://"+monitoring+"/readyz", "ok\n")
		get(t, "http://"+monitoring+"/metrics", "linkmilter_messages_edited_total 1", "process_resident_memory_bytes", "process_open_fds")
		m.Run(t, "test", "-S", "/run/linkmilter/pprof.sock")
	})
	t.Run("history", func(t *testing.T) {
		deliver(t, server, "tcp", Envelope{}, compose(textPlain, "https://www.p\u0430ypal.com/\n"))
		m.await(t, "flagged message", func() bool {
			response, err := http.Get("http://" + monitoring + "/findings?host=xn--pypal-4ve.com")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			return err == nil && strings.Contains(string(body), "<p>1 flagged messages in the history")
		})
		if owner := m.Run(t, "stat", "-c", "%U %a", "/var/lib/linkmilter/history.db"); owner != "linkmilter 600" {
			t.Errorf("owner and mode %q, want linkmilter 600", owner)
		}
	})
	t.Run("reload", func(t *testing.T) {
		m.Run(t, "rm", "-f", "/bin/kill", "/usr/bin/kill") // a small system has neither
		m.install(t, config+"[[rule]]\nname = \"never\"\n", "/etc/linkmilter.toml")
		m.Run(t, "systemctl", "reload", unit)
		m.WaitJournal(t, "configuration in use")
		without, with := receive(t, "plain"), receive(t, "tcp")
		if edited(without, with) {
			t.Error("edited by the rules before")
		}
	})
	t.Run("switch edits off", func(t *testing.T) {
		m.install(t, config+"[service]\nedit = \"any\"\n", "/etc/linkmilter.toml")
		m.Run(t, "systemctl", "reload", unit)
		m.await(t, "edits", func() bool { return edited(receive(t, "plain"), receive(t, "tcp")) })
		process := m.Property(t, unit, "MainPID")
		var shown string
		for _, command := range manualCommands(t, "## Switch edits off") {
			shown = m.Run(t, "sh", "-c", command)
		}
		if want := "[service]\nedit = \"never\""; shown != want {
			t.Errorf("the last command shows %q, want %q", shown, want)
		}
		m.WaitJournal(t, "service.edit")
		m.await(t, "end of edits", func() bool { return !edited(receive(t, "plain"), receive(t, "tcp")) })
		if now := m.Property(t, unit, "MainPID"); now != process {
			t.Errorf("process %s, before the reload %s", now, process)
		}
	})
	t.Run("reload of a bad file", func(t *testing.T) {
		m.install(t, "nonsense = 1\n", "/etc/linkmilter.toml")
		if out, err := m.run("systemctl", "reload", unit); err == nil {
			t.Errorf("reload worked: %s", out)
		}
		m.WaitJournal(t, "/etc/linkmilter.toml:1:1: nonsense: ")
		if state := m.Property(t, unit, "ActiveState"); state != "active" {
			t.Errorf("%s is %s", unit, state)
		}
		receive(t, "tcp")
		m.install(t, config, "/etc/linkmilter.toml")
	})
	t.Run("stop finishes the open message", func(t *testing.T) {
		m.Run(t, "systemctl", "restart", unit)
		tapped.Connect(addr)
		tapped.Before(milterBody, func() {
			m.Run(t, "systemctl", "stop", "--no-block", unit)
			m.WaitJournal(t, "msg=stopping")
		})
		readAlternative(t, receive(t, "tapped"))
		m.WaitProperty(t, unit, "ActiveState", "inactive")
		if result := m.Property(t, unit, "Result"); result != "success" {
			t.Errorf("stopped with the result %q", result)
		}
	})
	t.Run("crash", func(t *testing.T) {
		m.Run(t, "systemctl", "start", unit)
		m.Run(t, "systemctl", "kill", "--signal=SEGV", unit)
		m.WaitProperty(t, unit, "NRestarts", "1")
		m.WaitProperty(t, unit, "ActiveState", "active")
		readAlternative(t, receive(t, "tcp"))
	})
	t.Run("address in use", func(t *testing.T) {
		m.Run(t, "systemctl", "stop", unit)
		other, err := net.Listen("tcp", strings.TrimPrefix(addr, "inet:"))
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		m.dropIn(t, "restart", "[Service]\nRestartSec=50ms\n")
		m.Run(t, "systemctl", "daemon-reload")
		if out, err := m.run("systemctl", "start", unit); err == nil {
			t.Errorf("started: %s", out)
		}
		m.await(t, "sixth start", func() bool { // after five, systemd gives up by itself
			restarts, err := strconv.Atoi(m.Property(t, unit, "NRestarts"))
			return err == nil && restarts > 5
		})
		other.Close()
		m.WaitProperty(t, unit, "ActiveState", "active")
	})
	t.Run("watchdog", func(t *testing.T) {
		m.dropIn(t, "watchdog", "[Service]\nWatchdogSec=1s\nTimeoutAbortSec=1s\n")
		m.Run(t, "systemctl", "daemon-reload")
		m.Run(t, "systemctl", "restart", unit)
		pid := m.Property(t, unit, "MainPID")
		m.Run(t, "sleep", "2.5") // more than two such times
		if now := m.Property(t, unit, "MainPID"); now != pid {
			t.Errorf("ended although well:\n%s", m.Journal())
		}
		m.Run(t, "systemctl", "kill", "--signal=STOP", unit)
		m.WaitJournal(t, "Watchdog timeout")
		m.WaitProperty(t, unit, "ActiveState", "active")
		readAlternative(t, receive(t, "tcp"))
	})
	t.Run("key handed over by systemd", func(t *testing.T) {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
		writeFile(t, m.path("key.pem"), string(pem.EncodeToMemory(block)), 0o600)
		m.Run(t, "install", "-D", "-m", "600", "-o", "root", "key.pem", "/etc/linkmilter/key.pem")
		m.dropIn(t, "key", "[Service]\nLoadCredential=key.pem:/etc/linkmilter/key.pem\nExecReload=\nExecReload=+/bin/sh -c 'kill -HUP ${MAINPID}'\n") // as docs/dkim.md says
		m.install(t, config+"[[dkim.key]]\ndomain = \"example.test\"\nselector = \"s\"\nfile = \"/run/credentials/linkmilter.service/key.pem\"\n", "/etc/linkmilter.toml")
		m.Run(t, "systemctl", "daemon-reload")
		m.Run(t, "systemctl", "restart", unit)
		for range 2 {
			with := deliver(t, server, "tcp", Envelope{}, compose(textPlain, "see "+typedLink+"\r\n")) // nothing beyond ASCII, or it would not be signed
			if all := slices.Concat(with.Trace, with.Header); !slices.ContainsFunc(all, func(field string) bool { return fieldName(field) == "dkim-signature" }) {
				t.Errorf("not signed:\n%s\n%s", strings.Join(all, ""), m.Journal())
			}
			m.Run(t, "systemctl", "reload", unit)
			m.Run(t, "linkmilter", "check-config", "/etc/linkmilter.toml")
		}
		if log := m.Journal(); strings.Contains(log, "dkim.key") {
			t.Errorf("the key was not read again:\n%s", log)
		}
	})
	t.Run("wrong configuration", func(t *testing.T) {
		m.install(t, "nonsense = 1\n", "/etc/linkmilter.toml")
		if out, err := m.run("systemctl", "restart", unit); err == nil {
			t.Errorf("started: %s", out)
		}
		if state := m.Property(t, unit, "ActiveState"); state != "failed" { // not "activating": it is not tried again
			t.Errorf("%s is %s", unit, state)
		}
		if status := m.Property(t, unit, "ExecMainStatus"); status != "2" {
			t.Errorf("exit status %s", status)
		}
		m.install(t, config, "/etc/linkmilter.toml")
	})
	t.Run("sockets", func(t *testing.T) {
		account := server.MilterClient
		text := strings.NewReplacer(
			"[Socket]", "[Socket]\nListenStream=\nListenStream="+strings.TrimPrefix(addr, "inet:"),
			"/var/spool/postfix/linkmilter/milter.sock", socket,
			"SocketUser=postfix", "SocketUser="+strconv.Itoa(int(account.Uid)),
			"SocketGroup=postfix", "SocketGroup="+strconv.Itoa(int(account.Gid)),
		).Replace(docs.Read(t, "docs/install.md").Below(t, "## A Unix socket", "ini").Text)
		m.install(t, text, "/etc/systemd/system/linkmilter.socket.d/override.conf")
		m.Run(t, "systemctl", "daemon-reload")
		for _, command := range manualCommands(t, "## A Unix socket") {
			m.Run(t, "sh", "-c", command)
		}
		for range 2 { // the second time the connection starts the service
			readAlternative(t, receive(t, "unix"))
			readAlternative(t, receive(t, "tcp"))
			m.Run(t, "systemctl", "stop", unit)
		}
	})
	t.Run("upgrade and back", func(t *testing.T) {
		for _, heading := range []string{"## Upgrade", "**Back.**"} {
			for _, command := range manualCommands(t, heading) {
				m.Run(t, "sh", "-c", command)
			}
			readAlternative(t, receive(t, "tcp"))
		}
	})
	t.Run("uninstall", func(t *testing.T) {
		for _, command := range manualCommands(t, "## Uninstall") {
			m.Run(t, "sh", "-c", command)
		}
		m.Run(t, "sh", "-c", "! test -e /usr/local/bin/linkmilter && ! test -e /etc/linkmilter.toml")
		if state := m.Property(t, unit, "LoadState"); state != "not-found" {
			t.Errorf("%s is %s", unit, state)
		}
	})
}

// installation fills the shared folder with the files that the manual's commands install.
func installation(t *testing.T, m *Machine, config string) {
	t.Helper()
	for _, dir := range []string{"bin", "run"} {
		if err := os.Mkdir(m.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := os.ReadFile(Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path("bin/linkmilter"), binary, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"systemd", "docs"} {
		if err := os.CopyFS(m.path(dir), os.DirFS(filepath.Join(env.Root(t), dir))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"Makefile", "README.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "LICENSE", "LICENSE-UNICODE"} {
		content, err := os.ReadFile(filepath.Join(env.Root(t), name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, m.path(name), string(content), 0o644)
	}
	if err := os.CopyFS(m.path("deploy"), os.DirFS(filepath.Join(env.Root(t), "deploy"))); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"config.example.toml", "deploy/packages/linkmilter.toml"} {
		writeFile(t, m.path(path), config, 0o644)
	}
}

// install puts a file into the machine.
func (m *Machine) install(t *testing.T, content, path string) {
	t.Helper()
	writeFile(t, m.path("file"), content, 0o644)
	m.Run(t, "install", "-D", "-m", "644", "file", path)
}

// dropIn adds to the unit, as `systemctl edit` does.
func (m *Machine) dropIn(t *testing.T, name, content string) {
	t.Helper()
	m.install(t, content, "/etc/systemd/system/"+unit+".d/"+name+".conf")
}

// manualCommands returns the commands of docs/install.md below a heading.
func manualCommands(t *testing.T, heading string) []string {
	t.Helper()
	block := docs.Read(t, "docs/install.md").Below(t, heading, "sh")
	return strings.Split(strings.TrimSpace(block.Text), "\n")
}

// serveNames serves a list of top-level domains with one more than there are, and returns its
// address and the certificate to trust.
func serveNames(t *testing.T) (url string, certificate []byte) {
	t.Helper()
	day := tlds.Builtin().Updated.UTC()
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Version %s00, Last Updated %s\nLINKMILTERTEST\n", day.Format("20060102"), day.Format("Mon Jan _2 15:04:05 2006 MST"))
	for name := range tld.Builtin().All() {
		text.WriteString(strings.ToUpper(name) + "\n")
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", day, bytes.NewReader(text.Bytes()))
	}))
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// get asks for a page that holds all the texts.
func get(t *testing.T, url string, want ...string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 200 || !containsAll(string(body), want) {
		t.Errorf("%s: %s, want %q in\n%s", url, response.Status, want, body)
	}
}
