//go:build linux

package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// A setup is a way in which a mail server sends its mail through linkmilter by SMTP, as
// docs/content-filter.md says.
type setup struct {
	name string
	// start starts a server that takes mail at the listener "filtered", sends it to the port filter
	// and takes it back at the port back. The listener "plain" does not use them.
	start func(t *testing.T, filter, back int) *Server
}

var (
	afterQueue  = setup{"postfix after the queue", func(t *testing.T, filter, back int) *Server { return startFiltered(t, "after the queue", filter, back) }}
	beforeQueue = setup{"postfix before the queue", func(t *testing.T, filter, back int) *Server {
		return startFiltered(t, "before the queue", filter, back)
	}}
	throughExim = setup{"exim", startEximFiltered}
)

// startFiltered starts Postfix with an example for master.cf.
func startFiltered(t *testing.T, example string, filter, back int) *Server {
	t.Helper()
	front := FreePort(t)
	const recipients = "-o smtpd_recipient_restrictions="
	services := strings.Replace(manual(t, example, front, filter, back), recipients,
		recipients+"check_recipient_access,texthash:$meta_directory/refused,", 1)
	return StartPostfix(t, Listener{Name: "plain"}, Listener{Name: "filtered", Port: front, Services: services})
}

// startEximFiltered starts Exim with the example for it.
func startEximFiltered(t *testing.T, filter, back int) *Server {
	t.Helper()
	front := FreePort(t)
	config := EximConfig{
		Main:       manual(t, "Exim, main part", front, filter, back),
		Recipients: fmt.Sprintf("  deny condition = ${if eq{$received_port}{%d}}\n       recipients = %s\n       message = refused behind", back, RefusedBehind),
		Routers:    manual(t, "Exim, routers", front, filter, back),
		Transports: manual(t, "Exim, transports", front, filter, back),
	}
	// Mail that comes in at the port where linkmilter hands mail back did not go through
	// linkmilter.
	return StartExim(t, config, Listener{Name: "filtered", Port: front}, Listener{Name: "plain", Port: back})
}

// onEachSetup runs a test with each of the set-ups, at the same time.
func onEachSetup(t *testing.T, test func(*testing.T, setup)) {
	t.Helper()
	t.Parallel()
	for _, s := range []setup{afterQueue, beforeQueue, throughExim} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// startPassage starts a mail server in a set-up, and linkmilter with args.
func startPassage(t *testing.T, s setup, args ...string) *pair {
	t.Helper()
	filter, back := FreePort(t), FreePort(t)
	server := s.start(t, filter, back)
	return &pair{Server: server, linkmilter: s.serve(t, filter, back, args...), hops: 2}
}

// serve starts linkmilter so that mail of the tests is that of own users, or
// with args.
func (s setup) serve(t *testing.T, filter, next int, args ...string) *Process {
	t.Helper()
	if len(args) == 0 && s.name == throughExim.name {
		// Exim does not say who the client is, so all mail goes to the port for own users.
		args = []string{"--config", writeConfig(t, ownUsers(t, filter))}
	}
	return ServeSMTP(t, filter, next, args...)
}

// ownUsers returns the configuration of docs/content-filter.md for a port at which
// mail of own users comes in.
func ownUsers(t *testing.T, port int) string {
	t.Helper()
	example := manual(t, "linkmilter.toml, own users", 0, 10025, 10026)
	_, rules, _ := strings.Cut(example, "\n\n")                                                // the command line says where to listen
	rules = strings.Replace(rules, "trusted = true", "trusted = true\nedit_cost = \"any\"", 1) // the tests' messages are short
	return strings.ReplaceAll(rules, "10027", strconv.Itoa(port))
}

// TestPassageWithoutLinkmilter checks the test harness: the set-ups work with the ports connected
// directly.
func TestPassageWithoutLinkmilter(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		back := FreePort(t)
		server := s.start(t, back, back)
		message := compose(textPlain, linkText)
		got := deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, message)
		if want := lf(linkText); got.Body != want {
			t.Errorf("body: %s", firstDifference(want, got.Body))
		}
		// It came by twice.
		if len(got.Header) == 0 || !strings.HasPrefix(got.Header[0], "Received: ") {
			t.Errorf("the message was not taken back:\n%s", strings.Join(got.Header, ""))
		}
	})
}
