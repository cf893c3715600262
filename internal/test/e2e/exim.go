//go:build linux

package e2e

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// EximConfig are parts of Exim's configuration that a test adds. Main says where
// it listens, if it is given. Routers come before those of the server itself.
// Recipients come before the rules for recipients.
type EximConfig struct{ Main, Recipients, Routers, Transports string }

// StartExim starts a private Exim with one SMTP port for each listener. It
// delivers into Maildirs. Exim speaks no milter protocol: of a listener only
// its name and port count.
//
// Debian's Exim reads its configuration and its account from fixed places in
// /etc. It gets an /etc of its own, in a mount namespace, with nothing else.
func StartExim(tb testing.TB, config EximConfig, listeners ...Listener) *Server {
	tb.Helper()
	exim := unpackPackages(tb, "exim4-daemon-light")
	s := newServer(tb, listeners)
	packages := exim.root
	exim = exim.at(filepath.Join(s.dir, "root"))
	s.waiting, s.deferred = []string{"input/*-H"}, " defer ("
	makeEximFolders(tb, s)
	etc := filepath.Join(s.dir, "etc")
	account := fmt.Sprintf(":x:%d:%d:::\n", s.mailUID, s.mailGID)
	writeFile(tb, filepath.Join(etc, "passwd"), "root:x:0:0:::\n"+mailUser+account+"Debian-exim"+account, 0o644)
	writeFile(tb, filepath.Join(etc, "group"), fmt.Sprintf("root:x:0:\n%s:x:%d:\nDebian-exim:x:%[2]d:\n", mailUser, s.mailGID), 0o644)
	writeFile(tb, filepath.Join(etc, "nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n", 0o644)
	writeFile(tb, filepath.Join(etc, "hosts"), "127.0.0.1 localhost\n", 0o644)
	writeFile(tb, filepath.Join(etc, "services"), "smtp 25/tcp\n", 0o644)
	writeFile(tb, filepath.Join(etc, "mailboxes"), eximMailboxes(), 0o644)
	writeFile(tb, filepath.Join(etc, "exim4", "exim4.conf"), eximConfiguration(exim, s, config, listeners), 0o644)

	hidden := ""
	if suite() != "" {
		hidden = closedFolder(packages)
	}
	s.admin = func(name string, args ...string) *exec.Cmd {
		// Exim runs itself again as its own user, who may not be able to enter the cache folder.
		// Programs of another suite name their loader in it, so there it also becomes a folder for all.
		cmd := exec.Command("/bin/sh", append([]string{
			"-c", `mount --make-rprivate / && mount --bind "$0" "$1" && mount --bind "$2" /etc &&
				{ [ -z "$3" ] || { mount -t tmpfs -o mode=755 none "$3" && mkdir -p "$0" && mount --bind "$1" "$0"; }; } &&
				shift 3 && exec "$@"`,
			packages, exim.root, etc, hidden, exim.path("usr/sbin", name),
		}, args...)...)
		cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LD_LIBRARY_PATH=" + exim.libraryPath()}
		// Deliveries are processes outside its group. They end with the namespace.
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID}
		return cmd
	}
	// -bdf: in the foreground; -q1s: what had to wait is tried again each second.
	cmd := s.admin("exim4", "-bdf", "-q1s")
	s.Process = startProcess(tb, "exim", cmd)
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("exim logged:\n%s", abridge(s.serverLog(tb)))
		}
	})
	for _, l := range listeners {
		s.waitListening(tb, "tcp", s.Addr(l.Name))
	}
	return s
}

// closedFolder returns the first folder on the way to path that other users cannot enter, or "".
func closedFolder(path string) string {
	closed := ""
	for ; path != "/"; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil && info.Mode()&0o001 == 0 {
			closed = path
		}
	}
	return closed
}

// makeEximFolders makes the folders that Exim writes to, and those of its /etc.
func makeEximFolders(tb testing.TB, s *Server) {
	tb.Helper()
	for _, name := range []string{"etc", "etc/exim4", "queue", "root"} {
		path := filepath.Join(s.dir, name)
		if err := cmp.Or(os.Mkdir(path, 0o755), os.Chmod(path, 0o755)); err != nil {
			tb.Fatal(err)
		}
	}
	for _, path := range []string{s.dir, s.QueueDir()} {
		if err := os.Chown(path, s.mailUID, s.mailGID); err != nil {
			tb.Fatal(err)
		}
	}
}

// eximMailboxes maps each local-part to its Maildir.
func eximMailboxes() string {
	var table strings.Builder
	for n := range maxAddresses {
		local, _, _ := strings.Cut(mailboxAddress(n+1), "@")
		fmt.Fprintf(&table, "%s: %s\n%s: %s\n", local, local, UTF8Alias(local), local)
	}
	return table.String()
}

// eximConfiguration is exim4.conf: who the server is, where everything lies, and
// that no mail leaves it.
func eximConfiguration(p unpacked, s *Server, config EximConfig, listeners []Listener) string {
	var cf strings.Builder
	set := func(name string, value ...any) { fmt.Fprintf(&cf, "%s = %s\n", name, fmt.Sprint(value...)) }
	var ports []string
	for _, l := range listeners {
		_, port, _ := net.SplitHostPort(s.Addr(l.Name))
		ports = append(ports, port)
	}
	set("daemon_smtp_ports", strings.Join(ports, " : "))
	set("local_interfaces", "127.0.0.1")
	if config.Main != "" {
		cf.Reset()
		cf.WriteString(config.Main)
	}
	set("primary_hostname", hostName)
	set("keep_environment", "LD_LIBRARY_PATH")
	set("exim_path", p.path("usr/sbin/exim4"))
	set("spool_directory", s.QueueDir())
	set("log_file_path", s.dir, "/log_%s")
	set("pid_file_path", s.dir, "/exim.pid")
	// It need not become root again, for which its program would have to be
	// set-uid.
	set("deliver_drop_privilege", "true")
	// Exim asks neither a resolver nor an ident server who clients are.
	set("host_lookup")
	set("rfc1413_query_timeout", "0s")
	set("tls_advertise_hosts")
	set("dsn_advertise_hosts", "*")
	set("smtputf8_advertise_hosts", "*")
	set("message_size_limit", "100M")
	// The tests deliver faster than a network would.
	set("smtp_accept_max", 200)
	set("smtp_accept_max_per_connection", 0)
	set("smtp_accept_queue_per_connection", 0)
	set("acl_smtp_rcpt", "recipients")
	fmt.Fprintf(&cf, `
begin acl
recipients:
%[6]s
  accept domains = %[1]s
         local_parts = lsearch;/etc/mailboxes
  deny message = no such user

begin routers
%[2]s
mailboxes:
  driver = accept
  domains = %[1]s
  local_parts = lsearch;/etc/mailboxes
  transport = maildir

begin transports
%[3]s
maildir:
  driver = appendfile
  maildir_format
  directory = %[4]s/$local_part_data
  create_directory
  user = %[5]s

begin retry
* * F,1h,1s
`, Domain, config.Routers, config.Transports, s.mailDir, mailUser, config.Recipients)
	return cf.String()
}
