//go:build linux

package e2e

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
