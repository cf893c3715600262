package engine

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// browser is an independent URL parser. It does not escape "^" in paths, which the URL standard has
// asked for since 2023.
var browser = whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))

// open returns the URL that a browser opens for a link as shown.
func open(text string) (string, error) {
	if scheme, _ := cutScheme(text); scheme == "" {
		text = "http://" + text
	}
	u, err := browser.Parse(text)
	if err != nil {
		return "", err
	}
	return u.Href(false), nil
}

// sameURL reports invariant I4: two URLs are the same up to the case of
// hexadecimal digits and escapes of unreserved ASCII.
func sameURL(a, b string) bool { return canonicalEscapes(a) == canonicalEscapes(b) }

// canonicalEscapes undoes the differences that I4 allows.
func canonicalEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, ok := percent.Byte(s[i:])
		switch {
		case !ok:
			b.WriteByte(s[i])
			continue
		case percent.IsUnreserved(c):
			b.WriteByte(c)
		default:
			b.WriteString(strings.ToUpper(s[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

// addLinks seeds a fuzz target with the links of testdata/readable.txt and with some difficult
// ones.
func addLinks(f *testing.F) {
	for _, p := range readablePairs(f) {
		f.Add(p[0])
		f.Add(p[1])
	}
	for _, s := range []string{
		`http://a.de\b/..\%2e%2E/./c/.%2e`, "http:/\\/a.de:080?#", "https://u:p%40é@a.de:443/", "http://0x7f.1/%5E^", "http://[1::0:0:2]:65535/é",
		"a.de?%E3%80%8C#:~:%E3%80%8D,%28", "https://a.de/%%%34%C3%A9", "https://a.de/%E2%80%8D%E0%A5%8D%E2%80%8D", "https://a.de/((%EF%BC%88)%EF%BC%89",
		"https://a.de/%E1%84%80%E1%85%A1%E1%86%A8", "https://xn--a.de/", "https://xn--xn---epa/", "http://a.de/\u0301\u202e\u2800",
	} {
		f.Add(s)
	}
}

// FuzzReadable: whatever the link, its readable form opens the same URL
// (invariant I4), hides nothing, is stable under NFC, and is its own
// readable form.
func FuzzReadable(f *testing.F) {
	addLinks(f)
	links, changed := 0, 0
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLink(s)
		if err != nil {
			return
		}
		links++
		if checkReadable(t, l) != l.Text {
			changed++
		}
	})
	f.Logf("%d of %d links changed", changed, links)
	if links >= 100 && changed*10 < links*3 {
		f.Error("fewer than 30 % of the links were changed")
	}
}

// checkReadable checks the readable form of a link and returns it.
func checkReadable(t *testing.T, l Link) string {
	t.Helper()
	got := l.Readable(HostUnicode)
	for _, form := range []HostForm{HostUnicode, HostASCII, HostAsTyped} {
		checkOpensSame(t, l, l.Readable(form))
	}
	again, err := ParseLink(got)
	if err != nil {
		t.Fatalf("Readable(%q) = %q: %v", l.Text, got, err)
	}
	if twice := again.Readable(HostUnicode); twice != got {
		t.Errorf("Readable(%q) = %q, and of that %q", l.Text, got, twice)
	}
	if l.Kind == KindURL {
		// Where the Unicode tables do not agree, a host beyond ASCII stays as typed.
		kept := !TablesAgree() && !ascii.Is(l.Components().Host)
		if r := firstHidden(got); r >= 0 && !kept {
			t.Errorf("Readable(%q) = %q shows %U", l.Text, got, r)
		}
		if ascii.Is(l.Text) && !norm.NFC.IsNormalString(keyboardLetters.ReplaceAllString(got, "x")) {
			t.Errorf("Readable(%q) = %+q is not in NFC", l.Text, got)
		}
	}
	return got
}

// checkOpensSame checks invariant I4 for one readable form of a link.
func checkOpensSame(t *testing.T, l Link, readable string) {
	t.Helper()
	if l.Kind == KindEmail {
		again, err := ParseLink(readable)
		if err != nil {
			t.Fatalf("readable form %q of %q: %v", readable, l.Text, err)
		}
		if !sameURL(again.Href(), l.Href()) {
			t.Errorf("%q opens %q, its readable form %q opens %q", l.Text, l.Href(), readable, again.Href())
		}
		return
	}
	read := open
	if isMisread(l) {
		read = FormatASCII
	}
	if got, err := read(l.Text); err != nil || got != l.Href() {
		t.Errorf("Href(%q) = %q, want %q, %v", l.Text, l.Href(), got, err)
	}
	got, err := read(readable)
	if err != nil {
		t.Fatalf("readable form %q of %q: %v", readable, l.Text, err)
	}
	if !sameURL(got, l.Href()) {
		t.Errorf("%q opens %q, its readable form %q opens %q", l.Text, l.Href(), readable, got)
	}
}

// keyboardLetters matches letters, with the marks after them, that NFC changes and that readable
// forms show all the same, since keyboards write them.
var keyboardLetters = regexp.MustCompile(`[\x{958}-\x{95f}\x{9dc}\x{9dd}\x{9df}\x{a33}\x{a36}\x{a59}-\x{a5b}\x{a5e}\x{b5c}\x{b5d}]\pM*`)

// mongolianForms are the Mongolian letters with the format characters that change them.
var mongolianForms = regexp.MustCompile(`[\x{1820}-\x{18aa}][\x{180b}-\x{180d}\x{180f}]?\x{180e}[\x{1820}\x{1821}]|[\x{1820}-\x{18aa}][\x{180b}-\x{180d}\x{180f}]`)

// withoutEmoji returns s without its emoji sequences.
func withoutEmoji(s string) string {
	var b []byte
	rs := []rune(s)
	for i := 0; i < len(rs); {
		n := min(ucd.MaxEmojiSequence, len(rs)-i)
		for n > 1 && !ucd.IsEmojiSequence([]byte(string(rs[i:i+n]))) {
			n--
		}
		if n <= 1 {
			n = 1
			b = utf8.AppendRune(b, rs[i])
		}
		i += n
	}
	return string(b)
}

// firstHidden returns the first character of a readable form that readers cannot
// see or that reorders the text, or -1.
func firstHidden(s string) rune {
	s = mongolianForms.ReplaceAllString(withoutEmoji(s), "x")
	for _, r := range s {
		joiner := r == zeroWidthJoiner || r == zeroWidthNonJoiner
		if ucd.IsBidiControl(r) || ucd.IsDefaultIgnorable(r) && !joiner || r >= utf8.RuneSelf && ucd.IsWhiteSpace(r) || r == 0x2800 {
			return r
		}
	}
	return -1
}

// FuzzHref compares Href with an independent implementation of the WHATWG
// URL standard.
func FuzzHref(f *testing.F) {
	addLinks(f)
	links := 0
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLink(s)
		if err != nil || l.Kind != KindURL || isMisread(l) {
			return
		}
		links++
		want, err := open(l.Text)
		if err != nil {
			t.Fatalf("Href(%q) = %q, but: %v", l.Text, l.Href(), err)
		}
		got := l.Href()
		if got != want {
			t.Errorf("Href(%q) = %q, want %q", l.Text, got, want)
		}
		for _, c := range []byte(got) {
			if c <= ' ' || c >= 0x7f {
				t.Errorf("Href(%q) = %q is not printable ASCII", l.Text, got)
			}
		}
		if again, err := FormatASCII(got); err != nil || again != got {
			t.Errorf("Href(%q) = %q, and of that %q, %v", l.Text, got, again, err)
		}
	})
	f.Logf("%d links", links)
}

// isMisread reports whether the independent parser reads the host of a link wrongly. It applies
// UseSTD3ASCIIRules to hosts beyond ASCII. In the numbers of an IPv4 address it accepts signs and
// more than 19 digits.
func isMisread(l Link) bool {
	ascii := l.ASCIIHost()
	isIPv6 := ascii[0] == '['
	return !isIPv6 && strings.Trim(ascii, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || falseNumber.MatchString(ascii)
}

var falseNumber = regexp.MustCompile(`(^|\.)((0x?)?-|[0-9][0-9a-fx]{15})`)

// FuzzFormat: Format changes nothing in a URL but its escapes. Its result may have another minimal
// form: by UTS #58 §4.1 a bracket that stays escaped takes another from the stack.
func FuzzFormat(f *testing.F) {
	addLinks(f)
	links, changed := 0, 0
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Format(s)
		if err != nil {
			return
		}
		links++
		if got != s {
			changed++
		}
		before, err := FormatASCII(s)
		if err != nil {
			t.Fatalf("Format(%q) = %q, but FormatASCII: %v", s, got, err)
		}
		after, err := FormatASCII(got)
		if err != nil {
			t.Fatalf("Format(%q) = %q: %v", s, got, err)
		}
		if percent.Decode(after) != percent.Decode(before) {
			t.Errorf("Format(%q) = %q opens %q, not %q", s, got, after, before)
		}
	})
	f.Logf("%d of %d links changed", changed, links)
	if links >= 100 && changed*10 < links*3 {
		f.Error("fewer than 30 % of the links were changed")
	}
}
