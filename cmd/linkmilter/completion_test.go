package main

import (
	"slices"
	"testing"
)

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
