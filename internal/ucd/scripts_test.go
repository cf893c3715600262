package ucd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// TestScripts compares every code point with Scripts.txt and
// ScriptExtensions.txt.
func TestScripts(t *testing.T) {
	scripts := readProperty(t, "ucd/Scripts.txt", 1)
	extensions := readProperty(t, "ucd/ScriptExtensions.txt", 1)
	for r := rune(0); r <= 0x10ffff; r++ {
		want, ok := scripts[r]
		if !ok {
			want = "Unknown"
		}
		id := ucd.IdentityOf(r)
		if got := id.Script(); got.String() != strings.ReplaceAll(want, "_", " ") {
			t.Fatalf("script of %U = %s, want %s", r, got, want)
		}
		codes := []string{id.Script().Code()}
		if ext, ok := extensions[r]; ok {
			codes = strings.Fields(ext)
			slices.Sort(codes)
		}
		var got []string
		for _, s := range id.Extensions().Append(nil) {
			got = append(got, s.Code())
		}
		if !slices.Equal(got, codes) {
			t.Fatalf("script extensions of %U = %s, want %s", r, got, codes)
		}
	}
}

// TestIdentifierTypes compares every code point with IdentifierType.txt and
// IdentifierStatus.txt.
func TestIdentifierTypes(t *testing.T) {
	names := map[string]ucd.IdentifierType{
		"Recommended": ucd.Recommended, "Inclusion": ucd.Inclusion, "Limited_Use": ucd.LimitedUse,
		"Uncommon_Use": ucd.UncommonUse, "Technical": ucd.Technical, "Obsolete": ucd.Obsolete,
		"Exclusion": ucd.Exclusion, "Not_XID": ucd.NotXID, "Not_NFKC": ucd.NotNFKC,
		"Default_Ignorable": ucd.DefaultIgnorable, "Deprecated": ucd.Deprecated, "Not_Character": ucd.NotCharacter,
	}
	types := readProperty(t, "security/IdentifierType.txt", 1)
	status := readProperty(t, "security/IdentifierStatus.txt", 1)
	for r := rune(0); r <= 0x10ffff; r++ {
		want := ucd.NotCharacter
		if v, ok := types[r]; ok {
			want = 0
			for name := range strings.FieldsSeq(v) {
				want |= names[name]
			}
		}
		if got := ucd.IdentityOf(r).Types(); got != want {
			t.Fatalf("identifier type of %U = %b, want %b", r, got, want)
		}
		if got := ucd.IdentityOf(r).Allowed(); got != (status[r] == "Allowed") {
			t.Fatalf("%U allowed = %t", r, got)
		}
	}
}

// TestRecommendedScripts: UAX #31 table 5.
func TestRecommendedScripts(t *testing.T) {
	want := "Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn " +
		"Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt Zyyy"
	var got []string
	for _, s := range ucd.RecommendedScripts().Append(nil) {
		got = append(got, s.Code())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, " "), want)
	}
}

// TestDigitZero compares every code point with UnicodeData.txt, whose digits
// carry their value.
func TestDigitZero(t *testing.T) {
	category := readProperty(t, "ucd/UnicodeData.txt", 2)
	value := readProperty(t, "ucd/UnicodeData.txt", 6)
	digits := 0
	for r := rune(0); r <= 0x10ffff; r++ {
		var want rune
		if category[r] == "Nd" {
			want = r - rune(value[r][0]-'0')
			digits++
		}
		if got := ucd.DigitZero(r); got != want {
			t.Fatalf("DigitZero(%U) = %U, want %U", r, got, want)
		}
	}
	if digits < 700 {
		t.Errorf("only %d digits in the data", digits)
	}
}

// TestScriptSet covers the operations on sets beyond the first word.
func TestScriptSet(t *testing.T) {
	a := ucd.Scripts(ucd.ScriptAdlm, ucd.ScriptLatn, ucd.ScriptZyyy)
	b := ucd.Scripts(ucd.ScriptLatn, ucd.ScriptCyrl)
	tests := []struct {
		name string
		got  ucd.ScriptSet
		want ucd.ScriptSet
	}{
		{"and", a.And(b), ucd.Scripts(ucd.ScriptLatn)},
		{"or", a.Or(b), ucd.Scripts(ucd.ScriptAdlm, ucd.ScriptCyrl, ucd.ScriptLatn, ucd.ScriptZyyy)},
		{"without", a.Without(b), ucd.Scripts(ucd.ScriptAdlm, ucd.ScriptZyyy)},
		{"with", b.With(ucd.ScriptZyyy).With(ucd.ScriptAdlm), a.Or(b)},
		{"and all", a.And(ucd.AllScripts()), a},
		{"or all", a.Or(ucd.AllScripts()), ucd.AllScripts()},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, tt.got.Append(nil), tt.want.Append(nil))
		}
	}
	if a.Len() != 3 || a.IsEmpty() || !(ucd.ScriptSet{}).IsEmpty() {
		t.Errorf("length %d, empty %t", a.Len(), a.IsEmpty())
	}
	if n := testing.AllocsPerRun(10, func() { a = a.And(b).With(ucd.ScriptZyyy).Or(b) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
