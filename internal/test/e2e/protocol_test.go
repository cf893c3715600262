//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestProtocolVersions speaks with Postfix in each version of the protocol. In lower versions
// Postfix offers less: linkmilter has to reply to every command, and spaces behind the colons of
// header fields are lost. The message arrives as with the highest version.
func TestProtocolVersions(t *testing.T) {
	t.Parallel()
	addr := freeMilter(t)
	listeners := []Listener{{Name: "plain"}}
	versions := []int{2, 3, 4, 6}
	for _, version := range versions {
		port := FreePort(t)
		listeners = append(listeners, Listener{Name: fmt.Sprint(version), Port: port, Services: fmt.Sprintf(`
127.0.0.1:%d inet n - n - - smtpd -o smtpd_milters=%s -o milter_protocol=%d
`, port, addr, version)})
	}
	p := &pair{Server: StartPostfix(t, listeners...), linkmilter: Serve(t, addr, nil)}
	message := compose(textPlain, linkText)
	for _, version := range versions {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			client := Dial(t, p.Addr(fmt.Sprint(version)))
			for range 3 {
				env := Envelope{Params: "BODY=8BITMIME"}
				without := deliver(t, p.Server, "plain", env, message)
				with, _ := send(t, client, p.Server, env, message)
				p.check(t, message, without, with)
				readAlternative(t, with)
			}
		})
	}
}

// TestBeyondLimit sends messages above linkmilter's limit: the part before the limit is judged and
// tagged, the rest goes on, and so does the connection.
func TestBeyondLimit(t *testing.T) {
	config := writeConfig(t, "[limits]\nmessage = \"100 KiB\"\n"+`
[[rule]]
name = "local"
when.client = ["127.0.0.1"]
trusted = true
html = "needed"
on = { low = "tag", partial = "tag" }
`)
	onEach(t, func(t *testing.T, kind kind) {
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		linkmilter := Serve(t, addr, nil, "--config", config)
		client, env := Dial(t, server.Addr("filtered")), Envelope{Params: "BODY=8BITMIME"}
		large := compose(textPlain, spoofedText+filler(3_000_000))
		for range 2 {
			without := deliver(t, server, "plain", env, large)
			with, queueID := send(t, client, server, env, large)
			if edited(without, with) {
				t.Errorf("body changed: %s", firstDifference(without.Body, with.Body))
			}
			if finding := strings.Join(with.Header, ""); !containsAll(finding, []string{"outcome=partial", "reason=message-too-large", `host="xn--80ak6aa92e.com"`}) {
				t.Errorf("not tagged:\n%s", finding)
			}
			linkmilter.WaitLog(t, "queue_id="+queueID, "outcome=partial", "tagged=true")
			with, _ = send(t, client, server, env, compose(textPlain, linkText))
			readAlternative(t, with)
		}
	})
}
