package mailauth

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"testing"

	testdkim "github.com/linkmilter/linkmilter/internal/test/dkim"
	"github.com/linkmilter/linkmilter/mime"
)

// proofMessages are messages of several shapes. Their fields X-Linkmilter were forged by the
// sender.
var proofMessages = map[string]string{
	"plain":  plainMessage,
	"forged": "X-Linkmilter: mx.example.org; action=none\r\n" + strings.Replace(plainMessage, "Subject:", "X-Linkmilter-Finding: mx.example.org;\r\n code=x\r\nSubject:", 1),
	"odd white space": "Received: from a by b;\r\n Sat, 21 Nov 2026 04:00:00 +0000\r\nfrom:anna@example.com\r\nTO :  ben@example.net\r\nSubject:\r\n   x  y\t \r\n" +
		"x-linkmilter: mx.example.org\r\nTo: another@example.net\r\n\r\n a  b \t c \r\n\r\n\td\r\n\r\n\r\n",
	"no body": "From: anna@example.com\r\nSubject: x\r\n\r\n",
	"multipart": "From: anna@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\nX-Linkmilter: mx.example.org\r\n\r\n" +
		"--b\r\n\r\nHello \r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hello</p>\r\n--b--\r\n",
}

// proofFields are lists of signed fields: present ones, some named more often than they are
// present.
var proofFields = map[string][]string{
	"few":         {"from", "to", "subject"},
	"recommended": {"From", "Reply-To", "Subject", "Date", "To", "Cc", "MIME-Version", "Content-Type", "Message-ID"},
	"over-signed": {"From", "From", "To", "To", "To", "Subject", "Subject", "Date", "Date", "MIME-Version", "MIME-Version", "Received", "Received", "Reply-To", "Cc"},
}

// tagged returns a signed message after all that linkmilter does to its header: it removes fields
// that claim to be its own, adds its own, and does what a second signer would do.
func tagged(tb testing.TB, s *Signer, message string) string {
	tb.Helper()
	m := mime.Parse(context.Background(), []byte(message), mime.Limits{})
	var plan mime.Plan
	for i, f := range m.Root.Fields {
		if strings.HasPrefix(strings.ToLower(f.Name), "x-linkmilter") {
			plan.Header = append(plan.Header, mime.HeaderEdit{Op: mime.OpDelete, Field: i})
		}
	}
	plan.Header = append(plan.Header,
		mime.HeaderEdit{Op: mime.OpAdd, Name: "X-Linkmilter", Value: "mx.example.org; action=tag; worst=high; findings=1; outcome=complete; not-edited=dkim; rule=others"},
		mime.HeaderEdit{Op: mime.OpAdd, Name: "X-Linkmilter-Finding", Value: `mx.example.org; code=mixed-script; severity=high; host="xn--pypal-4ve.com"`})
	edited, _, err := m.Apply(plan)
	if err != nil {
		tb.Fatal(err)
	}
	return signed(tb, s, "example.com", string(edited))
}

// TestSignaturesSurvive: linkmilter adds and removes fields that no signature covers, and the
// message still verifies. Tried with each canonicalization, with and without l=, with over-signed
// fields, and with several signatures.
func TestSignaturesSurvive(t *testing.T) {
	own := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t)}})
	keys := map[string]crypto.PublicKey{
		"one._domainkey.example.net": rsaKey().Public(), "two._domainkey.example.net": edKey().Public(), "rsa._domainkey.example.com": rsaKey().Public(),
	}
	zone := zoneOf(t, own)
	lookup := func(name string) ([]string, error) {
		switch name {
		case "one._domainkey.example.net":
			return zone("rsa._domainkey.example.com")
		case "two._domainkey.example.net":
			return []string{"v=DKIM1; k=ed25519; p=" + encode(edKey().Public().(ed25519.PublicKey))}, nil
		}
		return zone(name)
	}
	proved := 0
	for _, header := range forms {
		for _, body := range forms {
			for _, length := range []int{-1, 0, 7, 1 << 20} {
				for fieldsName, fields := range proofFields {
					for messageName, message := range proofMessages {
						name := fmt.Sprintf("%s/%s l=%d %s %s", header, body, length, fieldsName, messageName)
						first := testdkim.Signature{Key: rsaKey(), Domain: "example.net", Selector: "one", Header: header, Body: body, Fields: fields, Length: length}
						second := first
						second.Key, second.Selector = edKey(), "two"
						arc := first
						arc.ARC = true
						before := arc.Sign(t, second.Sign(t, first.Sign(t, message)))
						after := tagged(t, own, before)
						if after == before {
							t.Fatalf("%s: nothing was done", name)
						}
						for when, m := range map[string]string{"before": before, "after": after} {
							for i, err := range testdkim.Verify(m, keys) {
								if err != nil {
									t.Errorf("%s, %s: signature %d: %v\n%s", name, when, i, err, m)
								}
								proved++
							}
							goMsgauthAgrees(t, name+", "+when, m, lookup, length >= 0)
						}
						s := signaturesOf(before)
						if s.Covered("X-Linkmilter") > 0 || s.Covered("X-Linkmilter-Finding") > 0 || s.Covered("From") == 0 || len(s.list) != 3 {
							t.Errorf("%s: what is covered: %+v", name, s)
						}
					}
				}
			}
		}
	}
	if want := 4 * 4 * len(proofFields) * len(proofMessages) * (3 + 4); proved != want {
		t.Errorf("%d verifications, want %d", proved, want)
	}
}

// goMsgauthAgrees verifies the DKIM signatures with go-msgauth, before and after. It accepts no
// signature with l=.
func goMsgauthAgrees(t *testing.T, name, message string, lookup lookupTXT, limited bool) {
	t.Helper()
	found, err := verify([]byte(message), lookup)
	if err != nil || len(found) < 2 {
		t.Fatalf("%s: %d signatures, %v", name, len(found), err)
	}
	for i, v := range found {
		foreign := v.Domain == "example.net"
		insecure := v.Err != nil && strings.Contains(v.Err.Error(), "insecure body length")
		if limited && foreign && !insecure || (!limited || !foreign) && v.Err != nil {
			t.Errorf("%s: go-msgauth on signature %d by %s: %v\n%s", name, i, v.Domain, v.Err, message)
		}
	}
}

func signaturesOf(message string) Signatures {
	m := mime.Parse(context.Background(), []byte(message), mime.Limits{})
	return FindSignatures(func(yield func(string, []byte) bool) {
		for _, f := range m.Root.Fields {
			_, value, _ := strings.Cut(string(m.RawField(f)), ":")
			if !yield(f.Name, []byte(value)) {
				return
			}
		}
	})
}

// TestSignaturesOfOurFields: if a signature covers fields with linkmilter's names, a change of
// these breaks it.
func TestSignaturesOfOurFields(t *testing.T) {
	own := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t)}})
	keys := map[string]crypto.PublicKey{"one._domainkey.example.net": rsaKey().Public()}
	for _, header := range forms {
		for name, message := range proofMessages {
			signature := testdkim.Signature{
				Key: rsaKey(), Domain: "example.net", Selector: "one", Header: header, Body: "relaxed", Length: -1,
				Fields: []string{"from", "x-linkmilter", "x-linkmilter", "x-linkmilter"},
			}
			before := signature.Sign(t, message)
			if s := signaturesOf(before); s.Covered("X-Linkmilter") != 3 || s.Covered("X-Linkmilter-Finding") > 0 {
				t.Errorf("%s: what is covered: %+v", name, s)
			}
			results := testdkim.Verify(tagged(t, own, before), keys)
			if err := testdkim.Verify(before, keys)[0]; err != nil || slices.Contains(results[1:], nil) {
				t.Errorf("%s, %s: before %v, after %v", header, name, err, results)
			}
		}
	}
}
