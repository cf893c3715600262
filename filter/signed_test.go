package filter_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	testdkim "github.com/linkmilter/linkmilter/internal/test/dkim"
)

// dkimKey is the key of all signatures that these tests make. dkimRecord is the DNS record of that
// key, for every selector and domain.
var (
	dkimKey    = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	dkimRecord = "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(dkimKey.Public().(ed25519.PublicKey))
)

// signedBy puts a signature of a domain on top of a message.
func signedBy(tb testing.TB, domain string, header, body dkim.Canonicalization, fields []string, raw string) string {
	tb.Helper()
	signer, err := dkim.NewSigner(&dkim.SignOptions{
		Domain: domain, Selector: "s", Signer: crypto.Signer(dkimKey),
		HeaderCanonicalization: header, BodyCanonicalization: body, HeaderKeys: fields,
	})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err = io.WriteString(signer, raw); err == nil {
		err = signer.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return signer.Signature() + raw
}

// verified fails unless a message has want signatures and all are valid.
func verified(tb testing.TB, raw []byte, want int) {
	tb.Helper()
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{
		LookupTXT: func(string) ([]string, error) { return []string{dkimRecord}, nil },
	})
	if err != nil || len(found) != want {
		tb.Errorf("%d signatures (%v), want %d", len(found), err, want)
	}
	for _, v := range found {
		if v.Err != nil {
			tb.Errorf("signature of %s: %v\n%s", v.Domain, v.Err, raw)
		}
	}
}

// shapes are ways to sign a message: by which domain, and which fields.
var shapes = []struct {
	name    string
	domains []string
	fields  []string
	own     bool // it covers our fields
}{
	{"one", []string{"example.com"}, []string{"From", "To", "Subject"}, false},
	{"all fields", []string{"example.com"}, nil, false},
	{"over-signed", []string{"example.com"}, []string{"From", "From", "To", "To", "Subject", "Subject", "Date", "Cc", "Content-Type", "Content-Type"}, false},
	{"several", []string{"example.com", "example.net", "example.com"}, []string{"From", "Subject", "MIME-Version"}, false},
	{"our field over-signed", []string{"example.com"}, []string{"From", "X-Linkmilter"}, true},
	{"our finding over-signed", []string{"example.com"}, []string{"From", "x-linkmilter-finding", "Subject"}, true},
	{"one of several covers ours", []string{"example.net", "example.com"}, []string{"From", "X-LINKMILTER"}, true},
}

// eachSignature calls test for every shape and every pair of canonicalizations.
func eachSignature(t *testing.T, raw string, test func(t *testing.T, signed string, signatures int, own bool)) {
	t.Helper()
	canonicalizations := []dkim.Canonicalization{dkim.CanonicalizationSimple, dkim.CanonicalizationRelaxed}
	for _, header := range canonicalizations {
		for _, body := range canonicalizations {
			for _, shape := range shapes {
				t.Run(fmt.Sprintf("%s-%s/%s", header, body, shape.name), func(t *testing.T) {
					signed := raw
					for _, domain := range shape.domains {
						signed = signedBy(t, domain, header, body, shape.fields, signed)
					}
					verified(t, []byte(signed), len(shape.domains))
					test(t, signed, len(shape.domains), shape.own)
				})
			}
		}
	}
}

// tagEach is a rule that tags each message of strangers.
var tagEach = rule.Rule{Name: "r", HTML: rule.HTMLAlways, Plain: rule.PlainReadable, On: rule.On{Info: rule.ActionTag}}

// TestTagsKeepSignatures: tags break no signature of a stranger's message, unless the signature
// forbids them.
func TestTagsKeepSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{tagEach}, ID: "mx.example.org"})
	stranger := envelope.Envelope{Sender: "a@example.com"}
	eachSignature(t, highMessage, func(t *testing.T, signed string, signatures int, own bool) {
		result := check(t, t.Name(), f, stranger, []byte(signed))
		if result.Report.Edited || result.Report.NotDone != "dkim-signed" || !tagged(result.Report) {
			t.Errorf("report %s", result.Report)
		}
		if own {
			// A signature that forbids our field is broken all the same.
			if result.Report.HeaderNote != "field-signed" {
				t.Errorf("note %q", result.Report.HeaderNote)
			}
			return
		}
		verified(t, result.Message([]byte(signed)), signatures)
		if result.Report.HeaderNote != "" {
			t.Errorf("note %q", result.Report.HeaderNote)
		}
	})
}

// TestTagsAboveSignedFields: if a signature covers the fields of other hosts, ours go on top, where
// they do not break it.
func TestTagsAboveSignedFields(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{tagEach}, ID: "mx.example.org"})
	const summary, finding = "X-Linkmilter: mx.example.net; action=none\r\n", "X-Linkmilter-Finding: mx.example.net; code=none\r\n"
	const forged = "X-Linkmilter: mx.example.org; action=none\r\n"
	for _, test := range []struct {
		name, raw string
		fields    []string
		broken    bool
	}{
		{"one", summary + highMessage, []string{"From", "X-Linkmilter"}, false},
		{"two", summary + summary + highMessage, []string{"From", "X-Linkmilter", "X-Linkmilter"}, false},
		{"the last of two", summary + summary + highMessage, []string{"From", "X-Linkmilter"}, false},
		{"both names", summary + finding + highMessage, []string{"From", "X-Linkmilter", "X-Linkmilter-Finding"}, false},
		{"a finding alone", finding + highMessage, []string{"From", "X-Linkmilter-Finding"}, false},
		{"a forged one above", forged + summary + highMessage, []string{"From", "X-Linkmilter"}, false},
		{"a forged one below", summary + forged + highMessage, []string{"From", "X-Linkmilter"}, true},
		{"a forged one below, of another name", finding + forged + highMessage, []string{"From", "X-Linkmilter-Finding"}, false},
		{"one more than there are", summary + highMessage, []string{"From", "X-Linkmilter", "X-Linkmilter"}, true},
	} {
		signed := signedBy(t, "example.com", "relaxed", "relaxed", test.fields, test.raw)
		verified(t, []byte(signed), 1)
		result := check(t, test.name, f, envelope.Envelope{Sender: "a@example.com"}, []byte(signed))
		after := result.Message([]byte(signed))
		if !tagged(result.Report) || bytes.Contains(after, []byte("mx.example.org; action=none")) || (result.Report.HeaderNote != "") != test.broken {
			t.Errorf("%s: tagged %t, note %q:\n%s", test.name, tagged(result.Report), result.Report.HeaderNote, after)
		}
		if !test.broken {
			verified(t, after, 1)
		}
	}
}

// TestTagsKeepPartialSignatures: the same for signatures over a part of the body, which go-msgauth
// does not verify, for those of ARC, and for several at once.
func TestTagsKeepPartialSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{tagEach}, ID: "mx.example.org"})
	keys := map[string]crypto.PublicKey{"s._domainkey.example.com": dkimKey.Public()}
	forged := "X-Linkmilter: mx.example.org; worst=none\r\n" + highMessage
	for _, header := range []string{"simple", "relaxed"} {
		for _, body := range []string{"simple", "relaxed"} {
			signed := forged
			for _, length := range []int{0, 10, -1} {
				for _, arc := range []bool{true, false} {
					signed = testdkim.Signature{
						Key: dkimKey, Domain: "example.com", Selector: "s", Header: header, Body: body, Length: length, ARC: arc,
						Fields: []string{"From", "From", "To", "Subject", "Subject", "Content-Type"},
					}.Sign(t, signed)
				}
			}
			good := func(when, message string) {
				t.Helper()
				results := testdkim.Verify(message, keys)
				if len(results) != 6 || errors.Join(results...) != nil {
					t.Errorf("%s/%s, %s: %v", header, body, when, results)
				}
			}
			good("before", signed)
			result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, []byte(signed))
			after := string(result.Message([]byte(signed)))
			if !tagged(result.Report) || strings.Contains(after, "worst=none") {
				t.Errorf("%s/%s: tagged %t", header, body, tagged(result.Report))
			}
			good("after", after)
		}
	}
}

// TestForgedFieldsUnderSignatures: strangers' fields with our id are removed even if a signature
// covers them, which breaks it. Other signatures stay valid.
func TestForgedFieldsUnderSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{tagEach}, ID: "mx.example.org"})
	stranger := envelope.Envelope{Sender: "a@example.com"}
	forged := "X-Linkmilter: mx.example.org; worst=none\r\nX-Linkmilter-Finding: mx.example.org; code=none\r\n" + highMessage
	eachSignature(t, forged, func(t *testing.T, signed string, signatures int, own bool) {
		own = own || strings.Contains(t.Name(), "all_fields")
		result := check(t, t.Name(), f, stranger, []byte(signed))
		after := result.Message([]byte(signed))
		if bytes.Contains(after, []byte("worst=none")) || bytes.Contains(after, []byte("code=none")) || !tagged(result.Report) {
			t.Errorf("forged fields stand:\n%s", after)
		}
		if noted := result.Report.HeaderNote == "field-signed"; noted != own || result.Report.HeaderNotDone != "" {
			t.Errorf("noted: %t; header not done because of %q", noted, result.Report.HeaderNotDone)
		}
		if !own {
			verified(t, after, signatures)
		}
	})
}

// TestTrustedFieldsUnderSignatures: in mail of the operator's users, no signed field is changed.
func TestTrustedFieldsUnderSignatures(t *testing.T) {
	chosen := tagEach
	chosen.When.Authenticated = new(true)
	f := newFilter(t, filter.Options{Rules: []rule.Rule{chosen}, ID: "mx.example.org"})
	eachSignature(t, "X-Linkmilter: mx.example.org; worst=none\r\n"+highMessage, func(t *testing.T, signed string, signatures int, own bool) {
		own = own || strings.Contains(t.Name(), "all_fields")
		result := check(t, t.Name(), f, localUser(), []byte(signed))
		verified(t, result.Message([]byte(signed)), signatures)
		if tagged(result.Report) == own || (result.Report.HeaderNotDone == "field-signed") != own {
			t.Errorf("tagged %t, not done because of %q", tagged(result.Report), result.Report.HeaderNotDone)
		}
	})
}

// TestOptOutUnderSignatures: the opt-out of an operator's user has its effect, and is removed only
// if no signature covers it.
func TestOptOutUnderSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, fields := range map[string][]string{"covered": {"From", "X-Linkmilter-Opt-Out"}, "not covered": {"From"}, "over-signed": {"From", "x-linkmilter-opt-out", "x-linkmilter-opt-out"}} {
		signed := signedBy(t, "example.com", "relaxed", "relaxed", fields, "X-Linkmilter-Opt-Out: yes\r\n"+plain)
		result := f.Message(context.Background(), localUser(), []byte(signed))
		after := result.Message([]byte(signed))
		verified(t, after, 1)
		if !optedOut(result.Report) {
			t.Errorf("%s: not heard", name)
		}
		if stays := bytes.Contains(after, []byte("X-Linkmilter-Opt-Out: yes")); stays != (name != "not covered") {
			t.Errorf("%s: the field stays: %t", name, stays)
		}
	}
}

// TestUnreadableSignatureKeepsNothingOut: a signature that cannot be verified does not prevent our
// fields.
func TestUnreadableSignatureKeepsNothingOut(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []rule.Rule{tagEach}, ID: "mx.example.org"})
	for name, field := range map[string]string{
		"no tags":      "DKIM-Signature: X-Linkmilter",
		"tags lack":    "DKIM-Signature: v=1; h=From:X-Linkmilter",
		"a tag twice":  "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; h=X-Linkmilter; h=From:X-Linkmilter; bh=a; b=b",
		"a huge one":   "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From" + strings.Repeat(":X-Linkmilter", 20_000),
		"101 in a row": strings.Repeat("DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From\r\n", 100) + "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From:X-Linkmilter",
	} {
		result := f.Message(context.Background(), envelope.Envelope{Sender: "a@example.com"}, []byte(field+"\r\n"+highMessage))
		if result.Report.Edited || !tagged(result.Report) {
			t.Errorf("%s: edited %t, tagged %t", name, result.Report.Edited, tagged(result.Report))
		}
	}
}
