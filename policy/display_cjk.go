package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// The characters of East Asia that read as something else beside foreign letters.
const (
	slashIdeographs = "ノンソゾ丶乀乁丿"
	latinIdeographs = "一ㄧ丨乛七丅十〇ㄒㄚㄟㄨㄩㄈㆺㆳ工ㆲ讠丁丶亅二亠冖宀巛丩"
	kanaIteration   = "ヽヾ"
	voicingMarks    = "\u3099\u309a"
	hiraganaTwins   = "へべぺ"
	katakanaTwins   = "ヘベペ"
)

// eastAsianRule returns the rule that hides a label with characters of East Asia.
// In a label of one writing system, oneScript, only the marks of kana count.
func eastAsianRule(s string, oneScript bool) DisplayRule {
	if strings.IndexFunc(s, func(r rune) bool { return r >= firstKanaLike }) < 0 {
		return displayed
	}
	if strings.ContainsAny(s, voicingMarks) || strayKanaMark(s) {
		return hiddenKanaMark
	}
	if hasTwin(s, hiraganaTwins, ucd.ScriptKana) || hasTwin(s, katakanaTwins, ucd.ScriptHira) {
		return hiddenKanaTwin
	}
	if oneScript {
		return displayed
	}
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case strings.ContainsRune(slashIdeographs, r) && before >= 0 && after >= 0 && !isJapanese(before) && !isJapanese(after):
			return hiddenSlash
		case strings.ContainsRune(latinIdeographs, r) && (before >= 0 && !isJapanese(before) || after >= 0 && !isJapanese(after)):
			return hiddenIdeograph
		}
	}
	return displayed
}

// neighbours returns the characters before and after r, which is at i in s, or -1.
func neighbours(s string, i int, r rune) (before, after rune) {
	before, after = -1, -1
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	if rest := s[i+utf8.RuneLen(r):]; rest != "" {
		after, _ = utf8.DecodeRuneInString(rest)
	}
	return before, after
}

// strayKanaMark reports whether a mark of kana is out of place: a prolonged sound mark not
// behind kana, an iteration mark not behind katakana, or a middle dot at the end of the label
// or with a foreign neighbour.
func strayKanaMark(s string) bool {
	katakana := ucd.Scripts(ucd.ScriptKana)
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case r == 'ー':
			if !isOf(before, katakana.With(ucd.ScriptHira)) {
				return true
			}
		case strings.ContainsRune(kanaIteration, r):
			if !isOf(before, katakana) {
				return true
			}
		case r == '・':
			if before >= 0 && !isJapanese(before) || !isJapanese(after) {
				return true
			}
		}
	}
	return false
}

// hasTwin reports whether s has one of the twins, not at an end, and is otherwise
// all of the script, the other kind of kana.
func hasTwin(s, twins string, script ucd.Script) bool {
	found := false
	others := ucd.Scripts(script)
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case strings.ContainsRune(twins, r) && before >= 0 && after >= 0:
			found = true
		case !isOf(r, others):
			return false
		}
	}
	return found
}

// isOf reports whether r is a character that one of the scripts uses (UAX #24); a
// negative r is not.
func isOf(r rune, scripts ucd.ScriptSet) bool {
	return r >= 0 && !ucd.IdentityOf(r).Extensions().And(scripts).IsEmpty()
}
