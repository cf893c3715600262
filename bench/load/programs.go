//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/e2e"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// socket returns a path for a Unix socket, in a folder that other accounts can pass.
func socket(tb testing.TB, name string) string {
	tb.Helper()
	folder, err := os.MkdirTemp("", "load-")
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, name)
}

// freeAddress returns an address of this machine on which nothing listens.
func freeAddress(tb testing.TB) string {
	tb.Helper()
	return fmt.Sprintf("127.0.0.1:%d", e2e.FreePort(tb))
}

// linkmilterConfig is the configuration of linkmilter under load: the built-in rules, which edit
// also short messages and, from one sender, signed ones. The time for a message is so long
// that a busy machine changes no result.
const linkmilterConfig = `[limits]
time = "60s"
[[rule]]
name = "signed"
when = { sender = ["` + signedSender + `"], authenticated = true }
trusted = true
html = "needed"
signed = "edit"
if_not_editable = "none"
edit_cost = "any"
[[rule]]
name = "authenticated"
when = { authenticated = true }
trusted = true
html = "needed"
if_not_editable = "none"
edit_cost = "any"
[[rule]]
name = "local"
when = { client = ["127.0.0.0/8"] }
trusted = true
html = "needed"
if_not_editable = "none"
edit_cost = "any"
[[rule]]
name = "inbound"
on = { low = "tag", medium = "tag", high = "tag", partial = "tag" }
`

// signedSender is the sender whose signed mail linkmilter edits.
const signedSender = "signed@" + domain

// A linkmilter is the program under load.
type linkmilter struct {
	*program
	oracle          *oracle
	unix, tcp       string // addresses of the milter
	smtp            string // of the content filter; "": none
	admin, profiler string // paths of Unix sockets
}

// startLinkmilter starts the program. nextHop is the address behind its content filter; empty:
// it has none.
func startLinkmilter(tb testing.TB, binary, nextHop string, environment ...string) *linkmilter {
	tb.Helper()
	l := &linkmilter{unix: "unix:" + socket(tb, "milter"), tcp: freeAddress(tb), admin: socket(tb, "admin"), profiler: socket(tb, "profiler")}
	document := fmt.Sprintf("[admin]\nlisten = %q\npprof = %q\n[milter]\nsocket_mode = \"0666\"\n[content_filter]\nname = %q\n[header]\nid = %q\n", "unix:"+l.admin, l.profiler, serverName, serverName) + linkmilterConfig
	var err error
	if l.oracle, err = newOracle(document); err != nil {
		tb.Fatal(err)
	}
	config := filepath.Join(tb.TempDir(), "linkmilter.toml")
	if err := os.WriteFile(config, []byte(document), 0o600); err != nil {
		tb.Fatal(err)
	}
	args := []string{"serve", "--config", config, "--milter", l.unix, "--milter", "inet:" + l.tcp}
	if nextHop != "" {
		l.smtp = freeAddress(tb)
		args = append(args, "--smtp", l.smtp, "--next-hop", nextHop)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), environment...)
	l.program = start(tb, "linkmilter", cmd)
	l.await(tb, newMilter(l.unix, nil, nil).connect)
	return l
}

// milter returns linkmilter, at one of its addresses, as a server that gets the messages.
func (l *linkmilter) milter(address string, mails stream) *server {
	return &server{name: l.name, program: l.program, connect: newMilter(address, mails, l.oracle.judge).connect}
}

// startNoop starts the milter that does nothing, and returns its address.
func startNoop(tb testing.TB) (*program, string) {
	tb.Helper()
	address := "unix:" + socket(tb, "noop")
	p := start(tb, "no-op", noopCommand(tb, address))
	p.await(tb, newMilter(address, nil, nil).connect)
	return p, address
}

// startOpenDKIM starts Debian's OpenDKIM, to sign mail of all senders or to verify
// signatures, and returns its address.
func startOpenDKIM(tb testing.TB, key *signingKey, sign bool) (*program, string) {
	tb.Helper()
	folder := tb.TempDir()
	path := socket(tb, "opendkim")
	name, lines := "OpenDKIM verifying", []string{"Mode v", "TestPublicKeys " + key.public}
	if sign {
		for file, line := range map[string]string{"keys": fmt.Sprintf("key %s:%s:%s\n", domain, selector, key.private), "senders": "* key\n"} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(line), 0o600); err != nil {
				tb.Fatal(err)
			}
		}
		name = "OpenDKIM signing"
		lines = []string{"Mode s", "KeyTable " + folder + "/keys", "SigningTable refile:" + folder + "/senders", "InternalHosts 0.0.0.0/0", "Canonicalization relaxed/relaxed"}
	}
	p := start(tb, name, e2e.NewOpenDKIM(tb, "").Command(tb, lines, "-f", "-p", "local:"+path))
	p.await(tb, newMilter("unix:"+path, nil, nil).connect)
	return p, "unix:" + path
}

// rspamdConfig is Rspamd's configuration: a milter that judges in the same process, and does
// not ask the network. It has time for large messages on a busy machine.
const rspamdConfig = `options {
  task_timeout = 120s;
  pidfile = "%[1]s/pid"; filters = "chartable,regexp"; url_tld = "/usr/share/rspamd/effective_tld_names.dat"; cache_file = "%[1]s/cache";
  history_rows = 10; history_file = "%[1]s/history"; dynamic_conf = "%[1]s/dynamic"; control_socket = "%[1]s/control mode=0600";
  dns { nameserver = ["127.0.0.1:1"]; timeout = 0.01s; retransmits = 1; }
}
logging { type = "file"; filename = "%[1]s/log"; level = "error"; }
.include "/etc/rspamd/common.conf"
worker "rspamd_proxy" {
  bind_socket = "%[2]s mode=0666"; count = 2; milter = yes; timeout = 120s; task_timeout = 120s;
  upstream "local" { default = yes; self_scan = yes; }
}
`

// rspamdOff are Rspamd's modules that ask the network or learn.
var rspamdOff = strings.Fields("antivirus arc asn bayes dkim dmarc fuzzy_check greylist hfilter maillist mid mx_check phishing " +
	"ratelimit rbl replies spf surbl url_redirector whitelist")

// startRspamd starts Debian's Rspamd as a milter and returns its address.
func startRspamd(tb testing.TB) (*program, string) {
	tb.Helper()
	binary := env.Command(tb, "rspamd")
	path := socket(tb, "rspamd")
	folder := filepath.Dir(path)
	files := map[string]string{"rspamd.conf": fmt.Sprintf(rspamdConfig, folder, path)}
	for _, module := range rspamdOff {
		files["local/override.d/"+module+".conf"] = "enabled = false;\n"
	}
	for name, content := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	p := start(tb, "Rspamd", exec.Command(binary, "-f", "-i", "-c", folder+"/rspamd.conf", "--var=LOCAL_CONFDIR="+folder+"/local",
		"--var=DBDIR="+folder, "--var=RUNDIR="+folder, "--var=LOGDIR="+folder))
	p.await(tb, newMilter("unix:"+path, nil, nil).connect)
	return p, "unix:" + path
}
