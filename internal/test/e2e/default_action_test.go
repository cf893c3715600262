//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestDefaultActionOfPostfix sends three messages on one connection. linkmilter is stopped, killed
// or frozen during the second, and runs again before the third. The manual has a table of what each
// milter_default_action does. With tempfail and shutdown, no message is lost or goes on unread.
func TestDefaultActionOfPostfix(t *testing.T) {
	type result struct{ replies, again string }
	message := compose(textPlain, linkText)
	fates := map[string]func(*Process, testing.TB){
		"kill":   (*Process).Kill,
		"freeze": (*Process).Freeze,
	}
	actions := []string{"tempfail", "shutdown", "accept"}
	var listeners []Listener
	taps := map[string]*tap{}
	for _, action := range actions {
		for fate := range fates {
			name := fate + "-" + action
			taps[name] = newTap(t)
			port := FreePort(t)
			listeners = append(listeners, Listener{Name: name, Port: port, Services: fmt.Sprintf(
				"127.0.0.1:%d inet n - n - - smtpd -o smtpd_milters=%s -o milter_default_action=%s -o milter_command_timeout=2s -o milter_content_timeout=2s\n",
				port, taps[name].Addr(), action)})
		}
	}
	server := StartPostfix(t, listeners...)
	send := func(c *Client) string {
		for _, command := range []string{"MAIL FROM:<" + server.NewAddress(t) + ">", "RCPT TO:<" + server.NewAddress(t) + ">", "DATA"} {
			if reply := c.Try("%s", command); reply.Code/100 > 3 {
				return fmt.Sprint(reply.Code)
			}
		}
		c.Write(message)
		return fmt.Sprint(c.End().Code)
	}
	for _, action := range actions {
		for fate, strike := range fates {
			name := fate + "-" + action
			addr := freeMilter(t)
			linkmilter, tapped := Serve(t, addr, nil), taps[name]
			tapped.Connect(addr)
			client := Dial(t, server.Addr(name))
			var r result
			replies := []string{send(client)}
			tapped.Before(milterBody, func() { strike(linkmilter, t) })
			replies = append(replies, send(client))
			back := freeMilter(t)
			Serve(t, back, nil)
			tapped.Connect(back)
			if replies[1] != "421" {
				client.Try("RSET")
				replies = append(replies, send(client))
			}
			r.replies, r.again = strings.Join(replies, " "), send(Dial(t, server.Addr(name)))
			t.Logf("%s: %s; in a new connection %s", name, r.replies, r.again)
			if r.again != "250" || replies[0] != "250" || action != "accept" && strings.HasPrefix(replies[1], "2") {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}
