package dkim_test

import (
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/dkim"
)

// message is the example of RFC 8463 appendix A.3, with its signature by Ed25519.
var message = strings.ReplaceAll(`DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
`, "\n", "\r\n")

func keys(t *testing.T) map[string]crypto.PublicKey {
	t.Helper()
	public, err := base64.StdEncoding.DecodeString("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.PublicKey{"brisbane._domainkey.football.example.com": ed25519.PublicKey(public)}
}

// TestVerifyStandard: the signature in the standard is valid, and is not after a change of what it
// covers.
func TestVerifyStandard(t *testing.T) {
	for _, change := range []struct {
		from, to string
		good     bool
	}{
		{"", "", true},
		{"Joe SixPack <", "Joe  SixPack\r\n <", true}, // relaxed
		{"game.  Are", "game. Are", true},
		{"From:", "X-Added: x\r\nFrom:", true},
		{"From:", "Subject: x\r\nFrom:", false},
		{"dinner", "lunch", false},
		{"hungry", "thirsty", false},
		{"\r\nHi.", "Hi.", false},
		{"d=football", "d=soccer", false},
	} {
		results := dkim.Verify(strings.Replace(message, change.from, change.to, 1), keys(t))
		if len(results) != 1 || (results[0] == nil) != change.good {
			t.Errorf("%q for %q: %v", change.to, change.from, results)
		}
	}
}

// TestLength: with l=, the text behind the length may change, and that before it may not.
func TestLength(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]crypto.PublicKey{"s._domainkey.example.com": key.Public()}
	const plain = "From: anna@example.com\r\n\r\nHello Ben\r\n"
	for _, header := range []string{"simple", "relaxed"} {
		for _, body := range []string{"simple", "relaxed"} {
			s := dkim.Signature{Key: key, Domain: "example.com", Selector: "s", Header: header, Body: body, Fields: []string{"from", "from"}, Length: 5}
			signed := s.Sign(t, plain)
			for change, good := range map[string]bool{"Hello Ben": true, "Hello Eve": true, "Hello": true, "Hallo Ben": false, "Hell": false} {
				if err := dkim.Verify(strings.Replace(signed, "Hello Ben", change, 1), known)[0]; (err == nil) != good {
					t.Errorf("%s/%s, %s: %v", header, body, change, err)
				}
			}
		}
	}
}
