package ucd

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEmojiSequences: the list is that of UTS #51, with nothing that could be syntax.
func TestEmojiSequences(t *testing.T) {
	list := strings.Split(emojiSequences, " ")
	if len(list) < 1800 || !slices.IsSorted(list) {
		t.Fatalf("%d sequences, sorted: %t", len(list), slices.IsSorted(list))
	}
	longest := 0
	for _, s := range list {
		n := utf8.RuneCountInString(s)
		longest = max(longest, n)
		first, _ := utf8.DecodeRuneInString(s)
		isKeycap := '0' <= first && first <= '9' && strings.HasSuffix(s, "\ufe0f\u20e3") && n == 3
		if first < 0x80 && !isKeycap || n < 2 || IsDefaultIgnorable(first) || IsMark(first) {
			t.Errorf("%+q is not an emoji", s)
		}
		for i, r := range s {
			if i > 0 && r < 0x80 || LinkTermOf(r) == Hard {
				t.Errorf("%+q has %U", s, r)
			}
		}
		if strings.HasSuffix(s, "\u200d") || strings.Contains(s, "\ufe0f\ufe0f") || strings.Contains(s, "\u200d\u200d") {
			t.Errorf("%+q has an invisible character without effect", s)
		}
	}
	if longest != MaxEmojiSequence {
		t.Errorf("the longest has %d characters, MaxEmojiSequence is %d", longest, MaxEmojiSequence)
	}
	for s, want := range map[string]bool{
		"❤️": true, "👨\u200d👩\u200d👧": true, "1\ufe0f\u20e3": true, "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": true, "🏳️\u200d🌈": true,
		"#\ufe0f\u20e3": false, "a\ufe0f": false, "❤": false, "👨\u200d": false, "👨\u200d🍕": false, "🍕\ufe0f": false, "": false,
	} {
		if got := IsEmojiSequence([]byte(s)); got != want {
			t.Errorf("IsEmojiSequence(%+q) = %t", s, got)
		}
	}
}
