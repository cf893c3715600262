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
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/dkimtest"
	"github.com/linkmilter/linkmilter/policy"
)

// dkimKey is the key of all signatures that these tests make of themselves, and
// dkimRecord what the DNS says of it for every selector and domain.
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

// verified fails unless a message has that many signatures, and all are good.
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

// shapes are ways to sign a message: by whom, and which fields.
var shapes = []struct {
	name    string
	domains []string
	fields  []string
	own     bool // fields of ours are covered
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

// tagEach is a rule under which each message of strangers is tagged.
var tagEach = filter.Rule{Name: "r", HTML: filter.HTMLAlways, Plain: filter.PlainReadable, On: filter.On{Info: filter.ActionTag}}

// TestTagsKeepSignatures: what is written about a stranger's message, and what is
// removed of it, breaks no signature.
func TestTagsKeepSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []filter.Rule{tagEach}, ID: "mx.example.org"})
	stranger := filter.Envelope{Sender: "a@example.com"}
	eachSignature(t, highMessage, func(t *testing.T, signed string, signatures int, own bool) {
		result := check(t, t.Name(), f, stranger, []byte(signed))
		verified(t, result.Message([]byte(signed)), signatures)
		if result.Report.Edited || result.Report.NotDone != filter.ReasonDKIM {
			t.Errorf("report %s", result.Report)
		}
		if result.Report.Tagged == own {
			t.Errorf("tagged: %t; header not done because of %q", result.Report.Tagged, result.Report.HeaderNotDone)
		}
	})
}

// TestTagsKeepPartialSignatures: the same for signatures over a part of the body,
// which go-msgauth does not verify, and those of ARC; several of them at once.
func TestTagsKeepPartialSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []filter.Rule{tagEach}, ID: "mx.example.org"})
	keys := map[string]crypto.PublicKey{"s._domainkey.example.com": dkimKey.Public()}
	forged := "X-Linkmilter: mx.example.org; worst=none\r\n" + highMessage
	for _, header := range []string{"simple", "relaxed"} {
		for _, body := range []string{"simple", "relaxed"} {
			signed := forged
			for _, length := range []int{0, 10, -1} {
				for _, arc := range []bool{true, false} {
					signed = dkimtest.Signature{
						Key: dkimKey, Domain: "example.com", Selector: "s", Header: header, Body: body, Length: length, ARC: arc,
						Fields: []string{"From", "From", "To", "Subject", "Subject", "Content-Type"},
					}.Sign(t, signed)
				}
			}
			good := func(when, message string) {
				t.Helper()
				results := dkimtest.Verify(message, keys)
				if len(results) != 6 || errors.Join(results...) != nil {
					t.Errorf("%s/%s, %s: %v", header, body, when, results)
				}
			}
			good("before", signed)
			result := f.Message(context.Background(), filter.Envelope{Sender: "a@example.com"}, []byte(signed))
			after := string(result.Message([]byte(signed)))
			if !result.Report.Tagged || strings.Contains(after, "worst=none") {
				t.Errorf("%s/%s: tagged %t", header, body, result.Report.Tagged)
			}
			good("after", after)
		}
	}
}

// TestForgedFieldsUnderSignatures: fields with our id are removed where no
// signature covers them; where one does they stay, and that is a finding.
func TestForgedFieldsUnderSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []filter.Rule{tagEach}, ID: "mx.example.org"})
	stranger := filter.Envelope{Sender: "a@example.com"}
	forged := "X-Linkmilter: mx.example.org; worst=none\r\nX-Linkmilter-Finding: mx.example.org; code=none\r\n" + highMessage
	eachSignature(t, forged, func(t *testing.T, signed string, signatures int, own bool) {
		own = own || strings.Contains(t.Name(), "all_fields")
		result := f.Message(context.Background(), stranger, []byte(signed))
		after := result.Message([]byte(signed))
		verified(t, after, signatures)
		if gone := !bytes.Contains(after, []byte("worst=none")); gone == own {
			t.Errorf("forged fields gone: %t", gone)
		}
		raised := slices.ContainsFunc(result.Report.Findings, func(f policy.Finding) bool { return f.Code == filter.CodeForgedField })
		if raised != own || (result.Report.HeaderNotDone == filter.ReasonFieldSigned) != own {
			t.Errorf("finding raised: %t; header not done because of %q", raised, result.Report.HeaderNotDone)
		}
	})
}

// TestOptOutUnderSignatures: the wish of one's own user is heard, and taken out of
// the message only where no signature covers it.
func TestOptOutUnderSignatures(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, fields := range map[string][]string{"covered": {"From", "X-Linkmilter-Opt-Out"}, "not covered": {"From"}, "over-signed": {"From", "x-linkmilter-opt-out", "x-linkmilter-opt-out"}} {
		signed := signedBy(t, "example.com", "relaxed", "relaxed", fields, "X-Linkmilter-Opt-Out: yes\r\n"+plain)
		result := f.Message(context.Background(), localUser(), []byte(signed))
		after := result.Message([]byte(signed))
		verified(t, after, 1)
		if !result.Report.OptedOut {
			t.Errorf("%s: not heard", name)
		}
		if stays := bytes.Contains(after, []byte("X-Linkmilter-Opt-Out: yes")); stays != (name != "not covered") {
			t.Errorf("%s: the field stays: %t", name, stays)
		}
	}
}

// TestUnreadableSignatureKeepsNothingOut: a signature that nobody can verify does
// not keep our fields out of a message.
func TestUnreadableSignatureKeepsNothingOut(t *testing.T) {
	f := newFilter(t, filter.Options{Rules: []filter.Rule{tagEach}, ID: "mx.example.org"})
	for name, field := range map[string]string{
		"no tags":      "DKIM-Signature: X-Linkmilter",
		"tags lack":    "DKIM-Signature: v=1; h=From:X-Linkmilter",
		"a tag twice":  "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; h=X-Linkmilter; h=From:X-Linkmilter; bh=a; b=b",
		"a huge one":   "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From" + strings.Repeat(":X-Linkmilter", 20_000),
		"101 in a row": strings.Repeat("DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From\r\n", 100) + "DKIM-Signature: v=1; a=rsa-sha256; d=e.com; s=s; bh=a; b=b; h=From:X-Linkmilter",
	} {
		result := f.Message(context.Background(), filter.Envelope{Sender: "a@example.com"}, []byte(field+"\r\n"+highMessage))
		if result.Report.Edited || !result.Report.Tagged {
			t.Errorf("%s: edited %t, tagged %t", name, result.Report.Edited, result.Report.Tagged)
		}
	}
}
