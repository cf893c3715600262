package mailauth

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

const plainMessage = "From: Anna <anna@example.com>\r\n" +
	"To: ben@example.net\r\n" +
	"Subject: a  link\r\n" +
	"\twith a folded subject\r\n" +
	"Date: Sat, 21 Nov 2026 04:00:00 +0000\r\n" +
	"Message-ID: <1@example.com>\r\n" +
	"MIME-Version: 1.0\r\n" +
	"Content-Type: text/plain; charset=us-ascii\r\n" +
	"\r\n" +
	"Hello,\r\n\r\nhttps://example.com/%C3%A4  \r\n\r\n\r\n"

// newSigner returns a signer, or ends the test.
func newSigner(tb testing.TB, o SignerOptions) *Signer {
	tb.Helper()
	s, err := NewSigner(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// zoneOf returns a DNS with the records of a signer's keys.
func zoneOf(tb testing.TB, s *Signer) lookupTXT {
	tb.Helper()
	records := make(map[string]string)
	for _, keys := range s.keys {
		for _, key := range keys {
			records[key.Name()] = strings.Join(key.Record(), "")
		}
	}
	return func(name string) ([]string, error) {
		if r, ok := records[name]; ok {
			return []string{r}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
}

// signed returns a message with signatures on top.
func signed(tb testing.TB, s *Signer, domain, message string) string {
	tb.Helper()
	values, err := s.Sign(domain, []byte(message))
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteString(fieldSignature + ": " + v + "\r\n")
	}
	return b.String() + message
}

// verifies checks that a message has n signatures and that all are valid.
func verifies(tb testing.TB, s *Signer, message string, n int) bool {
	tb.Helper()
	found, err := verify([]byte(message), zoneOf(tb, s))
	if err != nil || len(found) != n {
		tb.Fatalf("%d signatures, want %d; %v", len(found), n, err)
	}
	for _, v := range found {
		if v.Err != nil {
			tb.Logf("signature: %v", v.Err)
			return false
		}
	}
	return true
}

var forms = []string{"simple", "relaxed"}

// TestSign: for each pair of canonicalizations and each kind of key, the signature verifies, has
// lines of at most 78 bytes, and does not verify after a change.
func TestSign(t *testing.T) {
	for _, headerForm := range forms {
		for _, bodyForm := range forms {
			for name, keys := range map[string][]Key{
				"rsa":     {rsaOption(t)},
				"ed25519": {edOption(t)},
				"both":    {rsaOption(t), edOption(t)},
			} {
				t.Run(headerForm+"-"+bodyForm+"-"+name, func(t *testing.T) {
					s := newSigner(t, SignerOptions{Keys: keys, Canonicalization: headerForm + "/" + bodyForm})
					message := signed(t, s, "example.com", plainMessage)
					if !verifies(t, s, message, len(keys)) {
						t.Errorf("does not verify:\n%s", message)
					}
					for line := range strings.Lines(message) {
						limit := 78
						if headerForm == "simple" && strings.HasPrefix(line, fieldSignature+": a=ed25519") {
							limit = 82 // go-msgauth's first line, which cannot be folded otherwise
						}
						if len(strings.TrimRight(line, "\r\n")) > limit {
							t.Errorf("%d bytes: %q", len(line), line)
						}
					}
					if strings.Contains(message, "\n\r\n ") || strings.Contains(message, " \r\n ") {
						t.Errorf("blank line in the header:\n%s", message)
					}
					for _, change := range [][2]string{
						{"Hello", "Hallo"},
						{"To: ben", "To: eve"},
						{"From:", "Subject: another\r\nFrom:"},
						{"From:", "Reply-To: eve@example.org\r\nFrom:"},
						{"Subject:", "From: eve@example.org\r\nSubject:"},
						{"\r\n\r\nHello", "\r\nContent-Type: text/html\r\n\r\nHello"},
					} {
						changed := strings.Replace(message, change[0], change[1], 1)
						if changed == message || verifies(t, s, changed, len(keys)) {
							t.Errorf("verifies with %q for %q", change[1], change[0])
						}
					}
				})
			}
		}
	}
}

// TestSignShapes: messages of unusual shapes verify after signing.
func TestSignShapes(t *testing.T) {
	const from = "From: anna@example.com\r\n"
	tests := map[string]string{
		"no body":                  from + "Subject: x\r\n\r\n",
		"nothing but a header":     from + "Subject: x\r\n",
		"header without line end":  from + "Subject: x",
		"body of empty lines":      from + "\r\n\r\n\r\n",
		"body without line end":    from + "\r\nHello",
		"body of spaces":           from + "\r\n \t\r\n",
		"space before a colon":     "From : anna@example.com\r\nSUBJECT: x\r\n\r\nHello\r\n",
		"several To and Subject":   from + "To: a@example.net\r\nTo: b@example.net\r\nSubject: 1\r\nSubject: 2\r\nTo: c@example.net\r\n\r\nHello\r\n",
		"empty fields":             from + "Subject:\r\nTo: \r\n\r\nHello\r\n",
		"thousands of fields":      strings.Repeat("X: y\r\n", 5000) + from + "Subject: x\r\n\r\nHello\r\n",
		"folded Message-ID":        from + "Message-ID:\r\n <1@example.com>\r\nDate:\r\n\tSat, 21 Nov 2026 04:00:00 +0000\r\n\r\nHello\r\n",
		"folded":                   from + "To: a@example.net,\r\n\t b@example.net,\r\n  c@example.net\r\n\r\nHello\r\n",
		"list":                     from + "List-Id: <l.example.com>\r\nList-Unsubscribe: <https://example.com/u>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nIn-Reply-To: <0@example.com>\r\nReferences: <0@example.com>\r\nSender: l@example.com\r\n\r\nHello\r\n",
		"a line of 980 bytes":      from + "\r\n" + strings.Repeat("x", 980) + "\r\n",
		"a field like a signature": from + "X-Note: DKIM-Signature: b=AAAA; bh=x\r\n\r\nb=\r\n",
	}
	for _, form := range forms {
		s := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t), edOption(t)}, Canonicalization: form + "/" + form})
		for name, message := range tests {
			if !verifies(t, s, signed(t, s, "example.com", message), 2) {
				t.Errorf("%s, %s: does not verify", form, name)
			}
		}
	}
}

// TestSignLF: a message with LF line ends, as in a file, gets the same signature as with CRLF.
func TestSignLF(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t)}})
	values, err := s.Sign("example.com", []byte(strings.ReplaceAll(plainMessage, "\r\n", "\n")))
	if err != nil {
		t.Fatal(err)
	}
	if !verifies(t, s, fieldSignature+": "+values[0]+"\r\n"+plainMessage, 1) {
		t.Error("does not verify")
	}
}

// TestSignRefuses: a message is not signed if its signature would not verify later.
func TestSignRefuses(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t)}})
	const from = "From: anna@example.com\r\n"
	tests := []struct {
		name, domain, message string
		want                  error
	}{
		{"another domain", "example.org", plainMessage, errNoKey},
		{"a domain with the same end", "anexample.com", plainMessage, errNoKey},
		{"no domain", "", plainMessage, errNoKey},
		{"not a domain", "exa mple.com", plainMessage, errNoKey},
		{"a long line", "example.com", plainMessage + strings.Repeat("x", 981) + "\r\n", ErrFragile},
		{"bare CR", "example.com", plainMessage + "x\ry\r\n", ErrFragile},
		{"bare LF", "example.com", plainMessage + "x\ny\r\n", ErrFragile},
		{"NUL", "example.com", plainMessage + "x\x00y\r\n", ErrFragile},
		{"two From", "example.com", from + plainMessage, errUnsignable},
		{"no From", "example.com", "Subject: x\r\n\r\n" + plainMessage, errUnsignable},
		{"nothing", "example.com", "", errUnsignable},
		{"begins with white space", "example.com", " x\r\n" + plainMessage, errUnsignable},
		{"no field", "example.com", "x\r\n" + plainMessage, errUnsignable},
		{"mbox", "example.com", "From anna Sat Nov 21 04:00:00 2026\r\n" + plainMessage, errUnsignable},
		{"many fields", "example.com", strings.Repeat("X: y\r\n", 10_001) + plainMessage, errUnsignable},
		{"empty Date", "example.com", from + "Date: \r\nSubject: x\r\n\r\n", errUnsignable},
		{"empty Message-ID at the end", "example.com", from + "Message-ID:\r\n", errUnsignable},
		{"many To", "example.com", strings.Repeat("To: a@example.net\r\n", 201) + plainMessage, errUnsignable},
	}
	for _, tt := range tests {
		if values, err := s.Sign(tt.domain, []byte(tt.message)); !errors.Is(err, tt.want) || values != nil {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestSignDomains: of several domains with a key, the closest to From signs.
func TestSignDomains(t *testing.T) {
	sub := edOption(t)
	sub.Domain = "Mail.Example.COM."
	idn := edOption(t)
	idn.Domain = "bücher.example"
	s := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t), sub, idn}})
	for from, want := range map[string]string{
		"example.com": "example.com", "EXAMPLE.com.": "example.com", "a.b.example.com": "example.com",
		"mail.example.com": "mail.example.com", "x.mail.example.com": "mail.example.com",
		"bücher.example": "xn--bcher-kva.example", "XN--bcher-kva.example": "xn--bcher-kva.example",
	} {
		if !s.Has(from) {
			t.Errorf("no key for %s", from)
			continue
		}
		values, err := s.Sign(from, []byte(plainMessage))
		if err != nil || len(values) != 1 || !strings.Contains(values[0], "d="+want+";") {
			t.Errorf("%s: %q, %v", from, values, err)
		}
	}
	for _, from := range []string{"com", "example", "org", ""} {
		if s.Has(from) {
			t.Errorf("a key for %q", from)
		}
	}
}

// TestSignedFields: the signature covers the fields that are present, and From, Subject and others
// once more than they are. It does not cover missing fields that servers add.
func TestSignedFields(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{rsaOption(t)}})
	message := signed(t, s, "example.com", plainMessage)
	found, err := verify([]byte(message), zoneOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	for _, h := range found[0].HeaderKeys {
		counts[strings.ToLower(h)]++
	}
	for name, want := range map[string]int{
		"from": 2, "to": 2, "subject": 2, "date": 2, "message-id": 1, "reply-to": 1, "cc": 1,
		"mime-version": 2, "content-type": 2, "content-transfer-encoding": 0, "sender": 0, "references": 0,
	} {
		if counts[name] != want {
			t.Errorf("%s is named %d times, want %d", name, counts[name], want)
		}
	}
	for _, name := range []string{"Content-Transfer-Encoding", "Sender", "Received", "X-Linkmilter"} {
		if !verifies(t, s, name+": added\r\n"+message, 1) {
			t.Errorf("%s cannot be added", name)
		}
	}
}

// TestSignExpiry: x= has the time at which the signature expires.
func TestSignExpiry(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}, Expiry: 48 * time.Hour})
	message := signed(t, s, "example.com", plainMessage)
	if !verifies(t, s, message, 1) || !strings.Contains(message, " x=") {
		t.Errorf("no good signature with x=:\n%s", message)
	}
}

// TestSignOptions: contradictory options are errors that name them.
func TestSignOptions(t *testing.T) {
	tests := []struct {
		name string
		o    SignerOptions
		want string
	}{
		{"From is not signed", SignerOptions{Headers: []string{"To"}, Oversign: []string{}}, "no From"},
		{"a changing field", SignerOptions{Headers: []string{"From", "Received"}}, `"Received": not signable`},
		{"ours", SignerOptions{Oversign: []string{"X-Linkmilter"}}, `"X-Linkmilter": not signable`},
		{"no name", SignerOptions{Headers: []string{"From", "To:"}}, `"To:": not a field name`},
		{"too many", SignerOptions{Headers: many(60)}, "too many"},
		{"canonicalization", SignerOptions{Canonicalization: "relaxed/nowsp"}, `"relaxed/nowsp": unknown`},
		{"a short expiry", SignerOptions{Expiry: time.Minute}, "want at least 1h"},
		{"no file", SignerOptions{Keys: []Key{{Domain: "example.com", Selector: "s"}}}, "no file"},
	}
	for _, tt := range tests {
		if _, err := NewSigner(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	key := rsaOption(t)
	if _, err := NewSigner(SignerOptions{Keys: []Key{key, key}}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("the same key twice: %v", err)
	}
	_, err := NewSigner(SignerOptions{Keys: []Key{{Domain: "a b", Selector: "s", File: "f"}, {Domain: "example.com", Selector: "s s", File: "f"}}, Expiry: -1})
	if err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("not all errors at once: %v", err)
	}
}

// many returns From and n other names.
func many(n int) []string {
	names := []string{"From"}
	for i := range n {
		names = append(names, "X-"+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	return names
}

// TestSignConcurrently: one signer serves many goroutines.
func TestSignConcurrently(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}})
	results := make(chan string, 20)
	for range cap(results) {
		go func() {
			values, err := s.Sign("example.com", []byte(plainMessage))
			results <- strings.Join(values, "") + "|" + errorText(err)
		}()
	}
	for range cap(results) {
		if r := <-results; !strings.HasSuffix(r, "|") || len(r) < 100 {
			t.Error(r)
		}
	}
	if !slices.Contains(defaultHeaders, "From") || s.signs("Received") || !s.signs("from") || !s.relaxed() {
		t.Error("what the signer says about itself")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
