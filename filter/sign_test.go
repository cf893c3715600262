package filter_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/test/letters"
)

// newSigner returns a signer with a key for each of some domains. dkimRecord has the public key.
func newSigner(tb testing.TB, domains ...string) *mailauth.Signer {
	tb.Helper()
	return signerFor(tb, mailauth.EightBitSign, domains...)
}

// signerFor returns the signer of newSigner, with a way to treat 8-bit messages.
func signerFor(tb testing.TB, eightBit mailauth.EightBit, domains ...string) *mailauth.Signer {
	tb.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.PrivateKey(dkimKey))
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "key.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		tb.Fatal(err)
	}
	options := mailauth.SignerOptions{EightBit: eightBit}
	for _, domain := range domains {
		options.Keys = append(options.Keys, mailauth.Key{Domain: domain, Selector: "s", File: path})
	}
	signer, err := mailauth.NewSigner(options)
	if err != nil {
		tb.Fatal(err)
	}
	return signer
}

// failing is a signer whose key does not sign.
type failing struct{ filter.Signer }

func (failing) Sign(string, []byte) ([]string, error) { return nil, errors.New("broken") }

// silent is a signer that returns no signature and no error.
type silent struct{ filter.Signer }

func (silent) Sign(string, []byte) ([]string, error) { return nil, nil }

// injecting is a signer that returns more than a field value.
type injecting struct{ filter.Signer }

func (injecting) Sign(string, []byte) ([]string, error) { return []string{"v=1\r\nBcc: x"}, nil }

// eightBit is plain with a text beyond ASCII.
var eightBit = strings.Replace(strings.Replace(plain, "us-ascii", "utf-8\r\nContent-Transfer-Encoding: 8bit", 1), "please", "bitte schön", 1)

func TestSign(t *testing.T) {
	signer := newSigner(t, "example.com", "xn--bcher-kva.example")
	leaving := filter.Options{Signer: signerFor(t, mailauth.EightBitLeave, "example.com")}
	converting := filter.Options{Signer: signerFor(t, mailauth.EightBitConvert, "example.com")}
	stranger := envelope.Envelope{Sender: "anna@example.com"}
	noLink := text("Nothing here.\r\n")
	sendmail := localUser()
	sendmail.Rewrites = true
	machine := localUser()
	machine.Authenticated = false
	readable := filter.Options{Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLNeeded, Plain: rule.PlainReadable}}}
	unsigned := newFilter(t, filter.Options{}).Message(context.Background(), localUser(), []byte(plain)).Edited
	const relayed = "Received: from mail.example.net by mx.example.com; Fri, 20 Nov 2026 10:00:00 +0000\r\n" + plain
	inHTML := []rule.Rule{{Name: "r", ReadableHTML: true}}
	convertingHTML := filter.Options{Rules: inHTML, Signer: converting.Signer}
	beside := func(plain, html string) string {
		const fields, eightBit = "--b\r\nContent-Type: text/", "; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
		return "From: anna@example.com\r\nTo: bert@example.org\r\nSubject: x\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n" +
			"Content-Type: multipart/alternative; boundary=b\r\n\r\n" + fields + "plain" + eightBit + plain + "\r\n" + fields + "html" + eightBit + html + "\r\n--b--\r\n"
	}
	noLinkEightBit := strings.Replace(eightBit, "https://de.wikipedia.org/wiki/%C3%9Cbersicht", "nothing", 1)
	replace := func(old, by string) string { return strings.Replace(plain, old, by, 1) }
	eightBitFile := replace("Content-Type: text/plain; charset=us-ascii\r\n\r\n", "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n") +
		"--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: 8bit\r\n\r\nü\r\n--b--\r\n"
	for _, test := range []struct {
		name      string
		env       envelope.Envelope
		options   filter.Options
		message   string
		signed    string
		notSigned report.Reason
		edited    bool
		notDone   report.Reason
		sevenBit  bool // the message that leaves has 7-bit lines only
	}{
		{name: "edited", message: plain, signed: "example.com", edited: true},
		{name: "not edited", message: noLink, signed: "example.com", notDone: "nothing-to-change"},
		{name: "not edited, and only edits are signed", options: filter.Options{SignEdited: true}, message: noLink, notDone: "nothing-to-change"},
		{name: "edited, and only edits are signed", options: filter.Options{SignEdited: true}, message: plain, signed: "example.com", edited: true},
		{name: "line ends of a file", message: strings.ReplaceAll(plain, "\r\n", "\n"), signed: "example.com", edited: true},
		{name: "of a host below the domain", message: replace("anna@example.com", "anna@mail.example.com"), signed: "mail.example.com", edited: true},
		{name: "in capital letters", message: replace("anna@example.com", "Anna <ANNA@EXAMPLE.COM>"), signed: "example.com", edited: true},
		{name: "a domain in A-labels", message: replace("example.com", "xn--bcher-kva.example"), signed: "xn--bcher-kva.example", edited: true},
		{name: "two authors of one domain", message: replace("anna@example.com", "anna@example.com, bert@example.com"), signed: "example.com", edited: true},
		{name: "no key", message: replace("example.com", "example.net"), notSigned: "no-key", edited: true},
		{name: "authors of two domains", message: replace("anna@example.com", "anna@example.com, bert@example.org"), notSigned: "no-key", edited: true},
		{name: "two From", message: "From: anna@example.com\r\n" + plain, notSigned: "no-key", edited: true},
		{name: "no From", message: replace("From:", "X-From:"), notSigned: "no-key", edited: true},
		{name: "no address", message: replace("anna@example.com", "Anna at example.com"), notSigned: "no-key", edited: true},
		{name: "a stranger", env: stranger, options: filter.Options{Rules: []rule.Rule{{Name: "r", HTML: rule.HTMLNeeded}}}, message: plain, edited: true},
		{name: "8-bit", message: eightBit, signed: "example.com", edited: true},
		{name: "8-bit, left", options: leaving, message: eightBit, notSigned: "not-7bit", notDone: "not-7bit"},
		{name: "8-bit, converted", options: converting, message: eightBit, signed: "example.com", edited: true, sevenBit: true},
		{name: "8-bit, and the text may be written anew", options: readable, message: eightBit, signed: "example.com", edited: true},
		{name: "8-bit, and nothing to make readable", message: noLinkEightBit, signed: "example.com", notDone: "nothing-to-change"},
		{name: "8-bit, nothing to make readable, left", options: leaving, message: noLinkEightBit, notSigned: "not-7bit", notDone: "nothing-to-change"},
		{name: "8-bit in another part", message: eightBitFile, signed: "example.com", edited: true},
		{name: "8-bit in another part, left", options: leaving, message: eightBitFile, notSigned: "not-7bit", notDone: "not-7bit"},
		{name: "8-bit beside edited HTML", options: filter.Options{Rules: inHTML}, message: beside("Grüße", honestHTML), signed: "example.com", edited: true},
		{name: "8-bit beside edited HTML, converted", options: convertingHTML, message: beside("Grüße", "<p>Grüße</p>"+honestHTML), signed: "example.com", edited: true, sevenBit: true},
		{name: "8-bit beside HTML, nothing else to do", options: convertingHTML, message: beside("Grüße", "<p>Grüße</p>"), signed: "example.com", edited: true, sevenBit: true},
		{name: "8-bit, nothing to make readable, converted", options: converting, message: noLinkEightBit, signed: "example.com", edited: true, sevenBit: true},
		{name: "8-bit, no edit asked for, converted", options: filter.Options{Rules: []rule.Rule{{Name: "r"}}, Signer: converting.Signer}, message: eightBit, signed: "example.com", edited: true, sevenBit: true},
		{name: "8-bit, edits forbidden", options: filter.Options{Edit: rule.EditNever, Signer: converting.Signer}, message: noLinkEightBit, signed: "example.com", notDone: "not-asked"},
		{name: "8-bit to a list", options: converting, message: "List-Id: <l.example.org>\r\n" + noLinkEightBit, signed: "example.com", notDone: "nothing-to-change"},
		{name: "8-bit, opted out", options: converting, message: "X-Linkmilter-Opt-Out: yes\r\n" + noLinkEightBit, signed: "example.com", notDone: "opted-out"},
		{name: "8-bit, and only edits are signed", options: filter.Options{SignEdited: true, Signer: converting.Signer}, message: noLinkEightBit, notDone: "nothing-to-change"},
		{name: "8-bit without a link that cannot be converted", options: converting, message: strings.Replace(noLinkEightBit, "ö", "\xf6", 1), signed: "example.com", notDone: "undecodable"},
		{name: "8-bit that cannot be converted", options: convertingHTML, message: beside("Gr\xfc\xdfe", honestHTML), signed: "example.com", notDone: "undecodable"},
		{name: "a long line", message: plain + strings.Repeat("x", 999) + "\r\n", notSigned: "not-7bit", notDone: "not-7bit"},
		{name: "an address beyond ASCII", message: replace("bert@example.org", "bért@example.org"), signed: "example.com", edited: true},
		{name: "an address beyond ASCII, left", options: leaving, message: replace("bert@example.org", "bért@example.org"), notSigned: "not-7bit", notDone: "not-7bit"},
		{name: "a key that fails", options: filter.Options{Signer: failing{signer}}, message: plain, notSigned: "not-signed", notDone: "not-signed"},
		{name: "a signer that says nothing", options: filter.Options{Signer: silent{signer}}, message: plain, notSigned: "not-signed", notDone: "not-signed"},
		{name: "a signature that is not a field", options: filter.Options{Signer: injecting{signer}}, message: plain, notSigned: "invalid-header", notDone: "invalid-header"},
		{name: "signed before", message: signedBy(t, "example.com", "relaxed", "relaxed", nil, plain), notSigned: "dkim-signed", notDone: "dkim-signed"},
		{name: "signed by another domain", message: signedBy(t, "example.net", "relaxed", "relaxed", nil, plain), signed: "example.com", notDone: "dkim-signed"},
		{name: "too large", options: filter.Options{Limits: filter.Limits{Message: 100}}, message: plain, notSigned: "message-too-large", notDone: "message-too-large"},
		{name: "handed on by a trusted machine", env: machine, message: relayed, notSigned: "relayed", edited: true},
		{name: "sent by a trusted machine", env: machine, message: plain, signed: "example.com", edited: true},
		{name: "handed on, and the rule signs that", env: machine, options: filter.Options{Rules: []rule.Rule{{Name: "r", When: rule.When{Client: []netip.Prefix{netip.PrefixFrom(machine.Client, 32)}}, Trusted: true, SignRelayed: true, HTML: rule.HTMLNeeded}}}, message: relayed, signed: "example.com", edited: true},
		{name: "handed on by a user", message: relayed, signed: "example.com", edited: true},
		{name: "too large with its signature", options: filter.Options{Limits: filter.Limits{Result: len(unsigned) + 100}}, message: plain, signed: "example.com", notDone: "result-too-large"},
		{name: "Sendmail, in its form", env: sendmail, message: plain, signed: "example.com", edited: true},
		{name: "Sendmail, in another form", env: sendmail, message: replace("bert@example.org", "bert@example.org,carl@example.org"), notSigned: "rewritten-later", notDone: "rewritten-later"},
		{name: "Sendmail, a long line", env: sendmail, message: plain + strings.Repeat("x", 990) + "\r\n", notSigned: "not-7bit", notDone: "not-7bit"},
		{name: "Postfix, in any form", message: replace("bert@example.org", "bert@example.org,carl@example.org"), signed: "example.com", edited: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			env, options := test.env, test.options
			if env.Sender == "" {
				env = localUser()
			}
			if options.Signer == nil {
				options.Signer = signer
			}
			f := newFilter(t, options)
			result := check(t, t.Name(), f, env, []byte(test.message))
			r := result.Report
			if r.Signed != test.signed || r.NotSigned != test.notSigned || r.Edited != test.edited || r.NotDone != test.notDone {
				t.Errorf("signed for %q (%q), edited %t (%q); want %q (%q), %t (%q)",
					r.Signed, r.NotSigned, r.Edited, r.NotDone, test.signed, test.notSigned, test.edited, test.notDone)
			}
			if failed := test.notSigned != "" && !slices.Contains([]report.Reason{"no-key", "relayed", "dkim-signed"}, test.notSigned); r.SignFailed != failed {
				t.Errorf("%q: failed %t", r.NotSigned, r.SignFailed)
			}
			after := result.Message([]byte(test.message))
			if test.sevenBit && !ascii.Is(after) {
				t.Errorf("8-bit:\n%s", after)
			}
			if test.signed == "" {
				if result.Edited != nil && !test.edited {
					t.Errorf("neither edited nor signed, and it changed:\n%s", after)
				}
				return
			}
			if !bytes.HasPrefix(after, []byte("DKIM-Signature: ")) {
				t.Errorf("the signature is not on top:\n%s", after)
			}
			want := 1 + strings.Count(test.message, "DKIM-Signature:")
			verified(t, bytes.ReplaceAll(bytes.ReplaceAll(after, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")), want)
		})
	}
}

// TestSignLetters: mail in ten languages leaves with a valid signature, edited or not.
func TestSignLetters(t *testing.T) {
	for _, choice := range []mailauth.EightBit{mailauth.EightBitSign, mailauth.EightBitConvert} {
		f := newFilter(t, filter.Options{Signer: signerFor(t, choice, "example.com")})
		edited, eightBit := 0, 0
		for _, letter := range letters.All(t, "example.com") {
			result := check(t, letter.Name, f, localUser(), letter.Message)
			if r := result.Report; r.Signed != "example.com" {
				t.Errorf("%s, %s: not signed: %s", choice, letter.Name, r.NotSigned)
				continue
			}
			verified(t, result.Edited, 1)
			if result.Report.Edited {
				edited++
			}
			if result.Report.Edited && !ascii.Is(result.Edited) {
				eightBit++
			}
		}
		t.Logf("%s: %d edited, %d of them 8-bit", choice, edited, eightBit)
		if edited < 150 || (eightBit > 100) != (choice == mailauth.EightBitSign) {
			t.Errorf("%s: %d edited, %d of them 8-bit", choice, edited, eightBit)
		}
	}
}

// TestSignHostile: a message whose header cannot be signed stays as it is, and takes no longer than
// it should.
func TestSignHostile(t *testing.T) {
	signature := signedBy(t, "example.com", "relaxed", "relaxed", []string{"From"}, plain)
	signature, _, _ = strings.Cut(signature, "From: ")
	edit := []rule.Rule{{Name: "r", HTML: rule.HTMLNeeded, EditSigned: true}}
	for _, test := range []struct {
		name      string
		rules     []rule.Rule
		message   string
		notDone   report.Reason // "" if the message is edited and signed
		notSigned report.Reason
	}{
		{"a header beyond the limit", nil, "X-Long: " + strings.Repeat("x ", 1<<20) + "\r\n" + plain, "header-too-large", "no-key"},
		{"a folded header beyond the limit", nil, "X-Long:" + strings.Repeat(" xxxx\r\n", 200_000) + plain, "header-too-large", "no-key"},
		{"fifty thousand fields", nil, strings.Repeat("X-A: b\r\n", 50_000) + plain, "not-signed", "not-signed"},
		{"three hundred To", nil, strings.Repeat("To: b@example.org\r\n", 300) + plain, "not-signed", "not-signed"},
		{"a line that is not a field", nil, "Subject: a\r\nhello\r\n" + plain, "malformed-header", "no-key"},
		{"a malformed signature", nil, "DKIM-Signature: v=9; ;;=\r\n" + plain, "dkim-signed", ""},
		{"a hundred signatures", nil, strings.Repeat(signature, 100) + plain, "dkim-signed", "dkim-signed"},
		{"a hundred signatures, edited all the same", edit, strings.Repeat(signature, 100) + plain, "", ""},
		{"two hundred malformed signatures, edited all the same", edit, strings.Repeat("DKIM-Signature: "+strings.Repeat(":;", 100)+"\r\n", 200) + plain, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFilter(t, filter.Options{Rules: test.rules, Signer: newSigner(t, "example.com")})
			r := check(t, t.Name(), f, localUser(), []byte(test.message)).Report
			if r.NotDone != test.notDone || r.NotSigned != test.notSigned {
				t.Errorf("not done %q, not signed %q; want %q, %q", r.NotDone, r.NotSigned, test.notDone, test.notSigned)
			}
		})
	}
}

// TestSignAfterTags: the signature covers the message as it leaves, with the new tags and without
// the removed fields.
func TestSignAfterTags(t *testing.T) {
	chosen := rule.Rule{Name: "r", When: rule.When{Authenticated: new(true)}, HTML: rule.HTMLNeeded, On: tagAll}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, Signer: newSigner(t, "example.com")})
	env := localUser()
	env.Authenticated = true
	result := check(t, t.Name(), f, env, []byte("X-Linkmilter-Opt-Out: no\r\n"+highMessage+"https://de.wikipedia.org/wiki/%C3%9Cbersicht\r\n"))
	if r := result.Report; !r.Edited || !tagged(r) || r.Signed != "example.com" {
		t.Errorf("edited %t, tagged %t, signed %q", r.Edited, tagged(r), r.Signed)
	}
	verified(t, result.Edited, 1)
}

// TestRefusedIsNotSigned: a message that is rejected or discarded is not signed.
func TestRefusedIsNotSigned(t *testing.T) {
	chosen := rule.Rule{Name: "r", When: rule.When{Authenticated: new(true)}, On: rule.On{High: rule.ActionReject}}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, Signer: newSigner(t, "example.com")})
	result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com", Authenticated: true}, []byte(highMessage))
	if result.Action != rule.ActionReject || result.Report.Signed != "" || bytes.Contains(result.Edited, []byte("DKIM-Signature")) {
		t.Errorf("action %s, signed %q", result.Action, result.Report.Signed)
	}
}

// TestDryRunIsNotSigned: under a rule with dry_run nothing is signed, and the report says what
// would have been done.
func TestDryRunIsNotSigned(t *testing.T) {
	chosen := rule.Rule{Name: "r", When: rule.When{Authenticated: new(true)}, HTML: rule.HTMLNeeded, DryRun: true}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, Signer: newSigner(t, "example.com")})
	result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com", Authenticated: true}, []byte(plain))
	if result.Edited != nil || !result.Report.DryRun || result.Report.Signed != "example.com" {
		t.Errorf("changed %t, signed %q", result.Edited != nil, result.Report.Signed)
	}
}

// TestEditOfSignedMessage: if a rule edits signed messages, the filter signs them again.
func TestEditOfSignedMessage(t *testing.T) {
	chosen := rule.Rule{Name: "r", When: rule.When{Authenticated: new(true)}, HTML: rule.HTMLNeeded, EditSigned: true}
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, Signer: newSigner(t, "example.com")})
	signed := signedBy(t, "example.com", "relaxed", "relaxed", nil, plain)
	env := localUser()
	env.Authenticated = true
	result := check(t, t.Name(), f, env, []byte(signed))
	if !result.Report.Edited || result.Report.Signed != "example.com" || result.Report.SignedBefore != "" {
		t.Errorf("edited %t, signed %q, before %q", result.Report.Edited, result.Report.Signed, result.Report.SignedBefore)
	}
	_, rest, _ := strings.Cut(string(result.Edited), "\r\nDKIM-Signature: ")
	fields, rest, _ := strings.Cut(rest, "\r\nFrom: ")
	first, _, _ := strings.Cut(string(result.Edited), "\r\nDKIM-Signature: "+fields)
	verified(t, []byte(first+"\r\nFrom: "+rest), 1)
}

func TestSignedBefore(t *testing.T) {
	signed := signedBy(t, "example.com", "relaxed", "relaxed", nil, plain)
	local := envelope.Envelope{Sender: "a@example.com", Client: localUser().Client}
	user := local
	user.Authenticated = true
	edited := string(newFilter(t, filter.Options{}).Message(context.Background(), user, []byte(plain)).Edited)
	protected := filter.Options{}
	protected.Policy.Protected = []string{"example.com"}
	for name, test := range map[string]struct {
		env     envelope.Envelope
		options filter.Options
		message string
		want    string
	}{
		"a user":                          {env: user, message: signed, want: "example.com"},
		"a domain with a key":             {env: local, options: filter.Options{Signer: newSigner(t, "example.com")}, message: signed, want: "example.com"},
		"a protected domain":              {env: local, options: protected, message: signed, want: "example.com"},
		"handed on by a trusted machine":  {env: local, message: signed},
		"a stranger":                      {env: envelope.Envelope{Sender: "a@example.com"}, options: protected, message: signed},
		"another's signature":             {env: user, message: signedBy(t, "example.net", "relaxed", "relaxed", nil, plain)},
		"a signature that cannot be read": {env: user, message: "DKIM-Signature: d=example.com\r\n" + plain},
		"no signature":                    {env: user, message: plain},
		"nothing to make readable":        {env: user, message: signedBy(t, "example.com", "relaxed", "relaxed", nil, text("Hi\r\n"))},
		"edited before":                   {env: user, message: signedBy(t, "example.com", "relaxed", "relaxed", nil, edited)},
		"nothing is to be made readable":  {env: user, options: filter.Options{Rules: []rule.Rule{{Name: "r"}}}, message: signed},
	} {
		if got := newFilter(t, test.options).Message(context.Background(), test.env, []byte(test.message)).Report.SignedBefore; got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
