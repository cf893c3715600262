//go:build go1.27

package main

import (
	"testing"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestTablesAgree: in an ordinary build, with the toolchain that go.mod names, the libraries have
// the Unicode version of the tables for hosts.
func TestTablesAgree(t *testing.T) {
	for name, version := range map[string]string{
		"unicode": unicode.Version,
		"idna":    idna.UnicodeVersion,
		"norm":    norm.Version,
	} {
		if version != ucd.IDNAVersion {
			t.Errorf("package %s has Unicode %s, internal/ucd has %s for hosts", name, version, ucd.IDNAVersion)
		}
	}
	if !engine.TablesAgree() {
		t.Error("engine.TablesAgree() is false")
	}
}
