package adminpage

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// marked writes pieces as text: doubtful ones in brackets.
func marked(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch {
		case p.Class != "":
			b.WriteString("[" + p.Text + "]")
		case p.Isolated:
			b.WriteString("<" + p.Text + ">")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// TestPageIsNotSpoofed: what an operator reads names its letters. Honest texts stay as they are.
func TestPageIsNotSpoofed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"www.p\u0430ypal.com", "www.xn--pypal-4ve.com"},
		{"See https://www.p\u0430ypal.com/\u0456d, now", "See https://www.xn--pypal-4ve.com/[\u0456][d], now"},
		{"https://app\u0406e.com/", "https://xn--appe-n9d.com/"},
		{"https://appIe.com/", "https://appie.com/"},
		{"appIe and PayPaI", "app[I]e and PayPa[I]"},
		{"\u0430\u0440\u0440\u04cf\u0435.com", "xn--80ak6aa92e.com"},
		{"anna@p\u0430ypal.com", "anna@xn--pypal-4ve.com"},
		{"P\u0430yPal Security", "P[\u0430]yPal Security"},
		{"\u0420\u0430\u0443\u0420\u0430\u04cf", "[\u0420][\u0430][\u0443][\u0420][\u0430][\u04cf]"},
		{"\U0001d40f\U0001d41a\U0001d432\U0001d429\U0001d41a\U0001d425 \uff30\uff41\uff59\uff50\uff41\uff4c", "[\U0001d40f][\U0001d41a][\U0001d432][\U0001d429][\U0001d41a][\U0001d425] [\uff30][\uff41][\uff59][\uff50][\uff41][\uff4c]"},
		{"a\u202ecod.exe", "a[\\u{202E}]cod.exe"},
		{"pay\u200dpal \u200dx", "pay[\\u{200D}]pal [\\u{200D}]x"},
		{"pay\u200bpal.com pay\u3164pal", "pay[\\u{200B}]pal.com pay[\\u{3164}]pal"},
		{"b\u0131g f\u0131ve", "b[\u0131]g f[\u0131]ve"},
		{"example.com\u2215login", "example.com[\u2215]login"},
		{"\u0445 or \u0425 (formerly)", "[\u0445] or [\u0425] (formerly)"},
		{"paypa\uff11 \uff11\uff10\u6708", "paypa[\uff11] \uff11\uff10\u6708"},
		{"a" + strings.Repeat("\u0335", 6), "a" + strings.Repeat("\u0335", 4) + strings.Repeat("[\\u{0335}]", 2)},
		// Honest.
		{"M\u00fcller, Jos\u00e9 and B\u0142a\u017cej: na\u00efve caf\u00e9", "M\u00fcller, Jos\u00e9 and B\u0142a\u017cej: na\u00efve caf\u00e9"},
		{"\u0421\u0447\u0451\u0442 \u0438 \u0434\u043e\u0433\u043e\u0432\u043e\u0440 \u043e\u0442 5 \u043c\u0430\u044f, \u0430 \u0442\u0430\u043a\u0436\u0435", "\u0421\u0447\u0451\u0442 \u0438 \u0434\u043e\u0433\u043e\u0432\u043e\u0440 \u043e\u0442 5 \u043c\u0430\u044f, \u0430 \u0442\u0430\u043a\u0436\u0435"},
		{"\u682a\u5f0f\u4f1a\u793eABC\u306e\u304a\u77e5\u3089\u305b", "\u682a\u5f0f\u4f1a\u793eABC\u306e\u304a\u77e5\u3089\u305b"},
		{"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"},
		{"Kart\u0131n\u0131z \u015fimdi, \u00fe\u00f3r, \u00e6ble", "Kart\u0131n\u0131z \u015fimdi, \u00fe\u00f3r, \u00e6ble"},
		{"\U0001f469\u200d\U0001f469\u200d\U0001f467 and 1\ufe0f\u20e3", "\U0001f469\u200d\U0001f469\u200d\U0001f467 and 1\ufe0f\u20e3"},
		{"\u2764\ufe0f 3 \u20ac, 20 m\u00b2", "\u2764\ufe0f 3 \u20ac, 20 m\u00b2"},
		{"I am in IT: VoIP, OpenAI and I", "I am in IT: VoIP, OpenAI and I"},
		{"z.B. f\u00fcr J.M\u00fcller", "z.B. f\u00fcr J.M\u00fcller"},
		{"https://m\u00fcnchen.de/gr\u00f6\u00dfe", "https://xn--mnchen-3ya.de/gr\u00f6\u00dfe"},
	} {
		if got := marked(textOf(c.in)); got != strings.ReplaceAll(c.want, "[d]", "d") {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	if got := marked(keptOf("+https://p\u0430yp\u1ea1l.com/ gr\u00f6\u00dfe")); got != "+https://p[\u0430]yp[\u1ea1]l.com/ gr\u00f6\u00dfe" {
		t.Errorf("kept: %q", got)
	}
	if got := marked(keptOf("a\n\tb\rI")); got != "a\n\tb[\\u{000D}]I" {
		t.Errorf("lines: %q", got)
	}
	if got := plainOf("P\u0430yPal m\u00fcller"); got != `P\u{0430}yPal müller` {
		t.Errorf("plain: %q", got)
	}
	if got := marked(urlOf("https://example.net/\u05d3\u05d5\u05d2/paypal.com")); got != "https://example.net/<\u05d3\u05d5\u05d2>/paypal.com" {
		t.Errorf("URL: %q", got)
	}
	if got := marked(urlOf("https://paypal.com.\u05d3\u05d5\u05d2\u05de\u05d4.example.net/")); got != "https://paypal.com.xn--6dbbec0c.example.net/" {
		t.Errorf("host: %q", got)
	}
}

// TestNoTextSpoofs makes texts of letters that look alike, of what shows nothing and of syntax, and
// looks for what came through unmarked.
func TestNoTextSpoofs(t *testing.T) {
	letters := []rune("paylIoe.\u0430\u0440\u0443\u04cf\u043e\u0435\u0456\u03bf\u0391\u0251\uff50\U0001d429\u05d0\u200b\u202e\u2066\u00ad\u034f\u3164\u2800 @/-:")
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var text []rune
		for range 1 + r.IntN(12) {
			text = append(text, letters[r.IntN(len(letters))])
		}
		var all, unmarked strings.Builder
		for _, p := range urlOf(string(text)) {
			all.WriteString(p.Text)
			if p.Class == "" {
				unmarked.WriteString(p.Text)
			} else {
				unmarked.WriteByte(' ')
			}
		}
		for word := range strings.FieldsFuncSeq(unmarked.String(), func(r rune) bool { return !unicode.IsLetter(r) }) {
			latin, other := false, false
			for _, l := range word {
				script := ucd.ScriptOf(l)
				latin = latin || script == ucd.ScriptLatn
				other = other || script == ucd.ScriptCyrl || script == ucd.ScriptGrek
			}
			if latin && other {
				t.Fatalf("%q: %q is not marked", string(text), word)
			}
		}
		for _, l := range all.String() {
			if ucd.IsBidiControl(l) || ucd.IsDefaultIgnorable(l) || l == '\u2800' {
				t.Fatalf("%q: %q holds %U", string(text), all.String(), l)
			}
		}
	}
}

// FuzzTextOf: whatever a mail holds, nothing that shows nothing comes through, and no text is lost but
// for hosts.
func FuzzTextOf(f *testing.F) {
	for _, seed := range spoofs {
		f.Add(seed)
	}
	f.Add("https://\u05d3\u05d5\u05d2/\xff@xn--a.\u3002x//\u200d\ufe0f")
	f.Fuzz(func(t *testing.T, text string) {
		for _, pieces := range [][]piece{textOf(text), urlOf(text), keptOf(text)} {
			for _, p := range pieces {
				for i, r := range []rune(p.Text) {
					isJoiner := r == '\u200c' || r == '\u200d' || r == '\ufe0e' || r == '\ufe0f'
					if ucd.IsBidiControl(r) || ucd.IsDefaultIgnorable(r) && !isJoiner || r < ' ' && r != '\n' && r != '\t' {
						t.Errorf("%q: %q holds %U at %d", text, p.Text, r, i)
					}
				}
			}
		}
		if kept := marked(keptOf(text)); len(text) > 0 && kept == "" {
			t.Errorf("%q is lost", text)
		}
		_ = plainOf(text)
	})
}
