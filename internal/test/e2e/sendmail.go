//go:build linux

package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// StartSendmail starts a private Sendmail with one SMTP port for each
// listener. It hands mail to a script, which files it into Maildirs.
func StartSendmail(tb testing.TB, listeners ...Listener) *Server {
	tb.Helper()
	sendmail := unpackPackages(tb, "sendmail-bin", "sendmail-cf", "m4", saslModules)
	s := newServer(tb, listeners)
	s.waiting, s.quarantined = []string{"qf*"}, []string{"hf*"}
	conf := filepath.Join(s.dir, "conf")
	for path, mode := range map[string]os.FileMode{conf: 0o755, s.QueueDir(): 0o700} {
		if err := os.Mkdir(path, mode); err != nil {
			tb.Fatal(err)
		}
	}
	for _, empty := range []string{"aliases", "local-host-names", "trusted-users", "relay-domains"} {
		writeFile(tb, filepath.Join(conf, empty), "", 0o644)
	}
	writeFile(tb, filepath.Join(conf, "service.switch"), "hosts files\naliases files\n", 0o644)
	writeFile(tb, filepath.Join(conf, "deliver"), sendmailDeliver(s.mailDir), 0o755)
	writeFile(tb, filepath.Join(conf, "sendmail.mc"), sendmailMacros(s, listeners), 0o644)
	expandSendmailMacros(tb, sendmail, conf)

	mechanisms := ""
	if loginAllowed(listeners) {
		startLogins(tb, s, "Sendmail")
		mechanisms = sendmail.saslFolder(tb)
	}
	s.Process = startProcess(tb, "sendmail", sendmailCommand(tb, sendmail, conf, mechanisms, "-bD", "-X", "/dev/stdout"))
	s.admin = func(_ string, args ...string) *exec.Cmd { return sendmailCommand(tb, sendmail, conf, "", args...) }
	s.release = []string{"sendmail -Q -qQ -qIID", "sendmail -q"}
	for _, l := range listeners {
		s.waitListening(tb, "tcp", s.Addr(l.Name))
	}
	return s
}

// sendmailCommand runs Sendmail with arguments. On a host whose name has
// no dot it would first sleep for a minute, so it gets a UTS namespace in
// which it has one.
//
// It clears its environment, so that the SASL library looks for mechanisms
// and settings in its folder on this system alone. Where mechanisms are given,
// that folder holds these and what is in conf/sasl instead, in a mount
// namespace.
func sendmailCommand(tb testing.TB, sendmail unpacked, conf, mechanisms string, args ...string) *exec.Cmd {
	tb.Helper()
	program := sendmail.path("usr/libexec/sendmail/sendmail")
	if _, err := os.Stat(program); err != nil {
		program = sendmail.path("usr/lib/sm.bin/sendmail") // its place in earlier releases
	}
	namespaces := uintptr(syscall.CLONE_NEWUTS)
	prepare := `hostname "$0"`
	if mechanisms != "" {
		sasl := filepath.Join(conf, "sasl")
		if err := os.CopyFS(sasl, os.DirFS(mechanisms)); err != nil {
			tb.Fatal(err)
		}
		folders, err := filepath.Glob("/usr/lib/*/sasl2")
		if err != nil || len(folders) == 0 {
			env.Missing(tb, "a folder of the SASL library (package libsasl2-modules-db)")
		}
		namespaces |= syscall.CLONE_NEWNS
		prepare += " && mount --make-rprivate / && mount --bind " + sasl + " " + folders[0]
	}
	cmd := exec.Command("/bin/sh", append([]string{
		"-c", prepare + ` && exec "$@"`, hostName,
		program, "-C", filepath.Join(conf, "sendmail.cf"),
	}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=" + sendmail.libraryPath()}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces}
	return cmd
}

// expandSendmailMacros makes sendmail.cf of sendmail.mc.
func expandSendmailMacros(tb testing.TB, sendmail unpacked, conf string) {
	tb.Helper()
	m4 := sendmail.path("usr/bin/m4")
	macros := sendmail.path("usr/share/sendmail/cf")
	cmd := exec.Command(m4, "-D_CF_DIR_="+macros+"/", filepath.Join(macros, "m4/cf.m4"), filepath.Join(conf, "sendmail.mc"))
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=" + sendmail.libraryPath()}
	cf, err := cmd.Output()
	if err != nil {
		tb.Fatalf("sendmail.mc: %v", err)
	}
	writeFile(tb, filepath.Join(conf, "sendmail.cf"), string(cf), 0o644)
}

// sendmailDeliver is the local delivery program. A delivery is renamed into
// the folder new when it is complete.
func sendmailDeliver(mailDir string) string {
	return `#!/bin/sh
set -eu
umask 022
box=` + mailDir + `/$1
mkdir -p "$box/tmp" "$box/new"
cat > "$box/tmp/$$"
exec mv "$box/tmp/$$" "$box/new/$$"
`
}

// sendmailMilter turns "inet:127.0.0.1:PORT" and "unix:/PATH" into
// Sendmail's notation.
func sendmailMilter(addr string) string {
	kind, rest, _ := strings.Cut(addr, ":")
	if kind != "inet" {
		return "unix:" + rest
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		panic("milter address of a listener: " + err.Error())
	}
	return "inet:" + port + "@" + host
}

// smallestLimit returns the smallest size limit of the listeners, or 0.
func smallestLimit(listeners []Listener) int {
	limit := 0
	for _, l := range listeners {
		if l.SizeLimit > 0 && (limit == 0 || l.SizeLimit < limit) {
			limit = l.SizeLimit
		}
	}
	return limit
}

// sendmailMacros is sendmail.mc.
func sendmailMacros(s *Server, listeners []Listener) string {
	var mc strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&mc, format+"dnl\n", args...) }
	define := func(name, value string) { line("define(`%s', `%s')", name, value) }
	in := func(name string) string { return filepath.Join(s.dir, name) }

	line("divert(0)")
	define("MAIL_SETTINGS_DIR", in("conf")+"/")
	line("OSTYPE(`linux')")
	define("confDOMAIN_NAME", hostName)
	define("confPID_FILE", in("sendmail.pid"))
	define("STATUS_FILE", in("statistics"))
	define("HELP_FILE", in("conf/helpfile"))
	define("QUEUE_DIR", in("queue"))
	define("ALIAS_FILE", in("conf/aliases"))
	define("confSERVICE_SWITCH_FILE", in("conf/service.switch"))
	define("confTRUSTED_USER", "root")
	define("confDEF_USER_ID", mailUser+":"+mailUser)
	define("confDONT_BLAME_SENDMAIL", "AssumeSafeChown,TrustStickyBit,GroupWritableDirPathSafe,RunProgramInUnsafeDirPath")

	// Deliver at once, however busy the machine is, and ask no resolver.
	define("confDELIVERY_MODE", "i")
	define("confREFUSE_LA", "0")
	define("confQUEUE_LA", "1000")
	define("confTO_IDENT", "0")
	define("confMIN_FREE_BLOCKS", "0")
	define("confDONT_PROBE_INTERFACES", "true")
	line("FEATURE(`nocanonify')")
	line("FEATURE(`accept_unresolvable_domains')")
	line("FEATURE(`accept_unqualified_senders')")

	// Whatever is not for Domain would go to the discard port of this host.
	define("SMART_HOST", "relay:[127.0.0.1]")
	define("RELAY_MAILER_ARGS", "TCP $h 9")
	line("LOCAL_DOMAIN(`%s')", Domain)

	if loginAllowed(listeners) {
		define("confAUTH_MECHANISMS", "PLAIN")
	}
	if limit := smallestLimit(listeners); limit > 0 {
		define("confMAX_MESSAGE_SIZE", strconv.Itoa(limit))
	}

	line("FEATURE(`no_default_msa')")
	for _, l := range listeners {
		_, port, _ := net.SplitHostPort(s.Addr(l.Name))
		filters := ""
		if l.Milter != "" {
			onFailure := map[Failure]string{FailTempfail: ", F=T", FailAccept: ""}[l.OnFailure]
			for i, milter := range append([]string{l.Milter}, l.More...) {
				name := l.Name + strings.Repeat("+", i)
				line("MAIL_FILTER(`%s', `S=%s%s, T=C:10s;S:10s;R:%s;E:%s')", name, sendmailMilter(milter), onFailure, l.timeout(), l.timeout())
				filters = strings.TrimPrefix(filters+";"+name, ";")
			}
		}
		modifiers := ""
		if !l.Login {
			modifiers = ", M=A"
		}
		line("DAEMON_OPTIONS(`Family=inet, Name=%s, Addr=127.0.0.1, Port=%s, InputMailFilters=%s%s')", l.Name, port, filters, modifiers)
	}
	define("LOCAL_MAILER_PATH", in("conf/deliver"))
	define("LOCAL_MAILER_ARGS", "deliver $u")
	// Without w recipients need not be users of this system, without f the
	// script takes no -f sender, without 9 the body keeps its transfer encoding.
	line("MODIFY_MAILER_FLAGS(`LOCAL', `-wf9')")
	line("LOCAL_RULESETS\nSLocal_check_rcpt\nR$* %s $*\t$#error $@ 5.1.1 $: 550 no such user", Rejected)
	line("MAILER(`local')")
	line("MAILER(`smtp')")
	return mc.String()
}
