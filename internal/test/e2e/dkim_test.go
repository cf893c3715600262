//go:build linux

package e2e

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	msgauth "github.com/emersion/go-msgauth/dkim"

	"github.com/linkmilter/linkmilter/internal/test/dns"
	"github.com/linkmilter/linkmilter/internal/test/letters"
)

// signingKey is a key for Domain, made once, in a file, and its record in the DNS.
type signingKey struct{ pem, record string }

const selector = "s1"

var newKey = sync.OnceValues(func() (signingKey, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return signingKey{}, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return signingKey{}, err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	return signingKey{
		pem:    string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		record: "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(public),
	}, err
})

// startDKIM returns the file of a key for Domain, and an OpenDKIM that finds the public key in the
// DNS.
func startDKIM(t *testing.T) (file string, judge *OpenDKIM) {
	t.Helper()
	key, err := newKey()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(tempDir(t), "key.pem")
	writeFile(t, file, key.pem, 0o600)
	return file, NewOpenDKIM(t, dns.Serve(t, map[string]string{selector + "._domainkey." + Domain: key.record}))
}

// signingConfig returns a configuration that signs mail from Domain. more are further keys of the
// table [dkim], lines follow at the end.
func signingConfig(t *testing.T, file, more string, lines ...string) string {
	t.Helper()
	return writeConfig(t, fmt.Sprintf("[dkim]\n%s\n[[dkim.key]]\ndomain = %q\nselector = %q\nfile = %q\n%s\n",
		more, Domain, selector, file, strings.Join(lines, "\n")))
}

const asciiLink = "Hello,\r\nsee " + typedLink + " please.\r\n"

// letter makes a message of ASCII; fields replace those of the same name.
func letter(body string, fields ...string) []byte {
	header := []string{
		"From: A <a@example.test>", "To: b@example.test", "Subject: A message", "Date: Fri, 20 Nov 2026 10:00:00 +0000",
		"Message-ID: <1@client.example>", "MIME-Version: 1.0", "Content-Type: text/plain; charset=us-ascii",
	}
	for _, field := range fields {
		name, value, _ := strings.Cut(field, ":")
		replaced := false
		for i, before := range header {
			if strings.HasPrefix(before, name+":") {
				header[i], replaced = field, true
			}
		}
		switch {
		case value == "" && replaced:
			header = without(header, field)
		case !replaced:
			header = append(header, field)
		}
	}
	return []byte(strings.Join(header, "\r\n") + "\r\n\r\n" + body)
}

func without(list []string, element string) []string {
	var left []string
	for _, e := range list {
		if e != element {
			left = append(left, e)
		}
	}
	return left
}

// TestSigning sends messages through a server with linkmilter, which edits and signs them. OpenDKIM
// verifies what was delivered. A message that linkmilter leaves alone arrives as without it.
func TestSigning(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("Anna ", 25))
	const postfix, sendmail, both = "postfix", "sendmail", "postfix sendmail"
	tests := []struct {
		name    string
		message []byte
		params  string
		signed  string // the servers through which it arrives with a signature
		edited  bool   // where signed: linkmilter edits it, too
		reason  string // where not signed: the reason
		only    string // "": on both servers
	}{
		{name: "a text", message: letter(asciiLink), signed: both, edited: true},
		{name: "nothing to edit", message: letter(noLink), signed: both},
		{name: "several recipients", message: letter(asciiLink, "To: b@example.test, C <c@example.test>", "Cc: d@example.test"), signed: both, edited: true},
		{name: "recipients without spaces", message: letter(asciiLink, "To: b@example.test,c@example.test"), signed: postfix, edited: true, reason: "rewritten-later"},
		{name: "Cc without spaces", message: letter(asciiLink, "Cc: b@example.test,c@example.test"), signed: postfix, edited: true, reason: "rewritten-later"},
		{name: "Reply-To with a comment", message: letter(asciiLink, "Reply-To: a@example.test (Anna)"), signed: postfix, edited: true, reason: "rewritten-later"},
		{name: "folded To", message: letter(asciiLink, "To: Berta <b@example.test>,\r\n Carl <c@example.test>,\r\n\tDora <d@example.test>"), signed: both, edited: true},
		{name: "many recipients in one line", message: letter(asciiLink, "To: "+strings.Repeat("Berta <b@example.test>, ", 20)+"c@example.test"), signed: both, edited: true},
		{name: "a long display name", message: letter(asciiLink, "From: "+long+" <a@example.test>"), signed: both, edited: true},
		{name: "a very long display name", message: letter(asciiLink, "To: "+long+long+long+" <b@example.test>"), signed: postfix, edited: true, reason: "rewritten-later"},
		{name: "an encoded display name", message: letter(asciiLink, "From: =?utf-8?q?J=C3=BCrgen?= <a@example.test>"), signed: both, edited: true},
		{name: "a full stop in a name", message: letter(asciiLink, "From: A. Nna <a@example.test>"), signed: postfix, edited: true, reason: "rewritten-later"},
		{name: "a quoted name", message: letter(asciiLink, `From: "A. Nna, Dr." <a@example.test>`), signed: both, edited: true},
		{name: "odd white space", message: letter(asciiLink, "Subject:  A \t message\r\n  in   pieces", "X-Other:none"), signed: both, edited: true},
		{name: "no date and no id", message: letter(asciiLink, "Date:", "Message-ID:"), signed: both, edited: true},
		{name: "no To", message: letter(asciiLink, "To:"), signed: both, edited: true},
		{name: "empty lines at the end", message: letter(asciiLink + "\r\n\r\n\r\n"), signed: both, edited: true},
		{name: "lines with full stops and From", message: letter(asciiLink + ".\r\n..\r\nFrom here on\r\n"), signed: both, edited: true},
		{name: "quoted-printable", message: letter("See =E2=80=A6 "+strings.ReplaceAll(typedLink, "=", "=3D")+"=\r\n\r\n", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"), signed: both, edited: true},
		{name: "a long line of the body", message: letter(asciiLink + strings.Repeat("x", 1500) + "\r\n"), reason: "not-7bit"},
		{name: "8-bit", message: compose(textPlain, linkText), params: "BODY=8BITMIME", signed: both, edited: true},
		{name: "8-bit in a header", message: letter(asciiLink, "Subject: ü"), params: "BODY=8BITMIME", signed: both, edited: true},
		{name: "SMTPUTF8", message: letter(asciiLink, "From: ä <ä@example.test>"), params: "BODY=8BITMIME SMTPUTF8", signed: postfix, edited: true, only: postfix},
		{name: "SMTPUTF8 and nothing beyond ASCII", message: letter(asciiLink), params: "SMTPUTF8", signed: postfix, edited: true, only: postfix},
	}
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		linkmilter := Serve(t, addr, nil, "--config", signingConfig(t, file, ""))
		for _, test := range tests {
			if test.only != "" && test.only != kind.name {
				continue
			}
			t.Run(test.name, func(t *testing.T) {
				from := server.NewAddress(t)
				to := []string{server.NewAddress(t)}
				with, id := send(t, Dial(t, server.Addr("filtered")), server, Envelope{From: from, To: to, Params: test.params}, test.message)
				if strings.Contains(test.signed, kind.name) {
					judge.accepts(t, server.Receive(t, from, to[0]))
					if got := strings.Contains(linkmilter.WaitLog(t, "queue_id="+id), "edited=true"); got != test.edited {
						t.Errorf("edited %t, want %t", got, test.edited)
					}
					return
				}
				linkmilter.WaitLog(t, "queue_id="+id, "not_signed="+test.reason)
				if all := strings.Join(append(with.Trace, with.Header...), ""); strings.Contains(all, "DKIM-Signature") {
					t.Errorf("signed:\n%s", all)
				}
				without := deliver(t, server, "plain", Envelope{From: from, Params: test.params}, test.message)
				if edited(without, with) || strings.Join(without.Header, "") != strings.Join(with.Header, "") {
					t.Errorf("edited:\n%s%s", strings.Join(with.Header, ""), with.Body)
				}
			})
		}
	})
}

// TestSigningForms signs with the other canonicalizations.
func TestSigningForms(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		for _, form := range []string{"simple/simple", "simple/relaxed", "relaxed/simple"} {
			t.Run(form, func(t *testing.T) {
				addr := freeMilter(t)
				server := kind.start(t, Listener{Name: "filtered", Milter: addr})
				Serve(t, addr, nil, "--config", signingConfig(t, file, fmt.Sprintf("canonicalization = %q", form)))
				from, to := server.NewAddress(t), []string{server.NewAddress(t)}
				send(t, Dial(t, server.Addr("filtered")), server, Envelope{From: from, To: to}, letter(asciiLink, "Subject: A message\r\n that is  folded"))
				judge.accepts(t, server.Receive(t, from, to[0]))
			})
		}
	})
}

// TestSigningLetters signs mail in ten languages. go-msgauth and OpenDKIM verify what
// was delivered.
func TestSigningLetters(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "filtered", Milter: addr})
		linkmilter := Serve(t, addr, nil, "--config", signingConfig(t, file, ""))
		edited := 0
		for _, letter := range letters.Rotation(t, Domain) {
			t.Run(letter.Name, func(t *testing.T) {
				from, to := server.NewAddress(t), []string{server.NewAddress(t)}
				env := Envelope{From: from, To: to, Params: "BODY=8BITMIME"}
				if letter.UTF8 && kind.name == "postfix" {
					env.Params += " SMTPUTF8"
				}
				_, id := send(t, Dial(t, server.Addr("filtered")), server, env, letter.Message)
				if letter.UTF8Address && kind.name == "sendmail" {
					linkmilter.WaitLog(t, "level=WARN", "queue_id="+id, "not_signed=rewritten-later")
					return
				}
				message := server.Receive(t, from, to[0])
				judge.accepts(t, message)
				verifies(t, message)
				if strings.Contains(linkmilter.WaitLog(t, "queue_id="+id), "edited=true") {
					edited++
				}
			})
		}
		t.Logf("%d edited", edited)
		if edited < 10 {
			t.Error("fewer than 10 messages were edited")
		}
	})
}

// verifies fails the test unless go-msgauth finds one signature of Domain, and finds it
// good.
func verifies(t *testing.T, message []byte) {
	t.Helper()
	key, err := newKey()
	if err != nil {
		t.Fatal(err)
	}
	found, err := msgauth.VerifyWithOptions(strings.NewReader(wire(message)), &msgauth.VerifyOptions{
		LookupTXT: func(string) ([]string, error) { return []string{key.record}, nil },
	})
	if err != nil || len(found) != 1 || found[0].Domain != Domain || found[0].Err != nil {
		t.Errorf("go-msgauth: %d signatures, %v", len(found), err)
		for _, v := range found {
			t.Errorf("%s: %v", v.Domain, v.Err)
		}
	}
}

// wire returns a delivered message with the line ends of SMTP.
func wire(message []byte) string { return strings.ReplaceAll(lf(string(message)), "\n", "\r\n") }

// TestSigningChoices has 8-bit texts converted before they are signed, or left alone.
func TestSigningChoices(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		converting, leaving := freeMilter(t), freeMilter(t)
		server := kind.start(t, Listener{Name: "converting", Milter: converting}, Listener{Name: "leaving", Milter: leaving})
		Serve(t, converting, nil, "--config", signingConfig(t, file, `eight_bit = "convert"`))
		linkmilter := Serve(t, leaving, nil, "--config", signingConfig(t, file, `eight_bit = "leave"`))
		for _, text := range []string{linkText, "नमस्ते, see " + typedLink + " today.\r\n"} {
			message := compose(textPlain, text)
			from, to := server.NewAddress(t), []string{server.NewAddress(t)}
			got, _ := send(t, Dial(t, server.Addr("converting")), server, Envelope{From: from, To: to, Params: "BODY=8BITMIME"}, message)
			if _, html := readAlternative(t, got); !strings.Contains(html, strings.TrimPrefix(readableLink, "https://")) {
				t.Errorf("HTML:\n%s", html)
			}
			if strings.Contains(got.Body, "Content-Transfer-Encoding: 8bit") {
				t.Errorf("8-bit:\n%s", got.Body)
			}
			judge.accepts(t, server.Receive(t, from, to[0]))
			got, id := send(t, Dial(t, server.Addr("leaving")), server, Envelope{Params: "BODY=8BITMIME"}, message)
			linkmilter.WaitLog(t, "level=WARN", "queue_id="+id, "not_signed=not-7bit")
			if got.Body != lf(text) {
				t.Errorf("edited:\n%s", got.Body)
			}
		}
		from, to := server.NewAddress(t), []string{server.NewAddress(t)}
		got, _ := send(t, Dial(t, server.Addr("converting")), server, Envelope{From: from, To: to, Params: "BODY=8BITMIME"}, compose(textPlain, "grün, without a link\r\n"))
		if kind.name == "postfix" && got.Body != "gr=C3=BCn, without a link\n" { // Sendmail decodes it for local delivery
			t.Errorf("not converted:\n%s", got.Body)
		}
		judge.accepts(t, server.Receive(t, from, to[0]))
	})
}

// TestSignerBehindLinkmilter: OpenDKIM signs behind linkmilter, which is the right order.
func TestSignerBehindLinkmilter(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "filtered", Milter: addr, More: []string{judge.signer(t, file)}})
		linkmilter := Serve(t, addr, nil)
		for _, message := range [][]byte{letter(asciiLink), compose(textPlain, linkText)} {
			from, to := server.NewAddress(t), []string{server.NewAddress(t)}
			got, _ := send(t, Dial(t, server.Addr("filtered")), server, Envelope{From: from, To: to, Params: "BODY=8BITMIME"}, message)
			readAlternative(t, got)
			judge.accepts(t, server.Receive(t, from, to[0]))
		}
		if log := linkmilter.Log(); strings.Contains(log, "before what signs") {
			t.Errorf("advice although all is in order:\n%s", log)
		}
	})
}

// TestSignerBeforeLinkmilter: if OpenDKIM signs first, the message stays unchanged, its signature
// is valid, and the log says once what to do.
func TestSignerBeforeLinkmilter(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "filtered", Milter: judge.signer(t, file), More: []string{addr}})
		linkmilter := Serve(t, addr, nil, "--config", writeConfig(t, fmt.Sprintf("[policy]\nprotected = [%q]\n", Domain)))
		for range 2 {
			from, to := server.NewAddress(t), []string{server.NewAddress(t)}
			got, id := send(t, Dial(t, server.Addr("filtered")), server, Envelope{From: from, To: to}, letter(asciiLink))
			linkmilter.WaitLog(t, "queue_id="+id, "not_done=dkim-signed")
			if got.Body != lf(asciiLink) {
				t.Errorf("edited:\n%s", got.Body)
			}
			judge.accepts(t, server.Receive(t, from, to[0]))
		}
		linkmilter.WaitLog(t, "level=WARN", "run linkmilter before the signing milter", "domain="+Domain)
		if n := strings.Count(linkmilter.Log(), "run linkmilter before the signing milter"); n != 1 {
			t.Errorf("advice %d times", n)
		}
	})
}

// TestSecondHop: the first server writes addresses in its own form, and a second server signs them.
func TestSecondHop(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		first, second := freeMilter(t), freeMilter(t)
		server := kind.start(t, Listener{Name: "first", Milter: first}, Listener{Name: "second", Milter: second})
		Serve(t, first, nil)
		linkmilter := Serve(t, second, nil, "--config", signingConfig(t, file, "", "[[rule]]", `name = "from-the-first"`, `when.client = ["127.0.0.1"]`, "trusted = true", "sign_relayed = true"))
		from, to := server.NewAddress(t), []string{server.NewAddress(t)}
		message := letter(asciiLink, "To: b@example.test,A. Nna <c@example.test>")
		edited, _ := send(t, Dial(t, server.Addr("first")), server, Envelope{From: from, To: to}, message)
		readAlternative(t, edited)
		// Leave out what the delivery wrote, but keep the Received field.
		relayed := resent(server.Receive(t, from, to[0]))
		to = []string{server.NewAddress(t)}
		_, id := send(t, Dial(t, server.Addr("second")), server, Envelope{From: from, To: to}, relayed)
		linkmilter.WaitLog(t, "queue_id="+id, "signed="+Domain)
		judge.accepts(t, server.Receive(t, from, to[0]))
	})
}

// TestSigningInThePath signs in the SMTP path.
func TestSigningInThePath(t *testing.T) {
	onEachSetup(t, func(t *testing.T, setup setup) {
		file, judge := startDKIM(t)
		filter, back := FreePort(t), FreePort(t)
		server := setup.start(t, filter, back)
		rules := "[[rule]]\nname = \"own\"\nwhen.client = [\"127.0.0.1\"]\ntrusted = true\nhtml = \"needed\"\n"
		if setup.name == throughExim.name {
			rules = ownUsers(t, filter)
		}
		rules = strings.Replace(rules, "trusted = true", "trusted = true\nsign_relayed = true", 1)
		ServeSMTP(t, filter, back, "--config", signingConfig(t, file, "", rules))
		from, to := server.NewAddress(t), []string{server.NewAddress(t)}
		got, _ := send(t, Dial(t, server.Addr("filtered")), server, Envelope{From: from, To: to}, letter(asciiLink, "To: b@example.test,c@example.test"))
		if !strings.Contains(got.Body, "Content-Type: text/html") {
			t.Errorf("not edited:\n%s", got.Body)
		}
		judge.accepts(t, server.Receive(t, from, to[0]))
	})
}

// TestRelayedIsNotSigned: mail that comes back from a trusted machine may be a
// stranger's.
func TestRelayedIsNotSigned(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, _ := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "filtered", Milter: addr})
		linkmilter := Serve(t, addr, nil, "--config", signingConfig(t, file, ""))
		message := letter(asciiLink, "Received: from mail.example.net by scanner.example.test; Fri, 20 Nov 2026 10:00:00 +0000")
		got, id := send(t, Dial(t, server.Addr("filtered")), server, Envelope{}, message)
		linkmilter.WaitLog(t, "queue_id="+id, "not_signed=relayed")
		if all := strings.Join(append(got.Trace, got.Header...), ""); strings.Contains(all, "DKIM-Signature") {
			t.Errorf("signed:\n%s", all)
		}
	})
}

// resent returns a delivered message as it may be sent once more: without what
// the delivery wrote.
func resent(raw []byte) []byte {
	fields, body := splitMessage(raw)
	var kept strings.Builder
	for _, field := range fields {
		if name := fieldName(field); name != "return-path" && name != "delivered-to" && name != "x-original-to" {
			kept.WriteString(field)
		}
	}
	return []byte(strings.ReplaceAll(kept.String()+"\n"+body, "\n", "\r\n"))
}

// TestTagsKeepForeignSignatures: tags in a stranger's message do not break its signatures.
func TestTagsKeepForeignSignatures(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, judge := startDKIM(t)
		signing, tagging := freeMilter(t), freeMilter(t)
		server := kind.start(t, Listener{Name: "signing", Milter: signing}, Listener{Name: "tagging", Milter: tagging})
		Serve(t, signing, nil, "--config", signingConfig(t, file, ""))
		Serve(t, tagging, nil, "--config", writeConfig(t, "[[rule]]\nname = \"strangers\"\non.info = \"tag\"\n"))
		from, to := server.NewAddress(t), []string{server.NewAddress(t)}
		message := letter("See http://192.0.2.1/ please.\r\n", "To: b@example.test", "X-Linkmilter: nobody; action=none")
		send(t, Dial(t, server.Addr("signing")), server, Envelope{From: from, To: to}, message)
		signed := server.Receive(t, from, to[0])
		judge.accepts(t, signed)
		signed = resent(signed)
		stranger := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
		to = []string{server.NewAddress(t)}
		got, _ := send(t, DialFrom(t, stranger, server.Addr("tagging")), server, Envelope{To: to}, signed)
		if all := strings.Join(got.Header, ""); !strings.Contains(all, "worst=low") || !strings.Contains(all, "nobody; action=none") {
			t.Errorf("not tagged:\n%s", all)
		}
		judge.accepts(t, server.Receive(t, "", to[0]))
	})
}
