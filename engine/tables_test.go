package engine

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestCharactersOfTwoVersions: characters that only the later Unicode version has are part of
// links, stay as typed, and make a host invalid. Characters that neither version has end links, and
// forms escape them.
func TestCharactersOfTwoVersions(t *testing.T) {
	needTables(t)
	scanner, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	later, neither := 0, 0
	for r := rune(0xa1); r <= 0x10ffff; r++ {
		isLater := ucd.IsUnknownToIDNA(r)
		if !isLater && (!ucd.IsUnassigned(r) || r%64 != 0 || 0xd800 <= r && r < 0xe000) {
			continue
		}
		escape := string(percent.AppendRune(nil, r))
		if _, err := ParseLink("https://a" + string(r) + "b.com/"); err == nil {
			t.Errorf("%U is in a host", r)
		}
		if got, err := Format("https://example.com/a" + escape + "b"); err != nil || got != "https://example.com/a"+escape+"b" {
			t.Errorf("Format with the escape of %U: %q, %v", r, got, err)
		}
		for _, typed := range []string{escape, string(r)} {
			l, err := ParseLink("https://example.com/a" + typed + "b")
			if err != nil {
				t.Fatal(err)
			}
			want := escape
			if isLater && !isHidden(r) && !ucd.IsMark(r) {
				want = typed
			}
			if got := l.Readable(HostUnicode); !strings.HasSuffix(got, "/a"+want+"b") && !ucd.IsMark(r) {
				t.Errorf("Readable of %q (%U) = %q", l.Text, r, got)
			}
		}
		if !isLater {
			neither++
			continue
		}
		later++
		text := "https://example.com/a" + string(r) + "b"
		if found := scanner.Append(nil, text); len(found) != 1 || (found[0].Text == text) == (ucd.LinkTermOf(r) == ucd.Close) {
			t.Errorf("%U (%s): found %+v", r, ucd.LinkTermOf(r), found)
		}
	}
	if ucd.UnicodeVersion != ucd.IDNAVersion && later < 1000 || neither < 1000 {
		t.Errorf("%d characters that IDNA does not know, %d that are not assigned", later, neither)
	}
}
