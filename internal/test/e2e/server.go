//go:build linux

package e2e

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Domain is the mail domain of the private servers. Addresses that
// NewAddress returns have a mailbox in it, all others are rejected.
const Domain = "example.test"

// Rejected is an address the servers reject at RCPT TO.
const Rejected = "nobody@" + Domain

// RefusedBehind is an address that the set-ups of docs/content-filter.md refuse
// where linkmilter hands mail back, but not in front of it.
var RefusedBehind = mailboxAddress(maxAddresses)

// mailUser is the account that deliveries are made as; each Debian system has it.
const mailUser = "mail"

// maxAddresses is how many addresses a server has.
const maxAddresses = 3000

// hostName is what the servers call themselves.
const hostName = "mx.example.test"

// Failure says what a server does with mail when a milter fails.
type Failure uint8

const (
	FailTempfail Failure = iota // the client is told to try again
	FailAccept                  // the message goes on as without a milter
)

// Listener is one SMTP port of a server, with at most one milter behind it.
type Listener struct {
	Name string
	// Port is the port it listens on. 0: a free one.
	Port int
	// Milter is where the milter listens: "inet:127.0.0.1:PORT" or
	// "unix:/PATH". Empty: none. Postfix also takes "unix:PATH", which lies
	// below its queue folder.
	Milter string
	// More are milters that are asked after that one, in this order.
	More []string
	// OnFailure applies when the milter cannot be reached, breaks off or
	// takes longer than Timeout.
	OnFailure Failure
	// Timeout is how long the server waits for an answer to the message's
	// content. 0: 60 s.
	Timeout time.Duration
	// Login lets clients log in, with AUTH PLAIN, as User with Password.
	Login bool
	// Chroot confines what accepts mail here to the server's queue folder, as
	// Debian does. Postfix alone can.
	Chroot bool
	// Services are lines of master.cf that stand for this listener and what it
	// needs, in place of those of the other fields but Name and Port. Postfix alone
	// has them.
	Services string
	// SizeLimit is the size in bytes of the largest message. 0: the
	// server's own default. Sendmail has one limit for all its listeners, the
	// smallest.
	SizeLimit int
}

func (l Listener) timeout() string {
	timeout := l.Timeout
	if timeout == 0 {
		timeout = 60 * time.Second
	}
	return strconv.Itoa(int(timeout.Seconds())) + "s"
}

// Server is a running private mail server.
type Server struct {
	*Process
	dir     string // holds all it writes
	mailDir string // holds a Maildir for each address
	mailUID int
	mailGID int
	// MilterClient is the account as which the server connects to a milter's
	// unix socket.
	MilterClient syscall.Credential
	addrs        map[string]string
	serial       atomic.Int64
	// Where messages lie that are not delivered yet or never will be, and those
	// that are in quarantine: patterns of files below the folder of the queue.
	waiting, quarantined []string
	// admin returns a command of the server's for its administrator.
	admin func(name string, args ...string) *exec.Cmd
	// release are the commands that let a message out of quarantine, ID for its queue id.
	release []string
	// deferred is in a line of the log about a message that has to wait.
	deferred string
}

// newServer makes the folder of a server and finds a port for each listener.
func newServer(tb testing.TB, listeners []Listener) *Server {
	tb.Helper()
	s := &Server{dir: tempDir(tb), addrs: map[string]string{}}
	s.mailDir = filepath.Join(s.dir, "mail")
	s.mailUID, s.mailGID = accountIDs(tb, mailUser)
	if err := cmp.Or(os.Mkdir(s.mailDir, 0o755), os.Chown(s.mailDir, s.mailUID, s.mailGID)); err != nil {
		tb.Fatal(err)
	}
	for _, l := range listeners {
		port := l.Port
		if port == 0 {
			port = FreePort(tb)
		}
		s.addrs[l.Name] = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	}
	return s
}

// QueueDir is the folder of the server's queue.
func (s *Server) QueueDir() string { return filepath.Join(s.dir, "queue") }

// Waiting returns the files of messages that the server has accepted and not
// delivered, without those in quarantine.
func (s *Server) Waiting(tb testing.TB) []string {
	tb.Helper()
	return s.queueFiles(tb, s.waiting)
}

// Quarantined returns the files of messages in quarantine.
func (s *Server) Quarantined(tb testing.TB) []string {
	tb.Helper()
	return s.queueFiles(tb, s.quarantined)
}

// Release lets a message out of quarantine.
func (s *Server) Release(tb testing.TB, queueID string) {
	tb.Helper()
	for _, command := range s.release {
		words := strings.Fields(strings.ReplaceAll(command, "ID", queueID))
		if out, err := s.admin(words[0], words[1:]...).CombinedOutput(); err != nil {
			tb.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
}

func (s *Server) queueFiles(tb testing.TB, patterns []string) (files []string) {
	tb.Helper()
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(s.QueueDir(), pattern))
		if err != nil {
			tb.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// WaitDeferred waits until a message could not be delivered and is kept.
func (s *Server) WaitDeferred(tb testing.TB) {
	tb.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !strings.Contains(s.serverLog(tb), s.deferred); <-tick.C {
		if time.Now().After(deadline) {
			tb.Fatalf("no message was kept for later (%s) after %v", s.deferred, patience)
		}
	}
}

// serverLog returns what the server logged up to now.
func (s *Server) serverLog(tb testing.TB) string {
	tb.Helper()
	log, err := os.ReadFile(filepath.Join(s.dir, "log_main"))
	if os.IsNotExist(err) {
		return s.Log() // it logs to its standard output
	}
	if err != nil {
		tb.Fatal(err)
	}
	return string(log)
}

// Addr returns the address of a listener, "127.0.0.1:PORT".
func (s *Server) Addr(listener string) string { return s.addrs[listener] }

// NewAddress returns an address that has a mailbox of its own. Each
// delivery gets a fresh one, so that nothing else arrives there.
func (s *Server) NewAddress(tb testing.TB) string {
	tb.Helper()
	n := s.serial.Add(1)
	if n >= maxAddresses { // the last is RefusedBehind
		tb.Fatalf("more than %d addresses asked for", maxAddresses)
	}
	return mailboxAddress(int(n))
}

// UTF8Alias returns a second address, with a local-part in UTF-8, for the
// mailbox of an address. Postfix alone has them.
func UTF8Alias(address string) string { return "डाक" + address }

func mailboxAddress(n int) string { return fmt.Sprintf("r%d@%s", n, Domain) }

// Mailbox returns the messages delivered to an address up to now.
func (s *Server) Mailbox(tb testing.TB, address string) [][]byte {
	tb.Helper()
	local, _, _ := strings.Cut(strings.TrimPrefix(address, UTF8Alias("")), "@")
	dir := filepath.Join(s.mailDir, local, "new")
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		tb.Fatal(err)
	}
	var messages [][]byte
	for _, entry := range entries {
		raw, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		messages = append(messages, raw)
	}
	return messages
}

// Receive waits for the one message to an address and returns it as it was
// delivered, with LF line ends. It fails the test at once when a message
// arrives for the envelope sender: that is a bounce.
//
// The mailbox is looked at every few milliseconds. The server is a foreign
// program and a Maildir has no other way to tell; what is in its folder new
// is complete, since deliveries are renamed into it.
func (s *Server) Receive(tb testing.TB, sender, recipient string) []byte {
	tb.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-tick.C {
		if bounce := s.Mailbox(tb, sender); sender != "" && len(bounce) > 0 {
			tb.Fatalf("the message to %s bounced:\n%.4000s", recipient, bounce[0])
		}
		switch messages := s.Mailbox(tb, recipient); len(messages) {
		case 0:
		case 1:
			return messages[0]
		default:
			tb.Fatalf("%d messages for %s, want 1", len(messages), recipient)
		}
	}
	tb.Fatalf("no message for %s after %v", recipient, patience)
	return nil
}

// tempDir makes a folder that users without privileges can pass through, as
// the servers' parts run as such, and that is short enough to hold unix
// sockets. (The parent of testing's TempDir is for root alone.)
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "linkmilter-e2e-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Errorf("remove what the test left: %v", err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// writeFile writes one of a server's files, and makes it look old: Postfix
// waits for seconds until a file it reads has been left alone for a while.
func writeFile(tb testing.TB, path, content string, mode os.FileMode) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		tb.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	if err := cmp.Or(os.Chmod(path, mode), os.Chtimes(path, hourAgo, hourAgo)); err != nil {
		tb.Fatal(err)
	}
}

// waitListening waits until something accepts connections at an address. The
// program does not tell when it is ready, so the address is tried every few
// milliseconds.
func (p *Process) waitListening(tb testing.TB, network, address string) {
	tb.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(patience)
	for {
		if conn, err := net.Dial(network, address); err == nil {
			conn.Close()
			return
		}
		select {
		case <-tick.C:
		case <-p.done:
			tb.Fatalf("%s ended before it listened on %s", p.name, address)
		case <-timeout:
			tb.Fatalf("%s does not listen on %s after %v", p.name, address, patience)
		}
	}
}

// accountIDs returns the numbers of an account and of its main group.
func accountIDs(tb testing.TB, name string) (uid, gid int) {
	tb.Helper()
	account, err := user.Lookup(name)
	if err != nil {
		tb.Fatal(err)
	}
	if uid, err = strconv.Atoi(account.Uid); err != nil {
		tb.Fatal(err)
	}
	if gid, err = strconv.Atoi(account.Gid); err != nil {
		tb.Fatal(err)
	}
	return uid, gid
}
