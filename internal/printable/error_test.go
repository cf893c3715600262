package printable

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// steering returns the characters that control a terminal: all C0 and C1 controls, DEL, Bidi
// controls, and separators of lines and paragraphs.
func steering() []rune {
	var all []rune
	for r := range rune(0xA0) {
		if r < ' ' || r >= 0x7F {
			all = append(all, r)
		}
	}
	for r := range rune(unicode.MaxRune) {
		if unicode.Is(unicode.Bidi_Control, r) {
			all = append(all, r)
		}
	}
	return append(all, 0x2028, 0x2029)
}

func TestErrorIsOneLineEach(t *testing.T) {
	joined := errors.Join(errors.New("open a\nb: no such file"), errors.New("second \x1b[2J"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("a\nb"), `a\u{000A}b`},
		{joined, "open a\\u{000A}b: no such file\nsecond \\u{001B}[2J"},
		{fmt.Errorf("x\r: %w", joined), "x\\u{000D}: open a\\u{000A}b: no such file\nsecond \\u{001B}[2J"},
		{fmt.Errorf("%w and %w", errors.New("a\n"), errors.New("b")), `a\u{000A} and b`},
		{errors.Join(joined, errors.New("c")), "open a\\u{000A}b: no such file\nsecond \\u{001B}[2J\nc"},
	} {
		if got := Error(c.err); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// TestNothingSteers: no function of the package returns a character that controls a terminal, and
// JSON keeps its meaning.
func TestNothingSteers(t *testing.T) {
	characters := steering()
	if len(characters) < 75 {
		t.Fatalf("only %d characters", len(characters))
	}
	for _, r := range characters {
		text := "a" + string(r) + "b"
		shown := []string{Text(text), Error(errors.New(text)), Error(fmt.Errorf("x: %w", errors.New(text)))}
		if r != '\n' && r != '\t' {
			shown = append(shown, Lines(text))
		}
		document, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := JSON(string(document))
		var back string
		if err := json.Unmarshal([]byte(escaped), &back); err != nil || back != text {
			t.Errorf("JSON of %q: %s", text, escaped)
		}
		for _, s := range append(shown, escaped) {
			if strings.ContainsRune(s, r) {
				t.Errorf("%U: %q", r, s)
			}
		}
	}
	if got := Lines("a\tb\r\n\x1bc\n"); got != "a\tb\n\\u{001B}c\n" {
		t.Errorf("%q", got)
	}
}
