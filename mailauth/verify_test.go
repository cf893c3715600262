package mailauth

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// TestVerifyDNS: what the DNS answers is what becomes of a signature.
func TestVerifyDNS(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}})
	message := []byte(signed(t, s, "example.com", plainMessage))
	good := zoneOf(t, s)
	tests := []struct {
		name   string
		lookup LookupTXT
		want   string // of the error; "" for a good signature
	}{
		{"good", good, ""},
		{"no such name", func(_ context.Context, name string) ([]string, error) {
			return nil, &net.DNSError{Name: name, IsNotFound: true}
		}, "no key for signature"},
		{"no answer", func(_ context.Context, name string) ([]string, error) {
			return nil, &net.DNSError{Name: name, IsTemporary: true}
		}, "key unavailable"},
		{"no record", func(context.Context, string) ([]string, error) { return nil, nil }, "no valid key found"},
		{"two records", func(context.Context, string) ([]string, error) { return []string{"p=", "p="}, nil }, "multiple TXT records"},
		{"another record", func(context.Context, string) ([]string, error) { return []string{"v=spf1 -all"}, nil }, "incompatible public key version"},
		{"revoked", func(context.Context, string) ([]string, error) { return []string{"v=DKIM1; p="}, nil }, "key revoked"},
	}
	for _, tt := range tests {
		found, err := Verify(t.Context(), message, VerifyOptions{LookupTXT: tt.lookup})
		if err != nil || len(found) != 1 || found[0].Domain != "example.com" {
			t.Errorf("%s: %+v, %v", tt.name, found, err)
			continue
		}
		if got := errorText(found[0].Err); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestVerifyTimeout: a DNS that does not answer does not hold up for long.
func TestVerifyTimeout(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}})
	message := []byte(signed(t, s, "example.com", plainMessage))
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		found, err := Verify(t.Context(), message, VerifyOptions{
			Timeout: 3 * time.Second,
			LookupTXT: func(ctx context.Context, _ string) ([]string, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		})
		if err != nil || len(found) != 1 || found[0].Err == nil || time.Since(begun) != 3*time.Second {
			t.Errorf("after %s: %+v, %v", time.Since(begun), found, err)
		}
	})
}

// TestVerifyShapes: messages without signatures, with bad ones, with many, and none.
func TestVerifyShapes(t *testing.T) {
	s := newSigner(t, SignerOptions{Keys: []Key{edOption(t)}})
	values, err := s.Sign("example.com", []byte(plainMessage))
	if err != nil {
		t.Fatal(err)
	}
	field := FieldSignature + ": " + values[0] + "\r\n"
	o := VerifyOptions{LookupTXT: zoneOf(t, s)}
	for message, want := range map[string]int{plainMessage: 0, field + plainMessage: 1, strings.Repeat(field, 10) + plainMessage: 10} {
		found, err := Verify(t.Context(), []byte(message), o)
		if err != nil || len(found) != want {
			t.Errorf("%d signatures, want %d: %v", len(found), want, err)
		}
	}
	found, err := Verify(t.Context(), []byte(strings.Repeat(field, 100)+plainMessage), o)
	if !errors.Is(err, dkim.ErrTooManySignatures) || len(found) != 10 || found[9].Err != nil {
		t.Errorf("a hundred: %d, %v", len(found), err)
	}
	found, err = Verify(t.Context(), []byte("DKIM-Signature: nonsense\r\n"+plainMessage), o)
	if err != nil || len(found) != 1 || found[0].Err == nil {
		t.Errorf("nonsense: %+v, %v", found, err)
	}
	if _, err := Verify(t.Context(), []byte("no header\r\n\r\nbody"), o); err == nil {
		t.Error("no header, and no error")
	}
}
