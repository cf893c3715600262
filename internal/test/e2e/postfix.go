//go:build linux

package e2e

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// StartPostfix starts a private Postfix with one SMTP port for each
// listener. What it delivers lies in Maildirs; what is not for Domain
// bounces. Its limits are Postfix's own defaults.
//
// The master process runs in the foreground, without the postfix command:
// that would set up and check an installed system.
func StartPostfix(tb testing.TB, listeners ...Listener) *Server {
	tb.Helper()
	postfix := unpackPackages(tb, "postfix", saslModules)
	accounts := postfixAccounts(tb)
	s := newServer(tb, listeners)
	s.MilterClient = syscall.Credential{Uid: uint32(accounts.uid), Gid: uint32(accounts.mainGID)}
	// In the order of a message's way, so that none is overlooked that moves.
	s.waiting, s.quarantined = []string{"incoming/*", "active/*", "deferred/*/*", "corrupt/*"}, []string{"hold/*"}
	s.deferred = "status=deferred"
	makePostfixFolders(tb, s.dir, accounts)
	conf := filepath.Join(s.dir, "conf")
	s.admin = func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(postfix.path("usr/sbin", name), append([]string{"-c", conf}, args...)...)
		if name == "sendmail" {
			cmd.Args[1] = "-C" // the one that has another name there
		}
		cmd.Env = []string{"PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=" + postfix.libraryPath()}
		return cmd
	}
	s.release = []string{"postsuper -H ID", "postqueue -f"}
	writeFile(tb, filepath.Join(conf, "main.cf"), postfixMain(postfix, s, accounts), 0o644)
	writeFile(tb, filepath.Join(conf, "master.cf"), postfixMaster(s, listeners), 0o644)
	writeFile(tb, filepath.Join(conf, "refused"), RefusedBehind+" 550 5.7.9 refused behind\n", 0o644)
	writeFile(tb, filepath.Join(conf, "mailboxes"), postfixMailboxes(), 0o644)
	if loginAllowed(listeners) {
		startLogins(tb, s, "smtpd")
	}
	// Where Debian makes database formats loadable, this file must exist.
	writeFile(tb, filepath.Join(conf, "dynamicmaps.cf"), "", 0o644)

	// Master changes its effective user for a moment, and then does not learn
	// that the test ends early. The shell does.
	cmd := exec.Command("/bin/sh", "-c", `trap 'trap "" TERM; kill 0' TERM; "$0" "$@" & wait`,
		postfix.path("usr/lib/postfix/sbin/master"), "-c", conf, "-d")
	cmd.Env = []string{
		"PATH=/usr/bin:/bin",
		"MAIL_CONFIG=" + conf,
		"LD_LIBRARY_PATH=" + postfix.libraryPath(),
		"SASL_PATH=" + postfix.saslFolder(tb),
	}
	s.Process = startProcess(tb, "postfix", cmd)
	if s.WaitLog(tb, "daemon started") == "" {
		tb.FailNow()
	}
	return s
}

// postfixUsers are the account and the group that Postfix gives up its
// privileges to.
type postfixUsers struct {
	owner, group string
	uid, mainGID int // of the account
	gid          int // of the group
}

// postfixAccounts takes Postfix's own accounts where they exist, otherwise
// two of those that each Debian system has and nothing uses.
func postfixAccounts(tb testing.TB) postfixUsers {
	tb.Helper()
	u := postfixUsers{owner: "postfix", group: "postdrop"}
	if _, err := user.Lookup(u.owner); err != nil {
		u.owner, u.group = "uucp", "news"
	}
	u.uid, u.mainGID = accountIDs(tb, u.owner)
	group, err := user.LookupGroup(u.group)
	if err != nil {
		tb.Fatal(err)
	}
	if u.gid, err = strconv.Atoi(group.Gid); err != nil {
		tb.Fatal(err)
	}
	return u
}

// makePostfixFolders makes the folders that installing Postfix would make,
// with the owners it checks for.
func makePostfixFolders(tb testing.TB, dir string, u postfixUsers) {
	tb.Helper()
	type folder struct {
		name     string
		mode     os.FileMode
		uid, gid int
	}
	folders := []folder{
		{"conf", 0o755, 0, 0},
		{"data", 0o700, u.uid, 0},
		{"queue", 0o755, 0, 0},
		{"queue/pid", 0o755, 0, 0},
		{"queue/maildrop", 0o730, u.uid, u.gid},
		{"queue/public", 0o710, u.uid, u.gid},
	}
	for _, name := range strings.Fields("active bounce corrupt defer deferred flush hold incoming private saved trace") {
		folders = append(folders, folder{"queue/" + name, 0o700, u.uid, 0})
	}
	for _, f := range folders {
		path := filepath.Join(dir, f.name)
		if err := cmp.Or(os.Mkdir(path, f.mode), os.Chmod(path, f.mode), os.Chown(path, f.uid, f.gid)); err != nil {
			tb.Fatal(err)
		}
	}
}

// postfixMain is main.cf: who the server is, where everything lies, and that
// no mail leaves it.
func postfixMain(p unpacked, s *Server, u postfixUsers) string {
	dir := s.dir
	var cf strings.Builder
	set := func(name string, value ...any) { fmt.Fprintf(&cf, "%s = %s\n", name, fmt.Sprint(value...)) }

	set("compatibility_level", "3.6")
	set("daemon_directory", p.path("usr/lib/postfix/sbin"))
	set("command_directory", p.path("usr/sbin"))
	set("shlib_directory", p.path("usr/lib/postfix"))
	set("meta_directory", dir, "/conf")
	set("queue_directory", dir, "/queue")
	set("data_directory", dir, "/data")
	set("mail_owner", u.owner)
	set("setgid_group", u.group)
	set("import_environment", "MAIL_CONFIG LD_LIBRARY_PATH SASL_PATH")
	set("export_environment", "MAIL_CONFIG LD_LIBRARY_PATH") // for programs that the sendmail command runs
	set("cyrus_sasl_config_path", dir, "/conf/sasl")
	set("maillog_file", "/dev/stdout")

	set("myhostname", hostName)
	set("inet_interfaces", "127.0.0.1")
	set("inet_protocols", "all") // for clients that claim an IPv6 address
	set("mynetworks", "127.0.0.0/8")
	set("mydestination")
	set("alias_maps")
	// No resolver is asked, neither for clients nor for recipients.
	set("smtpd_peername_lookup", "no")
	set("disable_dns_lookups", "yes")
	set("smtp_host_lookup", "native")
	set("default_transport", "error:no mail leaves this server")
	set("relay_transport", "error:no mail leaves this server")

	set("virtual_mailbox_domains", Domain)
	set("virtual_mailbox_maps", "texthash:", dir, "/conf/mailboxes")
	set("virtual_mailbox_base", dir, "/mail")
	set("virtual_minimum_uid", 1)
	set("virtual_uid_maps", "static:", s.mailUID)
	set("virtual_gid_maps", "static:", s.mailGID)
	set("smtpd_recipient_restrictions", "permit_mynetworks, reject_unauth_destination")
	// A test's client may claim to be another.
	set("smtpd_authorized_xclient_hosts", "127.0.0.0/8")

	set("smtputf8_enable", "yes")
	set("milter_protocol", 6)
	// The tests deliver faster than a network would.
	set("in_flow_delay", 0)
	for _, name := range []string{"queue_run_delay", "minimal_backoff_time", "maximal_backoff_time"} {
		set(name, "1s")
	}
	set("smtpd_client_connection_count_limit", 0)
	return cf.String()
}

// postfixMailboxes maps each address to its Maildir. (Postfix takes no
// patterns with substitutions here.)
func postfixMailboxes() string {
	var table strings.Builder
	for n := range maxAddresses {
		address := mailboxAddress(n + 1)
		local, _, _ := strings.Cut(address, "@")
		fmt.Fprintf(&table, "%s %s/\n%s %s/\n", address, local, UTF8Alias(address), local)
	}
	return table.String()
}

// postfixMaster is master.cf: the listeners, and the programs of Postfix
// that these and the local deliveries need.
func postfixMaster(s *Server, listeners []Listener) string {
	var cf strings.Builder
	for _, l := range listeners {
		if l.Services != "" {
			cf.WriteString(l.Services)
			continue
		}
		action := map[Failure]string{FailTempfail: "tempfail", FailAccept: "accept"}[l.OnFailure]
		chroot := map[bool]string{true: "y", false: "n"}[l.Chroot]
		fmt.Fprintf(&cf, "%s inet n - %s - - smtpd\n", s.Addr(l.Name), chroot)
		fmt.Fprintf(&cf, "    -o smtpd_milters=%s\n", strings.Join(append([]string{l.Milter}, l.More...), ","))
		fmt.Fprintf(&cf, "    -o milter_default_action=%s\n", action)
		fmt.Fprintf(&cf, "    -o milter_command_timeout=%s\n", l.timeout())
		fmt.Fprintf(&cf, "    -o milter_content_timeout=%s\n", l.timeout())
		if l.Login {
			cf.WriteString("    -o smtpd_sasl_auth_enable=yes\n")
		}
		if l.SizeLimit > 0 {
			// What a milter makes of a message is checked by cleanup.
			limit := fmt.Sprintf("    -o message_size_limit=%d\n", l.SizeLimit)
			fmt.Fprintf(&cf, "%s    -o cleanup_service_name=cleanup-%s\n", limit, l.Name)
			fmt.Fprintf(&cf, "cleanup-%s unix n - n - 0 cleanup\n%s", l.Name, limit)
		}
	}
	cf.WriteString(`
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 1 1 qmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
proxymap  unix  - - n - - proxymap
error     unix  - - n - - error
retry     unix  - - n - - error
virtual   unix  - n n - - virtual
anvil     unix  - - n - 1 anvil
postlog   unix-dgram n - n - 1 postlogd
`)
	if !strings.Contains(cf.String(), "pickup ") {
		cf.WriteString("pickup unix n - n 60 1 pickup\n") // a listener may have one with settings
	}
	return cf.String()
}
