package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/linkmilter/linkmilter/internal/test/dns"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linkmilter": main})
}

// TestScripts runs the program as a user would: each file of testdata/script
// is a session at the command line.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"dns": func(ts *testscript.TestScript, _ bool, args []string) { serveDNS(t, ts, args) },
			"rsa": writeRSA,
		},
	})
}

// serveDNS is the command `dns FILE`: it starts a name server for the lines `NAME
// RECORD` of a file, and sets $dns to its address.
func serveDNS(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: dns FILE")
	}
	records := map[string]string{}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		name, record, _ := strings.Cut(strings.TrimSpace(line), " ")
		records[name] = record
	}
	ts.Setenv("dns", dns.Serve(t, records))
}

// writeRSA is the command `rsa BITS FILE`: it writes a new key.
func writeRSA(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: rsa BITS FILE")
	}
	bits, err := strconv.Atoi(args[0])
	ts.Check(err)
	key, err := rsa.GenerateKey(rand.Reader, bits)
	ts.Check(err)
	der := x509.MarshalPKCS1PrivateKey(key)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: der}), 0o600))
}

// TestChoices: the words of a flag's value are those that its help lists.
func TestChoices(t *testing.T) {
	for help, want := range map[string][]string{
		"print as FORMAT: table, json or csv":                              {"table", "json", "csv"},
		"only findings at or above SEVERITY: info, low, medium or high; x": {"info", "low", "medium", "high"},
		"the list is kept in FILE (default: in the user's cache folder)":   nil,
		"messages from DATE on: 2026-11-30, or 7d or 12h ago":              nil,
		"NAME of the key in the DNS: NAME._domainkey.DOMAIN":               nil,
	} {
		if got := choicesOf(help); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", help, got, want)
		}
	}
}
