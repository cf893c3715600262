package mailauth

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// FuzzFindSignatures: all fields that a signature lists are covered, and no value exceeds its
// limit.
func FuzzFindSignatures(f *testing.F) {
	for _, value := range []string{
		goodSignature, "", "v=1", ";;;", "h=::", goodSignature + "; l=0", strings.Repeat("a=;", 100),
		" a=x; b=x; bh=x; d=x; s=x; h=from:to:subject", "a=\x00;b=\xff", goodSignature + ";" + goodSignature,
	} {
		f.Add(value, true)
		f.Add(value, false)
	}
	f.Fuzz(func(t *testing.T, value string, arc bool) {
		name := fieldSignature
		if arc {
			name = "ARC-Message-Signature"
		}
		s := FindSignatures(func(yield func(string, []byte) bool) { yield(name, []byte(value)) })
		if len(s.list) == 0 {
			if s.Covered("Subject") > 0 {
				t.Fatal("no signature, and a field is covered")
			}
			return
		}
		signature := s.list[0]
		if signature.arc != arc {
			t.Fatalf("%+v", s)
		}
		if len(signature.headers) == 0 || len(signature.headers) > maxNames || signature.domain == "" {
			t.Fatalf("%+v", signature)
		}
		for _, h := range signature.headers {
			if h == "" || strings.ContainsAny(h, whiteSpace+":;") || s.Covered(h) == 0 || s.Covered(strings.ToUpper(h)) == 0 && isWord(h) {
				t.Fatalf("%q", h)
			}
		}
	})
}

// FuzzResults: whatever Authentication-Results contain, fields of other servers give no results,
// and comments have no effect.
func FuzzResults(f *testing.F) {
	for _, value := range []string{
		"mx.example.org; none", "mx.example.org 1; dkim=pass (x (y) \\) ;) header.d=example.com; spf=fail",
		`"mx.example.org"; dkim=fail reason="a; dmarc=pass" header.i="a b"@x`, "mx.example.org; arc=pass header.oldest-pass=0",
		"(c)mx.example.org(c)1(c);(c)dkim(c)/(c)1(c)=(c)pass", "; ; =", "mx.example.org;=;==;/=;.=.", "mx.example.org; a.b = c . d",
	} {
		f.Add(value, "x; dmarc=pass header.from=x")
	}
	f.Fuzz(func(t *testing.T, value, comment string) {
		trusted := []string{"mx.example.org"}
		results := Results([]string{value}, trusted)
		if len(results) > maxResults {
			t.Fatal(len(results))
		}
		for _, r := range results {
			if !isWord(r.method) || !isWord(r.value) || r.method != strings.ToLower(r.method) || r.value != strings.ToLower(r.value) {
				t.Fatalf("%+v", r)
			}
			for name, v := range r.properties {
				if v == "" || strings.ContainsAny(name+v, whiteSpace+";") {
					t.Fatalf("%q: %q", name, v)
				}
			}
		}
		if got := Results([]string{"x" + value}, trusted); got != nil && !strings.ContainsAny(value[:1], "( \t\r\n\";") {
			t.Fatalf("of a stranger: %+v", got)
		}
		// A comment in front, with any words, and the same words as quoted text, change nothing.
		escaped := strings.NewReplacer("\\", "\\\\", "(", "\\(", ")", "\\)", "\"", "\\\"").Replace(comment)
		if len(value)+len(escaped) > maxResultValue-100 {
			return
		}
		if got := Results([]string{"(" + escaped + ")" + value}, trusted); describe(got) != describe(results) {
			t.Fatalf("with a comment: %s, without: %s", describe(got), describe(results))
		}
		if strings.ContainsFunc(escaped, func(r rune) bool { return r < ' ' }) {
			return
		}
		got := Results([]string{`mx.example.org; spf=fail reason="` + escaped + `"`}, trusted)
		if !slices.ContainsFunc(got, func(r Result) bool { return r.method == "spf" && r.value == "fail" }) || len(got) != 1 {
			t.Fatalf("with a reason: %s", describe(got))
		}
	})
}

// FuzzSendmailKeeps: a field that Sendmail keeps to the byte also counts as kept except for white
// space, and has neither NUL nor DEL.
func FuzzSendmailKeeps(f *testing.F) {
	for _, value := range []string{" a@example.org", ` "A, \"B\"" <a@example.org>, C <b@example.org>`, " x:;", ",", ` "\`} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		relaxed, exact := sendmailKeeps("To", value, true), sendmailKeeps("To", value, false)
		if exact && !relaxed || relaxed && strings.ContainsAny(value, "\x00\x7f") {
			t.Fatalf("%q: %t, %t", value, relaxed, exact)
		}
	})
}

// FuzzSign: any message is refused, or its signature verifies and has short lines.
func FuzzSign(f *testing.F) {
	for _, message := range []string{
		plainMessage, "From: a@example.com\r\n", "From: a@example.com", "from:\r\n\r\n \r\n\r\n", "From : a\n\n\tb \n\n",
		"From: a\r\nTo: b\r\nTo:\r\n c\r\nDate:\r\n x\r\nX: y\r\n\r\nb=1; bh=2\r\n", "From: a\r\n \r\n\r\nx", strings.ReplaceAll(plainMessage, "\r\n", "\n"),
	} {
		f.Add([]byte(message), true, true)
		f.Add([]byte(message), false, false)
	}
	key := edOption(f)
	signers := map[[2]bool]*Signer{}
	for i, header := range forms {
		for j, body := range forms {
			signers[[2]bool{i == 1, j == 1}] = newSigner(f, SignerOptions{Keys: []Key{key}, Canonicalization: header + "/" + body})
		}
	}
	f.Fuzz(func(t *testing.T, message []byte, header, body bool) {
		s := signers[[2]bool{header, body}]
		values, err := s.Sign("example.com", message)
		if err != nil {
			if values != nil {
				t.Fatal("refused, and signed")
			}
			return
		}
		for line := range strings.SplitSeq(values[0], "\r\n") {
			if len(line) > maxLine || strings.Trim(line, whiteSpace) == "" || strings.ContainsAny(line, "\r\n") {
				t.Fatalf("a line of the signature: %q", line)
			}
		}
		found, err := verify([]byte(fieldSignature+": "+values[0]+"\r\n"+string(message)), zoneOf(t, s))
		if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) || len(found) == 0 || found[0].Err != nil {
			t.Fatalf("%+v, %v\n%q\n%q", found, err, values, message)
		}
	})
}
