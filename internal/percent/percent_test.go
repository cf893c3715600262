package percent_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// broken are texts with a percent sign that does not begin an escape.
var broken = []string{"%", "%%", "%4", "%z", "%zz", "%4z", "%z4", "%%4", "% 1", "%+1", "%-1", "%0x", "%é", "%\uff11\uff11"}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"":            "",
		"plain":       "plain",
		"a%2Fb%2fc":   "a/b/c",
		"%41%zz%42":   "A%zzB",
		"%%41":        "%A",
		"%2541":       "%41", // once
		"%41%":        "A%",
		"%41%4":       "A%4",
		"%E0%A4%AE":   "म",
		"%FFé%00":     "\xffé\x00",
		"म%20":        "म ",
		"100%-%41%%%": "100%-A%%%",
	} {
		if got := percent.Decode(in); got != want {
			t.Errorf("Decode(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestDecodeBesideBroken: escapes are decoded beside every broken one, as in browsers, but not in
// net/url.
func TestDecodeBesideBroken(t *testing.T) {
	escape := regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	decoded := func(s string) string {
		return escape.ReplaceAllStringFunc(s, func(e string) string {
			b, err := strconv.ParseUint(e[1:], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			return string([]byte{byte(b)})
		})
	}
	for _, bad := range broken {
		for _, in := range []string{"%61" + bad + ".%62", bad + ".%61", "%61." + bad, "%C3%A9" + bad} {
			if got, want := percent.Decode(in), decoded(in); got != want {
				t.Errorf("Decode(%q) = %q, want %q", in, got, want)
			}
			if _, err := url.PathUnescape(in); err == nil {
				t.Errorf("%q is not broken", in)
			}
		}
	}
}

// TestEveryRune: each character is decoded to itself, typed and escaped.
func TestEveryRune(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		written := string(percent.AppendRune(nil, r))
		u := percent.Next(written + "%80")
		if want := (percent.Unit{Rune: r, Size: len(written), Spelling: percent.Escaped}); u != want {
			t.Fatalf("%s: %v, want %v", written, u, want)
		}
		if u := percent.Next(string(r) + "zz"); u != (percent.Unit{Rune: r, Size: utf8.RuneLen(r)}) {
			t.Fatalf("%q: %v", r, u)
		}
		if percent.Decode(written) != string(r) || percent.HasStray(written) {
			t.Fatalf("%s: %q", written, percent.Decode(written))
		}
	}
}

// TestStray: two escapes that together are no UTF-8 are two units.
func TestStray(t *testing.T) {
	for a := 0x80; a <= 0xff; a++ {
		for b := range 0x100 {
			s := fmt.Sprintf("%%%02x%%%02x", a, b)
			valid := utf8.Valid([]byte{byte(a), byte(b)})
			u := percent.Next(s + "x")
			if valid != (u.Spelling == percent.Escaped) || percent.HasStray(s) == valid {
				t.Fatalf("%s: %v", s, u)
			}
			if !valid && u != (percent.Unit{Rune: rune(a), Size: 3, Spelling: percent.Stray}) {
				t.Fatalf("%s: %v", s, u)
			}
		}
	}
	for _, s := range []string{"%C0%AF", "%E0%80%AF", "%F0%80%80%AF", "%ED%A0%80", "%F4%90%80%80", "%F8%88%80%80%80", "%E0%A4", "%E0%A4%zz", "%E0%A4\xae", "a%FF"} {
		if !percent.HasStray(s) {
			t.Errorf("%s: not stray", s)
		}
	}
	for _, s := range append(broken, "", "a", "म", "\xff", "%41", "%EF%BF%BD") {
		if percent.HasStray(s) {
			t.Errorf("%s: stray", s)
		}
	}
}

func TestDecodeMarked(t *testing.T) {
	for in, want := range map[string]string{"": "", "a=3D=zz=2": "a==zz=2", "%41=41": "%41A", "=": "=", "==41": "=A"} {
		if got := percent.DecodeMarked(in, '='); got != want {
			t.Errorf("DecodeMarked(%q, '=') = %q, want %q", in, got, want)
		}
	}
}

func TestNextReadsBrokenAsTyped(t *testing.T) {
	for _, bad := range broken {
		if u := percent.Next(bad); u != (percent.Unit{Rune: '%', Size: 1}) {
			t.Errorf("%q: %v, want a typed percent sign", bad, u)
		}
	}
}

func TestNormalize(t *testing.T) {
	for c := range 256 {
		for _, format := range []string{"a%%%02x", "a%%%02X"} {
			in := fmt.Sprintf(format, c)
			want := strings.ToUpper(in[1:])
			if c < 0x80 && strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", rune(c)) {
				want = string(rune(c))
			}
			if got := percent.Normalize(in); got != "a"+want {
				t.Errorf("Normalize(%q) = %q, want %q", in, got, "a"+want)
			}
		}
	}
	for _, bad := range broken {
		if got := percent.Normalize(bad + ".%7e%2f"); got != bad+".~%2F" {
			t.Errorf("Normalize(%q) = %q", bad+".%7e%2f", got)
		}
	}
}

// FuzzUnits: the units of a text are not empty, and joined they are the text.
func FuzzUnits(f *testing.F) {
	for _, s := range append(broken, "a%41%E0%A4%AE%C0%AF%", "\xff%ff") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		decoded := []byte{}
		for rest := s; rest != ""; {
			u := percent.Next(rest)
			if u.Size < 1 || u.Size > len(rest) {
				t.Fatalf("%q: %v", rest, u)
			}
			switch u.Spelling {
			case percent.Escaped:
				decoded = utf8.AppendRune(decoded, u.Rune)
			case percent.Stray:
				decoded = append(decoded, byte(u.Rune))
			default:
				decoded = append(decoded, rest[:u.Size]...)
			}
			rest = rest[u.Size:]
		}
		if got := percent.Decode(s); got != string(decoded) {
			t.Fatalf("Decode(%q) = %q, units %q", s, got, decoded)
		}
	})
}
