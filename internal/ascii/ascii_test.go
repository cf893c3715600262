package ascii_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestPrefix tries a byte beyond ASCII at every place of texts whose lengths are around 64 and 8,
// the numbers of bytes that Prefix reads at once.
func TestPrefix(t *testing.T) {
	for length := range 150 {
		text := []byte(strings.Repeat("\x7f", length))
		if !ascii.Is(text) || !ascii.Is(string(text)) {
			t.Errorf("%d bytes of ASCII: false", length)
		}
		for at := range length {
			for _, c := range []byte{0x80, 0xc3, 0xff} {
				text[at] = c
				if ascii.Is(text) || ascii.Is(string(text)) || ascii.Prefix(text) != at || ascii.Prefix(string(text)) != at {
					t.Errorf("byte %#x at %d of %d: found at %d", c, at, length, ascii.Prefix(text))
				}
			}
			text[at] = 0x7f
		}
	}
}

// TestPrintable tries each byte at each place of texts around sixteen bytes, which Printable reads
// at once.
func TestPrintable(t *testing.T) {
	for length := range 40 {
		text := []byte(strings.Repeat("~ ", 20)[:length])
		if n := ascii.Printable(text); n != length {
			t.Errorf("%d of %d printable bytes", n, length)
		}
		for at := range length {
			before := text[at]
			for c := range 256 {
				text[at] = byte(c)
				want := at
				if ' ' <= c && c <= '~' {
					want = length
				}
				if n, same := ascii.Printable(text), ascii.Printable(string(text)); n != want || same != want {
					t.Fatalf("byte %#x at %d of %d: %d, %d as a string", c, at, length, n, same)
				}
			}
			text[at] = before
		}
	}
}

// TestLines compares Lines with the regular expression of its bytes.
func TestLines(t *testing.T) {
	lines := regexp.MustCompile("^(?:[ -~\t\f\n]|\r\n)*")
	random := rand.New(rand.NewPCG(1, 1))
	for range long.Rows(200_000, 10_000) {
		text := make([]byte, random.IntN(60))
		for i := range text {
			text[i] = "aaaaaaaaaaaaaaaaaaaa~ \t\f\n\r\n\r\n\v\x00\x7f\xc3"[random.IntN(33)]
			if i > 0 && text[i-1] == '\r' && random.IntN(8) > 0 {
				text[i] = '\n'
			}
		}
		if got, want := ascii.Lines(text), len(lines.Find(text)); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestSingleSpaced(t *testing.T) {
	slow := func(s string) int {
		for i := range len(s) {
			if s[i] < ' ' || '~' < s[i] || i > 0 && s[i-1:i+1] == "  " {
				return i
			}
		}
		return len(s)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range long.Rows(200_000, 10_000) {
		text := make([]byte, random.IntN(40))
		for i := range text {
			text[i] = "aaaaaaaa~!   \x00\x7f\xa0"[random.IntN(16)]
		}
		if got, want := ascii.SingleSpaced(string(text)), slow(string(text)); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestLettersAndDigits: only those of ASCII count.
func TestLettersAndDigits(t *testing.T) {
	for r := rune(-1); r < 0x400; r++ {
		inASCII := 0 <= r && r <= unicode.MaxASCII
		letter, digit := inASCII && unicode.IsLetter(r), inASCII && unicode.IsDigit(r)
		if ascii.IsLetter(r) != letter || ascii.IsDigit(r) != digit || ascii.IsAlphanumeric(r) != (letter || digit) {
			t.Fatalf("%U: letter %t, digit %t, alphanumeric %t", r, ascii.IsLetter(r), ascii.IsDigit(r), ascii.IsAlphanumeric(r))
		}
		if c := byte(r); 0 <= r && r < 0x100 && ascii.IsHex(c) != (inASCII && unicode.Is(unicode.ASCII_Hex_Digit, r)) {
			t.Errorf("byte %#x: hexadecimal %t", c, ascii.IsHex(c))
		}
	}
}

// TestHexByte compares all pairs of bytes with strconv.
func TestHexByte(t *testing.T) {
	for high := range 256 {
		for low := range 256 {
			want, err := strconv.ParseUint(string([]byte{byte(high), byte(low)}), 16, 8)
			got, ok := ascii.HexByte(byte(high), byte(low))
			if ok != (err == nil) || ok && got != byte(want) {
				t.Fatalf("%#x %#x: %#x, %t, want %#x, %v", high, low, got, ok, want, err)
			}
		}
	}
}

func TestUpperHex(t *testing.T) {
	for c := range 256 {
		written := []byte{ascii.UpperHex[c>>4], ascii.UpperHex[c&15]}
		if got, ok := ascii.HexByte(written[0], written[1]); !ok || int(got) != c {
			t.Errorf("%s: %#x, %t, want %#x", written, got, ok, c)
		}
	}
}

func TestFold(t *testing.T) {
	for _, test := range []struct {
		s, of          string
		prefix, suffix bool
	}{
		{"WWW.example.com", "www.", true, false},
		{"example.COM", ".com", false, true},
		{"www.", "www.", true, true},
		{"www", "www.", false, false},
		{"", "", true, true},
		{"éwww", "www", false, true},
		{"\u212a", "k", false, false},                      // Kelvin sign
		{"http\u017f://http\u017f", "https", false, false}, // long s
		{"\u212akk", "kkk", false, false},
		{"kk\u212a", "kkk", false, false},
	} {
		if got := ascii.HasPrefixFold(test.s, test.of); got != test.prefix {
			t.Errorf("%q begins with %q: %t", test.s, test.of, got)
		}
		if got := ascii.HasSuffixFold(test.s, test.of); got != test.suffix {
			t.Errorf("%q ends with %q: %t", test.s, test.of, got)
		}
	}
}

func TestIndexFold(t *testing.T) {
	for _, test := range []struct {
		s, name string
		want    int
	}{
		{"see WwW.example.com", "www.", 4},
		{"\xc7\xb7\xc3\xcewww.a.com", "www.", 4}, // three bytes each in lower case
		{"\u0130WWW.", "www.", 2},
		{"http\u017f:https:", "https:", 7},
		{"www", "www.", -1},
		{"a<?XML", "<?xml", 1},
		{"", "x", -1},
		{"x", "", 0},
	} {
		if got := ascii.IndexFold(test.s, test.name); got != test.want {
			t.Errorf("%q in %q: %d, want %d", test.name, test.s, got, test.want)
		}
		if got := ascii.IndexFold([]byte(test.s), test.name); got != test.want {
			t.Errorf("%q in bytes %q: %d, want %d", test.name, test.s, got, test.want)
		}
	}
}
