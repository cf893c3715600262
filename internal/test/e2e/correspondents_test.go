//go:build linux

package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/mta"
)

// TestCorrespondents: users write to a partner through Postfix, and a look-alike of the partner writes
// back. linkmilter has been killed meanwhile, and knows the partner from its file. The partner is at the
// only domain for which the server has mailboxes.
func TestCorrespondents(t *testing.T) {
	t.Parallel()
	addr := freeMilter(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "linkmilter.toml")
	writeFile(t, config, fmt.Sprintf(`builtin_rules = false
[correspondents]
file = %q
[header]
id = "mx.example.test"
[[rule]]
name = "users"
when = { authenticated = true }
trusted = true
[[rule]]
name = "others"
on = { medium = "tag" }
`, filepath.Join(dir, "correspondents.db")), 0o600)
	server := StartPostfix(t, Listener{Name: "submission", Milter: addr, Login: true}, Listener{Name: "inbound", Milter: addr})
	linkmilter := Serve(t, addr, nil, "--config", config)

	inbound := func(from string) (tag string, tagged bool) {
		client := Dial(t, server.Addr("inbound"))
		client.Command(220, "XCLIENT ADDR=192.0.2.1")
		client.Command(250, "EHLO mail.example.net")
		message := []byte("From: Einkauf <" + from + ">\r\nTo: b@example.test\r\nSubject: Rechnung\r\nMessage-ID: <2@example.net>\r\n\r\nNeue Bankverbindung\r\n")
		got, _ := send(t, client, server, Envelope{From: from}, message)
		return got.Field("X-Linkmilter-Finding")
	}
	const lookalike = "einkauf@exmaple.test"
	if tag, tagged := inbound(lookalike); tagged {
		t.Errorf("tagged before anybody wrote to the partner: %s", tag)
	}
	for _, user := range []string{"anna", "bert"} {
		client := Dial(t, server.Addr("submission"))
		client.Command(235, "AUTH PLAIN %s", base64.StdEncoding.EncodeToString([]byte("\x00"+User+"\x00"+Password)))
		from := user + "@nordkai-werft.de"
		message := []byte("From: " + from + "\r\nTo: r1@example.test\r\nSubject: Bestellung\r\nMessage-ID: <1@nordkai-werft.de>\r\n\r\nGuten Tag\r\n")
		send(t, client, server, Envelope{From: from, To: []string{server.NewAddress(t)}}, message)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		if _, tagged := inbound(lookalike); tagged {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the look-alike of a partner is not tagged")
		}
	}
	linkmilter.Kill(t)
	Serve(t, addr, nil, "--config", config)
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		if tag, tagged := inbound(lookalike); strings.Contains(tag, "lookalike") {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("after a restart: %q, %v", tag, tagged)
		}
	}
	if tag, tagged := inbound("einkauf@example.test"); tagged {
		t.Errorf("the partner is tagged: %s", tag)
	}
}

// TestCorrespondentsOfFleet: three nodes behind HAProxy learn as one by a real Redis, while each of them is
// killed and started, and then the server is.
func TestCorrespondentsOfFleet(t *testing.T) {
	t.Parallel()
	redis := unpackPackages(t, "redis-server", "redis-tools")
	address := localPort(t)
	_, port, _ := strings.Cut(address, ":")
	startRedis := func() *Process {
		cmd := exec.Command(redis.path("usr/bin/redis-server"), "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
		cmd.Env = []string{"LD_LIBRARY_PATH=" + redis.libraryPath()}
		p := startProcess(t, "redis", cmd)
		p.waitListening(t, "tcp", address)
		return p
	}
	server := startRedis()
	f := newFleet(t)
	for _, n := range f.nodes {
		db := filepath.Join(filepath.Dir(n.config), "correspondents.db")
		writeFile(t, db+".key", strings.Repeat("ab", 32)+"\n", 0o600)
		document, err := os.ReadFile(n.config)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, n.config, string(document)+fmt.Sprintf("[correspondents]\nfile = %q\nvalkey = \"redis://%s\"\n", db, address), 0o600)
		n.start(t, Binary(t))
	}
	proxy := f.startProxy(t, f.nodes...)

	// write has two users write to a partner, through whatever node HAProxy chooses.
	write := func(partner string) {
		t.Helper()
		for _, user := range []string{"anna", "bert"} {
			message := []byte("From: " + user + "@own.example\r\nTo: x@" + partner + "\r\nSubject: x\r\nMessage-ID: <1@own.example>\r\n\r\nHallo\r\n")
			envelope := mta.Envelope{Sender: "<" + user + "@own.example>", Recipients: []string{"<x@" + partner + ">"}, Macros: []string{"{auth_authen}", user}}
			for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
				c, err := mta.Milter{Network: "tcp", Address: proxy.milter, Timeout: patience}.Connect("client.example", "192.0.2.1")
				if err == nil {
					_, _, err = c.Filter(envelope, message)
					c.Close()
				}
				if err == nil {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal(err)
				}
			}
		}
	}
	// know waits until all nodes watch a partner, by their files.
	know := func(partner string) {
		t.Helper()
		for _, n := range f.nodes {
			for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
				out, _ := exec.Command(Binary(t), "correspondents", "show", "--config", n.config, partner).CombinedOutput()
				if strings.Contains(string(out), "several users  watched") {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%s does not know %s: %s", n.name, partner, out)
				}
			}
		}
	}
	write("partner-zero.de")
	know("partner-zero.de")
	for i, n := range f.nodes {
		n.process.Kill(t)
		partner := fmt.Sprintf("partner-%d.de", i)
		write(partner)
		n.start(t, Binary(t))
		know(partner)
	}
	server.Kill(t)
	write("partner-away.de")
	startRedis()
	know("partner-away.de")
	write("partner-back.de")
	know("partner-back.de")
}
