package printable

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzNothingSteers: the same for any bytes.
func FuzzNothingSteers(f *testing.F) {
	for _, seed := range []string{
		"", "a\x1b[31mb", "\x1b]0;title\x07", "\x9b31m", "\u009b31m", "a\u202eb", "a\r\nb\tc", "\xff\xfe\x00", "\u2028\u2066\ufeff", "x\x7f", `\u{001B}`, "\xc2", "\U000e0041", "a\u0000b",
	} {
		f.Add(seed)
	}
	characters := string(steering())
	f.Fuzz(func(t *testing.T, text string) {
		for name, shown := range map[string]string{
			"Text": Text(text), "Error": Error(errors.New(text)), "wrapped": Error(fmt.Errorf("open %s: %w", text, errors.New(text))),
			"Lines": strings.NewReplacer("\n", "", "\t", "").Replace(Lines(text)),
		} {
			if i := strings.IndexAny(shown, characters); i >= 0 {
				t.Errorf("%s of %q: %q at %d", name, text, shown, i)
			}
			if !utf8.ValidString(shown) {
				t.Errorf("%s of %q: %q is not UTF-8", name, text, shown)
			}
		}
		document, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := JSON(string(document))
		var before, back string
		if err := errors.Join(json.Unmarshal(document, &before), json.Unmarshal([]byte(escaped), &back)); err != nil || before != back {
			t.Errorf("JSON of %q: %s, %v", text, escaped, err)
		}
		if i := strings.IndexAny(escaped, characters); i >= 0 {
			t.Errorf("JSON of %q: %q at %d", text, escaped, i)
		}
	})
}
