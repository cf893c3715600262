//go:build linux

package e2e

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestPassageCorpus sends every sample message through each set-up, except those with line ends
// that SMTP does not allow (TestPassageBareLineEnds). Behind its queue, Postfix adds the fields
// that a message without a header lacks. Before the queue, it adds them below linkmilter's.
func TestPassageCorpus(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		startPassage(t, s).corpus(t, func(message []byte) bool {
			return hasWireLineEnds(message) && (s.name != beforeQueue.name || !bytes.HasPrefix(message, []byte("\r\n")))
		})
	})
}

// TestPassageSizes sends messages from nothing to 3 MB, with and without saying
// that they are not 7-bit.
func TestPassageSizes(t *testing.T) {
	contentType, large := mixed(linkText, 3_000_000)
	tests := []struct {
		name    string
		params  string
		message []byte
		edited  bool
	}{
		{"empty body", "", compose(textPlain, ""), false},
		{"one line end", "", compose(textPlain, "\r\n"), false},
		{"dots at line starts", "BODY=8BITMIME", compose(textPlain, ".\r\n..\r\n.dot "+typedLink+"\r\n.\r\n"), true},
		{"8-bit undeclared", "", compose(textPlain, linkText), true},
		{"8-bit", "BODY=8BITMIME", compose(textPlain, linkText), true},
		{"7-bit", "BODY=7BIT", compose(textPlain, "see "+typedLink+"\r\n"), true},
		{"size declared", "BODY=8BITMIME SIZE=1000", compose(textPlain, linkText), true},
		{"3 MB", "BODY=8BITMIME", compose(contentType, large), true},
	}
	onEachSetup(t, func(t *testing.T, s setup) {
		p := startPassage(t, s)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				without, with := p.both(t, Envelope{Params: test.params}, test.message)
				if got := edited(without, with); got != test.edited {
					t.Errorf("edited %t, want %t", got, test.edited)
				}
			})
		}
	})
}

// TestPassageSMTPUTF8 sends mail with addresses and header fields in UTF-8.
func TestPassageSMTPUTF8(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		p := startPassage(t, s)
		message := compose(textPlain, linkText, "Subject: विषय", "Reply-To: संपर्क <संपर्क@example.test>")
		env := Envelope{From: "प्रेषक@example.test", Params: "BODY=8BITMIME SMTPUTF8"}
		env.To = []string{UTF8Alias(p.NewAddress(t))}
		without := deliver(t, p.Server, "plain", env, message)
		env.To = []string{UTF8Alias(p.NewAddress(t))}
		with := p.filtered(t, env, message)
		p.check(t, message, without, with)
		readAlternative(t, with)
	})
}

// TestPassageDSN asks for a delivery report: all that the client asked for
// reaches the server that delivers, which writes it.
func TestPassageDSN(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		p := startPassage(t, s)
		from, to := p.NewAddress(t), p.NewAddress(t)
		client := Dial(t, p.Addr("filtered"))
		client.Command(250, "MAIL FROM:<%s> RET=HDRS ENVID=QQ314159 BODY=8BITMIME", from)
		client.Command(250, "RCPT TO:<%s> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;asked+2Bfor@example.test", to)
		client.Command(354, "DATA")
		client.Write(compose(textPlain, linkText))
		client.expect("end of message", 250, client.End())
		readAlternative(t, SplitDelivered(p.Receive(t, "", to)))
		// Exim leaves the address in xtext.
		report := strings.ReplaceAll(string(p.Receive(t, "", from)), "asked+2Bfor", "asked+for")
		for _, want := range []string{"action: delivered", "original-envelope-id: qq314159", "original-recipient: rfc822;asked+for@example.test"} {
			if !strings.Contains(strings.ReplaceAll(strings.ToLower(report), "rfc822; ", "rfc822;"), want) {
				t.Errorf("the report lacks %q:\n%s", want, report)
			}
		}
		if strings.Contains(report, "please.") {
			t.Errorf("the report holds the text, though RET=HDRS:\n%s", report)
		}
	})
}

// TestPassageRecipients sends to several recipients. The server accepts one of them from the
// client, and refuses it when linkmilter hands the message back.
func TestPassageRecipients(t *testing.T) {
	onEachSetup(t, func(t *testing.T, s setup) {
		p := startPassage(t, s)
		message := compose(textPlain, linkText)
		env := Envelope{Params: "BODY=8BITMIME", To: []string{p.NewAddress(t), p.NewAddress(t), p.NewAddress(t)}}
		readAlternative(t, p.filtered(t, env, message))

		from, first, last := p.NewAddress(t), p.NewAddress(t), p.NewAddress(t)
		client := Dial(t, p.Addr("filtered"))
		client.Command(250, "MAIL FROM:<%s> BODY=8BITMIME", from)
		client.Command(250, "RCPT TO:<%s>", first)
		refused := client.Try("RCPT TO:<%s>", RefusedBehind)
		client.Command(250, "RCPT TO:<%s>", last)
		client.Command(354, "DATA")
		client.Write(message)
		client.expect("end of message", 250, client.End())
		for _, to := range []string{first, last} {
			readAlternative(t, p.arrived(t, SplitDelivered(p.Receive(t, "", to))))
		}
		if s.name == beforeQueue.name {
			if want := "550 5.7.9 "; !strings.HasPrefix(refused.Text, want) {
				t.Errorf("reply to the recipient %q, want %q", refused.Text, want)
			}
			return
		}
		if bounce := string(p.Receive(t, "", from)); !strings.Contains(bounce, RefusedBehind) || strings.Contains(bounce, "Final-Recipient: rfc822; "+first) {
			t.Errorf("the bounce is not about %s alone:\n%s", RefusedBehind, bounce)
		}
	})
}

// TestPassageBareLineEnds sends line ends that SMTP does not allow. Servers repair them when they
// queue a message. Before its queue, Postfix passes a carriage return on unchanged. linkmilter
// refuses that, unless it is configured to pass it on.
func TestPassageBareLineEnds(t *testing.T) {
	message := func(end string) []byte { return compose(textPlain, "one"+end+"two "+typedLink+"\r\n") }
	onEachSetup(t, func(t *testing.T, s setup) {
		p := startPassage(t, s)
		for name, end := range map[string]string{"CR": "\r", "LF": "\n"} {
			env := Envelope{From: p.NewAddress(t), To: []string{p.NewAddress(t)}, Params: "BODY=8BITMIME"}
			reply := Dial(t, p.Addr("filtered")).Submit(env, message(end))
			if s.name == beforeQueue.name && end == "\r" {
				if !strings.HasPrefix(reply.Text, "550 5.6.0 ") {
					t.Errorf("%s: reply %q, want 550 5.6.0", name, reply.Text)
				}
				continue
			}
			if reply.Code != 250 {
				t.Errorf("%s: reply %q, want 250", name, reply.Text)
				continue
			}
			readAlternative(t, SplitDelivered(p.Receive(t, env.From, env.To[0])))
		}
	})
	t.Run("passed through", func(t *testing.T) {
		t.Parallel()
		p := startPassage(t, beforeQueue, "--config", writeConfig(t, "[content_filter]\nbare_line_ends = \"pass-through\"\n"))
		without, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, message("\r"))
		if edited(without, with) {
			t.Errorf("body: %s", firstDifference(without.Body, with.Body))
		}
	})
}

// TestPassageClient sends from a foreign client. linkmilter learns the client by XFORWARD, judges
// the mail and does not edit it.
func TestPassageClient(t *testing.T) {
	t.Parallel()
	for _, s := range []setup{afterQueue, beforeQueue} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := startPassage(t, s)
			client := Dial(t, p.Addr("filtered"))
			client.Command(220, "XCLIENT ADDR=203.0.113.9")
			client.Command(250, "EHLO client.example")
			message := compose(textPlain, linkText+spoofedText)
			d, _ := send(t, client, p.Server, Envelope{Params: "BODY=8BITMIME"}, message)
			with := p.arrived(t, d)
			if want := lf(linkText + spoofedText); with.Body != want {
				t.Errorf("edited: %s", firstDifference(want, with.Body))
			}
			if _, ok := with.Field("X-Linkmilter"); !ok {
				t.Errorf("not tagged:\n%s", strings.Join(with.Header, ""))
			}
		})
	}
}

// TestPassageSendmailCommand hands mail to Postfix's sendmail command. Behind the queue, linkmilter
// takes it for mail of this machine.
func TestPassageSendmailCommand(t *testing.T) {
	t.Parallel()
	p := startPassage(t, afterQueue)
	from, to := p.NewAddress(t), p.NewAddress(t)
	command := p.admin("sendmail", "-i", "-f", from, to)
	command.Stdin = strings.NewReader(lf(string(compose(textPlain, linkText))))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("sendmail: %v\n%s", err, out)
	}
	readAlternative(t, p.arrived(t, SplitDelivered(p.Receive(t, from, to))))
	p.linkmilter.WaitLog(t, "rule=local", "edited=true")
}

// TestPassageOwnUsers: Exim sends mail of own users to a port of its own. Mail of the sendmail
// command becomes readable; mail of a stranger is only judged.
func TestPassageOwnUsers(t *testing.T) {
	t.Parallel()
	front, filter, own, back := FreePort(t), FreePort(t), FreePort(t), FreePort(t)
	example := func(comment string) string {
		return strings.ReplaceAll(manual(t, comment, front, filter, back), "10027", strconv.Itoa(own))
	}
	server := StartExim(t, EximConfig{
		Main:       example("Exim, main part"),
		Routers:    example("Exim, router for own users") + "\n" + example("Exim, routers"),
		Transports: example("Exim, transport for own users") + "\n" + example("Exim, transports"),
	}, Listener{Name: "filtered", Port: front}, Listener{Name: "plain", Port: back})
	linkmilter := startProcess(t, "linkmilter", exec.Command(Binary(t), "serve", "--config", writeConfig(t, example("linkmilter.toml, own users")+"[milter]\nlisten = []\n")))
	linkmilter.WaitLog(t, "listening", ":"+strconv.Itoa(filter))
	linkmilter.WaitLog(t, "listening", ":"+strconv.Itoa(own))

	message := compose(textPlain, linkText+spoofedText)
	stranger := deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, message)
	if want := lf(linkText + spoofedText); stranger.Body != want {
		t.Errorf("a stranger's mail was edited: %s", firstDifference(want, stranger.Body))
	}
	if _, ok := stranger.Field("X-Linkmilter"); !ok {
		t.Errorf("a stranger's mail was not tagged:\n%s", strings.Join(stranger.Header, ""))
	}

	from, to := server.NewAddress(t), server.NewAddress(t)
	// With -odq the server delivers it, not this command, which ends at once.
	command := server.admin("exim4", "-odq", "-f", from, to)
	command.Stdin = strings.NewReader(lf(string(message)))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("exim: %v\n%s", err, out)
	}
	readAlternative(t, SplitDelivered(server.Receive(t, from, to)))
}
